//! Words that say nothing about a tool. Verbs such as get, list, find and create do, and stay.

/// Whether a word in lower case is left out of the index and of queries.
pub fn is_stop_word(word: &str) -> bool {
    // Sorted; a binary search over a constant needs no set-up.
    STOP_WORDS.binary_search(&word).is_ok()
}

const STOP_WORDS: &[&str] = &[
    "a", "about", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "been", "being", "but",
    "by", "can", "could", "did", "do", "does", "doing", "each", "for", "from", "had", "has", "have", "he",
    "her", "here", "him", "his", "how", "i", "if", "in", "into", "is", "it", "its", "just", "let", "like",
    "may", "me", "might", "must", "my", "of", "on", "or", "our", "out", "please", "shall", "she", "should",
    "so", "some", "such", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those",
    "to", "too", "us", "via", "want", "was", "we", "were", "what", "when", "where", "which", "while", "who",
    "whom", "whose", "why", "will", "with", "would", "you", "your",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_and_keeps_verbs() {
        assert!(STOP_WORDS.is_sorted());
        assert!(is_stop_word("the") && is_stop_word("please"));
        assert!(!["get", "list", "find", "create", "not"].into_iter().any(is_stop_word));
    }
}
