//! Who waits for whom.

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

#[tokio::test]
async fn a_kept_place_counts_from_the_moment_it_was_taken() {
    let gate = Gate::default();
    let mut first = gate.line_up();
    let mut second = gate.line_up();
    second.tell(shared(&["/a"], &[]));
    let mut elsewhere = gate.line_up();
    elsewhere.tell(shared(&["/b"], &[]));
    let mut light = gate.line_up();
    light.tell(shared(&[], &[]));
    for later in [&mut second, &mut elsewhere, &mut light] {
        assert!(poll!(Box::pin(later.turn())).is_pending(), "nobody knows yet what the first will touch");
    }
    first.tell(shared(&[], &["/a"]));
    first.turn().await;
    elsewhere.turn().await;
    light.turn().await;
    assert!(poll!(Box::pin(second.turn())).is_pending(), "it reads what the first writes");
    drop(first);
    second.turn().await;
}

#[tokio::test]
async fn who_touches_something_else_than_was_said_goes_to_the_end() {
    let gate = Gate::default();
    let mut first = gate.line_up();
    first.tell(shared(&["/a"], &[]));
    let second = gate.pass(shared(&[], &["/b"])).await;
    first.tell(shared(&["/b"], &[]));
    assert!(poll!(Box::pin(first.turn())).is_pending());
    drop(second);
    first.turn().await;
    drop(first);
    gate.pass(Footprint::Exclusive).await;
}
