//! What the words of a text may mean in English.

/// What stands between the words of one meaning.
const OR: char = '|';
/// Words of a meaning that a reader gets: one more says what the first alone leaves open, and more draw it away.
const BRIEF: usize = 2;

/// A word or phrase of a text, and its meanings: each is a row of English words that say the same, the plainest
/// first. Without any it stands for itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Meant {
    pub(crate) written: String,
    pub(crate) meanings: Vec<&'static str>,
}

impl Meant {
    /// All words that may be meant, the likeliest first.
    pub(crate) fn words(&self) -> Vec<&'static str> {
        let mut words: Vec<&str> = Vec::new();
        for word in self.meanings.iter().flat_map(|meaning| meaning.split(OR)) {
            if !words.contains(&word) {
                words.push(word);
            }
        }
        words
    }
}

/// A text whose words were looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct English(pub(crate) Vec<Meant>);

impl English {
    /// A sentence for a reader: of each the first words of the first meaning that `is_known` here.
    pub(crate) fn sentence(&self, is_known: &dyn Fn(&str) -> bool) -> String {
        self.told(&|meant| {
            let known = meant.meanings.iter().find(|meaning| meaning.split(OR).any(is_known));
            known.or(meant.meanings.first()).copied()
        })
    }

    /// The first words of each first meaning.
    pub(crate) fn brief(&self) -> String {
        self.told(&|meant| meant.meanings.first().copied())
    }

    fn told(&self, meaning_of: &dyn Fn(&Meant) -> Option<&'static str>) -> String {
        let words = self.0.iter().flat_map(|meant| match meaning_of(meant) {
            Some(meaning) => meaning.split(OR).take(BRIEF).collect(),
            None => vec![meant.written.as_str()],
        });
        words.collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_gets_the_meaning_that_is_known_here() {
        let meant =
            Meant { written: "izin".to_owned(), meanings: vec!["permission|access", "leave|absence"] };
        let english = English(vec![meant]);
        assert_eq!(english.sentence(&|word| word == "absence"), "leave absence");
        assert_eq!(english.sentence(&|_| false), "permission access");
        assert_eq!(english.brief(), "permission access");
    }
}
