//! Places where other parsers lose a command. Every word `c1`, `c2`, … must be found as a program.

use super::read;

const TRAPS: &[&str] = &[
    "cat <<E\n`c1`\nE",
    "cat <<E\n$(c1 $(c2)) ${x:-`c3`} $((`c4`))\nE",
    "echo ${y:=`c1`} ${y:-$(c2)} ${y:+`c3`} ${y:?$(c4)}",
    "echo ${y#$(c1)} ${y%%`c2`} ${y/$(c3)/`c4`} ${y:$(c5):`c6`} ${y^$(c7)} ${y[$(c8)]}",
    "echo `c1 \\`c2 \\\\\\`c3\\\\\\`\\``",
    "echo ` c1 ` ` c2`",
    "echo \"`c1 \"$(c2)\"`\"",
    "coproc c1; coproc N { c2; }; coproc c3 | c4",
    "time c1; time -p c2 | c3; ! time c4; time { c5; }",
    "c1 <<A <<B; c2\n$(c3)\nA\n`c4`\nB\nc5",
    "case x in a) c1;;& b) c2;& c) c3;; esac",
    "case x in (a) c1 ;; esac; case $(c2) in $(c3)) c4; esac",
    "shopt -s extglob; c1 @(a|$(c2)) !(b) *(`c3`)",
    "c1 3<<<$(c2) 4<<< `c3`",
    "c1 {fd}>$(c2) {fd}<&-; c3",
    "echo $((c1); c2) $( (c3) ) $((1+$(c4)))",
    "select x in $(c1); do c2; done",
    "x=$(cat <<E\n) $(c1) ' (\nE\nc2); c3",
    "x=$(cat <<'E'\n) ` \" ' (\nE\nc1); c2",
    "echo <(c1 | c2) >(c3) $(c4 < <(c5))",
    "a[$(c1)]=x; a=([$(c2)]=$(c3)); a+=(`c4`); declare -A m=([$(c5)]=1)",
    "(( x = $(c1) )); for ((i=`c2`; i<$(c3); i++)); do c4; done; let x=$(c5)",
    "[[ $(c1) == `c2` && -f $(c3) || $x =~ ^($(c4))$ ]] && c5",
    "if c1; then c2; elif c3; then c4; else c5; fi",
    "while c1; do c2; done; until c3; do c4; done; for x in $(c5); do c6; done",
    "f() { c1; }; function g { c2; }; function h() ( c3 ); i() if c4; then c5; fi",
    "{ c1; }; ( c2 ); ! c3; c4 & c5 && c6 || c7",
    "c1 | c2 |& c3 | { c4; c5; } | ( c6 )",
    "c1 \\\n  a; c2 # c0\nc3",
    "whi\\\nle c1; d\\\no c2; done",
    "c1 'a\nb' \"c\nd\"; c2",
    "echo \"${x:-\"$(c1)\"}\" \"${x:-'$(c2)'}\" ${x:-\"`c3`\"}",
    "echo $'\\'' $(c1) '\\' $(c2) \"\\\"\" $(c3) \\' $(c4)",
    "echo {$(c1),`c2`}{a,b}; {c3,a}",
    "c1 > $(c2) 2>> `c3` < \"$(c4)\" &> $(c5)",
    "x=$(c1) y=`c2` c3; export z=$(c4); local w=`c5`",
    "eval 'c1; c2'; eval \"c3 | c4\"; eval c5 \\; c6",
    "source <(echo 'c1'); . /dev/stdin <<< 'c2'; echo c3 | . /dev/stdin",
    "alias q='c1 x'; q; alias r='c2;'; r c3",
    "test -v 'a[$(c1)]'; unset 'a[$(c2)]'; printf -v 'a[$(c3)]' x; read 'a[`c4`]' <<< x; declare 'a[$(c5)]=1'",
    "x='a[$(c1)]'; echo $((x)); [[ x -eq 1 ]]; (( x ))",
    "x='$(c1)'; echo ${x@P}; PS4='$(c2)'",
    "mapfile -C c1 -c 1 a <<< x; hash -p /bin/c2 foo; foo",
    "if ! { c1; } 2>&1; then c2; fi | c3",
    "for x in c1 c2; do $x; done; while read y; do $y; done <<< $'c3\\nc4'",
    "echo c1 | { read x; $x; }; read z < <(echo c2); $z",
    "trap - EXIT; c1;\n\n\n;\\\nc2",
    "${ c1; } ; echo ${ c2;}",
    "echo $[ $(c1) + 1 ] ; c2",
    "c1&c2&&c3;c4|c5||c6",
];

#[test]
fn no_command_is_lost() {
    for text in TRAPS {
        let script = read(text);
        let programs: Vec<String> =
            script.commands.iter().filter_map(|c| c.words.first()?.literal()).collect();
        for number in 1..10 {
            let name = format!("c{number}");
            let found = programs.iter().any(|program| program.rsplit('/').next() == Some(&name));
            assert!(found || !text.contains(&name), "{name} is lost in {text}\n{programs:?}");
        }
    }
}

#[test]
fn depth_is_followed_up_to_a_limit() {
    let nested =
        |open: &str, close: &str, depth: usize| format!("{}c1{}", open.repeat(depth), close.repeat(depth));
    let found = |text: &str| {
        let script = read(text);
        (
            script
                .commands
                .iter()
                .any(|c| c.words.first().and_then(|word| word.literal()).as_deref() == Some("c1")),
            script.doubts,
        )
    };
    for (open, close) in [
        ("$(", ")"),
        ("\"$(", ")\""),
        ("( ", " )"),
        ("{ ", "; }"),
        ("echo $(", ")"),
        ("<(", ")"),
        ("if a; then ", "; fi"),
        ("while a; do ", "; done"),
        ("echo ${x:-$(", ")}"),
    ] {
        let (there, doubts) = found(&nested(open, close, 25));
        assert!(there && doubts.is_empty(), "{open}: {doubts:?}");
        for depth in [100, 3000] {
            let (_, doubts) = found(&nested(open, close, depth));
            assert!(doubts.iter().any(|doubt| doubt.reason == "nested too deeply to follow"), "{open}");
        }
    }
    assert!(found(&nested("$(", ")", 60)).0);
}

/// Even the deepest text that is followed needs little of the stack, also without optimisation.
#[test]
fn depth_fits_into_a_small_stack() {
    let work = || {
        for (open, close) in [
            ("\"$(", ")\""),
            ("{ ", "; }"),
            ("echo ${x:-$(", ")}"),
            ("if a; then ", "; fi"),
            ("`", "`"),
            ("f() { ", "; }; f"),
            ("((", "))"),
            ("@(", ")"),
            ("a=(", ")"),
            ("[[ ", " ]]"),
            ("$((", "))"),
            ("${x:-", "}"),
            ("case a in b) ", ";; esac"),
        ] {
            for depth in [20, 60, 64, 70, 1000] {
                read(&format!("{}c1{}", open.repeat(depth), close.repeat(depth)));
            }
        }
        // Functions that call functions, each in a substitution.
        let chain: String = (1..100).map(|n| format!("f{n}() {{ echo $(f{}); }}; ", n - 1)).collect();
        read(&format!("{chain} f99"));
    };
    std::thread::Builder::new().stack_size(1024 * 1024).spawn(work).unwrap().join().unwrap();
}
