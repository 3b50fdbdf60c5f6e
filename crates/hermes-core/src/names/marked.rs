//! Tools of servers that could have the same name end in a mark each. Whoever forbade the plain name meant one of them
//! and need not know that its name has become another: what stops a tool stops all that could have the name.

/// What every provider accepts.
pub const MAX_NAME: usize = 64;
/// Hexadecimal digits of a mark: too many to find another name for.
pub const MARK: usize = 16;

/// How all tools of servers begin.
const OF_SERVERS: &str = "mcp_";

/// The name without its mark, as far as it was not cut for it.
pub fn without_mark(name: &str) -> Option<&str> {
    let (plain, mark) = name.strip_prefix(OF_SERVERS).and(name.rsplit_once('_'))?;
    let is_mark = mark.len() == MARK && mark.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_mark.then_some(plain)
}

/// Whether the tool that is called `name` now could be called `other`, if no other tool could.
pub fn could_be(name: &str, other: &str) -> bool {
    if name == other {
        return true;
    }
    if !name.starts_with(OF_SERVERS) {
        return false;
    }
    let other = plainly_spelled(other);
    let same = |plain: &str, other: &str| plain.eq_ignore_ascii_case(other);
    let marked = without_mark(name).is_some_and(|plain| match name.len() {
        MAX_NAME => other.get(..plain.len()).is_some_and(|start| same(plain, start)),
        _ => same(plain, &other),
    });
    marked || same(name, &other)
}

/// `mcp__server__tool` is another spelling of `mcp_server_tool`.
fn plainly_spelled(name: &str) -> String {
    match name.strip_prefix("mcp__").and_then(|rest| rest.split_once("__")) {
        Some((server, tool)) => format!("{OF_SERVERS}{server}_{tool}"),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_could_have_the_name_that_its_mark_stands_behind() {
        let long = format!("mcp_s_{}", "t".repeat(70));
        let cut = format!("{}_0123456789abcdef", long.get(..MAX_NAME - MARK - 1).unwrap());
        for (name, other, could) in [
            ("read_file", "read_file", true),
            ("read_file", "Read_File", false),
            ("mcp_q_effect_4b2899496a5e55b8", "mcp_q_effect", true),
            ("mcp_q_Effect_4b2899496a5e55b8", "mcp_q_effect", true),
            ("mcp_q_effect_4b2899496a5e55b8", "mcp__q__effect", true),
            ("mcp_q_Effect", "mcp_q_effect", true),
            ("mcp_q_effect", "mcp_q_effect_4b2899496a5e55b8", false),
            ("mcp_q_effect_4b28", "mcp_q_effect", false),
            ("mcp_q_effects_4b2899496a5e55b8", "mcp_q_effect", false),
            ("q_effect_4b2899496a5e55b8", "q_effect", false),
            (&cut, &long, true),
            (&cut, "mcp_s_t", false),
        ] {
            assert_eq!(could_be(name, other), could, "{name} {other}");
        }
    }
}
