//! Recall and reciprocal rank, as `score.py` of the benchmark counts them.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::asked::{Asked, Mode};

/// How deep a right answer still counts for the reciprocal rank.
const DEEPEST: usize = 50;

/// The numbers of one query, or means of many; all from 0 to 1.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Scores {
    pub(super) recall_1: f64,
    pub(super) recall_5: f64,
    pub(super) recall_10: f64,
    pub(super) mrr: f64,
}

impl Scores {
    pub(super) fn of(asked: &Asked, ranked: &[String]) -> Self {
        let gold: BTreeSet<&str> = asked.gold.iter().map(String::as_str).collect();
        let recall = |first: usize| {
            let found: BTreeSet<&str> =
                ranked.iter().take(first).map(String::as_str).filter(|name| gold.contains(name)).collect();
            match asked.mode {
                Mode::Any => f64::from(u8::from(!found.is_empty())),
                Mode::All => found.len() as f64 / gold.len().min(first).max(1) as f64,
            }
        };
        let place = ranked.iter().take(DEEPEST).position(|name| gold.contains(name.as_str()));
        Scores {
            recall_1: recall(1),
            recall_5: recall(5),
            recall_10: recall(10),
            mrr: place.map_or(0.0, |place| 1.0 / (place + 1) as f64),
        }
    }

    pub(super) fn mean(all: &[Scores]) -> Self {
        let count = all.len().max(1) as f64;
        let mean = |of: fn(&Scores) -> f64| all.iter().map(of).sum::<f64>() / count;
        Scores {
            recall_1: mean(|scores| scores.recall_1),
            recall_5: mean(|scores| scores.recall_5),
            recall_10: mean(|scores| scores.recall_10),
            mrr: mean(|scores| scores.mrr),
        }
    }
}

/// Means by source and catalog, and the plain mean of these, so that a large source does not drown a small.
pub(super) fn groups(asked: &[Asked], scores: &[Scores]) -> (BTreeMap<String, (usize, Scores)>, Scores) {
    let mut by_group: BTreeMap<String, Vec<Scores>> = BTreeMap::new();
    for (asked, scores) in asked.iter().zip(scores) {
        let name = match (asked.source.as_str(), asked.catalog.as_str()) {
            ("", "") => "all queries".to_owned(),
            ("", catalog) => catalog.to_owned(),
            (source, "") => source.to_owned(),
            (source, catalog) => format!("{source} @ {catalog}"),
        };
        by_group.entry(name).or_default().push(*scores);
    }
    let means: BTreeMap<String, (usize, Scores)> =
        by_group.into_iter().map(|(name, all)| (name, (all.len(), Scores::mean(&all)))).collect();
    let each: Vec<Scores> = means.values().map(|(_, mean)| *mean).collect();
    (means, Scores::mean(&each))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recall_counts_as_the_benchmark_does() {
        let asked = |mode: Mode| Asked {
            query_id: "q".into(),
            query: "q".into(),
            gold: vec!["a".into(), "b".into()],
            catalog: String::new(),
            mode,
            source: String::new(),
            server_hint: None,
        };
        let ranked: Vec<String> =
            ["x", "a", "y", "z", "w", "b"].iter().map(|name| (*name).to_owned()).collect();
        let any = Scores::of(&asked(Mode::Any), &ranked);
        assert_eq!((any.recall_1, any.recall_5, any.recall_10, any.mrr), (0.0, 1.0, 1.0, 0.5));
        let all = Scores::of(&asked(Mode::All), &ranked);
        assert_eq!((all.recall_1, all.recall_5, all.recall_10), (0.0, 0.5, 1.0));
    }
}
