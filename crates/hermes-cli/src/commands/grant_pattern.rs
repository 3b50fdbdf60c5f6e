//! What `hermes grants add` is asked to grant, and what it refuses.

use std::path::PathBuf;

use hermes_core::grant::{NamedFile, Pattern, escape_glob, quoted, simple_words, split_glob};
use hermes_core::ports::PathResolver;
use hermes_core::{Access, AccessRequest, Owner, Permission, Policy, Target};
use hermes_policy::command::Class;
use serde_json::Value;

use super::grants::AddArgs;
use crate::app::{App, Judge, Named, Surroundings, dangerous_commands, ground_of, script_files};
use crate::failure::Failure;

/// Words that make the most of programs that delete, move or overwrite.
const BEYOND: &[&str] = &["-rf src", "-R 777 src", "--force", "src elsewhere", "src"];

/// The pattern that the arguments mean, and the files it is bound to.
pub(super) fn pattern(
    args: &AddArgs,
    surroundings: &Surroundings,
) -> Result<(Pattern, Vec<NamedFile>), Failure> {
    let user_home = surroundings.host.env.get("HOME").map_or_else(|| PathBuf::from("/"), PathBuf::from);
    let judge = Judge::new(ground_of(surroundings), dangerous_commands(surroundings)?);
    let scripts = |command: &str| match script_files(command, &surroundings.cwd, &user_home) {
        Named { files, unsure: None } => Ok(files),
        Named { unsure: Some(why), .. } => Err(denied(format!(
            "no grant can be stored for this command, because nobody can tell which files it would run: {why}"
        ))
        .with_hint(
            "Approve it for once when it is asked: --set approvals.mode=queue, then 'hermes approvals list'.",
        )),
    };
    let grantable = |command: &str| {
        let judgement = judge.judge(command, &surroundings.cwd, &surroundings.cwd);
        let worst = judgement.findings.iter().find(|finding| finding.class == Class::Deny);
        match (judgement.class, worst) {
            (Class::Deny, Some(finding)) => {
                Err(denied(format!("no grant can allow this command: {}", finding.reason)))
            }
            (Class::Deny, None) => Err(denied("no grant can allow this command".to_owned())),
            _ => Ok(()),
        }
    };
    if let Some(command) = &args.command {
        grantable(command)?;
        return Ok((Pattern::Command(command.to_string()), scripts(command)?));
    }
    if let Some(text) = &args.prefix {
        let words =
            simple_words(text).map_err(|why| denied(format!("'{text}' cannot be a prefix: {why}")))?;
        let command = quoted(&words);
        grantable(&command)?;
        let judgement = judge.judge(&command, &surroundings.cwd, &surroundings.cwd);
        if let Some(doubt) = judgement.findings.iter().find(|finding| finding.category == "unknown") {
            return Err(denied(format!("'{text}' cannot be a prefix: {}", doubt.reason)));
        }
        return Ok((Pattern::Prefix(words), scripts(&command)?));
    }
    if let Some(glob) = &args.path {
        let (folder, rest) = split_glob(glob);
        let folder = if folder.is_empty() { "." } else { &folder };
        let resolved = surroundings.host.workspace.resolve(&surroundings.cwd, folder)?;
        let resolved = resolved.to_str().ok_or_else(|| Failure::usage("the path is no text"))?;
        let mut pattern = escape_glob(resolved).trim_end_matches('/').to_owned();
        if !rest.is_empty() {
            pattern.push_str(&format!("/{rest}"));
        }
        if judge.never_allows(&pattern, &surroundings.cwd) {
            return Err(denied(
                "no grant reaches these files: no approval overrides their protection".to_owned(),
            ));
        }
        return Ok((Pattern::Path(pattern), Vec::new()));
    }
    let host = args.host.clone().map(Pattern::Host);
    let call = args.call.clone().map(|digest| Pattern::Exact(digest.to_ascii_lowercase()));
    Ok((host.or(call).ok_or_else(|| Failure::usage("say what is granted"))?, Vec::new()))
}

/// The places that links lead the command to now: what they lead to later is not granted.
pub(super) fn places(pattern: &Pattern, tool: &str, app: &App) -> Vec<NamedFile> {
    let command = match pattern {
        Pattern::Command(command) => command.clone(),
        Pattern::Prefix(words) => quoted(words),
        Pattern::Exact(_) | Pattern::Path(_) | Pattern::Host(_) => return Vec::new(),
    };
    let access = [Access::new(Permission::TERMINAL_EXECUTE, Target::Command(command))];
    let request = AccessRequest {
        call_id: "",
        tool,
        toolset: "",
        owner: &Owner::BuiltIn,
        session: "cli",
        actor: "user",
        cwd: &app.surroundings.cwd,
        shell: None,
        access: &access,
        arguments: &Value::Null,
        effects: &[],
    };
    let mut places = NamedFile::of_places(&app.policy.effects(&request));
    // Words that come after a prefix name other places anyway.
    places.retain(|place| place.is_led_astray() || matches!(pattern, Pattern::Command(_)));
    places
}

/// A command that begins with the words of a prefix and still is not covered by it.
pub(super) fn falls_short(pattern: &Pattern, surroundings: &Surroundings) -> Result<Option<String>, Failure> {
    let Pattern::Prefix(words) = pattern else { return Ok(None) };
    let judge = Judge::new(ground_of(surroundings), dangerous_commands(surroundings)?);
    let prefix = quoted(words);
    let mut longer = BEYOND.iter().map(|rest| format!("{prefix} {rest}"));
    Ok(longer.find(|command| !judge.does_no_more(command, &prefix, &surroundings.cwd)))
}

fn denied(message: String) -> Failure {
    Failure::denied(message)
}
