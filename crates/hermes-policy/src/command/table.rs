//! Programs that are judged by subcommand and options alone, as the rule files say.

use super::access::{read_tree, write};
use super::args::Arg;
use super::options::{Flag, Parsed, Shape, parse};
use super::place::Kind;
use super::ruleset::{Otherwise, Program, Rule};
use super::scene::Scene;
use super::trial::Trial;
use super::{disks, help, serving, touched, urls, words};

/// Judges a call by its table; false if there is none.
pub(crate) fn judge(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) -> bool {
    let rules = trial.rules;
    let Some(program) = rules.program(name) else { return false };
    let shape = Shape { more: &program.values, words: program.words, ..Shape::default() };
    let mut parsed = parse(args, shape);
    if is_quiet(program, &parsed) || (is_rehearsal(trial, &parsed) && !help::hands_on(trial, name, args)) {
        return true;
    }
    files(trial, scene, program, &parsed);
    serving::judge(trial, scene, name, args);
    disks::look(trial, scene, name, args, true);
    if program.input && parsed.operands.is_empty() && scene.is_fed() {
        let Some(text) = scene.input().map(str::to_owned) else {
            scene.ask(
                trial,
                "input-unknown",
                "unknown",
                format!("only running would tell what {name} is told to do"),
            );
            return true;
        };
        for line in text.lines() {
            parsed.operands = line.split_whitespace().map(Arg::certain).collect();
            by_rules(trial, scene, (name, program), &parsed);
        }
        return true;
    }
    checked_out(trial, scene, name, &parsed);
    by_rules(trial, scene, (name, program), &parsed);
    true
}

/// `svn checkout`, `hg clone`: programs in what came with it are downloads, as with `git clone`.
fn checked_out(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, parsed: &Parsed) {
    let far = matches!(name, "svn" | "hg" | "bzr" | "fossil" | "darcs" | "jj" | "gh")
        && parsed.operands.iter().take(2).any(|arg| {
            matches!(arg.text.as_str(), "checkout" | "co" | "export" | "clone" | "branch" | "get")
        });
    let Some(last) = parsed.operands.last().filter(|_| far && parsed.operands.len() > 1) else { return };
    let folder =
        if urls::is_url(&last.text) { urls::file_name(&last.text).to_owned() } else { last.text.clone() };
    let folder = folder.rsplit('/').next().unwrap_or(&folder).trim_end_matches(".git");
    trial.cloned.extend(scene.locate(trial, &Arg::certain(folder)).path);
}

fn files(trial: &mut Trial<'_>, scene: &Scene<'_>, program: &Program, parsed: &Parsed) {
    if program.reads {
        let paths = parsed
            .operands
            .iter()
            .filter(|arg| arg.text.contains(['/', '.', '~']) && !urls::is_url(&arg.text));
        paths.for_each(|arg| read_tree(trial, scene, arg));
    }
    // `aws s3 cp s3://bucket/x .` is a download.
    if let [.., source, target] = parsed.operands.as_slice()
        && program.reads
        && urls::is_url(&source.text)
        && !urls::is_url(&target.text)
    {
        super::remote::fetched(trial, scene, source, target);
    }
    for flag in parsed.flags.iter().filter(|flag| program.writes.contains(&flag.name)) {
        if let Some(file) = &flag.value {
            write(trial, scene, file);
        }
    }
}

fn by_rules(trial: &mut Trial<'_>, scene: &Scene<'_>, (name, program): (&str, &Program), parsed: &Parsed) {
    let mut asked = false;
    for rule in &program.rules {
        if !holds(trial, scene, program, rule, parsed) {
            continue;
        }
        asked = true;
        scene.find(trial, rule.class, (&rule.name, &rule.category), rule.reason.clone());
        touched::tell(trial, name, rule, parsed);
    }
    if asked {
        return;
    }
    let alone = parsed.operands.is_empty()
        && parsed.flags.iter().any(|flag| words::is_loss_option(trial, &flag.name));
    words::secrets(trial, scene, name, parsed);
    if !alone && (is_one_of(&program.read_only, parsed) || looks(program, parsed)) {
        return;
    }
    if is_one_of(&program.safe, parsed) {
        return trial.changes();
    }
    match program.otherwise {
        Otherwise::ReadOnly => {}
        Otherwise::Safe => {
            trial.changes();
            words::strong(trial, scene, name, parsed);
        }
        Otherwise::Ask => {
            let rule = format!("{}-otherwise", program.names.first().map_or(name, String::as_str));
            scene.ask(trial, &rule, &program.category, program.reason.clone());
        }
        Otherwise::Words => {
            trial.changes();
            words::judge(trial, scene, name, parsed);
        }
    }
}

/// A word that means looking, wherever it stands among the first five.
fn looks(program: &Program, parsed: &Parsed) -> bool {
    parsed.operands.iter().take(5).any(|arg| {
        program.read_verbs.iter().any(|verb| match verb.strip_suffix('*') {
            Some(front) => arg.text.starts_with(front),
            None => arg.text == *verb,
        })
    })
}

fn is_quiet(program: &Program, parsed: &Parsed) -> bool {
    program.quiet.iter().any(|quiet| {
        let (name, value) =
            quiet.split_once('=').map_or((quiet.as_str(), None), |(name, value)| (name, Some(value)));
        parsed.flags.iter().any(|flag| {
            let given = flag.value.as_ref().map(|value| value.text.as_str());
            same(program, &flag.name, name)
                && (value.is_none() && given != Some("none") && given != Some("false")
                    || value.is_some() && given == value)
        })
    })
}

