//! What a server says of the calls it works on: how far it is, and its log.

// Older servers log through the protocol; newer revisions deprecate it.
#![allow(deprecated)]

use rmcp::model::{LoggingMessageNotificationParam, ProgressNotificationParam};

use super::asking::Asking;
use super::log::Log;
use crate::assistant::Progress;
use crate::log_line::{LogLevel, LogLine};
use crate::text::visible_texts;

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
        self.log.line(&format!("[{:?}] {}", message.level, message.data));
        let data = visible_texts(self.log.cover.value(message.data));
        let logger = message.logger.map(|text| hermes_core::text::visible(&self.log.cover.text(text)));
        let line = LogLine { level: LogLevel(message.level), logger, data };
        self.asking.asked().log(&self.server, line);
    }
}
