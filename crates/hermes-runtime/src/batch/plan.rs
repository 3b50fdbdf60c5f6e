//! Cuts a batch into runs: calls that may overlap run together, the others one after another.

use serde::Serialize;

use super::occupied::Occupied;
use crate::pipeline::Footprint;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SegmentKind {
    Parallel,
    Sequential,
}

/// Neighbouring calls, by their places in the batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    pub kind: SegmentKind,
    pub calls: Vec<usize>,
}

/// Plans a batch. A call whose footprint is not known (`None`) runs alone. A call that conflicts with
/// the current run closes it and opens the next; a run of one is sequential. What is guarded runs beside the others and
/// takes its turn at the gate, when it is known what it touches.
pub fn plan(footprints: &[Option<Footprint>]) -> Vec<Segment> {
    let mut segments = Vec::new();
    let mut current: Vec<usize> = Vec::new();
    let mut occupied = Occupied::default();
    for (index, footprint) in footprints.iter().enumerate() {
        let (reads, writes) = match footprint {
            Some(Footprint::Shared { reads, writes }) => (reads.as_slice(), writes.as_slice()),
            Some(Footprint::Guarded) => Default::default(),
            Some(Footprint::Exclusive) | None => {
                close_run(&mut segments, &mut current);
                push_sequential(&mut segments, index);
                continue;
            }
        };
        if current.is_empty() || occupied.conflicts_with(reads, writes) {
            close_run(&mut segments, &mut current);
            occupied = Occupied::default();
        }
        occupied.add(reads, writes);
        current.push(index);
    }
    close_run(&mut segments, &mut current);
    segments
}

fn close_run(segments: &mut Vec<Segment>, current: &mut Vec<usize>) {
    match current.as_slice() {
        [] => {}
        [only] => push_sequential(segments, *only),
        _ => segments.push(Segment { kind: SegmentKind::Parallel, calls: current.clone() }),
    }
    current.clear();
}

fn push_sequential(segments: &mut Vec<Segment>, index: usize) {
    match segments.last_mut() {
        Some(last) if last.kind == SegmentKind::Sequential => last.calls.push(index),
        _ => segments.push(Segment { kind: SegmentKind::Sequential, calls: vec![index] }),
    }
}
