//! Which hosts a profile opens.

use serde_json::json;

use crate::harness::Hermes;

#[test]
fn hosts_are_guarded_in_the_decision_itself() {
    let hermes = Hermes::new().with_policy(
        "profiles: {local: {allow: ['*'], restrictions: {network:fetch: {allowed_hosts: [localhost, 10.0.0.1]}}}, \
         star: {allow: ['*'], restrictions: {network:fetch: {allowed_hosts: ['*']}}}}\n",
    );
    let verdict = |profile: &str, host: &str| {
        let call = json!({"access": [{"permission": "network:fetch", "host": host}]});
        hermes.explained(&["--profile", profile], &call)["verdict"].clone()
    };
    for host in [
        "169.254.169.254",
        "localhost",
        "localhost:8080",
        "10.0.0.1",
        "metadata.google.internal",
        "[::1]:80",
        "::1",
        "0x7f000001",
        "127.1",
        "[::ffff:169.254.169.254]",
        "printer.local",
        "127.0.0.1.nip.io",
    ] {
        assert_eq!(verdict("default", host), "deny", "{host}");
        assert_eq!(verdict("star", host), "deny", "{host}");
    }
    for host in ["docs.rs", "docs.rs:8443", "93.184.216.34"] {
        assert_eq!(verdict("default", host), "allow", "{host}");
    }
    for (host, expected) in [
        ("localhost:8080", "allow"),
        ("10.0.0.1", "allow"),
        ("10.0.0.2", "deny"),
        ("169.254.169.254", "deny"),
    ] {
        assert_eq!(verdict("local", host), expected, "{host}");
    }
}
