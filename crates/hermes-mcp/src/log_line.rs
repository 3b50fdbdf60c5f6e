//! Lines of a log as the protocol sends them.

// Newer revisions deprecate it; servers and clients of all revisions still log.
#![allow(deprecated)]

use rmcp::model::{LoggingLevel, LoggingMessageNotificationParam};
use serde_json::Value;

/// How much a line matters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogLevel(pub(crate) LoggingLevel);

impl LogLevel {
    /// What a client gets that never said what it wants.
    pub(crate) const DEFAULT: LogLevel = LogLevel(LoggingLevel::Info);
    /// Something the user may want to act on.
    pub const NOTICE: LogLevel = LogLevel(LoggingLevel::Notice);

    /// Whether a line of this level is wanted by somebody who wants `wanted` and what matters more.
    pub(crate) fn reaches(self, wanted: LogLevel) -> bool {
        self.0 as u8 >= wanted.0 as u8
    }
}

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub struct LogLine {
    pub level: LogLevel,
    /// The part of the server that says it.
    pub logger: Option<String>,
    pub data: Value,
}

impl LogLine {
    /// The line as the protocol sends it, under the name of the server that said it.
    pub(crate) fn message(self, server: &str) -> LoggingMessageNotificationParam {
        let logger = match (server, self.logger) {
            ("", logger) => logger.unwrap_or_else(|| "hermes".to_owned()),
            (server, None) => server.to_owned(),
            (server, Some(logger)) => format!("{server}: {logger}"),
        };
        LoggingMessageNotificationParam::new(self.level.0, self.data).with_logger(logger)
    }
}
