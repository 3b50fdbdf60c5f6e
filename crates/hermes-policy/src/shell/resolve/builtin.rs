//! Builtins that change what is known: `set`, `printf -v`, `unset`, `cd` and their like.

use std::rc::Rc;

use super::super::chars;
use super::super::decode;
use super::super::model::Word;
use super::env::{self, Alternative, Value};
use super::simple::Ready;
use super::{Place, Resolver};

impl Resolver<'_> {
    pub(super) fn builtin(&mut self, ready: &Ready<'_>, place: &Place) {
        let (command, merge) = (&ready.command, ready.merge);
        let mut words = command.words.as_slice();
        let name = loop {
            let Some((first, rest)) = words.split_first() else { return };
            words = rest;
            match env::plain(first) {
                Some("command" | "builtin") => {}
                Some(name) => break name,
                None => return,
            }
        };
        match name {
            "declare" | "typeset" | "local" | "export" | "readonly" => {
                self.declare(name, words, ready, place);
            }
            "alias" => self.define_aliases(words),
            "unalias" => {
                for word in words {
                    self.aliases.remove(&word.shown());
                }
            }
            "hash" => self.remember_path(words),
            "read" => self.read(words, ready, place),
            "mapfile" | "readarray" => self.map_file(words, ready, place),
            "printf" => self.print_to_variable(words, merge, place),
            "set" => self.set(words, merge),
            "shift" => self.shift(words, merge),
            "trap" => self.trap(words, ready, place),
            "unset" => self.unset_names(words, merge, place),
            "cd" | "pushd" => self.change_directory(words, merge),
            "popd" => self.assign_text("PWD", None, merge),
            "getopts" => {
                if let Some(name) = words.get(1).and_then(Word::literal) {
                    self.assign_text(&name, None, merge);
                }
                self.assign_text("OPTARG", None, merge);
            }
            "let" => {
                for word in words {
                    if let Some(text) = word.literal() {
                        self.arithmetic_text(&text, &command.span, place);
                    }
                }
            }
            "test" | "[" => {
                for word in words {
                    let text = word.literal().filter(|text| text.contains('['));
                    self.hidden_commands(text.as_deref(), &command.span, place);
                }
            }
            _ => {}
        }
    }

    pub(super) fn assign_text(&mut self, name: &str, value: Option<Value>, merge: bool) {
        let (name, subscript) = name.split_once('[').map_or((name, None), |(name, rest)| (name, Some(rest)));
        if chars::is_name(name) {
            self.note_assignment(name);
            let known = value.filter(|_| subscript.is_none());
            let value = known.unwrap_or_else(|| env::unknown(format!("${name}")));
            self.env.assign(name, vec![Alternative::Scalar(value)], merge);
        }
    }

    fn define_aliases(&mut self, words: &[Word]) {
        for word in words {
            let text = word.shown();
            if let Some((name, value)) = text.split_once('=')
                && !word.has_unknown()
            {
                self.aliases.insert(name.to_owned(), value.to_owned());
            }
        }
    }

    /// `hash -p path name` gives a program another name.
    fn remember_path(&mut self, words: &[Word]) {
        let texts: Vec<String> = words.iter().map(Word::shown).collect();
        if let [flag, path, name] = texts.as_slice()
            && flag == "-p"
        {
            self.aliases.insert(name.clone(), path.clone());
        }
    }

    /// `printf -v name format …`
    fn print_to_variable(&mut self, words: &[Word], merge: bool, place: &Place) {
        let Some((first, rest)) = words.split_first() else { return };
        let Some(first) = first.literal() else { return };
        let (name, rest) = match first.strip_prefix("-v") {
            Some("") => match rest.split_first() {
                Some((name, rest)) => (name.shown(), rest),
                None => return,
            },
            Some(name) => (name.to_owned(), rest),
            None => return,
        };
        self.hidden_here(Some(&name), place);
        let texts: Option<Vec<String>> = rest.iter().map(Word::literal).collect();
        let value = texts.and_then(|texts| decode::printf(&texts));
        self.assign_text(&name, value.map(env::text), merge);
    }

    /// `set -- a b`
    fn set(&mut self, words: &[Word], merge: bool) {
        for word in words.iter().filter_map(env::plain).take_while(|word| *word != "--") {
            match word.as_bytes() {
                [b'-', flags @ ..] if flags.contains(&b'a') => self.exports_all = true,
                [b'+', flags @ ..] if flags.contains(&b'a') => self.exports_all = false,
                b"allexport" => self.exports_all = true,
                _ => {}
            }
        }
        let first = words.iter().position(|word| {
            let text = word.shown();
            text == "--" || !(text.starts_with('-') || text.starts_with('+'))
        });
        let Some(first) = first else { return };
        let dashes = words.get(first).and_then(Word::literal).as_deref() == Some("--");
        let arguments = words.iter().skip(first.saturating_add(usize::from(dashes)));
        self.set_arguments(arguments.map(|word| word.pieces.clone().into()).collect(), merge);
    }

    /// What a trap runs is judged with the command itself; here it only matters that it may change
    /// variables at any time.
    fn trap(&mut self, words: &[Word], ready: &Ready<'_>, place: &Place) {
        let text = words.iter().filter_map(env::plain).find(|word| !word.starts_with('-'));
        let Some(text) = text.filter(|text| text.contains('=')) else { return };
        let start = self.script.commands.len();
        self.env.begin();
        self.run_text(text, &ready.node.span, place);
        self.close_maybe();
        self.truncate(start);
    }

    fn shift(&mut self, words: &[Word], merge: bool) {
        let count = match words.first() {
            None => Some(1),
            Some(word) => word.literal().and_then(|text| text.parse().ok()),
        };
        match (self.arguments(), count) {
            (Some(list), Some(count)) if self.notes.spend(list.len().saturating_mul(8)) => {
                let left = list.iter().skip(count).map(|(_, value)| Rc::clone(value));
                self.set_arguments(left.collect(), merge);
            }
            _ => self.env.put("@", None),
        }
    }

    fn unset_names(&mut self, words: &[Word], merge: bool, place: &Place) {
        for word in words {
            let Some(name) = word.literal() else { continue };
            self.hidden_here(Some(&name), place);
            if chars::is_name(&name) {
                self.env.assign(&name, vec![Alternative::Unset], merge);
            }
            if words.first().and_then(Word::literal).as_deref() == Some("-f") {
                self.functions.remove(&name);
            }
        }
    }
}
