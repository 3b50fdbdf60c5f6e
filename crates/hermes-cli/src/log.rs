//! What the runtime has to tell the operator beside its answers: one line per event on standard error,
//! never on standard output. `HERMES_LOG` says how much.

use std::fmt::{self, Write};
use std::sync::OnceLock;

use hermes_core::redact::Redactor;
use hermes_host::{Env, secrets};
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

use crate::failure::Failure;
use crate::render::{Style, warn};

const MAX_CHARS: usize = 2_000;
const LEVELS: [(&str, LevelFilter); 6] = [
    ("off", LevelFilter::OFF),
    ("error", LevelFilter::ERROR),
    ("warn", LevelFilter::WARN),
    ("info", LevelFilter::INFO),
    ("debug", LevelFilter::DEBUG),
    ("trace", LevelFilter::TRACE),
];

static REDACTOR: OnceLock<Redactor> = OnceLock::new();

/// Begins to listen; warnings and errors unless `HERMES_LOG` says otherwise.
pub(crate) fn start(env: &Env, style: Style) -> Result<(), Failure> {
    let wanted = env.get("HERMES_LOG").map(str::trim).filter(|wanted| !wanted.is_empty()).unwrap_or("warn");
    let Some((_, level)) = LEVELS.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted)) else {
        let known = LEVELS.map(|(name, _)| name).join(", ");
        return Err(Failure::usage(format!("HERMES_LOG is '{wanted}', which is none of {known}")));
    };
    // Fails only if somebody listens already, and then it is this.
    let _ = tracing::subscriber::set_global_default(Log { level: *level, style, env: env.clone() });
    Ok(())
}

/// What must not be shown, once it is known better than from the environment alone.
pub(crate) fn redact_with(redactor: &Redactor) {
    let _ = REDACTOR.set(redactor.clone());
}

/// A text of our own without the secrets that somebody typed into it.
pub(crate) fn redacted(text: &str) -> String {
    known_from(&Env::of_process()).redact_text(text).into_owned()
}

fn known_from(env: &Env) -> &'static Redactor {
    REDACTOR.get_or_init(|| Redactor::new(secrets::gather(env.iter(), &Default::default())))
}

struct Log {
    level: LevelFilter,
    style: Style,
    env: Env,
}

/// Events only: spans cost every call something and would tell an operator nothing here.
impl Subscriber for Log {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_event() && *metadata.level() <= self.level && metadata.target().starts_with("hermes")
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(self.level)
    }

    fn event(&self, event: &Event<'_>) {
        let mut line = Line::default();
        event.record(&mut line);
        let label = match *event.metadata().level() {
            Level::ERROR => "error:",
            Level::WARN => "warning:",
            Level::INFO => "info:",
            Level::DEBUG => "debug:",
            Level::TRACE => "trace:",
        };
        warn(self.style, label, &known_from(&self.env).redact_text(&line.text()));
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// The message, and the fields behind it.
#[derive(Default)]
struct Line {
    message: String,
    fields: String,
}

impl Line {
    /// Without line breaks, so that one event stays one line.
    fn text(&self) -> String {
        let fields = self.fields.trim_start_matches(", ");
        let whole = match fields {
            "" => self.message.clone(),
            fields => format!("{} ({fields})", self.message),
        };
        whole.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MAX_CHARS).collect()
    }

    fn add(&mut self, field: &Field, value: fmt::Arguments<'_>) {
        let _ = match field.name() {
            "message" => self.message.write_fmt(value),
            name => write!(self.fields, ", {name}: {value}"),
        };
    }
}

impl Visit for Line {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.add(field, format_args!("{value}"));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.add(field, format_args!("{value:?}"));
    }
}
