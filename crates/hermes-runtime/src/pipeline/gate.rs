//! Keeps calls of one session apart that must not overlap. Arrival order decides, so nobody starves.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::oneshot;

use super::footprint::Footprint;

/// The calls of a session that run or wait, by arrival.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gate {
    slots: Arc<Mutex<Slots>>,
}

#[derive(Debug, Default)]
struct Slots {
    arrivals: u64,
    /// Running calls that touch no path. They conflict with exclusive calls only, so counting is enough.
    light: usize,
    by_arrival: BTreeMap<u64, Slot>,
    /// How many of `by_arrival` may not be overtaken by a reader.
    changing: usize,
    /// How many of `by_arrival` wait.
    waiting: usize,
}

#[derive(Debug)]
struct Slot {
    footprint: Footprint,
    /// Taken when the call may go; `None` means it runs.
    waiting: Option<oneshot::Sender<()>>,
}

/// A call that has passed the gate, or waits at it; leaves when dropped.
#[derive(Debug)]
pub(crate) struct Passage {
    slots: Arc<Mutex<Slots>>,
    /// `None` for a call that is only counted.
    arrival: Option<u64>,
}

impl Gate {
    /// Waits until no earlier call conflicts.
    pub(crate) async fn pass(&self, footprint: Footprint) -> Passage {
        let (passage, go) = {
            let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
            let (arrival, go) = slots.arrive(footprint);
            (Passage { slots: Arc::clone(&self.slots), arrival }, go)
        };
        if let Some(go) = go {
            // The sender lives in the slot that `passage` guards, so it cannot vanish unsent.
            let _ = go.await;
        }
        passage
    }
}

impl Drop for Passage {
    fn drop(&mut self) {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        slots.leave(self.arrival);
    }
}

impl Slots {
    /// Takes a call in; a receiver comes back if it has to wait.
    fn arrive(&mut self, footprint: Footprint) -> (Option<u64>, Option<oneshot::Receiver<()>>) {
        if footprint.is_light() && self.changing == 0 {
            self.light += 1;
            return (None, None);
        }
        let arrival = self.arrivals;
        self.arrivals += 1;
        let (waiting, go) = match self.blocks(&footprint) {
            true => {
                let (sender, go) = oneshot::channel();
                (Some(sender), Some(go))
            }
            false => (None, None),
        };
        self.changing += usize::from(footprint.is_changing());
        self.waiting += usize::from(waiting.is_some());
        self.by_arrival.insert(arrival, Slot { footprint, waiting });
        (Some(arrival), go)
    }

    /// Whether anything here conflicts with a call that arrives now.
    fn blocks(&self, footprint: &Footprint) -> bool {
        if *footprint == Footprint::Exclusive {
            return self.light > 0 || !self.by_arrival.is_empty();
        }
        // Readers do not conflict with each other, however many they are.
        (footprint.is_changing() || self.changing > 0)
            && self.by_arrival.values().any(|earlier| earlier.footprint.conflicts_with(footprint))
    }

    fn leave(&mut self, arrival: Option<u64>) {
        match arrival {
            None => self.light -= 1,
            Some(arrival) => {
                if let Some(slot) = self.by_arrival.remove(&arrival) {
                    self.changing -= usize::from(slot.footprint.is_changing());
                    self.waiting -= usize::from(slot.waiting.is_some());
                }
            }
        }
        if self.waiting > 0 {
            self.wake();
        }
    }

    /// Lets every waiting call go that no earlier one blocks any more.
    fn wake(&mut self) {
        let mut ready = Vec::new();
        for (arrival, slot) in &self.by_arrival {
            if slot.waiting.is_some() && !self.is_blocked(*arrival, &slot.footprint) {
                ready.push(*arrival);
            }
            // Everything after an exclusive call waits for it, running or not.
            if slot.footprint == Footprint::Exclusive {
                break;
            }
        }
        self.waiting -= ready.len();
        for arrival in ready {
            let sender = self.by_arrival.get_mut(&arrival).and_then(|slot| slot.waiting.take());
            let _ = sender.map(|sender| sender.send(()));
        }
    }

    fn is_blocked(&self, arrival: u64, footprint: &Footprint) -> bool {
        // No light call passes while an exclusive one is here, so all that run came before it.
        (*footprint == Footprint::Exclusive && self.light > 0)
            || self
                .by_arrival
                .range(..arrival)
                .any(|(_, earlier)| earlier.footprint.conflicts_with(footprint))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::poll;

    fn shared(reads: &[&str], writes: &[&str]) -> Footprint {
        let paths = |list: &[&str]| list.iter().map(Into::into).collect();
        Footprint::Shared { reads: paths(reads), writes: paths(writes) }
    }

    #[tokio::test]
    async fn readers_share_and_a_writer_waits_its_turn() {
        let gate = Gate::default();
        let first = gate.pass(shared(&["/a"], &[])).await;
        let second = gate.pass(shared(&["/a"], &[])).await;
        let mut writer = Box::pin(gate.pass(shared(&[], &["/a/b"])));
        assert!(poll!(&mut writer).is_pending());
        let mut late_reader = Box::pin(gate.pass(shared(&["/a"], &[])));
        assert!(poll!(&mut late_reader).is_pending(), "a later reader must not overtake the writer");
        drop(first);
        assert!(poll!(&mut writer).is_pending());
        drop(second);
        let written = writer.await;
        assert!(poll!(&mut late_reader).is_pending());
        drop(written);
        late_reader.await;
    }

    #[tokio::test]
    async fn exclusive_calls_run_alone_and_giving_up_frees_the_way() {
        let gate = Gate::default();
        let alone = gate.pass(Footprint::Exclusive).await;
        let mut other = Box::pin(gate.pass(shared(&[], &[])));
        let mut second = Box::pin(gate.pass(Footprint::Exclusive));
        assert!(poll!(&mut other).is_pending());
        assert!(poll!(&mut second).is_pending());
        drop(other);
        drop(alone);
        second.await;
    }
    #[tokio::test]
    async fn an_exclusive_call_waits_for_those_that_touch_nothing() {
        let gate = Gate::default();
        let first = gate.pass(shared(&[], &[])).await;
        let mut alone = Box::pin(gate.pass(Footprint::Exclusive));
        assert!(poll!(&mut alone).is_pending());
        let mut later = Box::pin(gate.pass(shared(&[], &[])));
        assert!(poll!(&mut later).is_pending(), "a later call must not overtake the exclusive one");
        drop(first);
        let alone = alone.await;
        assert!(poll!(&mut later).is_pending());
        drop(alone);
        later.await;
        gate.pass(Footprint::Exclusive).await;
    }
}
