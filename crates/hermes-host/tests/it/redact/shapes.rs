//! Texts that are shaped like secrets, and texts that are not.

use hermes_core::redact::Redactor;

fn redact(text: &str) -> String {
    Redactor::new([]).redact_text(text).into_owned()
}

/// Text, and what is left of it. Keys are put together here so that no scanner stumbles over this file.
#[test]
fn keys_go() {
    let alnum = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0";
    let hex = "0123456789abcdef0123456789abcdef";
    let pem = format!(
        "-----BEGIN RSA {}-----\nMIIEow{alnum}\nAbC/+d==\n-----END RSA PRIVATE KEY-----",
        "PRIVATE KEY"
    );
    let jwt = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U";
    let cases = [
        (format!("key sk-{alnum}."), "key [REDACTED]."),
        (format!("sk-ant-api03-{alnum}-{alnum}"), "[REDACTED]"),
        (format!("sk-proj-{alnum}"), "[REDACTED]"),
        (format!("sk-or-v1-{hex}{hex}"), "[REDACTED]"),
        (format!("ghp_{}", &alnum[..36]), "[REDACTED]"),
        (format!("(gho_{})", &alnum[..36]), "([REDACTED])"),
        (format!("github_pat_11{alnum}_{alnum}"), "[REDACTED]"),
        (format!("glpat-{}", &alnum[..20]), "[REDACTED]"),
        (format!("hf_{}", "AbCdEfGhIjKlMnOpQrStUvWxYzAbCdEfGh"), "[REDACTED]"),
        (format!("npm_{}", &alnum[..36]), "[REDACTED]"),
        (format!("AIza{}", &alnum[..35]), "[REDACTED]"),
        (format!("AKIA{}", "IOSFODNN7EXAMPLE"), "[REDACTED]"),
        (format!("xoxb-{}-{}", "123456789012", &alnum[..24]), "[REDACTED]"),
        (format!("https://hooks.slack.com/services/T0123/B0123/{}", &alnum[..24]), "https://[REDACTED]"),
        (format!("sk_live_{}", &alnum[..24]), "[REDACTED]"),
        (format!("url=x%3Dghp_{}", &alnum[..36]), "url=x%3D[REDACTED]"),
        (format!("a\\nghp_{}\\n", &alnum[..36]), "a\\n[REDACTED]\\n"),
        (format!("123456789:AA{}", &alnum[..33]), "[REDACTED]"),
        (format!("Authorization: Bearer {alnum}"), "Authorization: Bearer [REDACTED]"),
        ("Authorization: Basic dXNlcjpwYXNzd29yZA==".to_owned(), "Authorization: Basic [REDACTED]"),
        (format!("token {jwt}."), "token [REDACTED]."),
        (pem.clone(), "[REDACTED]"),
        (pem.replace('\n', "\\n"), "[REDACTED]"),
        (format!("cut {}", &pem[..70]), "cut [REDACTED]"),
        ("postgres://app:s3cr3t@db:5432/app".to_owned(), "postgres://app:[REDACTED]@db:5432/app"),
        ("redis://:p@ss:w0rd@cache/0".to_owned(), "redis://:[REDACTED]@cache/0"),
        ("password=Summer2024".to_owned(), "password=[REDACTED]"),
        ("password=hunter2=abcdef12; x".to_owned(), "password=[REDACTED]; x"),
        ("api_key=abc=def=1234567 x".to_owned(), "api_key=[REDACTED] x"),
        ("DB_PASSWORD='letmein99'; x".to_owned(), "DB_PASSWORD='[REDACTED]'; x"),
        (r#"{"password": "hunter22", "a": 1}"#.to_owned(), r#"{"password": "[REDACTED]", "a": 1}"#),
        (r#"{\"api_key\":\"abc123def456\"}"#.to_owned(), r#"{\"api_key\":\"[REDACTED]\"}"#),
        ("client_secret: 8f2b91c07d".to_owned(), "client_secret: [REDACTED]"),
        ("?access_token=ab12cd34ef&x=1".to_owned(), "?access_token=[REDACTED]&x=1"),
        ("x-api-key: 8f2b91c07dabcd".to_owned(), "x-api-key: [REDACTED]"),
        ("curl --token ab12cd34ef56 url".to_owned(), "curl --token [REDACTED] url"),
        (
            "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY".to_owned(),
            "aws_secret_access_key = [REDACTED]",
        ),
        ("AccountKey=aGVsbG8gd29ybGQ1Njc4OTA==;Endpoint=x".to_owned(), "AccountKey=[REDACTED];Endpoint=x"),
    ];
    for (text, expected) in cases {
        assert_eq!(redact(&text), expected, "from {text}");
        assert_eq!(redact(expected), expected, "twice");
    }
}

#[test]
fn ordinary_text_stays() {
    let texts = [
        "550e8400-e29b-41d4-a716-446655440000",
        "if token==other12 || secret === None3456 { password=\"\" }",
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "integrity sha512-oQLGVM5d2+abc/def1234567890ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnop==",
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
        "pip install scikit-learn; class sk-toggleable__control sk-container-id-1 sk-text-repr-fallback",
        "task-12345-abcdefgh1234567890abcdef risk-1234567890abcdefghij12",
        "hf_hub_download npm_config_registry npm_package_name ghp_ gho_xxx sk-... sk-YOUR_KEY_HERE",
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "Bearer authentication is required; the bearer of this letter",
        "Basic authentication, basic programming, Basic auth",
        "eyJust a word, eyJ.abc.def",
        "-----BEGIN CERTIFICATE-----\nMIIBIjANBg\n-----END CERTIFICATE-----",
        "-----BEGIN PUBLIC KEY-----\nMIIBIjANBg\n-----END PUBLIC KEY-----",
        "https://example.com:8080/path?q=a:b@c http://localhost:3000/@scope/pkg",
        "postgres://user:password@localhost/db mysql://root:$DB_PASS@db https://<user>:<password>@host",
        "git@github.com:owner/repo.git ssh://git@host:22/x",
        "password: required",
        "Password: ",
        "password=",
        "enter your password: ",
        "token: string",
        "secret: true",
        "let token = getToken2(user); password = os.environ['DB_PASS1']",
        "token = settings.oauth2.access",
        "api_key: Option<String>, api_key=YOUR_API_KEY, api_key=${API_KEY1}, api_key=<key123456>",
        "secret = base64Encode, password = sha256sum, token: parse_token_v2",
        "max_tokens=4096 total_tokens: 12345678 tokens=100000000 prompt_token_count: 1",
        r#"{"nextPageToken": "CAESBwgBEAAaAggB123", "next_token": "abc123def456", "sync_token":"9f8e7d6c5b4a"}"#,
        "token_path=/home/ada1/token2024 password_file=/run/secrets/db_password1",
        "the secret of success: work123 hard",
        "tokenizer: gpt2-medium-12345",
        "secretary: Jane12345678",
        "Passwords must have 8 characters",
        "passwordless=enabled123",
        "12:AAbbcc 2024-01-01T10:20:30Z 192.168.0.1 AKIA AKIAshort ASIA2024",
        "[REDACTED] [REDACTED:DB_PASSWORD] password=[REDACTED:DB_PASSWORD1] Bearer [REDACTED]",
        "日本語のテキスト password：必須 émoji \u{1f600}",
    ];
    for text in texts {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn no_text_makes_it_slow() {
    let bombs = [
        "sk-",
        "eyJ",
        "password=",
        "password:",
        "token = ",
        "://",
        "://a:b",
        "-----BEGIN RSA PRIVATE KEY-----",
        "Bearer ",
        "Basic ",
        ":AA",
        "\"password\":\"",
        "a@://x:y@",
        "--token ",
        "1234567890:AA",
        "a",
        "====",
        "AKIA",
        "hooks.slack.com/services/",
        "%3D",
        "[REDACTED",
        "api_key",
        "_-_-",
        "eyJ.",
        "SG.",
        "ya29.",
        "eyJhbGciOiJIUzI1NiJ9.",
        "xoxb-",
        "password=\"",
        "-----BEGIN ",
        "\\",
        "&amp;",
        "\\u0026",
        "&#38;",
        "a%41 ",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa&#38;",
        r"%252541&amp;amp;amp;\\\\u0026",
    ];
    let secrets = ["aaaaaaaaaaab", r#"a&a"a\a%a<a/a='b"#];
    let redactor = Redactor::new(secrets.map(|secret| ("S".to_owned(), secret.to_owned())));
    for bomb in bombs {
        let text = bomb.repeat((1 << 20) / bomb.len());
        // Work that grows faster than the text would show as a test that never ends.
        assert!(redactor.redact_text(&text).len() <= text.len() * 2, "{bomb}");
    }
}
