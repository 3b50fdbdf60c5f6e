//! The syntax tree of a script, before anything is expanded.

use std::cell::OnceCell;
use std::ops::Range;
use std::rc::Rc;

pub(super) type Span = Range<usize>;

/// Commands one after the other.
#[derive(Debug, Default)]
pub(super) struct List {
    pub items: Vec<Item>,
}

/// `a && b || c`, up to `;`, `&` or the end of the line.
#[derive(Debug)]
pub(super) struct Item {
    pub first: Pipeline,
    pub rest: Vec<(AndOr, Pipeline)>,
    pub background: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AndOr {
    And,
    Or,
}

/// `a | b | c`.
#[derive(Debug)]
pub(super) struct Pipeline {
    /// `!` stands in front.
    pub negated: bool,
    pub stages: Vec<Node>,
}

#[derive(Debug)]
pub(super) enum Node {
    Simple(Simple),
    Compound(Box<Compound>),
    Function(Rc<FunctionNode>),
    Coprocess(Box<Node>),
}

#[derive(Debug)]
pub(super) struct FunctionNode {
    pub name: String,
    pub body: Node,
}

#[derive(Debug, Default)]
pub(super) struct Simple {
    pub assignments: Vec<Assign>,
    pub args: Vec<Arg>,
    pub redirects: Vec<Redirection>,
    pub span: Span,
    /// As written behind its first word, in scripts with aliases.
    pub tail: String,
}

/// A word of a simple command; `declare`, `export` and their like take assignments as arguments.
#[derive(Debug)]
pub(super) enum Arg {
    Word(WordNode),
    Assign(Box<Assign>),
}

#[derive(Debug)]
pub(super) struct Assign {
    pub name: String,
    pub index: Option<WordNode>,
    pub append: bool,
    pub value: AssignValue,
}

#[derive(Debug)]
pub(super) enum AssignValue {
    Word(WordNode),
    /// `(a b [k]=v)`
    Array(Vec<Element>),
}

#[derive(Debug)]
pub(super) struct Element {
    pub index: Option<WordNode>,
    pub value: WordNode,
}

#[derive(Debug)]
pub(super) struct Compound {
    pub kind: CompoundKind,
    pub redirects: Vec<Redirection>,
    pub span: Span,
}

#[derive(Debug)]
pub(super) enum CompoundKind {
    Subshell(List),
    Group(List),
    If {
        arms: Vec<(List, List)>,
        otherwise: Option<List>,
    },
    /// `while` and `until`.
    While {
        condition: List,
        body: List,
    },
    /// `for` and `select`; without words it goes through the arguments.
    For {
        name: String,
        words: Option<Vec<WordNode>>,
        body: List,
    },
    ForArithmetic {
        head: Vec<WordNode>,
        body: List,
    },
    Case {
        subject: WordNode,
        arms: Vec<CaseArm>,
    },
    /// `[[ … ]]`: only what its words expand matters.
    Condition(Vec<WordNode>),
    /// `(( … ))`
    Arithmetic(WordNode),
}

#[derive(Debug)]
pub(super) struct CaseArm {
    pub patterns: Vec<WordNode>,
    pub body: List,
    /// Ended by `;&` or `;;&`: the next arm may run too.
    pub falls_through: bool,
}

#[derive(Debug)]
pub(super) struct Redirection {
    pub kind: super::model::RedirectKind,
    pub fd: Option<u32>,
    /// `{name}>file` stores the descriptor here.
    pub variable: Option<String>,
    pub target: Target,
}

#[derive(Debug)]
pub(super) enum Target {
    Word(WordNode),
    /// A here-document's body, which stands after the line and is filled in when it is reached.
    Body(Rc<OnceCell<WordNode>>),
}

/// A word: text and expansions side by side.
#[derive(Debug, Default)]
pub(super) struct WordNode {
    pub parts: Vec<Part>,
    pub span: Span,
}

#[derive(Debug)]
pub(super) enum Part {
    Text {
        text: String,
        quoted: bool,
    },
    Parameter(Box<Parameter>),
    /// `$(…)` and backquotes.
    Command(Box<Substitution>),
    /// `<(…)` and `>(…)`.
    Process {
        inner: Box<Substitution>,
        writes: bool,
    },
    /// `$((…))` and `$[…]`.
    Arithmetic {
        inner: Box<WordNode>,
        source: String,
    },
    /// An extended pattern such as `@(a|b)`; the text is as written.
    Pattern {
        inner: Box<WordNode>,
        sign: char,
    },
}

#[derive(Debug)]
pub(super) struct Substitution {
    pub list: List,
    pub quoted: bool,
    /// As written, shortened; only to show.
    pub source: String,
}

#[derive(Debug)]
pub(super) struct Parameter {
    pub name: String,
    pub index: Option<Subscript>,
    /// `${!name}`
    pub indirect: bool,
    pub operation: Operation,
    pub quoted: bool,
    /// As written, shortened; only to show.
    pub source: String,
}

#[derive(Debug)]
pub(super) enum Subscript {
    /// `[@]`
    Each,
    /// `[*]`
    Joined,
    At(WordNode),
}

#[derive(Debug)]
pub(super) enum Operation {
    None,
    /// `${#x}`
    Length,
    /// `-`, `=`, `?`, `+`, with a colon or without.
    Fallback {
        sign: u8,
        colon: bool,
        word: WordNode,
    },
    /// `#`, `##`
    RemovePrefix {
        longest: bool,
        pattern: WordNode,
    },
    /// `%`, `%%`
    RemoveSuffix {
        longest: bool,
        pattern: WordNode,
    },
    /// `/`, `//`, `/#`, `/%`
    Replace {
        anchor: u8,
        pattern: WordNode,
        with: WordNode,
    },
    /// `:offset:length`
    Slice {
        offset: WordNode,
        length: Option<WordNode>,
    },
    /// `^`, `^^`, `,`, `,,`
    Case {
        upper: bool,
        all: bool,
        pattern: WordNode,
    },
    /// `@Q`, `@E`, `@P` and the others.
    Transform(u8),
    /// `${!prefix*}`, `${!prefix@}`
    Names,
}

impl WordNode {
    /// The text, if the word is nothing but unquoted text: only then is it a keyword, an alias or a
    /// function name.
    pub fn bare(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [Part::Text { text, quoted: false }] => Some(text),
            _ => None,
        }
    }
}
