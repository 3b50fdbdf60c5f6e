//! Databases: statements that lose data, and clients that run programs.

use super::access::{read, write};
use super::args::Arg;
use super::hidden;
use super::model::{Class, EffectKind};
use super::options::{Shape, parse};
use super::scene::Scene;
use super::shells::run_text;
use super::statements::{self, Harm};
use super::trial::Trial;
use super::urls;
use crate::shell::RedirectKind;

/// Options whose value is SQL.
const SQL_OPTIONS: &[&str] = &[
    "-c",
    "--command",
    "-e",
    "--execute",
    "-q",
    "--query",
    "-Q",
    "-cmd",
    "--exec",
    "--sql",
    "-s",
    "--statement",
    "--eval",
];

const VALUES: &[&str] = &[
    "-h",
    "--host",
    "-p",
    "--port",
    "-U",
    "--username",
    "-u",
    "--user",
    "-d",
    "--dbname",
    "--database",
    "-D",
    "-f",
    "--file",
    "-o",
    "--output",
    "-v",
    "--set",
    "--variable",
    "-F",
    "--field-separator",
    "-R",
    "-P",
    "--pset",
    "-S",
    "--socket",
    "-L",
    "--log-file",
    "-separator",
    "-nullvalue",
    "-init",
    "-newline",
    "--init-file",
    "--url",
    "-w",
    "--keyspace",
    "-k",
];

/// Clients whose operands are statements too, such as `sqlite3 file 'select 1'`.
const OPERANDS: &[&str] =
    &["sqlite3", "sqlite", "duckdb", "litecli", "db2", "influx", "libsql", "turso", "sqlite-utils", "bq"];

/// Clients whose database is a file on this machine.
const FILES: &[&str] = &["sqlite3", "sqlite", "duckdb", "litecli", "sqlite-utils"];

pub(crate) fn judge(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    let mysql = matches!(name, "mysql" | "mariadb" | "mycli");
    let postgres = matches!(name, "psql" | "pgcli" | "ysqlsh");
    // `-p` of mysql has its password glued on.
    let values: Vec<&str> =
        VALUES.iter().copied().filter(|value| !(mysql && matches!(*value, "-p" | "-c"))).collect();
    let options: Vec<&str> = SQL_OPTIONS
        .iter()
        .copied()
        .filter(|option| !(mysql && matches!(*option, "-c" | "-s" | "-q" | "-Q")))
        .filter(|option| !(postgres && matches!(*option, "-e" | "-s" | "-q" | "-Q")))
        .collect();
    let all: Vec<&str> = values.iter().chain(&options).copied().collect();
    let parsed = parse(
        args,
        Shape { values: &all, words: matches!(name, "sqlite3" | "sqlite" | "duckdb"), ..Shape::default() },
    );
    if !FILES.contains(&name) {
        let address = parsed.operands.iter().find(|arg| urls::is_url(&arg.text));
        let address = address.and_then(|address| urls::host(&address.shown()));
        let host = parsed.value(&["-h", "--host"]).map(Arg::shown).or(address);
        trial.effect(EffectKind::Network, host.unwrap_or_else(|| format!("database of {name}")));
    }
    for text in parsed.values(&options) {
        statement(trial, scene, text);
    }
    if OPERANDS.contains(&name) {
        let mark = trial.mark();
        for text in parsed.operands.iter().skip(usize::from(name != "db2" && name != "influx")) {
            statement(trial, scene, text);
        }
        let changed = trial.since(mark) > Class::ReadOnly;
        if let Some(file) = parsed.operands.first().filter(|file| file.text.contains(['/', '.'])) {
            if changed { write(trial, scene, file) } else { read(trial, scene, file) }
        }
    }
    for file in parsed.values(&["-o", "--output", "-L", "--log-file"]) {
        match file.text.trim_start().strip_prefix('|') {
            // psql hands what it prints to a program.
            Some(program) => statement(trial, scene, &Arg::certain(format!("\\! {program}"))),
            None => write(trial, scene, file),
        }
    }
    if let Some(text) = scene.input().map(str::to_owned) {
        return statement(trial, scene, &Arg::certain(text));
    }
    let read = scene.command.redirects.iter().filter(|redirect| redirect.kind == RedirectKind::Read);
    let files = read.filter_map(|redirect| redirect.target.literal());
    let poured = hidden::poured_in(trial, scene);
    let files = files.chain(parsed.values(&["-f", "--file"]).map(|file| file.text.clone()));
    let files: Vec<String> = files.chain(poured.iter().flatten().map(|file| file.text.clone())).collect();
    for file in files.iter().filter(|file| names_loss(file)) {
        let reason = format!("by its name {file} deletes what is in the database");
        scene.ask(trial, "sql-file", "sql_destructive", reason);
    }
    let explicit = parsed.value(&options).is_some() || parsed.value(&["-f", "--file"]).is_some();
    if scene.command.reads_from.is_some() && poured.is_none() && !explicit && !OPERANDS.contains(&name) {
        scene.ask(
            trial,
            "sql-unknown",
            "sql_destructive",
            "only running would tell what the database is told to do",
        );
    }
}

