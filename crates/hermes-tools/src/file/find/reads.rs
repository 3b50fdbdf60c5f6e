//! What a pattern can tell apart in a file: whether it has to be read as it is shown, or its bytes will do.

use std::sync::LazyLock;

use regex_syntax::ast::{self, Ast, ClassSetItem};
use regex_syntax::hir::{Class, HirKind, Look};

use crate::file::text::decode::from_latin1;

/// How a file has to be read for a pattern. Bytes as they come are the quickest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reads {
    /// The pattern tells letters from each other that Latin-1 writes otherwise than UTF-8.
    pub(super) letters: bool,
    /// It could meet the carriage return that stands before the end of a line and is not shown, and does not speak of it.
    pub(super) no_returns: bool,
}

/// Judged by what the pattern means, however it is spelt. `folded` says whether small letters may stand for capital ones.
pub(super) fn reads(pattern: &str, folded: bool) -> Reads {
    let Ok(parsed) = ast::parse::Parser::new().parse(pattern) else { return Reads::default() };
    let mut translator = regex_syntax::hir::translate::TranslatorBuilder::new();
    translator.utf8(false).multi_line(true).case_insensitive(folded);
    let Ok(hir) = translator.build().translate(pattern, &parsed) else { return Reads::default() };
    let mut meets = regex_syntax::hir::visit(&hir, Meets(Reads::default())).unwrap_or_default();
    meets.no_returns = meets.no_returns && ast::visit(&parsed, NamesReturns(false)) == Ok(false);
    meets
}

/// What a pattern can match.
struct Meets(Reads);

impl regex_syntax::hir::Visitor for Meets {
    type Output = Reads;
    type Err = ();

    fn finish(self) -> Result<Reads, ()> {
        Ok(self.0)
    }

    fn visit_pre(&mut self, hir: &regex_syntax::hir::Hir) -> Result<(), ()> {
        let Meets(reads) = self;
        match hir.kind() {
            HirKind::Literal(literal) => {
                let text = std::str::from_utf8(&literal.0).unwrap_or_default();
                reads.letters |= text.chars().any(|letter| has_latin1(letter, letter));
                reads.no_returns |= literal.0.contains(&b'\n');
            }
            HirKind::Class(Class::Unicode(class)) => {
                let mut ranges = class.ranges().iter();
                reads.letters |= ranges.clone().any(|range| has_latin1(range.start(), range.end()));
                reads.no_returns |= ranges.any(|range| range.start() <= '\r' && range.end() >= '\n');
            }
            HirKind::Class(Class::Bytes(class)) => {
                reads.no_returns |= class.iter().any(|range| range.start() <= b'\r' && range.end() >= b'\n');
            }
            HirKind::Look(look) => {
                reads.letters |= matches!(
                    look,
                    Look::WordUnicode
                        | Look::WordUnicodeNegate
                        | Look::WordStartUnicode
                        | Look::WordEndUnicode
                        | Look::WordStartHalfUnicode
                        | Look::WordEndHalfUnicode
                );
                reads.no_returns |= matches!(look, Look::End | Look::EndLF | Look::EndCRLF);
            }
            _ => {}
        }
        Ok(())
    }
}

/// Whether one of these letters is beyond ASCII and in Latin-1.
fn has_latin1(first: char, last: char) -> bool {
    static LETTERS: LazyLock<Vec<char>> = LazyLock::new(|| {
        let bytes: Vec<u8> = (0x80..=0xff).collect();
        from_latin1(&bytes).chars().collect()
    });
    !last.is_ascii() && LETTERS.iter().any(|letter| (first..=last).contains(letter))
}

/// Whether a pattern speaks of carriage returns: it means them then.
struct NamesReturns(bool);

impl ast::Visitor for NamesReturns {
    type Output = bool;
    type Err = ();

    fn finish(self) -> Result<bool, ()> {
        Ok(self.0)
    }

    fn visit_pre(&mut self, part: &Ast) -> Result<(), ()> {
        self.0 |= matches!(part, Ast::Literal(literal) if literal.c == '\r');
        Ok(())
    }

    fn visit_class_set_item_pre(&mut self, item: &ClassSetItem) -> Result<(), ()> {
        self.0 |= match item {
            ClassSetItem::Literal(literal) => literal.c == '\r',
            ClassSetItem::Range(range) => range.start.c == '\r' || range.end.c == '\r',
            _ => false,
        };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_judged_by_what_it_means() {
        let (letters, no_returns) = (true, true);
        for (pattern, expected) in [
            ("plain", Reads::default()),
            ("a+[b-d]{2}(e|f)", Reads::default()),
            ("^foo", Reads::default()),
            ("café", Reads { letters, ..Reads::default() }),
            (r"caf\x{e9}", Reads { letters, ..Reads::default() }),
            (r"caf[\x{e0}-\x{ef}]", Reads { letters, ..Reads::default() }),
            ("it’s", Reads { letters, ..Reads::default() }),
            (r"\bve\b", Reads { letters, ..Reads::default() }),
            (r"\w+", Reads { letters, ..Reads::default() }),
            ("漢字", Reads::default()),
            (r"(?-u)caf\xe9", Reads::default()),
            (r"(?-u:\bve\b)", Reads::default()),
            ("na.ve", Reads { letters, no_returns }),
            ("foo$", Reads { no_returns, ..Reads::default() }),
            (r"foo\nbar", Reads { no_returns, ..Reads::default() }),
            (r"\\road$", Reads { no_returns, ..Reads::default() }),
            (r"\$foo", Reads::default()),
            (r"foo\r$", Reads::default()),
            (r"foo\x0d?$", Reads::default()),
            (r"foo[\r ]*$", Reads::default()),
            ("foo(", Reads::default()),
        ] {
            assert_eq!(reads(pattern, false), expected, "{pattern}");
        }
        assert_eq!(reads("É", true), Reads { letters, ..Reads::default() });
        assert_eq!(
            reads("kiss", true),
            Reads::default(),
            "the letters that fold to these are not in Latin-1"
        );
    }
}
