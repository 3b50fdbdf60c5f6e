//! Places for connections. Where all are taken, a connection with nothing under way gives way, the one that was idle for
//! longest first: whoever says nothing keeps nobody out who would.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

pub(super) struct Places {
    most: usize,
    taken: Mutex<Taken>,
    /// Fires when one may be free.
    stirred: Notify,
}

#[derive(Default)]
struct Taken {
    /// Grows with everything that happens, so that what happened earlier is known.
    moment: u64,
    seats: BTreeMap<u64, Seat>,
}

struct Seat {
    under_way: usize,
    idle_since: u64,
    leave: CancellationToken,
}

impl Taken {
    fn next(&mut self) -> u64 {
        self.moment += 1;
        self.moment
    }

    fn longest_idle(&self) -> Option<u64> {
        let idle = self.seats.iter().filter(|(_, seat)| seat.under_way == 0);
        idle.min_by_key(|(_, seat)| seat.idle_since).map(|(number, _)| *number)
    }
}

impl Places {
    pub(super) fn new(most: usize) -> Arc<Self> {
        Arc::new(Places { most, taken: Mutex::default(), stirred: Notify::new() })
    }

    /// A place; somebody idle loses theirs for it if there is no other. Waits only while all are at work.
    pub(super) async fn enter(self: &Arc<Self>) -> Place {
        loop {
            let stirred = self.stirred.notified();
            if let Some(place) = self.take() {
                return place;
            }
            stirred.await;
        }
    }

    fn take(self: &Arc<Self>) -> Option<Place> {
        let mut taken = self.lock();
        if taken.seats.len() >= self.most {
            let idle = taken.longest_idle()?;
            taken.seats.remove(&idle)?.leave.cancel();
        }
        let number = taken.next();
        let leave = CancellationToken::new();
        let seat = Seat { under_way: 0, idle_since: number, leave: leave.clone() };
        taken.seats.insert(number, seat);
        Some(Place { number, places: Arc::clone(self), leave })
    }

    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The place of one connection, until it is dropped or needed by another.
pub(super) struct Place {
    number: u64,
    places: Arc<Places>,
    /// Fires when it is another's.
    pub(super) leave: CancellationToken,
}

impl Place {
    /// Something is under way there, until what is returned is dropped. Nothing if the place is another's by now.
    pub(super) fn work(self: &Arc<Self>) -> Option<Work> {
        self.places.lock().seats.get_mut(&self.number)?.under_way += 1;
        Some(Work(Arc::clone(self)))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.places.lock().seats.remove(&self.number);
        self.places.stirred.notify_one();
    }
}

pub(super) struct Work(Arc<Place>);

impl Drop for Work {
    fn drop(&mut self) {
        let places = &self.0.places;
        let mut taken = places.lock();
        let now = taken.next();
        if let Some(seat) = taken.seats.get_mut(&self.0.number) {
            seat.under_way = seat.under_way.saturating_sub(1);
            seat.idle_since = now;
        }
        drop(taken);
        places.stirred.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn whoever_was_idle_for_longest_gives_way_and_nobody_at_work_does() {
        let places = Places::new(2);
        let (first, second) = (Arc::new(places.enter().await), Arc::new(places.enter().await));
        let work = first.work().unwrap();
        let third = Arc::new(places.enter().await);
        assert!(!first.leave.is_cancelled() && second.leave.is_cancelled());
        assert!(second.work().is_none(), "it has no place any more");
        let other = third.work().unwrap();
        assert!(places.enter().now_or_never().is_none(), "all are at work");
        drop((work, other));
        // What ended later is idle for less long.
        let fourth = places.enter().await;
        assert!(first.leave.is_cancelled() && !third.leave.is_cancelled());
        let fifth = places.enter().await;
        assert!(third.leave.is_cancelled() && !fourth.leave.is_cancelled());
        drop(fifth);
        places.enter().await;
        assert!(!fourth.leave.is_cancelled(), "one was free");
    }

    #[tokio::test]
    async fn whoever_waits_gets_the_place_of_the_first_that_is_done() {
        let places = Places::new(1);
        let first = Arc::new(places.enter().await);
        let work = first.work().unwrap();
        let waiting = tokio::spawn({
            let places = Arc::clone(&places);
            async move { places.enter().await }
        });
        tokio::task::yield_now().await;
        drop(work);
        waiting.await.unwrap();
        assert!(first.leave.is_cancelled());
    }
}
