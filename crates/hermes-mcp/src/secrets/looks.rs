//! What a value looks like whose name says nothing. A server repeats most of what it was given for good reasons, such as
//! the folder or the project it works on, and what it answers is worth nothing with these blacked out.

/// The shortest value that is hidden although no name says that it is secret.
const SHORTEST: usize = 8;
/// As long as this, a word of letters and digits was not thought up by anybody.
const TOKEN: usize = 12;
/// A longer word is none that people write.
const LONGEST_WORD: usize = 20;
/// Shorter than this, words with blanks between them are no passphrase.
const PASSPHRASE: usize = 16;
/// What stands between the words of ordinary values.
const BETWEEN: &str = "-_.:,/@+ ";

/// Whether a value that somebody keeps in a variable is one that people read: a place, a name, a number, a switch.
pub(super) fn is_ordinary(value: &str) -> bool {
    let value = value.trim();
    if value.len() < SHORTEST || hermes_host::secrets::is_ordinary(value) {
        return true;
    }
    let between = value.chars().filter(|letter| !letter.is_alphanumeric());
    between.into_iter().all(|letter| BETWEEN.contains(letter)) && words(value).all(is_word)
}

/// Whether a value is a key by its looks, wherever it stands.
pub(super) fn is_token(value: &str) -> bool {
    let value = value.trim();
    !value.contains(char::is_whitespace)
        && !hermes_host::secrets::is_ordinary(value)
        && words(value).any(|word| word.len() >= TOKEN && is_mixed(word))
}

/// Whether a value can be what its name says: a key. Six letters are too few, and `true` is none.
pub(super) fn can_be_secret(value: &str) -> bool {
    let value = value.trim();
    let is_short = value.len() < SHORTEST;
    let is_long_enough =
        !is_short || (value.len() >= SHORTEST - 2 && value.contains(|c: char| c.is_ascii_digit()));
    let is_phrase = value.contains(char::is_whitespace);
    is_long_enough && (!is_phrase || value.len() >= PASSPHRASE) && !hermes_host::secrets::is_ordinary(value)
}

fn words(value: &str) -> impl Iterator<Item = &str> {
    value.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}

fn is_word(word: &str) -> bool {
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
    is_number || word.len() < SHORTEST || (word.len() <= LONGEST_WORD && !is_mixed(word))
}

fn is_mixed(word: &str) -> bool {
    word.contains(|c: char| c.is_ascii_digit()) && word.contains(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_read_is_not_hidden() {
        for value in [
            "true",
            "production",
            "us-east-1",
            "en_US.UTF-8",
            "/srv/data/9f8e7d6c5b4a",
            "~/notes",
            "123456789012",
            "https://issues.example.com/mcp",
            "acme-corp",
            "me@example.com",
            "2026-11-16T10:00:00Z",
            "gpt-4o-mini",
            "My Company Inc.",
            "localhost:8080",
            "v1.22.333-beta1",
        ] {
            assert!(is_ordinary(value), "{value}");
            assert!(!is_token(value), "{value}");
        }
        for value in
            ["hunter2hunter2", "zq8Lw2pXv7Rt1", "correct$horse!", "550e8400-e29b-41d4-a716-446655440000"]
        {
            assert!(!is_ordinary(value) && can_be_secret(value), "{value}");
        }
        assert!(is_token("prefix-zq8Lw2pXv7Rt1") && !is_token("zq8 Lw2pXv7Rt1aa"));
        assert!(
            can_be_secret("s3cret")
                && !can_be_secret("secret")
                && !can_be_secret("two words")
                && !can_be_secret("enabled")
        );
    }
}
