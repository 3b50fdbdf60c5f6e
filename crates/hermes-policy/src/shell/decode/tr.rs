//! `tr` with sets that are written out.

pub(super) fn tr(args: &[String], input: &str) -> Option<String> {
    let mut flags = String::new();
    let mut sets = Vec::new();
    for arg in args {
        match arg.strip_prefix('-') {
            Some(letters) if sets.is_empty() && !letters.is_empty() => match letters {
                "-delete" => flags.push('d'),
                "-squeeze-repeats" => flags.push('s'),
                "-complement" => flags.push('c'),
                letters => flags.push_str(letters),
            },
            _ => sets.push(set(arg)?),
        }
    }
    if !flags.chars().all(|c| matches!(c, 'd' | 's' | 'c' | 'C' | 't')) {
        return None;
    }
    let complement = flags.contains(['c', 'C']);
    let first = sets.first()?;
    let within = |c: char| first.contains(&c) != complement;
    if flags.contains('d') {
        return Some(input.chars().filter(|c| !within(*c)).collect());
    }
    let mut out = String::with_capacity(input.len());
    let second = sets.get(1);
    if second.is_none() && !flags.contains('s') {
        return None;
    }
    let mut last = None;
    for c in input.chars() {
        let mapped = match second {
            Some(second) if complement => {
                if within(c) {
                    *second.last()?
                } else {
                    c
                }
            }
            // The last one of several that are the same counts; a short second set is filled up.
            Some(second) => match first.iter().rposition(|from| *from == c) {
                Some(at) => *second.get(at).or_else(|| second.last())?,
                None => c,
            },
            None => c,
        };
        let squeezed = flags.contains('s')
            && last == Some(mapped)
            && second.map_or_else(|| within(mapped), |second| second.contains(&mapped));
        if !squeezed {
            out.push(mapped);
        }
        last = Some(mapped);
    }
    Some(out)
}

/// The characters of a set, in order.
fn set(text: &str) -> Option<Vec<char>> {
    let text = super::super::parse::ansi_c(text);
    let chars: Vec<char> = text.chars().collect();
    let mut members = Vec::new();
    let mut at = 0;
    while let Some(c) = chars.get(at).copied() {
        if c == '[' && chars.get(at.saturating_add(1)) == Some(&':') {
            let rest: String = chars.get(at.saturating_add(2)..)?.iter().collect();
            let (name, _) = rest.split_once(":]")?;
            members.extend(class(name)?);
            at = at.saturating_add(4).saturating_add(name.chars().count());
            continue;
        }
        let range_end = chars.get(at.saturating_add(2)).copied();
        if let (Some('-'), Some(to)) = (chars.get(at.saturating_add(1)), range_end) {
            members.extend(c..=to);
            at = at.saturating_add(3);
        } else {
            members.push(c);
            at = at.saturating_add(1);
        }
        if members.len() > 4096 {
            return None;
        }
    }
    Some(members)
}

fn class(name: &str) -> Option<Vec<char>> {
    Some(match name {
        "lower" => ('a'..='z').collect(),
        "upper" => ('A'..='Z').collect(),
        "digit" => ('0'..='9').collect(),
        "alpha" => ('A'..='Z').chain('a'..='z').collect(),
        "alnum" => ('0'..='9').chain('A'..='Z').chain('a'..='z').collect(),
        "space" => "\t\n\u{b}\u{c}\r ".chars().collect(),
        "blank" => "\t ".chars().collect(),
        "punct" => ('!'..='/').chain(':'..='@').chain('['..='`').chain('{'..='~').collect(),
        _ => return None,
    })
}
