//! Calls a minute, counted for all processes that share the Hermes home: a new process has no new budget.

use std::sync::OnceLock;

use hermes_core::ToolError;
use hermes_host::home::Home;
use hermes_host::state::{RateCount, StateOptions};
use hermes_policy::profile::{Limit, NotTaken, RateLedger};

use crate::app::Surroundings;

pub(super) struct HomeLedger {
    home: Home,
    /// Opened at the first call that is limited: most policies limit none.
    count: OnceLock<RateCount>,
}

impl HomeLedger {
    pub(super) fn of(surroundings: &Surroundings) -> Self {
        HomeLedger { home: surroundings.home.clone(), count: OnceLock::new() }
    }

    fn count(&self) -> Result<&RateCount, ToolError> {
        if let Some(count) = self.count.get() {
            return Ok(count);
        }
        let count = RateCount::open(&self.home, &StateOptions::default())?;
        Ok(self.count.get_or_init(|| count))
    }
}

impl RateLedger for HomeLedger {
    fn take<'a>(&self, limits: &'a [Limit]) -> Result<(), NotTaken<'a>> {
        let rules: Vec<(&str, u32)> =
            limits.iter().map(|limit| (limit.rule.as_str(), limit.per_minute)).collect();
        let taken = self.count().and_then(|count| count.take(&rules));
        match taken.map(|used_up| used_up.and_then(|index| limits.get(index))) {
            Ok(None) => Ok(()),
            Ok(Some(limit)) => Err(NotTaken::UsedUp(limit)),
            Err(error) => Err(NotTaken::Unknown(error.to_string())),
        }
    }
}
