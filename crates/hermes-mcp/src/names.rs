//! How tools and prompts of servers are called here: `mcp_<server>_<tool>`, in letters every provider takes, at most 64
//! of them, each name meaning one tool.
//!
//! A name that several could have means none of them: each gets a mark made from what it stands for. Who came first
//! plays no part, so nobody takes over a name by which the user knows, or has permitted, another's tool. What the user
//! has not agreed to gets the names that are left.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;

use hermes_core::names::{MARK, MAX_NAME};
use sha2::{Digest, Sha256};

/// A tool's name here, and the other spelling that reaches it too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) alias: Option<String>,
}

/// Something that wants a name: a server and the server's own name for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Claim<'a> {
    pub(crate) server: &'a str,
    pub(crate) raw: &'a str,
}

/// The names of everything, by server and by the server's own name.
pub(crate) type Assigned = HashMap<String, HashMap<String, Named>>;

/// Names that are wished for, with the one who does, or with nobody where there are several.
type Wishing<'a> = HashMap<String, Option<Claim<'a>>>;

fn note<'a>(wishing: &mut Wishing<'a>, name: &str, claim: Claim<'a>) {
    let only = wishing.entry(key(name)).or_insert(Some(claim));
    *only = only.filter(|other| *other == claim);
}

/// Names for all of them, whatever their order. `strangers` are those that nobody agreed to.
pub(crate) fn assign<'a>(owners: &BTreeSet<Claim<'a>>, strangers: &BTreeSet<Claim<'a>>) -> Assigned {
    let mut assigned = Assigned::new();
    let mut taken = Wishing::new();
    for claims in [owners, strangers] {
        let wished: Vec<(Claim<'_>, Wish)> = claims.iter().map(|claim| (*claim, Wish::of(*claim))).collect();
        // Who alone could have a name, if there is one alone. Marked names are nobody else's to wish for.
        let (mut wishing, mut marks) = (HashMap::new(), HashMap::new());
        for (claim, wish) in &wished {
            note(&mut marks, &wish.marked, *claim);
            wish.all().for_each(|name| note(&mut wishing, name, *claim));
        }
        for (claim, wish) in wished {
            let alone = |wishing: &Wishing<'_>, name: &str| {
                let key = key(name);
                !taken.contains_key(&key) && wishing.get(&key) == Some(&Some(claim))
            };
            let plain = wish.plain.filter(|name| alone(&wishing, name));
            let marked = Some(wish.marked).filter(|name| alone(&marks, name));
            let Some(name) = plain.or(marked) else { continue };
            let named = Named { name, alias: wish.alias.filter(|name| alone(&wishing, name)) };
            assigned.entry(claim.server.to_owned()).or_default().insert(claim.raw.to_owned(), named);
        }
        taken.extend(wishing);
    }
    assigned
}

/// The toolset of a server's tools.
pub(crate) fn toolset(server: &str) -> String {
    format!("mcp-{server}")
}

/// All names that would do, the best first.
struct Wish {
    plain: Option<String>,
    marked: String,
    alias: Option<String>,
}

impl Wish {
    fn of(claim: Claim<'_>) -> Self {
        let (server, raw) = (sanitise(claim.server), sanitise(claim.raw));
        let plain = format!("mcp_{server}_{raw}");
        let alias = format!("mcp__{server}__{raw}");
        let fits = |name: &String| name.len() <= MAX_NAME;
        let marked = marked(&plain, claim);
        let [plain, alias] = [plain, alias].map(|name| Some(name).filter(fits));
        Wish { plain, marked, alias }
    }

    fn all(&self) -> impl Iterator<Item = &String> {
        self.plain.iter().chain(self.alias.iter()).chain(std::iter::once(&self.marked))
    }
}

/// Names that differ in capitals alone are mistaken for one another.
fn key(name: &str) -> String {
    name.to_ascii_lowercase()
}

/// The name with a mark made from what it stands for, so that it is the same in every process.
fn marked(plain: &str, claim: Claim<'_>) -> String {
    let digest =
        Sha256::new().chain_update(claim.server).chain_update([0]).chain_update(claim.raw).finalize();
    let mut name: String = plain.chars().take(MAX_NAME - MARK - 1).collect();
    name.push('_');
    for byte in digest.iter().take(MARK / 2) {
        // Writing to a string cannot fail.
        let _ = write!(name, "{byte:02x}");
    }
    name
}

