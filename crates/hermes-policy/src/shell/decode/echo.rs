//! `echo`, `printf`, and programs that print a part of their argument.

use super::super::parse::printed;

/// Longer output is not made.
const MAX_OUTPUT: usize = 16 * 1024;

pub(super) fn echo(args: &[String]) -> Option<String> {
    let mut args = args;
    let (mut newline, mut escapes) = (true, false);
    while let Some((first, rest)) = args.split_first() {
        let Some(flags) = first.strip_prefix('-') else { break };
        if flags.is_empty() || !flags.chars().all(|c| matches!(c, 'n' | 'e' | 'E')) {
            break;
        }
        for flag in flags.chars() {
            match flag {
                'n' => newline = false,
                'e' => escapes = true,
                _ => escapes = false,
            }
        }
        args = rest;
    }
    let mut text = args.join(" ");
    if escapes {
        let (decoded, stopped) = escaped(&text);
        text = decoded;
        newline &= !stopped;
    }
    if newline {
        text.push('\n');
    }
    Some(text)
}

/// Backslash escapes as `echo -e` and `%b` know them, and whether `\c` ended the output.
fn escaped(text: &str) -> (String, bool) {
    let (text, stopped) = match end_mark(text) {
        Some(at) => (text.get(..at).unwrap_or(""), true),
        None => (text, false),
    };
    // `\0nnn` has up to three digits behind the zero; quotes keep their backslash.
    let mut source = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        source.push(c);
        if c != '\\' {
            continue;
        }
        match chars.next() {
            Some('0') => {
                let digits: String =
                    std::iter::from_fn(|| chars.next_if(|c| ('0'..='7').contains(c))).take(3).collect();
                source.push_str(if digits.is_empty() { "0" } else { &digits });
            }
            Some(c @ ('\'' | '"' | '?')) => {
                source.push('\\');
                source.push(c);
            }
            Some(c) => source.push(c),
            None => source.push('\\'),
        }
    }
    (printed(&source), stopped)
}

/// Where `\c` stands.
fn end_mark(text: &str) -> Option<usize> {
    let mut bytes = text.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        if byte == b'\\' && bytes.next().is_some_and(|(_, next)| next == b'c') {
            return Some(at);
        }
    }
    None
}

/// `printf` with its format and arguments.
pub(in super::super) fn printf(args: &[String]) -> Option<String> {
    let args = match args.split_first() {
        Some((first, rest)) if first == "--" => rest,
        _ => args,
    };
    let (format, mut args) = args.split_first()?;
    if format.starts_with('-') {
        return None;
    }
    let mut out = String::new();
    loop {
        let before = args.len();
        let stopped = once(format, &mut args, &mut out)?;
        if stopped || args.is_empty() || args.len() == before {
            return Some(out);
        }
        if out.len() > MAX_OUTPUT {
            return None;
        }
    }
}

/// Goes through the format once, and tells whether the output ends there.
fn once(format: &str, args: &mut &[String], out: &mut String) -> Option<bool> {
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        let (before, after) = rest.split_at_checked(at)?;
        let (text, stopped) = format_text(before);
        out.push_str(&text);
        if stopped {
            return Some(true);
        }
        let directive = after.get(1..)?;
        let end = directive.find(|c: char| !"-+ #0123456789.*'".contains(c))?;
        let (flags, tail) = directive.split_at_checked(end)?;
        let letter = tail.chars().next()?;
        rest = tail.get(letter.len_utf8()..)?;
        if letter == '%' {
            out.push('%');
            continue;
        }
        let value = match args.split_first() {
            Some((first, left)) => {
                *args = left;
                first.as_str()
            }
            None => "",
        };
        if flags.contains('*') {
            return None;
        }
        let text = match letter {
            's' => value.to_owned(),
            'b' => {
                let (text, stopped) = escaped(value);
                if stopped {
                    out.push_str(&text);
                    return Some(true);
                }
                text
            }
            'c' => value.chars().next().map(String::from).unwrap_or_default(),
            'q' => format!("'{}'", value.replace('\'', "'\\''")),
            'd' | 'i' | 'u' => number(value)?.to_string(),
            'o' => format!("{:o}", number(value)?),
            'x' => format!("{:x}", number(value)?),
            'X' => format!("{:X}", number(value)?),
            _ => return None,
        };
        out.push_str(&shaped(&text, flags)?);
    }
    let (text, stopped) = format_text(rest);
    out.push_str(&text);
    Some(stopped)
}

