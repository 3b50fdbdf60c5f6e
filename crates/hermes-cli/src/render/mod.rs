//! What people see: colours where a terminal can show them, tables that line up, text that cannot trick.

mod outcome;
mod output;
mod style;
mod table;

pub(crate) use outcome::show_outcomes;
pub(crate) use output::{has_printed, one_line, print_json, print_json_line, print_line, print_text, warn};
pub(crate) use style::{ColorChoice, Style};
pub(crate) use table::Table;
