//! A policy that can be replaced while sessions use it. A text that is wrong changes nothing.

use std::sync::{Arc, PoisonError, RwLock};

use hermes_core::{Access, AccessRequest, Decision, InnerJudge, Policy};

use super::engine::Engine;
use hermes_core::yaml::Problem;

/// Holds the policy in force. Sessions and their children hold the cell, so what is narrowed here is
/// narrowed for all of them at once.
pub struct PolicyCell {
    current: RwLock<Arc<Engine>>,
}

impl PolicyCell {
    pub fn new(engine: Engine) -> Self {
        PolicyCell { current: RwLock::new(Arc::new(engine)) }
    }

    /// The policy in force now.
    pub fn current(&self) -> Arc<Engine> {
        Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Puts the new policy in force, or keeps the old one if the new one could not be built.
    pub fn replace(&self, built: Result<Engine, Vec<Problem>>) -> Result<(), Vec<Problem>> {
        let engine = Arc::new(built?);
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = engine;
        Ok(())
    }
}

impl Policy for PolicyCell {
    fn decide(&self, request: &AccessRequest<'_>) -> Decision {
        self.current().decide(request)
    }

    fn look(&self, request: &AccessRequest<'_>) -> Decision {
        self.current().look(request)
    }

    fn effects(&self, request: &AccessRequest<'_>) -> Vec<Access> {
        self.current().effects(request)
    }

    fn may_ask(&self) -> bool {
        self.current().may_ask()
    }

    fn inner_judge(&self, request: &AccessRequest<'_>) -> Option<InnerJudge> {
        Some(self.current().inner(request))
    }
}
