//! What went wrong: searches that missed, and tools that are taken for each other.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::asked::Asked;
use super::measure::Scores;
use crate::commands::tools::catalog_file::Tool;

/// Misses and pairs that are shown.
const MOST: usize = 20;

/// A search whose right tool was not among the first five.
#[derive(Serialize)]
pub(super) struct Miss<'a> {
    pub(super) query_id: &'a str,
    pub(super) query: &'a str,
    pub(super) wanted: &'a [String],
    pub(super) found: &'a [String],
}

/// A tool that came first where another was right.
#[derive(Serialize)]
pub(super) struct Confusion<'a> {
    pub(super) wanted: &'a str,
    pub(super) found: &'a str,
    pub(super) times: usize,
}

pub(super) fn misses<'a>(asked: &'a [Asked], ranked: &'a [Vec<String>], scores: &[Scores]) -> Vec<Miss<'a>> {
    let all = asked.iter().zip(ranked).zip(scores).filter(|(_, scores)| scores.recall_5 <= 0.0);
    all.map(|((asked, ranked), _)| Miss {
        query_id: &asked.query_id,
        query: &asked.query,
        wanted: &asked.gold,
        found: ranked.get(..ranked.len().min(3)).unwrap_or_default(),
    })
    .take(MOST)
    .collect()
}

/// A right answer that its catalog does not have: no search can find it.
#[derive(Serialize)]
pub(super) struct Unknown<'a> {
    pub(super) query_id: &'a str,
    pub(super) name: &'a str,
}

pub(super) fn unknown<'a>(asked: &'a [Asked], tools: &[Tool]) -> Vec<Unknown<'a>> {
    let mut names: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for asked in asked {
        names.entry(&asked.catalog).or_insert_with(|| {
            let is_in = |tool: &&Tool| asked.catalog.is_empty() || tool.is_in(&asked.catalog);
            tools.iter().filter(is_in).map(Tool::name).collect()
        });
    }
    let is_held =
        |asked: &Asked, name: &str| names.get(asked.catalog.as_str()).is_some_and(|held| held.contains(name));
    let all = asked.iter().flat_map(|asked| asked.gold.iter().map(move |name| (asked, name)));
    let unknown = all.filter(|(asked, name)| !is_held(asked, name));
    unknown.map(|(asked, name)| Unknown { query_id: &asked.query_id, name }).take(MOST).collect()
}

/// Pairs by how often one was taken for the other.
pub(super) fn confusions<'a>(asked: &'a [Asked], ranked: &'a [Vec<String>]) -> Vec<Confusion<'a>> {
    let mut pairs: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for (asked, ranked) in asked.iter().zip(ranked) {
        if let (Some(wanted), Some(found)) = (asked.gold.first(), ranked.first())
            && !asked.gold.contains(found)
        {
            *pairs.entry((wanted, found)).or_default() += 1;
        }
    }
    let mut all: Vec<Confusion<'_>> =
        pairs.into_iter().map(|((wanted, found), times)| Confusion { wanted, found, times }).collect();
    all.sort_by_key(|pair| std::cmp::Reverse(pair.times));
    all.truncate(MOST);
    all
}
