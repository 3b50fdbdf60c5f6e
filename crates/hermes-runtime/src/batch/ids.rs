//! One id per call, so that every result can be told apart.

use std::collections::{HashMap, HashSet};

use hermes_core::ToolCall;

/// Every call has an id of its own after this. Whoever gave an id looks for that one, so the first call with it keeps
/// it, and what is made up for the others avoids all that were given, also those that come later.
pub(crate) fn make_ids_unique(calls: &mut [&mut ToolCall]) {
    let mut taken: HashSet<String> = HashSet::with_capacity(calls.len());
    let mut in_want = Vec::new();
    for (index, call) in calls.iter().enumerate() {
        if call.id.is_empty() || !taken.insert(call.id.clone()) {
            in_want.push(index);
        }
    }
    // How often an id was written, so that thousands of the same are not counted through anew each time.
    let mut copies: HashMap<String, usize> = HashMap::new();
    for index in in_want {
        let Some(call) = calls.get_mut(index) else { continue };
        let wanted = if call.id.is_empty() { format!("call_{}", index + 1) } else { call.id.clone() };
        let mut id = wanted.clone();
        while !taken.insert(id.clone()) {
            let copies = copies.entry(wanted.clone()).or_insert(1);
            *copies += 1;
            id = format!("{wanted}~{copies}");
        }
        call.id = id;
    }
}