/// `drop_all.sql`, `sql/truncate.sql`.
fn names_loss(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or("").to_ascii_lowercase();
    let mut words = name.split(|c: char| !c.is_ascii_alphabetic());
    words.any(|word| matches!(word, "drop" | "truncate" | "wipe" | "purge" | "destroy" | "nuke"))
}

pub(crate) fn statement(trial: &mut Trial<'_>, scene: &Scene<'_>, text: &Arg) {
    if text.is_hole() {
        return scene.ask(
            trial,
            "sql-unknown",
            "sql_destructive",
            "only running would tell what the database is told to do",
        );
    }
    let mut changes = false;
    for harm in statements::harms(&text.text) {
        match harm {
            Harm::Loses(what) => {
                scene.ask(trial, "sql-loss", "sql_destructive", format!("it {what}"));
            }
            Harm::Runs(program) => {
                scene.ask(
                    trial,
                    "sql-exec",
                    "arg_injection",
                    "it makes the database client run a program or load code",
                );
                let mark = trial.mark();
                run_text(trial, scene, &Arg::certain(program), &[], scene.frame.clone());
                if trial.since(mark) < Class::Deny {
                    trial.forget(mark);
                    trial.raise(Class::Ask);
                }
            }
            Harm::Writes(file) => write(trial, scene, &Arg::certain(file)),
            Harm::Rights => {
                scene.ask(trial, "sql-rights", "accounts", "it changes who may use the database");
            }
            Harm::Changes => changes = true,
        }
    }
    if changes {
        trial.changes();
    }
}

/// The mongo shells: JavaScript, but only a few words of it matter.
pub(crate) fn mongo(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let parsed = parse(
        args,
        Shape {
            values: &[
                "--eval",
                "-e",
                "--host",
                "--port",
                "-u",
                "-p",
                "--username",
                "--password",
                "--file",
                "-f",
            ],
            ..Shape::default()
        },
    );
    let mut texts: Vec<String> = parsed.values(&["--eval", "-e"]).map(|text| text.text.clone()).collect();
    texts.extend(scene.input().map(str::to_owned));
    for text in &texts {
        let squeezed: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let lower = squeezed.to_ascii_lowercase();
        let drops = [
            "dropdatabase",
            ".drop(",
            "dropindexes",
            "dropuser",
            "droprole",
            "shutdownserver",
            "removeuser",
            "renamecollection",
            "dropcollection",
            "shutdown:1",
            "\"shutdown\"",
        ];
        let all =
            ["deletemany({})", "remove({})", "deletemany()", "remove()", "updatemany({},", "update({},"];
        let runs = ["run(", "runprogram(", "load(", "child_process", "eval("];
        if drops.iter().chain(&all).any(|word| lower.contains(word)) {
            scene.ask(trial, "mongo-loss", "sql_destructive", "it deletes or changes a whole collection");
        } else if runs.iter().any(|word| lower.contains(word)) {
            scene.ask(trial, "mongo-exec", "arg_injection", "it makes the database shell run other code");
        }
    }
    if scene.command.reads_from.is_some() && scene.input().is_none() && texts.is_empty() {
        scene.ask(
            trial,
            "sql-unknown",
            "sql_destructive",
            "only running would tell what the database is told to do",
        );
    }
}
