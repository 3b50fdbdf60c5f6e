//! Here-documents: delimiters, tabs, several on a line, and inside substitutions.

use super::{Row, check};

const ROWS: &[Row] = &[
    ("cat <<EOF\na $x $(b) `c`\nEOF", &["b", "c", r"cat <<a ‹?$x› ‹?$(b)› ‹?`c`›\n"]),
    ("cat <<'EOF'\na $x $(b)\nEOF", &[r"cat <<«a $x $(b)\n»"]),
    ("cat <<-EOF\n\ta\n\tEOF", &[r"cat <<«a\n»"]),
    ("cat <<A <<B\na\nA\nb\nB", &[r"cat <<«a\n» <<«b\n»"]),
    ("cat <<EOF | b\nx\nEOF", &[r"cat <<«x\n»", "b"]),
    ("x=$(cat <<EOF\na ) b\nEOF\n); echo \"$x\"", &[r"cat <<«a ) b\n»", "x=«a ) b»", "echo «a ) b»"]),
    ("echo $(cat <<'E'\nun'balanced\nE\n)", &[r"cat <<«un'balanced\n»", "echo un'balanced"]),
    ("cat <<EOF && echo after\nbody\nEOF", &[r"cat <<«body\n»", "echo after"]),
    ("cat <<EOF; echo b\nfoo \\\nEOF\nx\nEOF", &[r"cat <<«foo EOF\nx\n»", "echo b"]),
    ("cat <<E\"O\"F\n$x\nEOF", &[r"cat <<«$x\n»"]),
    ("echo $(cat <<EOF\nx\nEOF)", &[r"cat <<«x\n»", "echo x"]),
    ("echo $(cat <<EOF\nx\nEOF\n) b", &[r"cat <<«x\n»", "echo x b"]),
    ("( cat <<EOF\nEOF) x\nEOF\n)", &[r"cat <<«EOF) x\n»"]),
    ("( cat <<EOF\nEOF) '\nEOF\na; : 'x' )", &[r"cat <<«EOF) '\n»", "a", ": x"]),
    (
        "while IFS= read -r l; do eval \"$l\"; done <<'E'\na b\nc d\nE",
        &[r"<<«a b\nc d\n»", "IFS=«» read -r l", "eval «a b»", "a b", "eval «c d»", "c d"],
    ),
    (
        "a <<EOF\n${x:-$(b)} $((1+$(c))) \\$(d) \\`e\\` $(f \"g\")\nEOF",
        &["b", "c", "f g", r#"a <<‹?$(b)› ‹?$((1+$(c)))› $(d) `e` ‹?$(f "g")›\n"#],
    ),
    ("cat <<\"E F\"\n$(a)\nE F\nb", &[r"cat <<«$(a)\n»", "b"]),
    ("cat <<\\EOF\n$(a)\nEOF\nb", &[r"cat <<«$(a)\n»", "b"]),
    ("cat <<EOF\na\nEOF \nEOF\nb", &[r"cat <<«a\nEOF \n»", "b"]),
    ("cat <<-\tEOF\n\t\tx\n\tEOF\nb", &[r"cat <<«x\n»", "b"]),
    (
        "cat <<EOF1 <<-'EOF2'; a\n$(x)\nEOF1\n\t$(y)\n\tEOF2\nb",
        &["x", r"cat <<‹?$(x)›\n <<«$(y)\n»", "a", "b"],
    ),
    ("if cat <<EOF\nx\nEOF\nthen a; fi", &[r"cat <<«x\n»", "a"]),
    ("for i in a b; do cat <<EOF\n$i\nEOF\ndone", &[r"cat <<«a\n»", r"cat <<«b\n»"]),
    ("f() { cat <<EOF\n$1\nEOF\n}; f q", &["f q", r"cat <<«q\n»"]),
    ("a <<EOF | b <<EOF2\nx\nEOF\ny\nEOF2\nc", &[r"a <<«x\n»", r"b <<«y\n»", "c"]),
    (". /dev/stdin <<'E'\na\nE", &[r". /dev/stdin <<«a\n»", "a"]),
    ("base64 -d <<EOF | c\nYQ==\nEOF", &[r"base64 -d <<«YQ==\n»", "c"]),
    ("cat <<E\n\\\nE\na", &["cat <<«»", "a"]),
    ("cat <<E\na\\\nE\nb\nE\nc", &[r"cat <<«aE\nb\n»", "c"]),
    ("cat <<EOF\nE\\\nOF\na", &["cat <<«»", "a"]),
    ("cat <<'E'\na\\\nE\nb", &[r"cat <<«a\\n»", "b"]),
    ("cat <<E\na\\\\\nE\nb", &[r"cat <<«a\\n»", "b"]),
    ("( cat <<E\nE)\nE\n); a", &[r"cat <<«E)\n»", "a"]),
    ("a $(cat <<E\nb\nE\n)$(c)", &[r"cat <<«b\n»", "c", "a b‹?$(c)›"]),
    (
        "git commit -m \"$(cat <<'EOF'\nFix: it's (done)\n\n- a \"b\"\nEOF\n)\"",
        &[r#"cat <<«Fix: it's (done)\n\n- a "b"\n»"#, r#"git commit -m «Fix: it's (done)\n\n- a "b"»"#],
    ),
];

#[test]
fn here_documents_are_read() {
    check(ROWS);
}
