//! Looking for a misspelt name among many tools.

use hermes_core::names::{nearest, repair};
use hermes_testkit::grows_in_proportion;

#[test]
fn many_names_cost_no_more_each_than_few() {
    let look = |count: usize| {
        let names: Vec<String> =
            (0..count).map(|n| format!("mcp_server{}_create_thing_{n}", n % 50)).collect();
        move || {
            repair("create_thnig", names.iter().map(String::as_str));
            nearest("create_thnig_now", names.iter().map(String::as_str), 5);
        }
    };
    grows_in_proportion("names", look(500), look(2_000));
}
