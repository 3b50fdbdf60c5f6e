//! What a call would do, in plain words.

use std::path::{Path, PathBuf};
use std::time::Instant;

use hermes_core::{Access, CommandEffect, Target, Verdict};
use hermes_policy::command::{Effect, EffectKind, Judgement};

use super::count::{Count, PATIENCE, count, grouped};

/// More lines than this nobody reads.
const MOST: usize = 12;

/// One line per effect; looks at the disk to say how much. Takes a moment at most.
pub(super) fn effects(judgement: Option<&Judgement>, access: &[Access], cwd: &Path) -> Vec<String> {
    let deadline = Instant::now() + PATIENCE;
    let mut lines: Vec<String> = match judgement {
        Some(judgement) => {
            // Of a folder that git cleans, what git knows stays.
            let partly = judgement.findings.iter().any(|found| found.rule == "git-clean");
            of_command(&judgement.effects, cwd, deadline)
                .into_iter()
                .map(|line| match line.strip_prefix("deletes ") {
                    Some(what) if partly => format!("deletes what git does not know, at most {what}"),
                    _ => line,
                })
                .collect()
        }
        None => access.iter().map(|access| of_access(access, cwd, deadline)).collect(),
    };
    lines.dedup();
    let more = lines.len().saturating_sub(MOST);
    lines.truncate(MOST);
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    lines
}

/// What a command would do where only a link leads, and what would be asked about by itself.
pub(super) fn through_links(effects: &[CommandEffect], cwd: &Path) -> Vec<String> {
    let is_asked = |effect: &&CommandEffect| effect.led.is_some_and(|verdict| verdict != Verdict::Allow);
    let deadline = Instant::now() + PATIENCE;
    let told = effects.iter().filter(is_asked).take(MOST);
    told.map(|effect| format!("through a link: {}", of_access(&effect.access, cwd, deadline))).collect()
}

fn of_command(effects: &[Effect], cwd: &Path, deadline: Instant) -> Vec<String> {
    let changes = |effect: &&Effect| effect.kind != EffectKind::Reads;
    let any_change = effects.iter().any(|effect| changes(&effect));
    let told = effects.iter().filter(|effect| !any_change || changes(effect));
    told.map(|effect| {
        let target = effect.target.as_str();
        match effect.kind {
            EffectKind::Deletes => deletes(target, cwd, deadline),
            EffectKind::Reads => format!("reads {target}"),
            EffectKind::Writes => format!("writes {target}"),
            EffectKind::Network => format!("uses the network: {target}"),
            EffectKind::Privilege => format!("takes more rights: {target}"),
            EffectKind::Process => format!("acts on running programs: {target}"),
            EffectKind::Persistence => format!("changes what runs later: {target}"),
        }
    })
    .collect()
}

fn of_access(access: &Access, cwd: &Path, deadline: Instant) -> String {
    // What is there cannot be seen from here.
    if let Some(place) = &access.place {
        return match access.permission.as_str() {
            "file:read" => format!("reads {place}"),
            "file:write" => format!("writes {place}"),
            "file:delete" => format!("deletes {place}"),
            permission => format!("uses {permission} on {place}"),
        };
    }
    match (access.permission.as_str(), &access.target) {
        ("file:write", Target::Resolved(path)) => match path.metadata() {
            Ok(meta) if meta.is_file() => {
                let noun = if meta.len() == 1 { "byte" } else { "bytes" };
                format!("changes {}, which has {} {noun} now", near(path, cwd), grouped(meta.len()))
            }
            Ok(_) => format!("writes {}", near(path, cwd)),
            Err(_) => format!("creates {}", near(path, cwd)),
        },
        ("file:read", Target::Resolved(path)) => format!("reads {}", near(path, cwd)),
        ("file:delete", Target::Resolved(path)) => deletes(&path.to_string_lossy(), cwd, deadline),
        (_, Target::Any) => format!("uses {}", access.permission),
        (_, target) => format!("uses {} on {target}", access.permission),
    }
}

fn deletes(target: &str, cwd: &Path, deadline: Instant) -> String {
    let whole = target.strip_suffix("/*").filter(|folder| !folder.is_empty()).unwrap_or(target);
    // What the shell would match or fill in cannot be counted by name.
    if whole.is_empty() || whole.contains(['*', '?', '[', '$', '~']) {
        return format!("deletes {target}");
    }
    let path = cwd.join(whole);
    let shown = near(&path, cwd);
    match count(&path, deadline) {
        // Words such as `data of docker` are no path.
        Count::Missing if whole.contains(' ') => format!("deletes {target}"),
        Count::Missing => format!("deletes {shown}, which is not there now"),
        Count::One => format!("deletes {shown}"),
        Count::Files { files, complete } => {
            let least = if complete { "" } else { "at least " };
            let noun = if files == 1 { "file" } else { "files" };
            format!("deletes {least}{} {noun} under {shown}", grouped(files))
        }
    }
}

/// The path from the folder where the call runs, if it lies beneath.
fn near(path: &Path, cwd: &Path) -> String {
    let clean: PathBuf = path.components().collect();
    match clean.strip_prefix(cwd) {
        Ok(rest) if rest.as_os_str().is_empty() => ".".to_owned(),
        Ok(rest) => format!("./{}", rest.display()),
        Err(_) => clean.display().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hermes_core::Permission;
    use hermes_policy::command::{Stage, judge};

    #[test]
    fn effects_say_how_much() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("build/x")).unwrap();
        for index in 0..1_243 {
            std::fs::write(folder.path().join(format!("build/x/{index}")), "").unwrap();
        }
        let soon = Instant::now() + std::time::Duration::from_secs(5);
        let say = |target: &str| deletes(target, folder.path(), soon);
        assert_eq!(say("build"), "deletes 1,243 files under ./build");
        assert_eq!(say("./build/*"), "deletes 1,243 files under ./build");
        assert_eq!(say("build/x/7"), "deletes ./build/x/7");
        assert_eq!(say("$X"), "deletes $X");
        assert!(say("gone").contains("not there"));
        assert_eq!(say("data of docker"), "deletes data of docker");
        let cwd = folder.path().display().to_string();
        let stage = Stage { home: "/home/a".into(), cwd, writable: Vec::new(), hermes_home: "/h".into() };
        let cleaned = effects(Some(&judge("git clean -fdx", &stage)), &[], folder.path());
        assert_eq!(cleaned, ["deletes what git does not know, at most 1,243 files under ."]);
        let write =
            |name: &str| Access::new(Permission::FILE_WRITE, Target::Resolved(folder.path().join(name)));
        std::fs::write(folder.path().join("a"), "12345").unwrap();
        let lines =
            effects(None, &[write("a"), write("b"), Access::any(Permission::SYSTEM_READ)], folder.path());
        assert_eq!(lines, ["changes ./a, which has 5 bytes now", "creates ./b", "uses system:read"]);
        let there = Access { place: Some("ssh ada@box:/srv/a".to_owned()), ..write("a") };
        assert_eq!(effects(None, &[there], folder.path()), ["writes ssh ada@box:/srv/a"]);
    }
}