/// Text of a format: its escapes are those of `$'…'`.
fn format_text(text: &str) -> (String, bool) {
    match end_mark(text) {
        Some(at) => (printed(text.get(..at).unwrap_or("")), true),
        None => (printed(text), false),
    }
}

/// A number as `printf` reads it: also octal, hexadecimal, and the code of a quoted character.
fn number(text: &str) -> Option<i64> {
    if let Some(quoted) = text.strip_prefix('\'').or_else(|| text.strip_prefix('"')) {
        return Some(i64::from(u32::from(quoted.chars().next()?)));
    }
    if text.is_empty() {
        return Some(0);
    }
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => i64::from_str_radix(hex, 16).ok()?,
        None if digits.len() > 1 && digits.starts_with('0') => i64::from_str_radix(digits, 8).ok()?,
        None => digits.parse().ok()?,
    };
    Some(if negative { value.checked_neg()? } else { value })
}

/// Applies width and precision.
fn shaped(text: &str, flags: &str) -> Option<String> {
    if flags.is_empty() {
        return Some(text.to_owned());
    }
    let left = flags.contains('-');
    let (width, precision) = match flags.split_once('.') {
        Some((width, precision)) => (width, Some(precision)),
        None => (flags, None),
    };
    let digits = width.trim_start_matches(['-', '+', ' ', '#', '\'']);
    let fill = if digits.starts_with('0') && !left { '0' } else { ' ' };
    let width: usize = digits.parse().unwrap_or(0);
    let text: String = match precision {
        Some(precision) => text.chars().take(precision.parse().unwrap_or(0)).collect(),
        None => text.to_owned(),
    };
    if width > MAX_OUTPUT {
        return None;
    }
    let padding: String = std::iter::repeat_n(fill, width.saturating_sub(text.chars().count())).collect();
    Some(if left { text + &padding } else { padding + &text })
}

/// `which rm` and `command -v rm`: where programs stand is not certain, what they are called is.
pub(super) fn which(args: &[String]) -> Option<String> {
    let [name] = args else { return None };
    let plain =
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._+-".contains(&byte));
    plain.then(|| format!("/usr/bin/{name}\n"))
}

pub(super) fn path_part(name: &str, args: &[String]) -> Option<String> {
    let (path, suffix) = match args {
        [path] => (path, ""),
        [path, suffix] if name == "basename" => (path, suffix.as_str()),
        _ => return None,
    };
    if path.starts_with('-') || path.is_empty() {
        return None;
    }
    let trimmed = path.trim_end_matches('/');
    let part = match (name, trimmed.rsplit_once('/')) {
        (_, _) if trimmed.is_empty() => "/",
        ("basename", Some((_, last))) => last,
        ("basename", None) => trimmed,
        (_, Some(("", _))) => "/",
        (_, Some((parent, _))) => parent,
        (_, None) => ".",
    };
    let part =
        part.strip_suffix(suffix).filter(|rest| !rest.is_empty() && !suffix.is_empty()).unwrap_or(part);
    Some(format!("{part}\n"))
}

/// `readlink -f /`, `realpath /etc/..`: what stands at the top of the tree is where it seems to be; links may lead
/// from any other place to anywhere.
pub(super) fn top_of_tree(name: &str, args: &[String]) -> Option<String> {
    let (flags, paths): (Vec<&String>, Vec<&String>) = args.iter().partition(|arg| arg.starts_with('-'));
    let follows = |flag: &&&String| matches!(flag.as_str(), "-f" | "-e" | "-m" | "--canonicalize");
    let [path] = paths.as_slice() else { return None };
    if !path.starts_with('/') || (name == "readlink" && !flags.iter().any(|flag| follows(&flag))) {
        return None;
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').filter(|part| !matches!(*part, "" | ".")) {
        match part {
            ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    (parts.len() < 2).then(|| format!("/{}\n", parts.concat()))
}
