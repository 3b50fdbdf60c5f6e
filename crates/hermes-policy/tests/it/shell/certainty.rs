//! What is called certain must be certain: ways to make a reader believe that a variable or a function is
//! something else than it is when the command runs.

use std::sync::Arc;

use hermes_policy::shell::{Reader, Surroundings, Word};

use super::{read, render};

/// In all of these `$x` is or may be `rm` when the last command runs.
const RM: &[&str] = &[
    "x=rm; (x=ls); $x a",
    "x=rm; { x=ls; } | b; $x a",
    "x=rm; x=ls | b; $x a",
    "x=rm; x=ls & $x a",
    "x=rm; y=$(x=ls); $x a",
    "x=rm; b <(x=ls); $x a",
    "x=rm; x=ls b; $x a",
    "x=rm; if b; then x=ls; fi; $x a",
    "x=rm; if b; then :; elif x=ls; then :; fi; $x a",
    "x=rm; case b in c) x=ls;; esac; $x a",
    "x=rm; while b; do x=ls; done; $x a",
    "x=rm; for i in 1; do break; x=ls; done; $x a",
    "x=rm; b && x=ls; $x a",
    "x=rm; b || x=ls; $x a",
    "x=rm; y=$(false) && x=ls; $x a",
    "x=rm; ! true && x=ls; $x a",
    "x=rm; true() { false; }; true && x=ls; $x a",
    "x=rm; f() { local x=ls; }; f; $x a",
    "x=rm; f() { declare x=ls; }; f; $x a",
    "x=rm; f() { x=ls; }; $x a",
    "x=rm; readonly x; x=ls; $x a",
    "declare -r x=rm; x=ls; $x a",
    "x=ls; while b; do $x a; x=rm; done",
    "x=ls; for i in 1 2; do $x a; x=rm; done",
    "x=ls; until b; do if c; then $x a; fi; x=rm; done",
    "x=ls; while b; do while c; do $x a; done; x=rm; done",
    "x=ls; eval 'x=rm'; $x a",
    "x=ls; . <(echo x=rm); $x a",
    "x=ls; declare -n r=x; r=rm; $x a",
    "x=ls; read x <<< rm; $x a",
    "x=ls; printf -v x rm; $x a",
    "x=ls; for x in rm; do :; done; $x a",
    "x=ls; select x in rm; do $x a; done",
    "x=ls; export x=rm; $x a",
    "x=ls; declare x=rm; $x a",
    "x=ls; declare \"x=rm\"; $x a",
    "x=ls; n=x; declare \"$n=rm\"; $x a",
    "x=ls; n=x; printf -v $n rm; $x a",
    "x=ls; n=x; read $n <<< rm; $x a",
    "x=ls; { x=rm; }; $x a",
    "x=ls; if x=rm; then $x a; fi",
    "x=ls; f() { x=rm; }; f; $x a",
    "x=ls; f() { g; }; g() { x=rm; }; f; $x a",
    "x=ls; x=; x+=rm; $x a",
    "unset x; : ${x:=rm}; $x a",
    "x=(ls); x[0]=rm; $x a",
    "x=ls; trap 'x=rm' DEBUG; $x a",
    "x=ls; alias y='x=rm'; y; $x a",
    "x=ls; set -- rm; x=$1; $x a",
    "x=ls; y='x=rm'; eval $y; $x a",
    "x=RM; $(echo $x | tr A-Z a-z) a",
    "x=ls; [[ b ]] && x=rm; $x a",
    "f() { $1 a; b || f rm; }; f ls",
    "f() { $1 a; [ $1 = rm ] && return; f $2 $1; }; f ls rm",
];

#[test]
fn no_detour_hides_the_program() {
    for text in RM {
        let commands = render::script(&read(text));
        assert!(commands.iter().any(|command| command == "rm a"), "{text}: {commands:?}");
    }
}

/// Here only running tells what `$x` is.
#[test]
fn what_is_not_certain_is_unknown() {
    for text in [
        "x=ls; ((x=1)); $x a",
        "x=ls; let x=1; $x a",
        "x=ls; read x; $x a",
        "x=ls; read x < f; $x a",
        "x=ls; b | { read x; $x a; }",
        "x=ls; x=$(b); $x a",
        "x=ls; getopts q x; $x a",
        "x=ls; mapfile x; $x a",
        "x=ls; for x in $(b); do $x a; done",
        "x=ls; for ((x=0;;)); do $x a; done",
        "x=ls; b {x}>f; $x a",
        "x=ls; for i in 1 2; do x=$x$i; done; $x a",
        "x=ls; printf -v x \"$b\"; $x a",
        "x=ls; x=$b; $x a",
        "x=ls; x+=$b; $x a",
    ] {
        let script = read(text);
        let unknown = |words: &[Word]| words.len() == 2 && words[0].has_unknown();
        assert!(script.commands.iter().any(|command| unknown(&command.words)), "{text}");
    }
}

/// A command calls a function only if that is certainly defined, and only by its own first word.
#[test]
fn functions_hide_programs_only_where_they_certainly_do() {
    for (text, expected) in [
        ("rm() { :; }; rm a", Some(0)),
        ("ls() { :; }; rm() { :; }; x=rm; $x a", Some(1)),
        ("function rm { :; }; { rm a; }", Some(0)),
        ("rm() { :; }; command rm a", None),
        ("rm() { :; }; sudo rm a", None),
        ("rm() { :; }; /bin/rm a", None),
        ("rm() { :; }; unset -f rm; rm a", None),
        ("rm a; rm() { :; }", None),
        ("b && rm() { :; }; rm a", None),
        ("if b; then rm() { :; }; fi; rm a", None),
        ("(rm() { :; }); rm a", None),
        ("f() { rm() { :; }; }; rm a", None),
        ("rm() { :; } & rm a", None),
        ("rm() { :; } | b; rm a", None),
        ("x=$(rm() { :; }); rm a", None),
    ] {
        let script = read(text);
        let last =
            script.commands.iter().find(|command| command.words.iter().any(|word| word.shown() == "a"));
        assert_eq!(last.unwrap().calls, expected, "{text}");
    }
}

#[test]
fn the_environment_of_a_command_is_told() {
    let told = |text: &str| -> Vec<String> {
        let script = read(text);
        let last = script.commands.last().unwrap();
        let variables = last.environment.clone().unwrap_or_else(|| Arc::from([]));
        variables.iter().map(|(name, value)| format!("{name}={}", render::word(value))).collect()
    };
    for (text, expected) in [
        ("sh", &[][..]),
        ("x=1; sh", &[]),
        ("x=1 sh", &["x=1"]),
        ("export x=1; sh", &["x=1"]),
        ("x=1; export x; x=2; sh", &["x=2"]),
        ("export x=1; x=2 sh", &["x=2"]),
        ("export x=1; export -n x; sh", &[]),
        ("declare -x x=1; sh", &["x=1"]),
        ("set -a; x=1; set +a; y=2; sh", &["x=1"]),
        ("HOME=/; sh", &["HOME=/"]),
        ("(export x=1); sh", &[]),
    ] {
        assert_eq!(told(text), expected, "{text}");
    }
    let variables = [("x".to_owned(), Word::text("b c"))];
    let surroundings = Surroundings::default();
    let script = Reader::new(&surroundings).variables(&variables).read("$x \"$x\"");
    assert_eq!(render::script(&script), ["b c «b c»"]);
}
