//! Bash itself as a witness: what `bash -n` accepts must be read without a doubt, and what it refuses must
//! not. `bash -n` only parses; nothing is run.

use std::io::Write;
use std::process::{Command, Stdio};

use super::read;

/// Harmless texts that are hard to parse.
const TEXTS: &[&str] = &[
    "a; b & c && d || e",
    "case x in (a|b) c;; d) e;& f) g;;& *) h; esac",
    "for ((i=0; i<3; i++)) { echo $i; }",
    "for x do a; done",
    "select x in a b; do echo $x; break; done",
    "f() { a; } >b 2>&1; function g-h { b; }; function i() (c)",
    "[[ $a =~ ^(x|y)+$ && ( -f b || ! -e c ) ]]",
    "[[ a < b && \"$c\" > d ]]",
    "(( a<<2 | b ))",
    "echo $((1+2)) $[3+4] $((a[1]))",
    "echo $((a); b)",
    "coproc N { a; }; coproc b",
    "time -p a | b; ! c; time ! d",
    "a {fd}>f <<<x 3<>y >|z &>>w >&2 2>&- <&3-",
    "cat <<A <<-'B'\n$(x) `y`\nA\n\tz\n\tB",
    "x=$(cat <<E\n) ' \"\nE\n)",
    "echo ${x:-a} ${x:=b} ${x:?c} ${x:+d} ${x#e} ${x##f} ${x%g} ${x%%h} ${x/i/j} ${x//k/l} ${x:1:2} ${x^^} ${x,,} ${x@Q} ${!x} ${!x*} ${#x}",
    "echo \"${x:-\"a b\"}\" \"${x//\\//_}\" \"${x%'}'}\" ${x:-'}'}",
    "a=(b 'c d' [5]=e $(f)); a+=(g); a[1]=h; declare -A m=([k]=v)",
    "echo $'a\\'b' $\"c\" 'd'\\''e' \"f\\\"g\" \\\nh",
    "echo `a \\`b\\`` \"`c \\\"d\\\"`\"",
    "if a; then if b; then c; fi fi",
    "{ a; { b; }; }; ( c; (d) )",
    "a | { b; } | while read x; do c; done > f",
    "a &&\nb ||\n# c\nd |\ne",
    "diff <(a) <(b) > >(c)",
    "echo {a,b}{1..3} {a,{b,c}} {} {a",
    "echo a#b #c\n#d\ne;#f",
    "if a\nthen\n  b\nelif c\nthen d\nelse\n  e\nfi",
    "while a; do b; done < f",
    "function f {\n  local x=1\n  return $x\n}",
    "case $x in\n  a | b )\n    c\n    ;;\n  *) ;;\nesac",
    "a ; ; b",
    "a && && b",
    "a | | b",
    "( a",
    "{ a",
    "\"a",
    "'a",
    "$(a",
    "if a; then b",
    "for x in a; do b",
    "a )",
    "fi",
    "done",
    "a >",
    "echo (a)",
    "((1",
    "[[ a",
    "x=(a",
    "a;;b",
    "a &&",
    "{ a; } b",
    "for in a; do b; done; }",
    "case a b) c;; esac",
];

fn accepted(text: &str) -> Option<bool> {
    let mut child = Command::new("bash")
        .arg("-n")
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(text.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    Some(output.status.success() && output.stderr.is_empty())
}

#[test]
fn bash_agrees_on_what_is_well_formed() {
    for text in TEXTS {
        // A machine without bash has no witness.
        let Some(accepted) = accepted(text) else { return };
        let doubts = read(text).doubts;
        assert_eq!(doubts.is_empty(), accepted, "{text}: {doubts:?}");
    }
}
