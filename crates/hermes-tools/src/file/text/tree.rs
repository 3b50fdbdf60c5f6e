//! A folder drawn with lines, as `tree` does.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use hermes_host::workspace::{Entry, EntryKind, spelled};

#[derive(Default)]
struct Node {
    children: BTreeMap<OsString, Node>,
    /// What stands behind the name: a slash, or where a link points.
    suffix: String,
}

/// Draws the entries below `root`. Folders above an entry are drawn even if they are no entries themselves.
pub(in crate::file) fn draw(root: &str, entries: &[Entry], total: usize) -> String {
    let mut top = Node::default();
    for entry in entries {
        insert(&mut top, &entry.path).suffix = match (entry.kind, &entry.target) {
            (EntryKind::Folder, _) => "/".to_owned(),
            (EntryKind::Link, Some(target)) => format!(" -> {}", spelled(target)),
            _ => String::new(),
        };
    }
    let mut text = format!("{root}\n");
    draw_children(&top, "", &mut text);
    if total > entries.len() {
        text.push_str(&format!("… and {} more\n", total - entries.len()));
    }
    text
}

fn insert<'a>(top: &'a mut Node, path: &Path) -> &'a mut Node {
    let mut node = top;
    for part in path.components() {
        // Everything that has something below it is a folder.
        if node.suffix.is_empty() {
            node.suffix.push('/');
        }
        node = node.children.entry(part.as_os_str().to_owned()).or_default();
    }
    node
}

fn draw_children(node: &Node, indent: &str, text: &mut String) {
    let last = node.children.len().saturating_sub(1);
    for (index, (name, child)) in node.children.iter().enumerate() {
        let (branch, below) = if index == last { ("└── ", "    ") } else { ("├── ", "│   ") };
        text.push_str(&format!("{indent}{branch}{}{}\n", spelled(Path::new(name)), child.suffix));
        draw_children(child, &format!("{indent}{below}"), text);
    }
}
