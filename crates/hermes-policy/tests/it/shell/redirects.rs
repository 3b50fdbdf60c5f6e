//! Redirections in every form.

use super::{Row, check};

const ROWS: &[Row] = &[
    (
        "a > f 2>&1 < g >> h &> i &>> j 3<> k >| l >& m <&- 4>&5",
        &["a >f 2>&1 <g >>h &>i &>>j 3<>k >l &>m 0>&- 4>&5"],
    ),
    ("a {fd}> f; echo {fd}", &["a >f", "echo {fd}"]),
    ("while a; do b; done < f", &["<f", "a", "b"]),
    ("{ a; b; } > f 2>&1 < g", &[">f 2>&1 <g", "a", "b"]),
    ("exec > f", &["exec >f"]),
    ("{ a; } 2>&1 | b", &["2>&1", "a", "b"]),
    (">f", &[">f"]),
    (">f a <g b", &["a b >f <g"]),
    ("2>&1 a", &["a 2>&1"]),
    ("a 2>&1 >f b 10>x c10>y", &["a b c10 2>&1 >f 10>x >y"]),
    ("a >&$x", &["a &>‹?$x›"]),
    (r#"a >f$x >"g h""#, &["a >f‹?$x› >«g h»"]),
    ("a &>f; a&>f", &["a &>f", "a &>f"]),
    ("for x in a; do b; done > f &", &[">f", "b"]),
    ("(a) > f", &[">f", "a"]),
    (r#"a > $(b) < `c` 2>> "$(d)""#, &["b", "c", "d", "a >‹?$(b)› <‹?`c`› 2>>‹?$(d)›"]),
    ("a {x}>$(b)", &["b", "a >‹?$(b)›"]),
    ("coproc a > f", &["a >f"]),
    ("echo > {a,b}", &["echo >ab"]),
    ("a >f >>g <h 2>i 2>&1 >&2 &>j", &["a >f >>g <h 2>i 2>&1 1>&2 &>j"]),
    ("a>b", &["a >b"]),
    ("a<b", &["a <b"]),
    ("a>>b<c", &["a >>b <c"]),
    ("a 2>&1|b", &["a 2>&1", "b"]),
    ("a>&-", &["a 1>&-"]),
    ("a<&3-", &["a 0>&3-"]),
    ("a 3>&1 1>&2 2>&3", &["a 3>&1 1>&2 2>&3"]),
    ("a >/dev/null 2>&1 &", &["a >/dev/null 2>&1"]),
    ("exec 3<>f; a <&3", &["exec 3<>f", "a 0>&3"]),
    ("> a > b", &[">a >b"]),
    (r#"a >"$x"/y"#, &["a >‹?$x›/y"]),
    ("a >~/x", &["a >/home/user/x"]),
    ("a &>>f", &["a &>>f"]),
    ("a >|f", &["a >f"]),
    ("a <>f", &["a <>f"]),
    ("a >&f", &["a &>f"]),
    ("a >&2 2>&-", &["a 1>&2 2>&-"]),
    ("while a; do b; done >>f 2>&1", &[">>f 2>&1", "a", "b"]),
    ("a | (b; c) >f", &["a", ">f", "b", "c"]),
    ("if a; then b; fi <f", &["<f", "a", "b"]),
    ("a 2>/dev/null || true", &["a 2>/dev/null", "true"]),
    (
        r#"while IFS=, read -r a b; do c "$a" "$b"; done < f.csv"#,
        &["<f.csv", "IFS=, read -r a b", "c ‹?$a› ‹?$b›"],
    ),
    ("a | tee >(b) >(c) > /dev/null", &["a", "b", "c", "tee ‹?>(b)› ‹?>(c)› >/dev/null"]),
    ("a < /dev/null > b 2>&1 &", &["a </dev/null >b 2>&1"]),
    ("exec 2>&1; a", &["exec 2>&1", "a"]),
];

#[test]
fn redirections_are_read() {
    check(ROWS);
}
