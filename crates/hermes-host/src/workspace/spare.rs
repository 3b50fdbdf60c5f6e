//! Room for the content of one small file, used again for the next one: to get and to clear new room takes as long as to
//! read a file into it.

use std::sync::{Arc, Mutex, PoisonError};

#[derive(Clone, Debug, Default)]
pub(super) struct Spare(Arc<Mutex<Vec<u8>>>);

impl Spare {
    /// Room for so many bytes, with anything in it.
    pub(super) fn room(&self, size: usize) -> Vec<u8> {
        let mut room = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        room.resize(size, 0);
        room
    }

    /// Nobody needs this any more.
    pub(super) fn keep(&self, room: Vec<u8>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = room;
    }
}
