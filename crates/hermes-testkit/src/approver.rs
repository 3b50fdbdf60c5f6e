//! An approver that answers from a script and counts how often it was asked.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::future::BoxFuture;
use hermes_core::{AccessRequest, Approval, Approver, Decision};

/// Gives the same answer every time.
#[derive(Clone)]
pub struct ScriptedApprover {
    answer: Approval,
    asked: Arc<AtomicUsize>,
}

impl ScriptedApprover {
    pub fn granting() -> Self {
        Self::answering(Approval::Granted { by: "test".into() })
    }

    pub fn denying() -> Self {
        Self::answering(Approval::Denied { by: "test".into() })
    }

    /// Nobody is there, as in a headless run.
    pub fn absent() -> Self {
        Self::answering(Approval::Unanswered { hint: "nobody is there to ask".into() })
    }

    fn answering(answer: Approval) -> Self {
        ScriptedApprover { answer, asked: Arc::default() }
    }

    pub fn times_asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

impl Approver for ScriptedApprover {
    fn ask<'a>(
        &'a self,
        _request: &'a AccessRequest<'a>,
        _decision: &'a Decision,
    ) -> BoxFuture<'a, Approval> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        Box::pin(std::future::ready(self.answer.clone()))
    }
}
