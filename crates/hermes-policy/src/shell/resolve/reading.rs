//! `read` and `mapfile`: variables that take their values from the standard input.

use std::rc::Rc;

use super::super::chars;
use super::super::model::Word;
use super::env::{self, Alternative};
use super::simple::Ready;
use super::{Place, Resolver};

impl Resolver<'_> {
    /// `read a b`: the line is split, the last name takes the rest. In a loop it may be any line.
    pub(super) fn read(&mut self, words: &[Word], ready: &Ready<'_>, place: &Place) {
        let merge = ready.merge;
        let mut input = ready.command.input.clone();
        let mut names = Vec::new();
        let mut array = false;
        let mut delimiter = '\n';
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let Some(text) = word.literal() else { continue };
            match text.strip_prefix('-') {
                Some(flags) if names.is_empty() && !flags.is_empty() => {
                    let Some(letter) = flags.chars().find(|c| "adinNptu".contains(*c)) else { continue };
                    let value = match flags.split_once(letter).map(|(_, value)| value) {
                        Some("") | None => words.next().and_then(Word::literal).unwrap_or_default(),
                        Some(value) => value.to_owned(),
                    };
                    match letter {
                        'a' => {
                            array = true;
                            names.push(value);
                        }
                        'u' => {
                            let fd = value.parse().ok();
                            input = fd.and_then(|fd| self.text_behind(fd, &ready.command.redirects));
                        }
                        'd' => delimiter = value.chars().next().unwrap_or('\0'),
                        _ => {}
                    }
                }
                _ => names.push(text),
            }
        }
        for name in &names {
            self.hidden_here(Some(name), place);
        }
        if names.is_empty() {
            names.push("REPLY".to_owned());
        }
        let lines: Vec<&str> = match input.as_deref() {
            None => return names.iter().for_each(|name| self.assign_text(name, None, merge)),
            Some(text) if place.in_loop => text.split_terminator(delimiter).collect(),
            Some(text) => vec![text.split(delimiter).next().unwrap_or("")],
        };
        if lines.len() > env::MAX_ALTERNATIVES {
            return names.iter().for_each(|name| self.assign_text(name, None, merge));
        }
        let own = ready.prefix.iter().find(|assigned| assigned.name == "IFS");
        let own = own.and_then(|assigned| env::literal(&assigned.shown));
        let separators = own.unwrap_or_else(|| self.separators());
        for (at, line) in lines.into_iter().enumerate() {
            let merge = merge || at > 0;
            if array {
                if let Some(name) = names.first() {
                    let parts = line.split(|c| separators.contains(c)).filter(|part| !part.is_empty());
                    self.assign_array(&name.clone(), parts.map(str::to_owned).collect(), merge);
                }
                continue;
            }
            let mut rest = line.trim_matches(|c: char| separators.contains(c) && c.is_whitespace());
            for (at, name) in names.iter().enumerate() {
                let last = at.saturating_add(1) == names.len();
                let (value, after) = match rest.split_once(|c| separators.contains(c)) {
                    Some((value, after)) if !last => (
                        value,
                        after.trim_start_matches(|c: char| separators.contains(c) && c.is_whitespace()),
                    ),
                    _ => (rest, ""),
                };
                self.assign_text(name, Some(env::text(value)), merge);
                rest = after;
            }
        }
    }

    pub(super) fn map_file(&mut self, words: &[Word], ready: &Ready<'_>, place: &Place) {
        let (input, merge) = (ready.command.input.as_deref(), ready.merge);
        let texts: Vec<String> = words.iter().map(Word::shown).collect();
        let name = texts.last().filter(|name| chars::is_name(name)).cloned();
        let name = name.unwrap_or_else(|| "MAPFILE".to_owned());
        let trims = texts.iter().any(|text| text.starts_with('-') && text.contains('t'));
        let plain = texts.iter().all(|text| text == "-t" || !text.starts_with('-'));
        let mut options = texts.iter().skip_while(|text| *text != "-C");
        if let Some(callback) = options.nth(1) {
            self.run_text(callback, &ready.node.span, place);
        }
        match input.filter(|_| plain) {
            Some(text) => {
                let lines = text.split_inclusive('\n');
                let line =
                    |line: &str| if trims { line.trim_end_matches('\n').to_owned() } else { line.to_owned() };
                self.assign_array(&name, lines.map(line).collect(), merge);
            }
            None => self.assign_text(&name, None, merge),
        }
    }

    fn assign_array(&mut self, name: &str, values: Vec<String>, merge: bool) {
        if values.len() > 256 {
            return self.assign_text(name, None, merge);
        }
        let elements = values.into_iter().enumerate().map(|(at, value)| (at.to_string(), env::text(value)));
        self.env.assign(name, vec![Alternative::Array(Rc::new(elements.collect()))], merge);
    }
}
