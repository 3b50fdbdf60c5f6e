//! What a server says of the calls it works on: how far it is, and its log.

// Older servers log through the protocol; newer revisions deprecate it.
#![allow(deprecated)]

use hermes_core::text::json_fits;
use rmcp::model::{LoggingMessageNotificationParam, ProgressNotificationParam};
use serde_json::Value;

use super::asking::Asking;
use super::log::Log;
use crate::assistant::Progress;
use crate::log_line::{LogLevel, LogLine};
use crate::text::{LONGEST, capped, visible_texts};

#[derive(Clone)]
pub(super) struct Hearing {
    pub(super) server: String,
    pub(super) log: Log,
    pub(super) asking: Asking,
}

impl Hearing {
    pub(super) fn progress(&self, report: ProgressNotificationParam) {
        let message = report.message.map(|text| hermes_core::text::visible(&self.log.cover.text(text)));
        let progress = Progress { done: report.progress, total: report.total, message };
        self.asking.report(&self.server, report.progress_token, progress);
    }

    pub(super) fn log(&self, message: LoggingMessageNotificationParam) {
        let said = shortened(self.log.cover.value(message.data));
        self.log.line(&format!("[{:?}] {said}", message.level));
        let data = visible_texts(said);
        let logger = message.logger.map(|text| hermes_core::text::visible(&self.log.cover.text(text)));
        let line = LogLine { level: LogLevel(message.level), logger, data };
        self.asking.asked().log(&self.server, line);
    }
}

/// What a line of a log may say: nobody reads on for ever, and a server that logs without end must not keep others
/// waiting.
fn shortened(said: Value) -> Value {
    match said {
        Value::String(text) => capped(text).into(),
        said if json_fits(&said, LONGEST) => said,
        said => capped(said.to_string()).into(),
    }
}