fn sanitise(part: &str) -> String {
    part.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn set<'a>(claims: &[(&'a str, &'a str)]) -> BTreeSet<Claim<'a>> {
        claims.iter().map(|(server, raw)| Claim { server, raw }).collect()
    }

    fn name(assigned: &Assigned, server: &str, raw: &str) -> String {
        assigned[server][raw].name.clone()
    }

    fn names(server: &str, tools: &[&str]) -> Vec<String> {
        let claims: Vec<_> = tools.iter().map(|raw| (server, *raw)).collect();
        let assigned = assign(&set(&claims), &BTreeSet::new());
        tools.iter().map(|raw| name(&assigned, server, raw)).collect()
    }

    #[test]
    fn plain_names_stay_and_odd_ones_are_cleaned() {
        assert_eq!(names("github", &["create_issue"]), ["mcp_github_create_issue"]);
        assert_eq!(
            names("my.server", &["get-sum", "größe"]),
            ["mcp_my_server_get_sum", "mcp_my_server_gr__e"]
        );
    }

    #[test]
    fn colliding_names_of_one_server_are_told_apart() {
        let all = names("s", &["a.b", "a_b", "a-b"]);
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 3, "{all:?}");
        assert!(all.iter().all(|name| name.len() == "mcp_s_a_b_".len() + MARK), "{all:?}");
    }

    #[test]
    fn long_names_are_cut_with_a_stable_mark() {
        let long = "t".repeat(90);
        let longer = format!("{long}x");
        let cut = names("server", &[&long, &longer]);
        assert!(cut.iter().all(|name| name.len() == 64), "{cut:?}");
        assert_ne!(cut.first(), cut.get(1));
        assert_eq!(cut, names("server", &[&long, &longer]));
    }

    #[test]
    fn a_name_that_two_servers_could_have_is_neithers() {
        let both = assign(&set(&[("z", "b_c"), ("z_b", "c"), ("z", "d")]), &BTreeSet::new());
        let (one, other) = (name(&both, "z", "b_c"), name(&both, "z_b", "c"));
        assert!(one != other && one != "mcp_z_b_c" && other != "mcp_z_b_c", "{one} {other}");
        assert_eq!(name(&both, "z", "d"), "mcp_z_d", "the others keep theirs");
        let alone = assign(&set(&[("z_b", "c")]), &set(&[("z", "b_c")]));
        assert_eq!(name(&alone, "z_b", "c"), "mcp_z_b_c", "a stranger takes nothing");
        assert_eq!(name(&alone, "z", "b_c"), one, "and has the name it will keep");
        // Who is called like another's marked name gives way.
        let forged = one.strip_prefix("mcp_z_").unwrap();
        let three = assign(&set(&[("z", "b_c"), ("z_b", "c"), ("z", forged)]), &BTreeSet::new());
        assert_eq!(name(&three, "z", "b_c"), one);
        assert_ne!(name(&three, "z", forged), one);
    }

    proptest! {
        #[test]
        fn every_name_means_one_tool_and_no_stranger_changes_an_owners(
            owners in prop::collection::btree_set(("[ab_.A]{1,3}", "[ab_.A]{1,4}"), 0..12),
            strangers in prop::collection::btree_set(("[ab_.A]{1,3}", "[ab_.A]{1,4}"), 0..12),
        ) {
            let strangers: BTreeSet<_> = strangers.difference(&owners).cloned().collect();
            fn as_set(pairs: &BTreeSet<(String, String)>) -> BTreeSet<Claim<'_>> {
                pairs.iter().map(|(server, raw)| Claim { server, raw }).collect()
            }
            let all = assign(&as_set(&owners), &as_set(&strangers));
            let mut seen = BTreeSet::new();
            for named in all.values().flat_map(HashMap::values) {
                prop_assert!(seen.insert(key(&named.name)), "{named:?}");
                prop_assert!(named.alias.as_ref().is_none_or(|alias| seen.insert(key(alias))), "{named:?}");
            }
            let alone = assign(&as_set(&owners), &BTreeSet::new());
            for (server, raw) in &owners {
                prop_assert_eq!(&all[server][raw], &alone[server][raw]);
            }
        }
    }
}
