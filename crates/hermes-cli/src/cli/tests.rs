//! What holds for every command.

use clap::CommandFactory;

use super::*;

fn silent_arguments(command: &clap::Command, path: &str, silent: &mut Vec<String>) {
    let path = format!("{path} {}", command.get_name());
    let shown = command.get_arguments().filter(|argument| !argument.is_hide_set());
    silent.extend(
        shown
            .filter(|argument| argument.get_help().is_none())
            .map(|argument| format!("{path} {}", argument.get_id())),
    );
    for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
        silent_arguments(inner, &path, silent);
    }
}

#[test]
fn every_argument_says_what_it_is() {
    let mut silent = Vec::new();
    silent_arguments(&Cli::command(), "", &mut silent);
    assert!(silent.is_empty(), "{silent:#?}");
}
