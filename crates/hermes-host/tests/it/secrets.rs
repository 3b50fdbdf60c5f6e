//! Which values are taken for secrets.

use std::collections::BTreeSet;

use hermes_host::secrets::{gather, is_secret_name};

fn secrets(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    gather(pairs.iter().copied(), &BTreeSet::new())
}

#[test]
fn names_are_judged_by_whole_words() {
    for name in [
        "OPENAI_API_KEY",
        "GITHUB_TOKEN",
        "DB_PASSWORD",
        "MYSQL_PWD",
        "AWS_SECRET_ACCESS_KEY",
        "aws_access_key_id",
        "GITHUB_PAT",
        "NPM_AUTH",
        "SSH_PRIVATE_KEY",
        "SLACK_WEBHOOK_URL",
        "GOOGLE_CREDENTIALS",
        "TOKEN",
    ] {
        assert!(is_secret_name(name), "{name}");
    }
    for name in [
        "KEYBOARD",
        "MONKEY_BUSINESS",
        "AUTHOR",
        "TOKENIZERS_PARALLELISM",
        "MAX_TOKENS",
        "PATH",
        "PWD",
        "OLDPWD",
        "TOKEN_TYPE",
        "SSH_AUTH_SOCK",
        "KEY_FILE",
        "AUTH_URL",
        "PASSENGERS",
        "COMPASS_HOME",
        "PRIVATE_REGISTRY",
    ] {
        assert!(!is_secret_name(name), "{name}");
    }
}

#[test]
fn values_that_cannot_be_secrets_are_left_out() {
    let pairs = [
        ("A_KEY", "short"),
        ("B_KEY", "true"),
        ("C_KEY", "/home/ada/.ssh/id_rsa"),
        ("D_KEY", "~/keys/id"),
        ("E_TOKEN", "12345678"),
        ("F_TOKEN", "disabled"),
        ("G_AUTH", "unix:/run/x.sock"),
        ("HOME", "/home/ada-lovelace"),
    ];
    assert_eq!(secrets(&pairs), []);
    assert_eq!(secrets(&[("DB_PASSWORD", "12345678")]).len(), 1, "people do that");
    assert_eq!(secrets(&[("AWS_SECRET", "/x9Fk2/abc+def8ghij")]).len(), 1, "not every slash starts a path");
}

#[test]
fn each_value_stands_once_in_a_fixed_order() {
    let pairs = [("Z_TOKEN", "abcdefgh1"), ("A_TOKEN", "abcdefgh1"), ("B_TOKEN", "zyxwvuts2")];
    let expected = [("A_TOKEN", "abcdefgh1"), ("B_TOKEN", "zyxwvuts2")];
    assert_eq!(secrets(&pairs), expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
}

#[test]
fn configured_names_are_secret_whatever_they_are_called() {
    let configured = BTreeSet::from(["STREET".to_owned(), "DOT".to_owned()]);
    let found = gather([("STREET", "Elm 5"), ("DOT", "."), ("CITY", "Springfield")], &configured);
    assert_eq!(found, [("STREET".to_owned(), "Elm 5".to_owned())]);
}

#[test]
fn passwords_hide_in_urls_and_keys_have_lines() {
    let found = secrets(&[("DATABASE_URL", "postgres://app:s3cr%40t-pass@db:5432/app?x=1")]);
    let values: Vec<_> = found.iter().map(|(_, value)| value.as_str()).collect();
    assert_eq!(values, ["s3cr%40t-pass", "s3cr@t-pass"]);
    assert_eq!(secrets(&[("HOMEPAGE", "https://example.com/a:b@c")]), []);

    let key = "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEF\nshort\n-----END KEY-----\n";
    let values: Vec<_> = secrets(&[("TLS_KEY", key)]).into_iter().map(|(_, value)| value).collect();
    assert_eq!(values, [key.trim(), "MIIEvQIBADANBgkqhkiG9w0BAQEF"]);
}
