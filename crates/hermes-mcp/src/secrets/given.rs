//! What a server is given to say who asks: by the names that values go by, by where they stand, or by their looks.

use std::collections::BTreeSet;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hermes_host::Env;
use hermes_host::secrets::{gather, is_secret_name};

use super::looks::{can_be_secret, is_ordinary, is_token};
use crate::config::{Endpoint, expand, referred};

/// Words in the names of headers, beside those of any name, whose values say who asks.
const HEADER_WORDS: [&str; 5] = ["AUTHORIZATION", "BEARER", "JWT", "SESSION", "SIGNATURE"];

/// The values of one server, each with the name to show in its place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Given {
    /// Secret by their names: nobody is shown these.
    pub secret: Vec<(String, String)>,
    /// Those, and what only looks like a secret: hidden in what the server itself says.
    pub all: Vec<(String, String)>,
}

/// What a server at this endpoint is given. A text that refers to a variable that is not set is given to nobody.
pub fn given(endpoint: &Endpoint, env: &Env) -> Given {
    let mut found = Found { env, secret: Vec::new(), alike: Vec::new(), plain: Vec::new() };
    for text in endpoint.texts() {
        for (name, value) in referred(text, env) {
            found.named(&name, &value, !is_ordinary(&value));
        }
    }
    match endpoint {
        Endpoint::Stdio { args, env: extra, .. } => {
            for (name, value) in extra {
                found.setting(name, value);
            }
            found.arguments(args);
        }
        Endpoint::Http { url, headers, login, .. } => {
            for (name, value) in headers {
                found.header(name, value);
            }
            found.address(url);
            if let Some(secret) = &login.client_secret {
                found.named("client_secret", &found.filled(secret).unwrap_or_default(), false);
            }
        }
    }
    found.given()
}

struct Found<'a> {
    env: &'a Env,
    secret: Vec<(String, String)>,
    alike: Vec<(String, String)>,
    plain: Vec<(String, String)>,
}

impl Found<'_> {
    fn filled(&self, text: &str) -> Option<String> {
        expand(text, self.env, Path::new("")).ok()
    }

    /// A value by its name, or else by what was found of its looks.
    fn named(&mut self, name: &str, value: &str, looks_secret: bool) {
        let is_secret = says_secret(name) && can_be_secret(value);
        let list = match (is_secret, looks_secret) {
            (true, _) => &mut self.secret,
            (false, true) => &mut self.alike,
            (false, false) => &mut self.plain,
        };
        list.push((name.to_owned(), value.to_owned()));
    }

    fn setting(&mut self, name: &str, value: &str) {
        if let Some(value) = self.filled(value) {
            self.named(name, &value, is_token(&value));
        }
    }

    /// `--token=…`, `--token …` and `TOKEN=…`.
    fn arguments(&mut self, args: &[String]) {
        let mut before = None;
        for arg in args {
            let option = before.replace(arg.as_str()).filter(|before| before.starts_with('-'));
            match (arg.split_once('='), option) {
                (Some((name, value)), _) => self.setting(name.trim_start_matches('-'), value),
                (None, Some(option)) if !arg.starts_with('-') => {
                    self.setting(option.trim_start_matches('-'), arg);
                }
                _ => self.setting("argument", arg),
            }
        }
    }

    fn header(&mut self, name: &str, value: &str) {
        let Some(value) = self.filled(value) else { return };
        let is_known = words(name).any(|word| HEADER_WORDS.contains(&word.as_str()));
        if !is_known && !says_secret(name) {
            return self.named(name, &value, is_token(&value));
        }
        let mut pieces: Vec<&str> = value.split([' ', ';', ',']).filter(|piece| !piece.is_empty()).collect();
        // The scheme, such as `Bearer`, is no secret.
        if pieces.len() > 1 && pieces.first().is_some_and(|first| first.chars().all(char::is_alphabetic)) {
            pieces.remove(0);
        }
        let mut secrets: Vec<String> = Vec::new();
        for piece in pieces {
            // `name=value` of a cookie; the padding of base64 is no value.
            let value = piece.split_once('=').map(|(_, value)| value);
            let value = value.filter(|value| !value.chars().all(|letter| letter == '='));
            secrets.push(value.unwrap_or(piece).to_owned());
            // `Basic` is a name and a password.
            let decoded = STANDARD.decode(piece).ok().and_then(|bytes| String::from_utf8(bytes).ok());
            secrets.extend(decoded.and_then(|pair| Some(pair.split_once(':')?.1.to_owned())));
        }
        let secrets = secrets.into_iter().filter(|secret| can_be_secret(secret));
        self.secret.extend(secrets.map(|secret| (name.to_owned(), secret)));
    }

    fn address(&mut self, url: &str) {
        let Some(filled) = self.filled(url) else { return };
        self.plain.push(("url".to_owned(), filled.clone()));
        let Ok(url) = url::Url::parse(&filled) else { return };
        for (name, value) in url.query_pairs() {
            self.named(&name, &value, is_token(&value));
        }
        for piece in url.path_segments().into_iter().flatten().filter(|piece| is_token(piece)) {
            self.alike.push(("url".to_owned(), piece.to_owned()));
        }
    }

    fn given(self) -> Given {
        // Of those that are no secrets themselves, passwords in addresses are still.
        let plain = self.plain.iter().map(|(_, value)| ("address", value.as_str()));
        let mut secret = gather(plain, &BTreeSet::new());
        secret.extend(gathered(&self.secret));
        let mut all = secret.clone();
        all.extend(gathered(&self.alike));
        for list in [&mut secret, &mut all] {
            let mut values = BTreeSet::new();
            list.retain(|(_, value)| values.insert(value.clone()));
        }
        Given { secret, all }
    }
}

