//! Where commands stand: pipes, loops, functions, substitutions, the background; and their spans.

use super::{read, render};

#[test]
fn places_are_told() {
    let rows: &[(&str, &[&str])] = &[
        ("a | b | c", &["to 1", "from 0, to 2", "from 1"]),
        ("a |& b", &["to 1", "from 0"]),
        // Every command of a group may read the pipe, and every one may feed it.
        ("a | { b; c; }", &["to 1", "from 0", "from 0"]),
        ("a | ( b; c ) | d", &["to 1", "from 0, to 3", "from 0, to 3", "from 2"]),
        ("{ a; b; } | c", &["to 2", "to 2", "from 1"]),
        ("a | while read x; do b; done", &["to 1", "from 0, loop", "from 0, loop"]),
        ("a | if b; then c; fi", &["to 1", "from 0", "from 0"]),
        ("( a | b ) | c", &["to 1", "from 0, to 2", "from 1"]),
        // An input of its own takes the place of the pipe.
        ("a | b < f", &["to 1", ""]),
        ("a | b <<< x", &["to 1", ""]),
        // A substitution inherits the pipe that its command reads.
        ("a | b $(c)", &["to 2", "from 0, substitution", "from 0"]),
        // Process substitutions are pipes.
        ("a <(b)", &["to 1, substitution", "from 0"]),
        ("a <(b | c)", &["to 1, substitution", "from 0, to 2, substitution", "from 1"]),
        ("a > >(b)", &["from 1, substitution", "to 0"]),
        ("a < <(b)", &["to 1, substitution", "from 0"]),
        // The redirections of a compound command stand before what is inside.
        ("{ a; b; } < f", &["", "from 0", "from 0"]),
        ("while a; do b; done < f", &["", "from 0, loop", "from 0, loop"]),
        ("{ a; } < <(b)", &["to 1, substitution", "from 0", "from 0"]),
        ("(a) > f", &["", ""]),
        ("a & b", &["background", ""]),
        ("{ a; b; } &", &["background", "background"]),
        ("a | b &", &["to 1, background", "from 0, background"]),
        ("coproc a", &["background"]),
        ("echo $(a; b `c`)", &["substitution", "substitution", "substitution", ""]),
        ("for x in 1; do a; done; b", &["loop", ""]),
        ("until a; do b; done", &["loop", "loop"]),
        ("f() { a; }; f", &["", "function 0"]),
        (
            "f() { a | b; }; g() { f; }; c | g",
            &["to 1", "from 0", "from 0, function 1", "from 0, to 4, function 0", "from 3, function 0"],
        ),
        (":(){ :|:& };:", &["", "to 2, background, function 0", "from 1, background, function 0"]),
        ("eval 'a | b' | c", &["to 3", "to 2", "from 1, to 3", "from 2"]),
    ];
    for (text, expected) in rows {
        let script = read(text);
        let flags: Vec<String> = script.commands.iter().map(render::flags).collect();
        assert_eq!(flags, *expected, "{text}");
        assert!(script.doubts.is_empty(), "{text}: {:?}", script.doubts);
    }
}

#[test]
fn spans_lead_back_to_the_text() {
    let rows: &[(&str, &[&str])] = &[
        ("a b;  c | d # e", &["a b", "c", "d"]),
        ("x=1 a >f 2>&1 && b", &["x=1 a >f 2>&1", "b"]),
        ("echo $(a b) c", &["a b", "echo $(a b) c"]),
        ("echo `a b` c", &["`a b`", "echo `a b` c"]),
        ("eval 'a b' ; c", &["eval 'a b'", "eval 'a b'", "c"]),
        ("{ a; } > f", &["{ a; } > f", "a"]),
        ("cat <<E\n$(a)\nE\nb", &["a", "cat <<E", "b"]),
        ("cat <<-E\n\t$(a)\n\tE\nb", &["\t$(a)\n", "cat <<-E", "b"]),
        ("é='ü' a ö", &["é='ü' a ö"]),
    ];
    for (text, expected) in rows {
        let script = read(text);
        let spans: Vec<&str> = script.commands.iter().map(|c| text.get(c.span.clone()).unwrap()).collect();
        assert_eq!(spans, *expected, "{text}");
    }
}

#[test]
fn functions_are_named() {
    let script = read("f() { a; }; function g-h { b; }; if c; then i() ( d; ); fi");
    let names: Vec<&str> = script.functions.iter().map(|function| function.name.as_str()).collect();
    assert_eq!(names, ["f", "g-h", "i"]);
}

#[test]
fn what_is_read_is_told_where_it_is_certain() {
    let rows: &[(&str, &[Option<&str>])] = &[
        ("sh <<< x", &[Some("x\n")]),
        ("sh <<E\na\nE", &[Some("a\n")]),
        ("sh <<E\n$a\nE", &[None]),
        ("a='b c'; sh <<< $a", &[None, Some("b c\n")]),
        ("echo a | sh", &[None, Some("a\n")]),
        ("{ echo a; echo b; } | { sh; }", &[None, None, Some("a\nb\n")]),
        ("{ sh; } <<< x", &[Some("x\n"), Some("x\n")]),
        ("f() { sh; }; f <<< x", &[Some("x\n"), Some("x\n")]),
        ("sh < <(echo a)", &[None, Some("a\n")]),
        ("echo a | sh < f", &[None, None]),
        ("a | sh", &[None, None]),
        ("if a; then echo b; fi | sh", &[None, None, None]),
        ("a && echo b | sh", &[None, None, Some("b\n")]),
        ("(a && echo b) | sh", &[None, None, None]),
        ("(echo a && echo b) | sh", &[None, None, Some("a\nb\n")]),
        ("(echo a &) | sh", &[None, None]),
        ("echo a > f | sh", &[None, None]),
    ];
    for (text, expected) in rows {
        let script = read(text);
        let inputs: Vec<Option<&str>> = script.commands.iter().map(|c| c.input.as_deref()).collect();
        assert_eq!(inputs, *expected, "{text}");
    }
}
