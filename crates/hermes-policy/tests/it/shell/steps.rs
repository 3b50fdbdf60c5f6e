//! Time: every family of texts costs steps in proportion to its length, never more.

use hermes_policy::shell::{Reader, Surroundings};

/// Steps for each byte that no text may exceed: all of the budget, and what reading once costs.
const STEPS_PER_BYTE: usize = 60;

/// Steps that a text may cost however short it is.
const FREE_STEPS: usize = 250_000;

fn families(size: usize) -> Vec<String> {
    let repeated = |text: &str| text.repeat(size / text.len() + 1);
    let nested = |open: &str, close: &str| {
        let depth = size / (open.len() + close.len());
        format!("{}x{}", open.repeat(depth), close.repeat(depth))
    };
    let mut texts: Vec<String> = [
        "echo hi there\n",
        "a;",
        "a|",
        "a&&",
        "(",
        "((",
        "$(",
        "$((",
        "${",
        "${x:-",
        "{",
        "{ ",
        "{a,",
        "{a,b}",
        "`",
        "\\`",
        "'",
        "\"",
        "$",
        "[",
        "[a]",
        "a[",
        "a[ ",
        "a[1]=2 ",
        "*",
        "cat <<A ",
        "cat <<A\nx\nA\n",
        "a;b <<E\n$((",
        "a <<E\n`((",
        "\"$((",
        "\"`$((",
        "${x:-\"$((",
        "[[ a == b ",
        ";",
        "&",
        "> f ",
        ">",
        "<(",
        "x=1;",
        "x+=a;",
        "x=$x$x;",
        "a+=(b);",
        "if a; then x=1; else x=2; fi; $x;",
        "f() { a; };",
        "eval 'a b';",
        "while a; do x=$x$y; y=$x; done;",
        "x=$(echo a b);",
        "echo YQ== | base64 -d | sh;",
        "cat <(a) ",
        "é",
        "\\a",
        "\\\n",
        "# a\n",
        "#",
        "@(a|",
        "x=$(printf '%30000s' a);",
        "read x <<< 'a b';$x;",
        "f() { local x=1; };f;",
        "((x=1+2));",
        "~ ",
        "!",
        "case a in b) ",
        "for x in a b; do ",
        "\0",
        "\u{202e}",
        "alias a='b b' b='c c' c='d d';a;",
        "x=y;y=z;${!x};",
        "${x//a/b}",
        "<<",
        "<<<",
        "$'",
        "$'\\x",
        "((a[",
        "a=(",
        "[[ (",
        "coproc ",
        "time ",
        "! ",
        "function f ",
        "f()",
        "export a=b ",
        "set -- $@ a;",
        "trap a b;",
        "\r\n",
        "x=(a b c);echo ${x[@]:1};",
        "select x in ",
        "?(",
        "${x#",
        "${x/",
    ]
    .into_iter()
    .map(repeated)
    .collect();
    for (open, close) in [
        ("$(", ")"),
        ("\"$(", ")\""),
        ("( ", " )"),
        ("((", "))"),
        ("((", ") )"),
        ("$((", "))"),
        ("$((", "); x)"),
        ("{ ", "; }"),
        ("{a,", "}"),
        ("${x:-", "}"),
        ("@(a|", ")"),
        ("if a; then ", "; fi "),
        ("{ a | ", "; }"),
        ("a[", "]=1 "),
        ("x{1..9}$(", ")"),
        ("$x{a,b}${ ", ";}"),
        ("{a,b}<(", ")"),
        ("for x in {1..9}$(", "); do :; done"),
        ("x={1..9}$(a{1..9}$(", "))"),
        ("a{1..9} <<< {1..9}$(", ")"),
    ] {
        texts.push(nested(open, close));
    }
    texts.push(format!(
        "for x in a b c d e f g h; do for y in 1 2 3 4 5; do {} done; done",
        repeated("echo $x $y;")
    ));
    texts.push(format!("x={};{}", "a".repeat(2000), repeated("${x//a*b/c};${x%%*b*};")));
    texts.push(format!("a=({});{}", "b ".repeat(200), repeated("echo ${a[@]};")));
    texts.push(
        (0..size / 24).map(|n| format!("f{}() {{ f{n}; f{n}; }};", n + 1)).collect::<String>() + "f200",
    );
    texts.push((0..size / 8).map(|n| format!("x{n}=1;")).collect());
    texts.push(format!("(({}))", repeated("a+")));
    texts.push(format!("echo $'{}'", repeated("\\x41")));
    texts
}

#[test]
fn cost_grows_with_length_and_with_nothing_else() {
    let surroundings = Surroundings::default();
    for size in [1_000, 10_000] {
        for text in families(size) {
            let (script, steps) = Reader::new(&surroundings).read_counting(&text);
            let shown: String = text.chars().take(30).collect();
            assert!(
                steps <= FREE_STEPS + text.len() * STEPS_PER_BYTE,
                "{steps} steps for {} bytes of {shown:?}",
                text.len()
            );
            assert!(
                script.commands.len() <= 5_000 + text.len(),
                "{} commands of {shown:?}",
                script.commands.len()
            );
        }
    }
}

/// Plain texts, however long, are read without spending anything on following.
#[test]
fn plain_text_costs_a_few_steps_a_byte() {
    let surroundings = Surroundings::default();
    for text in
        ["git add src/lib.rs && cargo test --all\n", "ls -l | grep x > out.txt; ", "a 'b c' \"d e\" f\\ g\n"]
    {
        let text = text.repeat(2_000);
        let (script, steps) = Reader::new(&surroundings).read_counting(&text);
        assert!(steps < text.len() * 12, "{steps} steps for {} bytes", text.len());
        assert!(script.doubts.is_empty());
    }
}
