//! One-liners of interpreters that print a text which stands in them: `python3 -c "print('…')"`.

use super::super::parse::ansi_c;
use super::bases;

/// How an interpreter takes a program, and how that program prints. The second of a pair tells whether a
/// newline follows.
struct Language {
    names: &'static [&'static str],
    flags: &'static [&'static str],
    printers: &'static [(&'static str, bool)],
}

const LANGUAGES: &[Language] = &[
    Language {
        names: &["python", "python2", "python3"],
        flags: &["-c"],
        printers: &[("print(", true), ("print ", true), ("sys.stdout.write(", false)],
    },
    Language { names: &["perl"], flags: &["-e", "-E"], printers: &[("print", false), ("say", true)] },
    Language { names: &["ruby"], flags: &["-e"], printers: &[("puts", true), ("print", false)] },
    Language {
        names: &["node", "nodejs", "bun", "deno"],
        flags: &["-e", "--eval", "-p"],
        printers: &[("console.log(", true), ("process.stdout.write(", false)],
    },
    Language { names: &["php"], flags: &["-r"], printers: &[("echo", false), ("print", false)] },
    Language {
        names: &["awk", "gawk", "mawk", "nawk"],
        flags: &[],
        printers: &[
            ("BEGIN{print", true),
            ("BEGIN {print", true),
            ("BEGIN { print", true),
            ("BEGIN{ print", true),
        ],
    },
];

fn language(name: &str) -> Option<&'static Language> {
    // `python3.11` is a python3.
    let base = name.split('.').next().unwrap_or(name);
    LANGUAGES.iter().find(|language| language.names.contains(&base))
}

/// Whether a program is one of these interpreters.
pub(super) fn knows(name: &str) -> bool {
    language(name).is_some()
}

pub(super) fn output(name: &str, args: &[String]) -> Option<String> {
    let language = language(name)?;
    let program = match args {
        [flag, program] if language.flags.contains(&flag.as_str()) => program,
        [program] if language.flags.is_empty() => program,
        _ => return None,
    };
    let statement = without_imports(program);
    let (printer, newline) =
        language.printers.iter().find(|(printer, _)| statement.starts_with(printer)).copied()?;
    let mut expression = Expression { rest: statement.get(printer.len()..)? };
    let mut text = expression.sum()?;
    if newline {
        text.push('\n');
    }
    expression.rest.trim_matches([')', ';', '}', ' ', '\n', '\t']).is_empty().then_some(text)
}

/// Statements that only load a library.
fn without_imports(program: &str) -> &str {
    let mut rest = program.trim_start();
    while rest.starts_with("import ") || rest.starts_with("use ") || rest.starts_with("require ") {
        match rest.split_once([';', '\n']) {
            Some((_, after)) => rest = after.trim_start(),
            None => return "",
        }
    }
    rest
}

struct Expression<'t> {
    rest: &'t str,
}

/// Functions that make a text of a text, in one language or another.
const FUNCTIONS: &[(&str, Kind)] = &[
    ("bytes.fromhex(", Kind::Hex),
    ("bytearray.fromhex(", Kind::Hex),
    ("pack(\"H*\",", Kind::Hex),
    ("pack('H*',", Kind::Hex),
    ("hex2bin(", Kind::Hex),
    ("base64.b64decode(", Kind::Base64),
    ("__import__('base64').b64decode(", Kind::Base64),
    ("__import__(\"base64\").b64decode(", Kind::Base64),
    ("b64decode(", Kind::Base64),
    ("decode_base64(", Kind::Base64),
    ("base64_decode(", Kind::Base64),
    ("Base64.decode64(", Kind::Base64),
    ("atob(", Kind::Base64),
    ("chr(", Kind::Code),
    ("String.fromCharCode(", Kind::Code),
];

/// What may stand behind a text without changing it.
const NO_CHANGE: &[&str] =
    &[".decode()", ".decode('utf-8')", ".decode(\"utf-8\")", ".decode('utf8')", ".toString()", "()"];

#[derive(Clone, Copy)]
enum Kind {
    Hex,
    Base64,
    Code,
}

impl Expression<'_> {
    /// Texts side by side or with a sign between them.
    fn sum(&mut self) -> Option<String> {
        self.skip_opening();
        let mut text = self.term()?;
        for _ in 0..256 {
            self.rest = self.rest.trim_start();
            let joined = self.rest.strip_prefix(['+', '.']);
            match joined {
                Some(rest) => self.rest = rest.trim_start(),
                None if self.rest.starts_with(['\'', '"']) => {}
                None => return Some(text),
            }
            text.push_str(&self.term()?);
        }
        None
    }

    fn skip_opening(&mut self) {
        self.rest = self.rest.trim_start_matches(['(', ' ']);
    }

    fn term(&mut self) -> Option<String> {
        let mut text = match FUNCTIONS.iter().find(|(name, _)| self.rest.starts_with(name)) {
            Some((name, kind)) => {
                self.rest = self.rest.get(name.len()..)?.trim_start();
                self.call(*kind)?
            }
            None => self.literal()?,
        };
        loop {
            if let Some(rest) =
                self.rest.strip_prefix("[::-1]").or_else(|| self.rest.strip_prefix(".reverse"))
            {
                text = text.chars().rev().collect();
                self.rest = rest;
            } else if let Some(rest) = NO_CHANGE.iter().find_map(|tail| self.rest.strip_prefix(tail)) {
                self.rest = rest;
            } else {
                return Some(text);
            }
        }
    }

    fn call(&mut self, kind: Kind) -> Option<String> {
        if let Kind::Code = kind {
            let (inner, rest) = self.rest.split_once(')')?;
            self.rest = rest;
            return inner.split(',').map(|code| char::from_u32(code.trim().parse().ok()?)).collect();
        }
        let inner = self.literal()?;
        self.rest = self.rest.trim_start().strip_prefix(')')?;
        match kind {
            Kind::Hex => bases::from_hex(&inner),
            _ => bases::from_base64(&inner),
        }
    }

    /// A text between quotes, with its escapes; single quotes too, since there are few to find in them.
    fn literal(&mut self) -> Option<String> {
        let rest = self.rest.trim_start_matches(['b', 'u', 'r']);
        let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
        let inner = rest.get(1..)?;
        let mut escaped = false;
        for (at, c) in inner.char_indices() {
            if c == quote && !escaped {
                self.rest = inner.get(at.saturating_add(1)..)?;
                let text = inner.get(..at)?;
                // Between double quotes some languages put in variables.
                let plain = quote == '\'' || !text.contains(['$', '@', '#']);
                return plain.then(|| ansi_c(text));
            }
            escaped = c == '\\' && !escaped;
        }
        None
    }
}
