//! Two files that have a tool of the same name: nobody can say which is meant, so neither is used.

use std::collections::BTreeMap;

use crate::yaml::ToolSpec;

/// Names that stand in more than one file, with the places where they do.
pub fn clashes<'a>(files: impl IntoIterator<Item = &'a [ToolSpec]>) -> BTreeMap<String, Vec<String>> {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for tool in files.into_iter().flatten() {
        places.entry(tool.name.clone()).or_default().push(tool.at.to_string());
    }
    places.retain(|_, places| places.len() > 1);
    places
}

/// Why a tool that stands in several files is not used.
pub fn clash_text(name: &str, places: &[String]) -> String {
    format!("the tool {name} stands in {}; none of them is used", places.join(" and in "))
}
