//! Options and operands of a call, whatever order, bundling or abbreviation they are written in.

use super::args::Arg;

/// How a program reads its options.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Shape<'a> {
    /// Options that take a value: `-n`, `--namespace`.
    pub values: &'a [&'a str],
    /// The same, from a rule file.
    pub more: &'a [String],
    /// `-name` is one option, not a bundle of letters.
    pub words: bool,
    /// Everything behind the first operand is an operand (launchers).
    pub stops: bool,
}

/// One option that was given.
#[derive(Clone, Debug)]
pub(crate) struct Flag {
    /// With its dashes: `-f`, `--force`.
    pub name: String,
    pub value: Option<Arg>,
}

/// A call's words, told apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parsed {
    pub flags: Vec<Flag>,
    pub operands: Vec<Arg>,
    /// The place of the first operand in the words that were parsed; their number if there is none.
    pub first: usize,
    /// There are operands behind `--`.
    pub dashed: bool,
}

pub(crate) fn parse(args: &[Arg], shape: Shape<'_>) -> Parsed {
    let mut parsed = Parsed { first: args.len(), ..Parsed::default() };
    let mut rest = args.iter().enumerate();
    let mut only_operands = false;
    let mut dashes = false;
    while let Some((place, arg)) = rest.next() {
        let text = arg.text.as_str();
        if only_operands || !text.starts_with('-') || text == "-" {
            parsed.dashed |= dashes;
            parsed.first = parsed.first.min(place);
            parsed.operands.push(arg.clone());
            only_operands |= shape.stops;
        } else if text == "--" {
            only_operands = true;
            dashes = true;
        } else if text.starts_with("--") || shape.words {
            let name = text.split_once('=').map_or(text, |(name, _)| name);
            let value = match arg.after('=') {
                Some(value) => Some(value),
                None if takes_value(shape, name) => rest.next().map(|(_, arg)| arg.clone()),
                None => None,
            };
            parsed.flags.push(Flag { name: name.to_owned(), value });
        } else {
            bundle(arg, shape, &mut parsed, || rest.next().map(|(_, arg)| arg.clone()));
        }
    }
    parsed
}

/// `-xzf name`: letters until one takes a value, which is the rest of the word or the next word.
fn bundle(arg: &Arg, shape: Shape<'_>, parsed: &mut Parsed, mut next: impl FnMut() -> Option<Arg>) {
    let mut front = String::from("-");
    for letter in arg.text.chars().skip(1) {
        front.push(letter);
        let name = format!("-{letter}");
        if takes_value(shape, &name) {
            let glued = arg.without_prefix(&front).filter(|rest| !rest.text.is_empty());
            parsed.flags.push(Flag { name, value: glued.or_else(&mut next) });
            return;
        }
        parsed.flags.push(Flag { name, value: None });
    }
}

fn takes_value(shape: Shape<'_>, name: &str) -> bool {
    shape.values.contains(&name) || shape.more.iter().any(|known| known == name)
}

impl Parsed {
    /// Whether one of these options was given. Long ones may be abbreviated.
    pub fn has(&self, names: &[&str]) -> bool {
        self.find(names).is_some()
    }

    /// Whether one of these options was given in full; for options that make a call harmless.
    pub fn has_exactly(&self, names: &[&str]) -> bool {
        self.flags.iter().any(|flag| names.contains(&flag.name.as_str()))
    }

    pub fn find(&self, names: &[&str]) -> Option<&Flag> {
        self.flags.iter().find(|flag| names.iter().any(|name| flag.is(name)))
    }

    /// The values of all options of these names.
    pub fn values<'a>(&'a self, names: &'a [&'a str]) -> impl Iterator<Item = &'a Arg> {
        self.flags
            .iter()
            .filter(|flag| names.iter().any(|name| flag.is(name)))
            .filter_map(|flag| flag.value.as_ref())
    }

    pub fn value(&self, names: &[&str]) -> Option<&Arg> {
        self.flags
            .iter()
            .find(|flag| flag.value.is_some() && names.iter().any(|name| flag.is(name)))
            .and_then(|flag| flag.value.as_ref())
    }

    /// The operand at a place, as text.
    pub fn word(&self, place: usize) -> Option<&str> {
        self.operands.get(place).map(|arg| arg.text.as_str())
    }
}

impl Flag {
    /// Exactly this option, or a long one cut short, as getopt accepts it. Only for finding danger: a
    /// cut that is ambiguous would be refused by the program.
    pub fn is(&self, name: &str) -> bool {
        if self.name == name {
            return true;
        }
        self.name.len() >= 3 && self.name.starts_with("--") && name.starts_with(self.name.as_str())
    }
}
