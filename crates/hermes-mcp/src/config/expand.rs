//! `${VAR}` and `${env:VAR}` in configured texts. A variable that is not set is a mistake the user can mend,
//! never a text that is sent as it stands.

use hermes_host::Env;

/// The text with its references filled in, or the name of the variable that is missing.
pub fn expand(text: &str, env: &Env) -> Result<String, String> {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        filled.push_str(before);
        let reference = after.split_once('}').filter(|(inside, _)| is_reference(inside));
        let Some((inside, behind)) = reference else {
            // Not a reference, such as a template of the server's own.
            filled.push_str("${");
            rest = after;
            continue;
        };
        let (name, otherwise) = match inside.split_once(":-") {
            Some((name, otherwise)) => (name, Some(otherwise)),
            None => (inside, None),
        };
        let name = name.strip_prefix("env:").unwrap_or(name);
        match env.get(name).or(otherwise) {
            Some(value) => filled.push_str(value),
            None => return Err(name.to_owned()),
        }
        rest = behind;
    }
    filled.push_str(rest);
    Ok(filled)
}

fn is_reference(inside: &str) -> bool {
    let name = inside.split_once(":-").map_or(inside, |(name, _)| name);
    let name = name.strip_prefix("env:").unwrap_or(name);
    let mut letters = name.chars();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_filled_in_and_missing_ones_named() {
        let env: Env = [("TOKEN".to_owned(), "t0".to_owned())].into_iter().collect();
        for (text, filled) in [
            ("plain", "plain"),
            ("Bearer ${TOKEN}", "Bearer t0"),
            ("${env:TOKEN}${TOKEN}", "t0t0"),
            ("${GONE:-else}", "else"),
            ("${not a name} ${", "${not a name} ${"),
            ("$TOKEN", "$TOKEN"),
        ] {
            assert_eq!(expand(text, &env).as_deref(), Ok(filled), "{text}");
        }
        assert_eq!(expand("x ${GONE}", &env), Err("GONE".to_owned()));
    }
}
