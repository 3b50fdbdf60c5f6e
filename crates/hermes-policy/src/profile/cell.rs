//! A policy that can be replaced while sessions use it. A text that is wrong changes nothing.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use hermes_core::{AccessRequest, CommandEffect, Decision, InnerJudge, Offer, Policy};

use super::engine::Engine;
use hermes_core::yaml::Problem;

/// Holds the policy in force. Sessions and their children hold the cell, so what is narrowed here is
/// narrowed for all of them at once.
pub struct PolicyCell {
    current: RwLock<Arc<Engine>>,
    /// How often it was replaced.
    generation: AtomicU64,
}

impl PolicyCell {
    pub fn new(engine: Engine) -> Self {
        PolicyCell { current: RwLock::new(Arc::new(engine)), generation: AtomicU64::new(0) }
    }

    /// The policy in force now.
    pub fn current(&self) -> Arc<Engine> {
        Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Puts the new policy in force, or keeps the old one if the new one could not be built.
    pub fn replace(&self, built: Result<Engine, Vec<Problem>>) -> Result<(), Vec<Problem>> {
        let engine = Arc::new(built?);
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = engine;
        self.generation.fetch_add(1, Ordering::Release);
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

    fn effects(&self, request: &AccessRequest<'_>) -> Vec<CommandEffect> {
        self.current().effects(request)
    }

    fn singled_out(&self) -> Vec<String> {
        self.current().singled_out()
    }

    fn may_ask(&self) -> bool {
        self.current().may_ask()
    }

    fn inner_judge(&self, request: &AccessRequest<'_>) -> Option<InnerJudge> {
        Some(self.current().inner(request))
    }

    fn shuts_out(&self, offer: &Offer<'_>) -> Option<Decision> {
        self.current().shuts_out(offer)
    }

    fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }
}
