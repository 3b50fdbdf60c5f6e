//! JSON as people write it into settings: with comments.

/// The text without `//` and `/* */` comments outside of strings.
pub(super) fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    let mut in_text = false;
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if in_text => {
                kept.push(letter);
                kept.extend(letters.next());
            }
            '"' => {
                in_text = !in_text;
                kept.push(letter);
            }
            '/' if !in_text && letters.peek() == Some(&'/') => {
                while letters.next_if(|next| *next != '\n').is_some() {}
            }
            '/' if !in_text && letters.peek() == Some(&'*') => {
                let mut last = ' ';
                for next in letters.by_ref().skip(1) {
                    if last == '*' && next == '/' {
                        break;
                    }
                    last = next;
                }
            }
            other => kept.push(other),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn comments_go_and_texts_stay() {
        let text = "{\"a\": \"http://x/*y*/\", // gone\n /* gone\n too */ \"b\": \"\\\"//\"}";
        let value: Value = serde_json::from_str(&without_comments(text)).unwrap();
        assert_eq!(value, serde_json::json!({"a": "http://x/*y*/", "b": "\"//"}));
    }
}
