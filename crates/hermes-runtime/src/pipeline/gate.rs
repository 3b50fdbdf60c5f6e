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
    /// There while it has to wait. The sender lives in the slot that this guards, so it cannot vanish unsent.
    go: Option<oneshot::Receiver<()>>,
    /// Whether it is known what the call touches.
    known: bool,
}

impl Gate {
    /// A place behind all who are here.
    pub(crate) fn arrive(&self, footprint: Footprint) -> Passage {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let (arrival, go) = slots.arrive(footprint);
        Passage { slots: Arc::clone(&self.slots), arrival, go, known: true }
    }

    /// A place for a call of which nothing is known yet: who comes later waits until it is.
    pub(crate) fn line_up(&self) -> Passage {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let arrival = Some(slots.keep_place());
        Passage { slots: Arc::clone(&self.slots), arrival, go: None, known: false }
    }

    /// Waits until no earlier call conflicts.
    #[cfg(test)]
    async fn pass(&self, footprint: Footprint) -> Passage {
        let mut passage = self.arrive(footprint);
        passage.turn().await;
        passage
    }
}

impl Passage {
    /// Says what the call touches. If that is not what was said before, the call goes to the end: others may
    /// run by now because of what was said.
    pub(crate) fn tell(&mut self, footprint: Footprint) {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        (self.arrival, self.go) = match (self.known, self.arrival) {
            (false, Some(arrival)) => slots.narrow(arrival, footprint),
            (true, arrival) if slots.has(arrival, &footprint) => return,
            (_, arrival) => {
                slots.leave(arrival);
                slots.arrive(footprint)
            }
        };
        self.known = true;
    }

    /// Waits until no earlier call conflicts.
    pub(crate) async fn turn(&mut self) {
        if let Some(go) = &mut self.go {
            let _ = go.await;
            self.go = None;
        }
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
        let blocked = self.blocks(&footprint);
        let arrival = self.arrivals;
        self.arrivals += 1;
        (Some(arrival), self.put(arrival, footprint, blocked))
    }

    /// Takes a call in that counts as exclusive until it is known better.
    fn keep_place(&mut self) -> u64 {
        let arrival = self.arrivals;
        self.arrivals += 1;
        self.put(arrival, Footprint::Exclusive, false);
        arrival
    }

    fn put(&mut self, arrival: u64, footprint: Footprint, blocked: bool) -> Option<oneshot::Receiver<()>> {
        let (waiting, go) = match blocked {
            true => {
                let (sender, go) = oneshot::channel();
                (Some(sender), Some(go))
            }
            false => (None, None),
        };
        self.changing += usize::from(footprint.is_changing());
        self.waiting += usize::from(waiting.is_some());
        self.by_arrival.insert(arrival, Slot { footprint, waiting });
        go
    }

    /// A kept place becomes that of a call with this footprint, among those who came earlier and later.
    fn narrow(&mut self, arrival: u64, footprint: Footprint) -> (Option<u64>, Option<oneshot::Receiver<()>>) {
        self.take_out(arrival);
        let blocked = self.is_blocked(arrival, &footprint);
        let placed = if footprint.is_light() && !blocked {
            self.light += 1;
            (None, None)
        } else {
            (Some(arrival), self.put(arrival, footprint, blocked))
        };
        if self.waiting > 0 {
            self.wake();
        }
        placed
    }

    /// Whether this is what is known of the call.
    fn has(&self, arrival: Option<u64>, footprint: &Footprint) -> bool {
        match arrival {
            None => footprint.is_light(),
            Some(arrival) => self.by_arrival.get(&arrival).is_some_and(|slot| slot.footprint == *footprint),
        }
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
            Some(arrival) => self.take_out(arrival),
        }
        if self.waiting > 0 {
            self.wake();
        }
    }

    fn take_out(&mut self, arrival: u64) {
        if let Some(slot) = self.by_arrival.remove(&arrival) {
            self.changing -= usize::from(slot.footprint.is_changing());
            self.waiting -= usize::from(slot.waiting.is_some());
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
        // A light call is only counted if no exclusive one came before it, so all that run came earlier.
        (*footprint == Footprint::Exclusive && self.light > 0)
            || self
                .by_arrival
                .range(..arrival)
                .any(|(_, earlier)| earlier.footprint.conflicts_with(footprint))
    }
}

#[cfg(test)]
mod tests;
