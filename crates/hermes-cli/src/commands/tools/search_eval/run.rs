//! Reads, ranks, measures, reports.

use std::io::Write;

use hermes_host::state::FileCache;
use serde_json::{Map, Value, json};

use super::args::SearchEvalArgs;
use super::asked::Asked;
use super::measure::{Scores, groups};
use super::rank::rank;
use super::report::{Unknown, confusions, misses, unknown};
use crate::app::App;
use crate::commands::tools::catalog_file::{Tool, lines};
use crate::failure::{Failure, exit};
use crate::render::{Style, Table, print_json, print_text};

pub(in crate::commands::tools) fn run(
    args: &SearchEvalArgs,
    app: &App,
    json: bool,
    style: Style,
) -> Result<u8, Failure> {
    let tools: Vec<Tool> = lines(&args.catalog)?;
    let asked: Vec<Asked> = lines(&args.queries)?;
    if tools.is_empty() || asked.is_empty() {
        return Err(Failure::usage("both files need at least one line"));
    }
    let ranked = rank(&tools, &asked, args, &FileCache::new(&app.surroundings.home));
    if let Some(path) = &args.results {
        write_results(path, &asked, &ranked)?;
    }
    let scores: Vec<Scores> =
        asked.iter().zip(&ranked).map(|(asked, ranked)| Scores::of(asked, ranked)).collect();
    let (by_group, mean) = groups(&asked, &scores);
    let (misses, confusions) = (misses(&asked, &ranked, &scores), confusions(&asked, &ranked));
    let unknown = unknown(&asked, &tools);
    if json {
        let groups: Map<String, Value> = by_group
            .iter()
            .map(|(name, (count, scores))| (name.clone(), json!({"queries": count, "scores": scores})))
            .collect();
        print_json(&json!({
            "queries": asked.len(), "tools": tools.len(), "mean": mean, "groups": groups,
            "misses": misses, "confusions": confusions, "unknown": unknown,
        }))?;
    } else {
        let mut table = Table::new(&["GROUP", "QUERIES", "RECALL@1", "RECALL@5", "RECALL@10", "MRR"]);
        for (name, (count, scores)) in &by_group {
            table.row(cells(name, *count, scores));
        }
        if by_group.len() > 1 {
            table.row(cells("mean of groups", asked.len(), &mean));
        }
        print_text(&table.render(style))?;
        for miss in &misses {
            let (wanted, found) = (miss.wanted.join(", "), miss.found.join(", "));
            let query = hermes_core::text::visible(miss.query);
            let missed = style.warning("missed");
            print_text(&format!("{missed} \"{query}\": wanted {wanted}; found {found}\n"))?;
        }
        for Unknown { query_id, name } in &unknown {
            let text = format!("query {query_id} wants {name}, which its catalog does not have\n");
            print_text(&format!("{} {text}", style.warning("unknown")))?;
        }
        for pair in confusions.iter().filter(|pair| pair.times > 1) {
            let text =
                format!("{} came first {} times where {} was right\n", pair.found, pair.times, pair.wanted);
            print_text(&format!("{} {text}", style.warning("confused")))?;
        }
    }
    match args.min_recall5 {
        Some(least) if mean.recall_5 * 100.0 < least => {
            let text = format!("recall@5 is {:.1} %, less than {least} %", mean.recall_5 * 100.0);
            Err(Failure::answer_is_no(text))
        }
        _ => Ok(exit::OK),
    }
}

fn cells(name: &str, count: usize, scores: &Scores) -> Vec<String> {
    let percent = |share: f64| format!("{:.1}", share * 100.0);
    let shares = [scores.recall_1, scores.recall_5, scores.recall_10, scores.mrr];
    [name.to_owned(), count.to_string()].into_iter().chain(shares.map(percent)).collect()
}

fn write_results(path: &std::path::Path, asked: &[Asked], ranked: &[Vec<String>]) -> Result<(), Failure> {
    let mut text = Vec::new();
    for (asked, ranked) in asked.iter().zip(ranked) {
        let line = json!({"query_id": asked.query_id, "ranked": ranked});
        writeln!(text, "{line}").map_err(Failure::io("the results"))?;
    }
    std::fs::write(path, text).map_err(Failure::io(&path.display().to_string()))
}
