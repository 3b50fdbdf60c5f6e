//! Finding tools: by words and by meaning, among as many as a catalog of the benchmark has.

use hermes_search::encoder::{Encoder, QUERY_TOKENS, TOOL_TOKENS, Vector, tool_text};
use hermes_search::{Document, Library, Query};
use serde_json::json;

use crate::table::Table;
use crate::{measure, peer};

const VERBS: &[&str] =
    &["create", "list", "get", "delete", "update", "search", "merge", "send", "export", "archive"];
const THINGS: &[&str] =
    &["issue", "message", "file", "customer", "invoice", "event", "page", "table", "image", "report"];
const QUERIES: &[&str] =
    &["create a github issue", "send a message to the customer", "export last month's report as a file"];

pub fn run(table: &mut Table) {
    let encoder = Encoder::shared().expect("the weights of this build");
    for count in [426, 11_186] {
        let documents: Vec<Document> = (0..count).map(document).collect();
        let scan = measure::each(|| {
            documents.iter().filter(|document| document.description.contains("issue")).count()
        });
        let build = measure::each(|| library(&documents));
        table.time(format!("index {count} tools"), build).against("looking at every text once", scan.wall);
        let mut words = library(&documents);
        let scope = words.everything();
        let mut turn = QUERIES.iter().cycle();
        let mut ask = |library: &Library| {
            let text = turn.next().copied().unwrap_or_default();
            library.search(&Query { text, limit: 8, ..Query::default() }, &scope)
        };
        let lexical = measure::each(|| ask(&words));
        table
            .time(format!("search {count} tools by words"), lexical)
            .target(1e5)
            .against("looking at every text once", scan.wall);
        words.set_vectors(&|hash| Some(vector(*hash)));
        let hybrid = measure::each(|| ask(&words));
        table
            .time(format!("search {count} tools by words and meaning"), hybrid)
            .target(3e6)
            .against("by words alone", lexical.wall);
        let added = measure::each_with(
            || (0..100).map(|number| document(count + number)).collect::<Vec<_>>(),
            |more| {
                for document in &more {
                    words.insert(document.clone());
                }
                for document in &more {
                    words.remove(&document.name);
                }
            },
        );
        table
            .time(format!("100 tools come to {count} and go"), added)
            .against("looking at every text once", scan.wall);
        if let Some(time) = peer::search(count) {
            table
                .time(format!("the peer's search among {count} tools"), time)
                .against("by words here", lexical.wall);
        }
    }
    let text = tool_text(&document(7));
    let ids = measure::each(|| encoder.ids(QUERIES[0], QUERY_TOKENS));
    let query = measure::each(|| encoder.embed(QUERIES[0], QUERY_TOKENS));
    table.time("embed a query of four words", query).against("cutting it into word pieces", ids.wall);
    let tool = measure::each(|| encoder.embed(&text, TOOL_TOKENS));
    table.time("embed a tool", tool).against("a query", query.wall);
}

fn library(documents: &[Document]) -> Library {
    let mut library = Library::default();
    for document in documents {
        library.insert(document.clone());
    }
    library
}

fn document(number: usize) -> Document {
    let (verb, thing) = (VERBS[number % 10], THINGS[number / 10 % 10]);
    let server = format!("server{}", number / 100);
    let bare = format!("{verb}_{thing}_{number}");
    Document {
        name: format!("mcp_{server}_{bare}"),
        description: format!(
            "{verb} one {thing} of the account, with its labels and comments. Takes the id of the {thing}."
        ),
        parameters: json!({"properties": {
            format!("{thing}_id"): {"type": "string", "description": format!("The id of the {thing}.")},
            "limit": {"type": "integer", "description": "How many at most."},
        }}),
        bare,
        server,
        aliases: Vec::new(),
    }
}

/// Any direction will do: comparing takes the same time.
fn vector(hash: [u8; 16]) -> Vector {
    let mut numbers = [0.0; 384];
    for (at, number) in numbers.iter_mut().enumerate() {
        *number = f32::from(hash[at % 16]) - 128.0 + at as f32 / 10.0;
    }
    Vector::of(&numbers)
}