/// `--dry-run` in one of its spellings, unless its value takes it back.
pub(super) fn is_rehearsal(trial: &Trial<'_>, parsed: &Parsed) -> bool {
    parsed.flags.iter().any(|flag| {
        let given = flag.value.as_ref().map(|value| value.text.as_str());
        trial.rules.lists("rehearsals", &flag.name)
            && !matches!(given, Some("none" | "false" | "no" | "0" | "off"))
    })
}

/// `-auto-approve` and `--auto-approve` are one option to programs in this style.
fn same(program: &Program, given: &str, name: &str) -> bool {
    given == name || (program.words && given.trim_start_matches('-') == name.trim_start_matches('-'))
}

fn has(program: &Program, parsed: &Parsed, wanted: &str) -> bool {
    let (name, value) = wanted.split_once('=').map_or((wanted, None), |(name, value)| (name, Some(value)));
    parsed.flags.iter().any(|flag| {
        (flag.is(name) || same(program, &flag.name, name)) && value.is_none_or(|value| begins(flag, value))
    })
}

fn begins(flag: &Flag, value: &str) -> bool {
    flag.value
        .as_ref()
        .is_some_and(|given| given.text.to_ascii_lowercase().starts_with(&value.to_ascii_lowercase()))
}

fn holds(trial: &Trial<'_>, scene: &Scene<'_>, program: &Program, rule: &Rule, parsed: &Parsed) -> bool {
    let depth = match rule.sub.iter().filter_map(|sub| sub_depth(sub, parsed)).max() {
        Some(depth) => depth,
        None if rule.sub.is_empty() => 0,
        None => return false,
    };
    let rest = parsed.operands.get(depth..).unwrap_or_default();
    let exactly = |name: &str| parsed.flags.iter().any(|flag| same(program, &flag.name, name));
    (rule.verb.is_empty() || rule.verb.iter().any(|verb| has_verb(parsed, verb)))
        && (rule.flags.is_empty() || rule.flags.iter().any(|flag| has(program, parsed, flag)))
        && rule
            .option
            .as_ref()
            .is_none_or(|pattern| parsed.flags.iter().any(|flag| pattern.is_match(&flag.name)))
        && rule.all.iter().all(|flag| has(program, parsed, flag))
        && !rule.without.iter().any(|name| exactly(name))
        && rule.operands.is_none_or(|wanted| wanted != rest.is_empty())
        && rule.operand.as_ref().is_none_or(|pattern| rest.iter().any(|arg| pattern.is_match(&arg.text)))
        && rule.unless.as_ref().is_none_or(|pattern| !rest.iter().any(|arg| pattern.is_match(&arg.text)))
        && rule.last.as_ref().is_none_or(|pattern| rest.last().is_some_and(|arg| pattern.is_match(&arg.text)))
        && (!rule.dashed || parsed.dashed)
        && (!rule.device || has_device(trial, scene, parsed))
}

fn has_device(trial: &Trial<'_>, scene: &Scene<'_>, parsed: &Parsed) -> bool {
    let values = parsed.flags.iter().filter_map(|flag| flag.value.as_ref());
    parsed.operands.iter().chain(values).any(|arg| {
        let kind = scene.locate(trial, arg).kind;
        kind == Kind::BlockDevice || (kind == Kind::Unknown && arg.is_hole())
    })
}

fn is_one_of(subs: &[String], parsed: &Parsed) -> bool {
    subs.iter()
        .any(|sub| if sub == "." { parsed.operands.is_empty() } else { sub_depth(sub, parsed).is_some() })
}

/// How many operands a subcommand such as `remote remove` takes up, if it is this one.
pub(super) fn sub_depth(sub: &str, parsed: &Parsed) -> Option<usize> {
    let mut depth = 0;
    for word in sub.split(' ') {
        let given = parsed.word(depth)?;
        let same = match word.strip_suffix('*') {
            Some(front) => given.starts_with(front),
            None => given == word,
        };
        if !same {
            return None;
        }
        depth += 1;
    }
    Some(depth)
}

/// `delete`, `delete-stack`, `apps:delete`, `deleteStack` among the first four operands.
fn has_verb(parsed: &Parsed, verb: &str) -> bool {
    verb_place(parsed, verb).is_some()
}

/// How many operands there are up to the end of that verb.
pub(super) fn verb_place(parsed: &Parsed, verb: &str) -> Option<usize> {
    let mut given = parsed.operands.iter().take(4).map(|arg| arg.text.as_str());
    if verb.contains(' ') {
        let words: Vec<&str> = verb.split(' ').collect();
        let given: Vec<&str> = given.collect();
        let start = given.windows(words.len()).position(|part| part == words)?;
        return Some(start + words.len());
    }
    let place = match verb.contains(':') {
        true => given.position(|word| word == verb),
        false => given.position(|word| is_verb(word, verb)),
    };
    place.map(|place| place + 1)
}

fn is_verb(given: &str, verb: &str) -> bool {
    let word = given.rsplit(':').next().unwrap_or("");
    // `service-instance-delete`.
    if word.len() > verb.len() && word.strip_suffix(verb).is_some_and(|front| front.ends_with('-')) {
        return matches!(verb, "delete" | "destroy" | "remove" | "terminate" | "purge" | "reset");
    }
    // `DeleteInstance` is `deleteInstance`.
    let capital = |c: char| c.is_ascii_uppercase() && verb.starts_with(c.to_ascii_lowercase());
    let rest = match word.strip_prefix(capital) {
        Some(rest) => verb.get(1..).and_then(|verb| rest.strip_prefix(verb)),
        None => word.strip_prefix(verb),
    };
    rest.is_some_and(|rest| {
        rest.is_empty()
            || rest.starts_with('-')
            || rest.starts_with('_')
            || rest.starts_with(char::is_uppercase)
    })
}
