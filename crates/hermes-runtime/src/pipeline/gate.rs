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
    by_arrival: BTreeMap<u64, Slot>,
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
    arrival: u64,
}

impl Gate {
    /// Waits until no earlier call conflicts.
    pub(crate) async fn pass(&self, footprint: Footprint) -> Passage {
        let (passage, go) = {
            let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
            let arrival = slots.arrivals;
            slots.arrivals += 1;
            let blocked =
                slots.by_arrival.values().any(|earlier| earlier.footprint.conflicts_with(&footprint));
            let (waiting, go) = match blocked {
                true => {
                    let (sender, go) = oneshot::channel();
                    (Some(sender), Some(go))
                }
                false => (None, None),
            };
            slots.by_arrival.insert(arrival, Slot { footprint, waiting });
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
        slots.by_arrival.remove(&self.arrival);
        slots.wake();
    }
}

impl Slots {
    /// Lets every waiting call go that no earlier one blocks any more.
    fn wake(&mut self) {
        let mut ready = Vec::new();
        for (arrival, slot) in &self.by_arrival {
            let blocked = slot.waiting.is_some()
                && self
                    .by_arrival
                    .range(..arrival)
                    .any(|(_, earlier)| earlier.footprint.conflicts_with(&slot.footprint));
            if slot.waiting.is_some() && !blocked {
                ready.push(*arrival);
            }
            // Everything after an exclusive call waits for it, running or not.
            if slot.footprint == Footprint::Exclusive {
                break;
            }
        }
        for arrival in ready {
            let sender = self.by_arrival.get_mut(&arrival).and_then(|slot| slot.waiting.take());
            let _ = sender.map(|sender| sender.send(()));
        }
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
}
