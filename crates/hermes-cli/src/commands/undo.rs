//! `hermes undo`: takes back what tools did to files.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use hermes_core::text::visible;
use hermes_host::undo::{FileState, PlannedFile, Turn, UndoPlan, UndoRecord, UndoStore};
use hermes_tools::patching::unified_diff;
use serde::Serialize;
use serde_json::{Value, json};

use super::people::when;
use crate::app::Surroundings;
use crate::failure::{Failure, exit};
use crate::render::{Style, Table, print_json, print_text};

#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct UndoArgs {
    #[command(subcommand)]
    command: Option<UndoCommand>,
    /// The call to take back: its id, or the beginning of the id that 'hermes undo list' shows
    #[arg(required_unless_present = "turn", conflicts_with = "turn")]
    call: Option<String>,
    /// Take back every call of the last turn that changed this folder, or of the turn that is named
    #[arg(long, value_name = "TURN", num_args = 0..=1, default_missing_value = "")]
    turn: Option<String>,
    /// With --turn: the last turn of this session, whatever folder it changed
    #[arg(long, value_name = "NAME", requires = "turn")]
    session: Option<String>,
    /// Show what would be taken back, and change nothing
    #[arg(long)]
    preview: bool,
}

#[derive(Subcommand, Debug)]
pub(crate) enum UndoCommand {
    /// List the changes that are remembered, newest first
    List {
        /// Only calls of this session
        #[arg(long, value_name = "NAME")]
        session: Option<String>,
        /// How many at most
        #[arg(short = 'n', long, default_value_t = 20)]
        limit: usize,
    },
    /// Show what taking back a call would change
    Show {
        /// The call, by the id that 'hermes undo list' shows
        call: String,
    },
}

pub(crate) fn run(
    args: UndoArgs,
    surroundings: &Surroundings,
    json: bool,
    style: Style,
) -> Result<u8, Failure> {
    let store = surroundings
        .host
        .workspace
        .undo()
        .ok_or_else(|| Failure::usage("nothing is remembered: undo.enabled is false"))?;
    match args.command {
        Some(UndoCommand::List { session, limit }) => list(store, session.as_deref(), limit, json, style),
        Some(UndoCommand::Show { call }) => {
            let plan = store.plan(vec![store.find(&call)?])?;
            preview(store, &plan, json, style)
        }
        None => {
            if args.turn.as_deref() == Some("") && surroundings.host.files().are_elsewhere("") {
                // The last turn that is remembered is another one than the last turn.
                let text = "this session's files are on another machine, whose changes are not remembered";
                let hint = "Name the call or turn to take back a change on this machine.";
                return Err(Failure::usage(text).with_hint(hint));
            }
            let records = match (&args.call, args.turn.as_deref()) {
                (Some(call), _) => vec![store.find(call)?],
                (None, Some(turn)) if !turn.is_empty() => store.turn(&Turn::Named(turn))?,
                (None, _) => match &args.session {
                    Some(session) => store.turn(&Turn::LastOf(session))?,
                    None => store.turn(&Turn::LastIn(&folder(surroundings)))?,
                },
            };
            let plan = store.plan(records)?;
            if args.preview {
                preview(store, &plan, json, style)
            } else {
                take_back(store, &plan, json, style)
            }
        }
    }
}

/// Where the command was given, as records spell it.
fn folder(surroundings: &Surroundings) -> PathBuf {
    surroundings.cwd.canonicalize().unwrap_or_else(|_| surroundings.cwd.clone())
}

fn list(
    store: &UndoStore,
    session: Option<&str>,
    limit: usize,
    json: bool,
    style: Style,
) -> Result<u8, Failure> {
    let history = store.history()?;
    let taken_back = history.taken_back();
    let of_session = |record: &&UndoRecord| session.is_none_or(|session| record.session == session);
    let records: Vec<&UndoRecord> = history.records.iter().filter(of_session).take(limit).collect();
    if json {
        let listed = records
            .iter()
            .map(|record| json!(Listed { record, taken_back: taken_back.contains(&*record.id) }));
        let damaged = history.damaged.iter().map(|id| json!({"id": id, "damaged": true}));
        return print_json(&listed.chain(damaged).collect::<Vec<_>>()).map(|()| exit::OK);
    }
    let damaged = not_shown(history.damaged.len());
    if records.is_empty() {
        return print_text(&format!("No change of a file is remembered.\n{damaged}")).map(|()| exit::OK);
    }
    let mut table = Table::new(&["ID", "WHEN", "SESSION", "CALL", "CHANGED"]);
    for record in records {
        let state = match (record.undoes.is_empty(), taken_back.contains(&*record.id)) {
            (false, false) => " (an undo)",
            (false, true) => " (an undo, taken back)",
            (true, true) => " (taken back)",
            (true, false) => "",
        };
        table.row(vec![
            record.id.clone(),
            when(record.at_ms),
            visible(&record.session),
            style.accent(&visible(&record.call)),
            format!("{}{state}", summary(record)),
        ]);
    }
    print_text(&format!("{}{damaged}", table.render(style))).map(|()| exit::OK)
}

