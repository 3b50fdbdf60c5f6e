//! `sed` with plain `s` and `y` commands. Patterns with anything but letters in them are not followed.

/// One step of a sed script.
enum Step {
    Replace {
        from: String,
        to: String,
        all: bool,
    },
    /// `^` before the text.
    ReplaceStart {
        from: String,
        to: String,
    },
    /// `$` behind the text.
    ReplaceEnd {
        from: String,
        to: String,
    },
    Map(Vec<(char, char)>),
}

pub(super) fn sed(args: &[String], input: &str) -> Option<String> {
    let mut steps = Vec::new();
    let mut args = args.iter().map(String::as_str);
    let mut expressions = Vec::new();
    while let Some(arg) = args.next() {
        match arg {
            "-e" | "--expression" => expressions.push(args.next()?),
            "-E" | "-r" | "-u" | "-s" => {}
            arg if arg.starts_with('-') => return None,
            arg if expressions.is_empty() => expressions.push(arg),
            _ => return None,
        }
    }
    for expression in expressions {
        parse(expression, &mut steps)?;
    }
    if steps.is_empty() || steps.len() > 64 {
        return None;
    }
    let mut out = String::with_capacity(input.len());
    for line in input.split_inclusive('\n') {
        let (text, end) = line.strip_suffix('\n').map_or((line, ""), |text| (text, "\n"));
        let mut text = text.to_owned();
        for step in &steps {
            text = match step {
                Step::Replace { from, to, all: true } => text.replace(from.as_str(), to),
                Step::Replace { from, to, all: false } => text.replacen(from.as_str(), to, 1),
                Step::ReplaceStart { from, to } => match text.strip_prefix(from.as_str()) {
                    Some(rest) => format!("{to}{rest}"),
                    None => text,
                },
                Step::ReplaceEnd { from, to } => match text.strip_suffix(from.as_str()) {
                    Some(rest) => format!("{rest}{to}"),
                    None => text,
                },
                Step::Map(pairs) => text
                    .chars()
                    .map(|c| pairs.iter().find(|(from, _)| *from == c).map_or(c, |(_, to)| *to))
                    .collect(),
            };
            if text.len() > 32 * 1024 {
                return None;
            }
        }
        out.push_str(&text);
        out.push_str(end);
        if out.len() > 64 * 1024 {
            return None;
        }
    }
    Some(out)
}

fn parse(expression: &str, steps: &mut Vec<Step>) -> Option<()> {
    let mut rest = expression.trim_start();
    while !rest.is_empty() {
        let mut chars = rest.chars();
        let command = chars.next()?;
        let sign = chars.next().filter(|c| !c.is_alphanumeric() && *c != '\\' && *c != '\n')?;
        let mut parts = chars.as_str().splitn(3, sign);
        let (from, to, tail) = (parts.next()?, parts.next()?, parts.next()?);
        if from.ends_with('\\') || to.contains(['\\', '\n']) {
            return None;
        }
        let end = tail.find([';', '\n']).unwrap_or(tail.len());
        let (flags, after) = tail.split_at_checked(end)?;
        match command {
            's' => {
                if to.contains('&') || !matches!(flags.trim(), "" | "g") {
                    return None;
                }
                let to = to.to_owned();
                if let Some(from) = from.strip_prefix('^') {
                    steps.push(Step::ReplaceStart { from: plain(from)?, to });
                } else if let Some(from) = from.strip_suffix('$') {
                    steps.push(Step::ReplaceEnd { from: plain(from)?, to });
                } else {
                    let from = plain(from).filter(|from| !from.is_empty())?;
                    steps.push(Step::Replace { from, to, all: flags.trim() == "g" });
                }
            }
            'y' if flags.trim().is_empty() && !from.contains('\\') => {
                if from.chars().count() != to.chars().count() {
                    return None;
                }
                steps.push(Step::Map(from.chars().zip(to.chars()).collect()));
            }
            _ => return None,
        }
        rest = after.trim_start_matches([';', ' ', '\n', '\t']);
    }
    Some(())
}

/// The text that a pattern stands for, if it is only text.
fn plain(pattern: &str) -> Option<String> {
    let mut out = String::new();
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => out.push(chars.next().filter(|c| !c.is_alphanumeric() && !"+?|(){}<>'`".contains(*c))?),
            '.' | '*' | '[' | ']' | '^' | '$' | '+' | '?' | '(' | ')' | '{' | '}' | '|' => return None,
            c => out.push(c),
        }
    }
    Some(out)
}
