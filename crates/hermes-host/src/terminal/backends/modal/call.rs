//! A call: one message there, one or several back.

use prost::Message;

/// A request: where it goes, and what comes back.
pub(super) trait Call: Message + Default {
    const PATH: &'static str;
    type Answer: Message + Default;
}

/// The calls of one service.
macro_rules! calls {
    ($service:literal: $($name:ident($request:ty) -> $answer:ty),+ $(,)?) => {
        $(impl $crate::terminal::backends::modal::call::Call for $request {
            const PATH: &'static str = concat!("/", $service, "/", stringify!($name));
            type Answer = $answer;
        })+
    };
}
pub(super) use calls;
