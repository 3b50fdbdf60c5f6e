//! What is started or contacted for an MCP server, word by word, for whoever is to agree to it.

use hermes_core::text::visible;
use hermes_runtime::config::McpServer;

/// A program with its arguments, each as one word.
pub(super) fn command_line<'a>(words: impl IntoIterator<Item = &'a String>) -> String {
    let shown: Vec<String> = words.into_iter().map(|word| as_one_word(word)).collect();
    shown.join(" ")
}

/// The program that is started with its arguments, or the address.
pub(super) fn reach(server: &McpServer) -> String {
    match (server.command.is_empty(), server.url.is_empty()) {
        (true, true) => "reaches nothing".to_owned(),
        (false, _) => {
            format!("starts {}", command_line(std::iter::once(&server.command).chain(&server.args)))
        }
        (true, false) => format!("contacts {}", as_one_word(&server.url)),
    }
}

/// What goes with it.
pub(super) fn beside(server: &McpServer) -> Vec<String> {
    let named = |what: &str, names: Vec<&String>| {
        let names: Vec<String> = names.into_iter().map(|name| visible(name)).collect();
        (!names.is_empty()).then(|| format!("{what} {}", names.join(", ")))
    };
    let mut beside: Vec<String> = Vec::new();
    beside.extend(server.cwd.iter().map(|cwd| format!("in the folder {}", as_one_word(cwd))));
    beside.extend(named("with the variables", server.env.keys().collect()));
    beside.extend(named("with the headers", server.headers.keys().collect()));
    beside.extend((!server.enabled).then(|| "switched off".to_owned()));
    beside
}

/// Quoted where it could be taken for several, or for something else.
fn as_one_word(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_-./:@%+=,~$&?".contains(letter);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => visible(&serde_json::Value::from(word).to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_cannot_be_taken_for_others() {
        let words = ["sh", "-c", "a b; c", "", "x\ny", "\u{202e}z"].map(str::to_owned);
        let line = command_line(&words);
        assert!(line.starts_with(r#"sh -c "a b; c" "" "x\ny" "#), "{line}");
        assert!(!line.contains('\u{202e}'), "{line}");
    }
}
