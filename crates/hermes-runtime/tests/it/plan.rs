//! How a batch is cut into runs.

use hermes_runtime::Footprint;
use hermes_runtime::batch::{SegmentKind, plan};
use proptest::prelude::*;

fn shared(reads: &[&str], writes: &[&str]) -> Option<Footprint> {
    let paths = |list: &[&str]| list.iter().map(Into::into).collect();
    Some(Footprint::Shared { reads: paths(reads), writes: paths(writes) })
}

#[test]
fn plans_by_overlap() {
    let segments = |footprints: &[Option<Footprint>]| {
        plan(footprints).into_iter().map(|segment| (segment.kind, segment.calls)).collect::<Vec<_>>()
    };
    use SegmentKind::{Parallel, Sequential};
    let (a, b, wa) = (shared(&["/a"], &[]), shared(&["/b"], &[]), shared(&[], &["/a"]));
    assert_eq!(segments(&[a.clone(), a.clone()]), [(Parallel, vec![0, 1])], "reads never conflict");
    assert_eq!(segments(&[a.clone(), wa.clone()]), [(Sequential, vec![0, 1])]);
    assert_eq!(
        segments(&[a.clone(), b.clone(), wa, shared(&["/c"], &[])]),
        [(Parallel, vec![0, 1]), (Parallel, vec![2, 3])]
    );
    assert_eq!(segments(&[shared(&["/"], &[]), shared(&[], &["/x/y"])]), [(Sequential, vec![0, 1])]);
    assert_eq!(segments(&[shared(&[], &["/ab"]), shared(&["/a"], &[])]), [(Parallel, vec![0, 1])]);
    assert_eq!(
        segments(&[a.clone(), None, a.clone(), b]),
        [(Sequential, vec![0, 1]), (Parallel, vec![2, 3])]
    );
    assert_eq!(segments(&[]), []);
}

/// Planned as if each call were compared with each that runs beside it.
fn planned_one_by_one(footprints: &[Option<Footprint>]) -> Vec<Vec<usize>> {
    let mut runs: Vec<Vec<usize>> = Vec::new();
    let mut current: Vec<usize> = Vec::new();
    for (index, footprint) in footprints.iter().enumerate() {
        let conflicts = current.iter().any(|earlier| {
            footprints[*earlier].as_ref().unwrap().conflicts_with(footprint.as_ref().unwrap())
        });
        if conflicts {
            runs.push(std::mem::take(&mut current));
        }
        current.push(index);
    }
    runs.push(current);
    runs
}

proptest! {
    #[test]
    fn a_plan_is_the_same_however_it_is_found(
        calls in prop::collection::vec((0u8..2, prop::collection::vec(0u8..3, 0..4)), 1..40),
    ) {
        let footprint = |(writes, parts): &(u8, Vec<u8>)| {
            let path = parts.iter().fold("/r".to_owned(), |path, part| format!("{path}/{part}"));
            if *writes == 1 { shared(&[], &[&path]) } else { shared(&[&path], &[]) }
        };
        let footprints: Vec<_> = calls.iter().map(footprint).collect();
        // Runs of one are put together; cut apart again, the runs must be the same.
        let mut runs = Vec::new();
        for segment in plan(&footprints) {
            match segment.kind {
                SegmentKind::Parallel => runs.push(segment.calls),
                SegmentKind::Sequential => runs.extend(segment.calls.into_iter().map(|call| vec![call])),
            }
        }
        prop_assert_eq!(runs, planned_one_by_one(&footprints));
    }
}
