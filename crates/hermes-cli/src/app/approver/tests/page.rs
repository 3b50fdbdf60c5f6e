//! What the person at the terminal sees.

use super::bench::Bench;

const PAGE: &str = r"
terminal wants to run this command (user, session cli)

  │ cd x\u{202e}; rm -rf nowhere
  │               ^^^^^^

  careful  characters that a terminal would hide or obey are shown as escapes: U+202E 1 times
  risk     recursive_delete: it runs rm -rf
  does     deletes ./nowhere, which is not there now
  in       /w
  why      it asks (test)

  rule terminal: exactly the command `cd x\u{202e}; rm -rf nowhere`, by user
  [o] once       nothing is stored
  [t] N times    stores the rule in folder /w, N times in all
  [u] until      stores the rule in folder /w, for a time such as 10m
  [s] session    stores the rule in session s, for 1d at most
  [p] project    stores the rule in folder /w
  [a] always     adds the command to command_allowlist of your configuration, for everybody and everywhere
  [d] deny       the default; n and no mean it too
";

#[tokio::test]
async fn the_page_says_what_would_run_what_it_does_and_what_would_be_stored() {
    let bench = Bench::new();
    let page = bench.page("cd x\u{202e}; rm -rf nowhere", None).await;
    assert_eq!((page.text.as_str(), page.hidden), (PAGE, 0));
    let advised = bench.page("rm -rf nowhere", Some("no")).await.text;
    assert!(
        advised.contains("advice   no") && !advised.contains("[a]") && !advised.contains("rule"),
        "{advised}"
    );
    let long = format!("echo {}; rm -rf nowhere", "x".repeat(50_000));
    let page = bench.page(&long, None).await;
    assert!(page.hidden > 40_000 && page.text.contains("are not shown here"));
    assert!(page.text.contains("^^^^^^"), "the risky part is marked at the end too");
}

/// The same page with the real judge: effects are counted, the part it names is marked.
#[tokio::test]
async fn what_the_shipped_rules_find_is_marked_and_counted() {
    let bench = Bench::with_shipped_rules();
    std::fs::create_dir_all(bench.cwd().join("build/sub")).unwrap();
    for name in ["a", "b", "sub/c"] {
        std::fs::write(bench.cwd().join("build").join(name), "").unwrap();
    }
    // A folder under /tmp may be deleted without a question, so it is the push that asks.
    let text = bench.page_in("rm -rf build && git push --force", bench.cwd()).await.text;
    assert!(text.contains("deletes 3 files under ./build"), "{text}");
    let lines: Vec<&str> = text.lines().collect();
    let command = lines.iter().position(|line| line.contains("&& git push")).unwrap();
    let pairs = lines[command].chars().zip(lines[command + 1].chars());
    let marked: String = pairs.filter(|(_, mark)| *mark == '^').map(|(letter, _)| letter).collect();
    assert!(marked.contains("git push --force") && !marked.contains("rm"), "{text}");
}
