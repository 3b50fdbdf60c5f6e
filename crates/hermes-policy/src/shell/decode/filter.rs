//! Programs that pass text on, whole, reversed or in part.

pub(super) fn filter(name: &str, args: &[String], input: &str) -> Option<String> {
    let args: Vec<&str> = args.iter().map(String::as_str).filter(|arg| *arg != "-").collect();
    match name {
        "cat" => (args.is_empty() || args == ["-u"]).then(|| input.to_owned()),
        "tee" => args.iter().all(|arg| !arg.starts_with('-') || *arg == "-a").then(|| input.to_owned()),
        "rev" => args.is_empty().then(|| by_line(input, |line| line.chars().rev().collect())),
        "tac" => args.is_empty().then(|| {
            let mut lines: Vec<&str> = input.lines().collect();
            lines.reverse();
            lines.iter().map(|line| format!("{line}\n")).collect()
        }),
        "sort" => args.is_empty().then(|| {
            let mut lines: Vec<&str> = input.lines().collect();
            lines.sort_unstable();
            lines.iter().map(|line| format!("{line}\n")).collect()
        }),
        "uniq" => args.is_empty().then(|| {
            let mut lines: Vec<&str> = input.lines().collect();
            lines.dedup();
            lines.iter().map(|line| format!("{line}\n")).collect()
        }),
        "head" | "tail" => part(name == "head", &args, input),
        "cut" => cut(&args, input),
        "fold" => fold(&args, input),
        _ => None,
    }
}

fn by_line(input: &str, change: impl Fn(&str) -> String) -> String {
    let mut out = String::with_capacity(input.len());
    for line in input.split_inclusive('\n') {
        match line.strip_suffix('\n') {
            Some(text) => {
                out.push_str(&change(text));
                out.push('\n');
            }
            None => out.push_str(&change(line)),
        }
    }
    out
}

/// `head` and `tail` by lines or bytes.
fn part(head: bool, args: &[&str], input: &str) -> Option<String> {
    let (mut bytes, mut count) = (false, "10".to_owned());
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let value = match *arg {
            "-c" | "--bytes" | "-n" | "--lines" => (*args.next()?).to_owned(),
            arg => {
                let short = arg.strip_prefix("-c").or_else(|| arg.strip_prefix("-n"));
                let long = arg.strip_prefix("--bytes=").or_else(|| arg.strip_prefix("--lines="));
                short.or(long).or_else(|| arg.strip_prefix('-'))?.to_owned()
            }
        };
        bytes = arg.starts_with("-c") || arg.starts_with("--bytes");
        count = value;
    }
    let from_start = count.starts_with('+');
    let digits = count.strip_prefix('+').unwrap_or(&count);
    let (inverted, digits) = match digits.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, digits),
    };
    let number: usize = digits.parse().ok()?;
    let units: Vec<&str> =
        if bytes { input.split_inclusive(|_| true).collect() } else { input.split_inclusive('\n').collect() };
    if bytes && !input.is_ascii() {
        return None;
    }
    let kept: Vec<&str> = match (head, inverted, from_start) {
        (true, false, _) => units.into_iter().take(number).collect(),
        (true, true, _) => {
            let taken = units.len().saturating_sub(number);
            units.into_iter().take(taken).collect()
        }
        (false, _, true) => units.into_iter().skip(number.saturating_sub(1)).collect(),
        (false, _, false) => {
            let skipped = units.len().saturating_sub(number);
            units.into_iter().skip(skipped).collect()
        }
    };
    Some(kept.concat())
}

/// `cut -c`, `cut -b` and `cut -d -f`.
fn cut(args: &[&str], input: &str) -> Option<String> {
    let (mut letters, mut delimiter, mut list) = (false, "\t".to_owned(), None);
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let flag = arg.get(..2)?;
        let value = match arg.get(2..) {
            Some("") | None => (*args.next()?).to_owned(),
            Some(value) => value.to_owned(),
        };
        match flag {
            "-c" | "-b" => {
                letters = true;
                list = Some(value);
            }
            "-f" => list = Some(value),
            "-d" => delimiter = value,
            _ => return None,
        }
    }
    let ranges = ranges(&list?)?;
    let wanted = |at: usize| ranges.iter().any(|(from, to)| *from <= at && at <= *to);
    Some(by_line(input, |line| {
        if letters {
            let kept = line.chars().enumerate().filter(|(at, _)| wanted(at.saturating_add(1)));
            return kept.map(|(_, c)| c).collect();
        }
        if !line.contains(delimiter.as_str()) {
            return line.to_owned();
        }
        let fields = line.split(delimiter.as_str()).enumerate();
        let kept: Vec<&str> =
            fields.filter(|(at, _)| wanted(at.saturating_add(1))).map(|(_, field)| field).collect();
        kept.join(&delimiter)
    }))
}

fn ranges(list: &str) -> Option<Vec<(usize, usize)>> {
    list.split(',')
        .take(64)
        .map(|part| match part.split_once('-') {
            None => part.parse().ok().map(|at| (at, at)),
            Some((from, to)) => {
                let from = if from.is_empty() { 1 } else { from.parse().ok()? };
                let to = if to.is_empty() { usize::MAX } else { to.parse().ok()? };
                Some((from, to))
            }
        })
        .collect()
}

/// `fold -w n`
fn fold(args: &[&str], input: &str) -> Option<String> {
    let width: usize = match args {
        ["-w", width] => width.parse().ok()?,
        [arg] => arg.strip_prefix("-w").or_else(|| arg.strip_prefix('-'))?.parse().ok()?,
        _ => return None,
    };
    if width == 0 {
        return None;
    }
    Some(by_line(input, |line| {
        let chars: Vec<char> = line.chars().collect();
        let lines: Vec<String> = chars.chunks(width).map(|chunk| chunk.iter().collect()).collect();
        lines.join("\n")
    }))
}
