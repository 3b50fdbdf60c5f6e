//! Variables with several possible values: a command is read once for each combination of them.

use super::Resolver;
use super::env::Alternative;

/// More combinations than this are not told apart.
const MAX_ROUNDS: usize = 40;

/// With more variables than two, most combinations cannot happen, so few are looked at.
const MAX_ROUNDS_OF_MANY: usize = 8;

/// The values that are taken in the current round.
#[derive(Debug, Default)]
pub(super) struct Choices {
    picks: Vec<Pick>,
    /// Too many combinations: whatever has several values is unknown now.
    opaque: bool,
}

#[derive(Debug)]
struct Pick {
    name: String,
    count: usize,
    taken: usize,
}

impl Choices {
    /// The value to take in this round; nothing if it must stay unknown.
    pub fn pick<'v>(&mut self, name: &str, values: &'v [Alternative]) -> Option<&'v Alternative> {
        if let [only] = values {
            return Some(only);
        }
        if self.opaque {
            return None;
        }
        if let Some(pick) = self.picks.iter().find(|pick| pick.name == name) {
            return values.get(pick.taken).or_else(|| values.first());
        }
        self.picks.push(Pick { name: name.to_owned(), count: values.len(), taken: 0 });
        values.first()
    }

    /// Goes on to the next combination. False if there is none.
    fn advance(&mut self) -> bool {
        while let Some(last) = self.picks.last_mut() {
            last.taken = last.taken.saturating_add(1);
            if last.taken < last.count {
                return true;
            }
            self.picks.pop();
        }
        false
    }
}

impl Resolver<'_> {
    /// Does something once for every combination of values that it comes to read. Inside another such
    /// round it is part of that.
    pub(super) fn each_choice(&mut self, mut act: impl FnMut(&mut Self, usize)) {
        if self.choices.is_some() {
            return act(self, 0);
        }
        self.choices = Some(Choices { picks: Vec::new(), opaque: self.notes.exhausted() });
        let mut round = 0usize;
        loop {
            let repeats = self.repeats;
            self.repeats = repeats.saturating_add(usize::from(round > 0));
            // Each round is compared with those before it.
            self.notes.spend(round.saturating_mul(20));
            act(self, round);
            self.repeats = repeats;
            round = round.saturating_add(1);
            let exhausted = self.notes.exhausted();
            let Some(choices) = self.choices.as_mut() else { break };
            if choices.opaque || !choices.advance() {
                break;
            }
            let most = if choices.picks.len() > 2 { MAX_ROUNDS_OF_MANY } else { MAX_ROUNDS };
            choices.opaque = round >= most || exhausted;
        }
        self.choices = None;
    }
}