/// With every line of those that have several.
fn gathered(pairs: &[(String, String)]) -> Vec<(String, String)> {
    let names = pairs.iter().map(|(name, _)| name.clone()).collect();
    gather(pairs.iter().map(|(name, value)| (name.as_str(), value.as_str())), &names)
}

/// Whether a name says that its value is secret, in whichever way its words are set apart.
fn says_secret(name: &str) -> bool {
    is_secret_name(name) || is_secret_name(&words(name).collect::<Vec<_>>().join("_"))
}

/// The words of a name in capitals: `accessToken`, `X-Access-Token` and `ACCESS_TOKEN` have the same two.
fn words(name: &str) -> impl Iterator<Item = String> {
    let mut apart = String::new();
    let mut was_small = false;
    for letter in name.chars() {
        if was_small && letter.is_ascii_uppercase() {
            apart.push('_');
        }
        was_small = letter.is_ascii_lowercase();
        apart.push(letter.to_ascii_uppercase());
    }
    let words = apart.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect::<Vec<_>>().into_iter()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::config::Login;

    fn pairs(list: &[(&str, &str)]) -> BTreeMap<String, String> {
        list.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    fn values(list: &[(String, String)]) -> BTreeSet<&str> {
        list.iter().map(|(_, value)| value.as_str()).collect()
    }

    #[test]
    fn what_says_who_asks_is_known_and_the_rest_stays_readable() {
        let env: Env =
            pairs(&[("ANY", "any4value9of7mine"), ("ORG", "acme-corp"), ("THE_TOKEN", "fromtheenv")])
                .into_iter()
                .collect();
        let endpoint = Endpoint::Stdio {
            command: "server".to_owned(),
            args: [
                "--api-key",
                "argumentkey",
                "--mode=production",
                "authToken=pairedvalue",
                "/srv/9a8b7c6d5e4f3a",
            ]
            .map(str::to_owned)
            .to_vec(),
            env: pairs(&[
                ("PASSWORD", "hunter2"),
                ("DATABASE", "postgres://me:longpassword@db.example/x"),
                ("SEED", "zq8Lw2pXv7Rt1"),
                ("KEY_FILE", "/home/me/key.pem"),
                ("AUTH", "disabled"),
                ("OTHER", "${ANY} ${ORG} ${THE_TOKEN}"),
            ]),
            cwd: None,
        };
        let given = given(&endpoint, &env);
        let secret = ["argumentkey", "fromtheenv", "hunter2", "longpassword", "pairedvalue"];
        assert_eq!(values(&given.secret), secret.into(), "{given:?}");
        let all = [&secret[..], &["any4value9of7mine", "zq8Lw2pXv7Rt1"]].concat();
        assert_eq!(values(&given.all), all.into_iter().collect(), "{given:?}");
    }

    #[test]
    fn headers_and_addresses_show_who_asks() {
        let endpoint = Endpoint::Http {
            url: "https://me:urlpassword@h.example/s/0a1b2c3d4e5f6a7b/mcp?accessToken=querytoken&team=acme-corp"
                .to_owned(),
            headers: pairs(&[
                ("Authorization", "Bearer headertoken"),
                ("Proxy-Authorization", "Basic bWU6c2VjcmV0d29yZA=="),
                ("Cookie", "theme=dark; session=cookievalue"),
                ("X-Tenant", "acme-corp"),
                ("User-Agent", "Mozilla/5.0 (X11)"),
            ]),
            legacy: false,
            login: Login { client_secret: Some("clientsecret".to_owned()), ..Login::default() },
        };
        let given = given(&endpoint, &Env::default());
        let secret = [
            "bWU6c2VjcmV0d29yZA==",
            "clientsecret",
            "cookievalue",
            "headertoken",
            "querytoken",
            "secretword",
            "urlpassword",
        ];
        assert_eq!(values(&given.secret), secret.into(), "{given:?}");
        assert!(
            values(&given.all).contains("0a1b2c3d4e5f6a7b") && given.all.len() == secret.len() + 1,
            "{given:?}"
        );
    }
}
