//! How a process of our binary becomes the keeper, by its name, or a client, by its first argument: before `main`.
//!
//! Every program that links this crate (the binary, an embedding application, a test) can be its own
//! keeper, without a line in its `main` that could be forgotten.

use std::ffi::{CStr, c_char, c_int};

use super::serve::serve;
use crate::terminal::enter_modal_client;

/// The name under which our binary is the keeper.
pub(crate) const KEEPER: &str = "hermes-keeper";

/// glibc calls these before `main`, with what `main` will get.
#[used]
#[unsafe(link_section = ".init_array")]
static ENTER: extern "C" fn(c_int, *const *const c_char) = enter;

extern "C" fn enter(count: c_int, arguments: *const *const c_char) {
    let count = usize::try_from(count).unwrap_or(0);
    if arguments.is_null() {
        return;
    }
    let string = |index| {
        // SAFETY: `arguments` holds `count` strings that live as long as the process.
        unsafe { CStr::from_ptr(*arguments.add(index)) }
    };
    let arguments: Vec<&CStr> = (0..count).map(string).collect();
    match arguments.as_slice() {
        [name, open_files @ ..] if name.to_bytes() == KEEPER.as_bytes() => {
            serve(open_files.first().and_then(|usual| usual.to_str().ok()?.parse().ok()))
        }
        arguments => enter_modal_client(arguments),
    }
}