/// A record, and whether it is taken back.
#[derive(Serialize)]
struct Listed<'a> {
    #[serde(flatten)]
    record: &'a UndoRecord,
    taken_back: bool,
}

/// Says that there are records that cannot be read, if there are.
fn not_shown(damaged: usize) -> String {
    match damaged {
        0 => String::new(),
        count => format!("Records that cannot be read and are not shown: {count}\n"),
    }
}

fn summary(record: &UndoRecord) -> String {
    let verb = |file: &hermes_host::undo::UndoFile| match (&file.before, &file.after) {
        (FileState::Absent, _) => "+",
        (_, FileState::Absent) => "-",
        _ => "~",
    };
    let shown = record.files.iter().take(3);
    let mut text: Vec<String> =
        shown.map(|file| format!("{}{}", verb(file), visible(&file.path.display().to_string()))).collect();
    if record.files.len() > text.len() {
        text.push(format!("and {} more", record.files.len() - text.len()));
    }
    text.join(", ")
}

/// Shows the plan as a diff from what is to what would be.
fn preview(store: &UndoStore, plan: &UndoPlan, json: bool, style: Style) -> Result<u8, Failure> {
    let damaged = store.history()?.damaged.len();
    if json {
        print_json(&as_json(plan, damaged))?;
    } else if plan.is_done() {
        print_text("Nothing is left to take back: the files already are as they were.\n")?;
    } else {
        for file in &plan.files {
            match &file.problem {
                Some(problem) => {
                    let path = visible(&file.path.display().to_string());
                    print_text(&format!("{} {path}: {problem}\n", style.bad("cannot be taken back:")))?;
                }
                None => print_text(&diff(file))?,
            }
        }
        for folder in plan.folders() {
            let path = visible(&folder.display().to_string());
            print_text(&format!("{} {path}\n", style.dim("made for this, goes if it is empty then:")))?;
        }
    }
    if !json {
        print_text(&not_shown(damaged))?;
    }
    Ok(if plan.is_clear() { exit::OK } else { exit::TOOL_FAILED })
}

fn take_back(store: &UndoStore, plan: &UndoPlan, json: bool, style: Style) -> Result<u8, Failure> {
    if !plan.is_clear() {
        if json {
            print_json(&as_json(plan, store.history()?.damaged.len()))?;
            return Ok(exit::TOOL_FAILED);
        }
        let problems = plan
            .files
            .iter()
            .filter_map(|file| Some(format!("{}: {}", file.path.display(), file.problem.as_deref()?)));
        let problems: Vec<String> = problems.collect();
        return Err(Failure::answer_is_no(format!("nothing was taken back:\n  {}", problems.join("\n  ")))
            .with_hint("Bring the file back to what the call left, or edit it by hand."));
    }
    let undone = store.apply(plan)?;
    let record = undone.record.as_ref().map(|record| record.id.as_str());
    if json {
        let taken_back =
            json!({"taken_back": shown(&undone.paths), "folders": shown(&undone.folders), "record": record});
        return print_json(&taken_back).map(|()| exit::OK);
    }
    if undone.paths.is_empty() {
        print_text("Nothing was left to take back: the files already are as they were.\n")?;
    }
    for path in &undone.paths {
        print_text(&format!("{} {}\n", style.good("taken back:"), visible(&path.display().to_string())))?;
    }
    for path in &undone.folders {
        let path = visible(&path.display().to_string());
        print_text(&format!("{} {path}\n", style.good("empty folder taken away:")))?;
    }
    if let Some(record) = record {
        print_text(&format!("{}\n", style.dim(&format!("To do it again: hermes undo {record}"))))?;
    }
    Ok(exit::OK)
}

fn shown(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().map(|path| path.display().to_string()).collect()
}

fn as_json(plan: &UndoPlan, damaged: usize) -> Value {
    let files: Vec<Value> = plan
        .files
        .iter()
        .map(|file| {
            let path = file.path.display().to_string();
            match &file.problem {
                Some(problem) => json!({"path": path, "problem": problem}),
                None => json!({"path": path, "diff": diff(file)}),
            }
        })
        .collect();
    let calls: Vec<&str> = plan.records.iter().map(|record| record.call.as_str()).collect();
    let (clear, folders) = (plan.is_clear(), shown(&plan.folders()));
    json!({"calls": calls, "clear": clear, "files": files, "folders": folders, "damaged": damaged})
}

fn diff(file: &PlannedFile) -> String {
    let path = file.path.display().to_string();
    visible_lines(&unified_diff(path.trim_start_matches('/'), file.now.as_deref(), file.then.as_deref()))
}

/// Control characters of a file must not reach the terminal; line breaks and tabs may.
fn visible_lines(text: &str) -> String {
    let shown = text.split_inclusive('\n').map(|line| {
        let (bare, end) = line.strip_suffix('\n').map_or((line, ""), |bare| (bare, "\n"));
        format!("{}{end}", bare.split('\t').map(visible).collect::<Vec<_>>().join("\t"))
    });
    shown.collect()
}
