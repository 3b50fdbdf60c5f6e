//! What the patterns of one file or plugin may cost together. They come from people who are not asked twice, and
//! compiling one can take a thousand times longer than reading it: what it will cost is told from its shape
//! before anything is compiled.

use regex_syntax::ast::parse::ParserBuilder;
use regex_syntax::ast::{Ast, ClassSet, ClassSetItem, RepetitionKind, RepetitionRange};

/// Longer patterns are no checks but programs.
const MAX_CHARS: usize = 1_000;
/// Steps of one pattern, and of all of them together: about as many as its automaton has states.
const MAX_STEPS: usize = 10_000;
const ALL_STEPS: usize = 60_000;
const MAX_NESTING: u32 = 50;
/// A class such as `\p{L}` has hundreds of ranges.
const NAMED_CLASS: usize = 600;

/// Runs out.
#[derive(Debug)]
pub(crate) struct PatternBudget {
    left: usize,
}

impl Default for PatternBudget {
    fn default() -> Self {
        PatternBudget { left: ALL_STEPS }
    }
}

impl PatternBudget {
    /// Pays for a pattern, or says why it cannot be used.
    pub(crate) fn pay(&mut self, pattern: &str) -> Result<(), String> {
        if pattern.chars().nth(MAX_CHARS).is_some() {
            return Err(format!("it has more than {MAX_CHARS} characters"));
        }
        if self.left == 0 {
            return Err("the patterns before it cost all that they may together".to_owned());
        }
        let parsed = ParserBuilder::new().nest_limit(MAX_NESTING).build().parse(pattern);
        let steps = match parsed {
            Ok(tree) => steps(&tree),
            Err(error) => {
                self.left = self.left.saturating_sub(pattern.len());
                return Err(error.kind().to_string());
            }
        };
        if steps > MAX_STEPS {
            return Err(format!("it is too costly: its repetitions come to more than {MAX_STEPS} steps"));
        }
        match self.left.checked_sub(steps) {
            Some(left) => self.left = left,
            None => {
                self.left = 0;
                return Err("the patterns up to here are too costly together".to_owned());
            }
        }
        Ok(())
    }
}

fn steps(tree: &Ast) -> usize {
    match tree {
        Ast::Repetition(repetition) => times(&repetition.op.kind).saturating_mul(steps(&repetition.ast)),
        Ast::Group(group) => steps(&group.ast).saturating_add(2),
        Ast::Concat(all) => sum(&all.asts),
        Ast::Alternation(all) => sum(&all.asts).saturating_add(all.asts.len()),
        Ast::ClassUnicode(_) => NAMED_CLASS,
        Ast::ClassBracketed(class) => in_set(&class.kind),
        Ast::Empty(_) | Ast::Flags(_) | Ast::Literal(_) | Ast::Assertion(_) | Ast::ClassPerl(_) => 1,
        // Any character of Unicode is a handful of ways to write it.
        Ast::Dot(_) => 10,
    }
}

fn sum(all: &[Ast]) -> usize {
    all.iter().fold(0, |sum, tree| sum.saturating_add(steps(tree)))
}

/// How often a part is written out.
fn times(kind: &RepetitionKind) -> usize {
    let most = match kind {
        RepetitionKind::ZeroOrOne | RepetitionKind::ZeroOrMore | RepetitionKind::OneOrMore => 2,
        RepetitionKind::Range(
            RepetitionRange::Exactly(most)
            | RepetitionRange::AtLeast(most)
            | RepetitionRange::Bounded(_, most),
        ) => most.saturating_add(1),
    };
    usize::try_from(most).unwrap_or(usize::MAX)
}

fn in_set(set: &ClassSet) -> usize {
    match set {
        ClassSet::Item(item) => in_item(item),
        ClassSet::BinaryOp(both) => in_set(&both.lhs).saturating_add(in_set(&both.rhs)),
    }
}

fn in_item(item: &ClassSetItem) -> usize {
    match item {
        ClassSetItem::Unicode(_) => NAMED_CLASS,
        ClassSetItem::Bracketed(class) => in_set(&class.kind),
        ClassSetItem::Union(all) => all.items.iter().fold(0, |sum, item| sum.saturating_add(in_item(item))),
        ClassSetItem::Empty(_)
        | ClassSetItem::Literal(_)
        | ClassSetItem::Range(_)
        | ClassSetItem::Ascii(_)
        | ClassSetItem::Perl(_) => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_people_are_paid_for_and_bombs_are_not() {
        let pay = |pattern: &str| PatternBudget::default().pay(pattern);
        for fine in
            [r"^\w{1,64}$", "^[A-Z]{2,10}-[0-9]+$", r"^\d{4}-\d\d-\d\d$", "^(a|b)*$", r"^\p{Lu}.{0,200}$"]
        {
            assert_eq!(pay(fine), Ok(()), "{fine}");
        }
        for bomb in [
            "(((a{100}){100}){100}){100}",
            "(a{1,1000}){1,1000}",
            r"\p{L}{100}",
            &"(".repeat(100),
            &"a".repeat(2_000),
        ] {
            assert!(pay(bomb).is_err(), "{bomb}");
        }
    }

    #[test]
    fn many_costly_patterns_run_out() {
        let mut budget = PatternBudget::default();
        let paid = (0..500).take_while(|_| budget.pay("[a-z]{1,2000}").is_ok()).count();
        assert!((1..20).contains(&paid), "{paid}");
        assert!(budget.pay("a").is_err());
    }
}
