//! The conversation about a form or a page. It is about what is on the screen, and it ends with a clear yes or with
//! nothing sent.

use hermes_core::text::visible;
use hermes_mcp::Elicited;
use serde_json::{Map, Value};

use super::fields::Field;

/// Puts a question; `None` when no answer can be had any more.
type Ask<'a> = &'a mut dyn FnMut(&str) -> Option<String>;

/// Asks for every field, then for the word to send.
pub(super) fn fill(server: &str, message: &str, schema: &Value, ask: Ask<'_>) -> Elicited {
    let head = format!("\nMCP server '{server}' asks you to fill in a form:\n  {}\n", indented(message));
    match ask(&format!("{head}  Fill it in? [y/N] ")) {
        Some(line) if is_yes(&line) => {}
        Some(_) => return Elicited::Declined,
        None => return Elicited::Cancelled,
    }
    let mut filled = Map::new();
    for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let needed = schema.get("required").and_then(Value::as_array);
        let required = needed.is_some_and(|needed| needed.iter().any(|one| one == name.as_str()));
        let field = Field { name, schema: property, required };
        let mut question = field.question();
        loop {
            let Some(line) = ask(&question) else { return Elicited::Cancelled };
            match field.read(&line) {
                Ok(Some(value)) => {
                    filled.insert(name.clone(), value);
                    break;
                }
                Ok(None) => break,
                Err(problem) => question = format!("    {problem}: "),
            }
        }
    }
    let sent = visible(&Value::Object(filled.clone()).to_string());
    match ask(&format!("  This goes to '{server}': {sent}\n  Send it? [y/N] ")) {
        Some(line) if is_yes(&line) => Elicited::Accepted(Some(Value::Object(filled))),
        Some(_) => Elicited::Declined,
        None => Elicited::Cancelled,
    }
}

/// Shows the page's whole address; opening it is the user's own act.
pub(super) fn visit(server: &str, message: &str, url: &str, ask: Ask<'_>) -> Elicited {
    let question = format!(
        "\nMCP server '{server}' asks you to visit a page:\n  {}\n  {}\n  Open it only if you know the site. Done? [y/N] ",
        indented(message),
        indented(url)
    );
    match ask(&question) {
        Some(line) if is_yes(&line) => Elicited::Accepted(None),
        Some(_) => Elicited::Declined,
        None => Elicited::Cancelled,
    }
}

/// A server's words, of which no line can be taken for one of Hermes's own.
pub(super) fn indented(text: &str) -> String {
    visible(text).replace(['\n', '\r'], "\n  | ")
}

pub(super) fn is_yes(line: &str) -> bool {
    matches!(line.trim().to_ascii_lowercase().as_str(), "y" | "yes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_of_a_server_can_be_taken_for_one_of_hermes() {
        let words = "Fill in\nMCP server 'bank' asks you:\r\n  Send it? [y/N] y\n";
        let schema = serde_json::json!({"properties": {"a\nb": {"title": words, "enum": [words]}}});
        let mut asked = String::new();
        let mut answers = ["y", "1", "y"].into_iter();
        fill("shop", words, &schema, &mut |question: &str| {
            asked.push_str(question);
            answers.next().map(str::to_owned)
        });
        visit("shop", words, words, &mut |question: &str| {
            asked.push_str(question);
            None
        });
        assert!(!asked.lines().any(|line| line.starts_with("MCP server 'bank'")), "{asked}");
        assert_eq!(asked.lines().filter(|line| line.starts_with("MCP server")).count(), 2, "{asked}");
        assert!(!asked.lines().any(|line| line.trim_start().starts_with("Send it? [y/N] y")), "{asked}");
    }
}
