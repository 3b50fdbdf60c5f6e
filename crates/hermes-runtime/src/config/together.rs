//! What settings must be to each other, whichever layers they come from.

use super::error::ConfigError;
use super::loaded::Loaded;
use super::origin::Place;

/// The configuration, if its settings agree.
pub(super) fn agreed(loaded: Loaded) -> Result<Loaded, Vec<ConfigError>> {
    let terminal = &loaded.config.terminal;
    // Who lowers the longest limit alone has not said that commands take longer.
    let is_set = loaded.why("terminal.timeout").is_ok_and(|why| why.origin != Place::defaults());
    if is_set && terminal.timeout > terminal.max_timeout {
        let message = format!(
            "must be at most terminal.max_timeout, which is {}, not {}",
            terminal.max_timeout, terminal.timeout
        );
        return Err(vec![loaded.error_at("terminal.timeout", message, None)]);
    }
    Ok(loaded)
}

#[cfg(test)]
mod tests {
    use super::super::model::Config;

    #[test]
    fn a_command_never_has_longer_than_the_longest_limit() {
        let flags = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
            pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
        };
        let load = |pairs: &[(&str, &str)]| Config::load(&[], &[], &flags(pairs));
        let refused = load(&[("terminal.timeout", "300"), ("terminal.max_timeout", "200")]).unwrap_err();
        let told: Vec<String> = refused.iter().map(ToString::to_string).collect();
        assert!(
            told.iter().any(|line| line.contains("terminal.timeout") && line.contains("200")),
            "{told:?}"
        );
        assert!(load(&[("terminal.timeout", "601")]).is_err());
        assert!(load(&[("terminal.timeout", "600")]).is_ok());
        assert!(load(&[("terminal.max_timeout", "60")]).is_ok());
    }
}
