//! Who may use whom. Arrows go one way; a rule that nothing follows any more is an error too.

use std::collections::BTreeSet;

use super::finding::Finding;
use super::packages::{Package, Use, find};

/// Each crate with the crates it may use; what those may use, it may use too.
const ARROWS: &[(&str, &[&str])] = &[
    ("hermes-core", &[]),
    ("hermes-policy", &["hermes-core"]),
    ("hermes-host", &["hermes-core"]),
    ("hermes-kit", &["hermes-core", "hermes-host"]),
    ("hermes-plugins", &["hermes-core", "hermes-host", "hermes-mcp"]),
    ("hermes-search", &[]),
    ("hermes-runtime", &["hermes-core", "hermes-policy", "hermes-search"]),
    ("hermes-mcp", &["hermes-core", "hermes-host"]),
    ("hermes-tools", &["hermes-kit"]),
    ("xtask", &[]),
];

/// The composition root may use everything.
const BINARY: &str = "hermes-cli";

/// Crates for tests and measurements: they may use everything, and nothing that ships may use them.
const FOR_TESTS: &[&str] = &["hermes-benches", "hermes-promises", "hermes-testkit"];

/// Arrows that must not come about by any way, and why. `*` is everybody.
const NEVER: &[(&str, &str, &str)] = &[
    ("hermes-tools", "hermes-runtime", "a tool must not reach the registry, the session or other tools"),
    ("hermes-runtime", "hermes-tools", "the spine knows no concrete tool"),
    ("hermes-runtime", "hermes-kit", "the spine knows erased tools only"),
    ("hermes-runtime", "hermes-host", "effects reach the spine through ports"),
    ("*", BINARY, "the binary is where everything ends"),
];

pub(super) fn check(packages: &[Package]) -> Vec<Finding> {
    let mut findings = stale(packages);
    for package in packages {
        findings.extend(edges(package));
        findings.extend(forbidden(package, packages));
    }
    findings
}

/// What a crate may use directly; `None` if it has no place in the house.
fn allowed(name: &str) -> Option<BTreeSet<&'static str>> {
    let everything = || ARROWS.iter().map(|(name, _)| *name);
    if name == BINARY {
        return Some(everything().collect());
    }
    if FOR_TESTS.contains(&name) {
        return Some(everything().chain(FOR_TESTS.iter().copied()).collect());
    }
    let (_, direct) = ARROWS.iter().find(|(known, _)| *known == name)?;
    let mut all: BTreeSet<&'static str> = direct.iter().copied().collect();
    for next in *direct {
        all.extend(allowed(next)?);
    }
    Some(all)
}

fn edges(package: &Package) -> Vec<Finding> {
    let Some(allowed) = allowed(&package.name) else {
        let text = "this crate has no place in the house: give it one in xtask/src/tidy/arrows.rs";
        return vec![Finding::failure(&package.manifest, text)];
    };
    let forbidden = package.dependencies.iter().filter(|dependency| {
        let known = ARROWS.iter().any(|(name, _)| *name == dependency.name);
        let for_tests = known || FOR_TESTS.contains(&dependency.name.as_str());
        let free = dependency.used == Use::Tests && for_tests;
        dependency.local && !free && !allowed.contains(dependency.name.as_str())
    });
    forbidden
        .map(|dependency| {
            let text = format!("{} must not use {}", package.name, dependency.name);
            Finding::failure(&package.manifest, text)
        })
        .collect()
}

/// The ways that no chain of normal dependencies may take.
fn forbidden(package: &Package, packages: &[Package]) -> Vec<Finding> {
    let reached = reach(package, packages);
    let broken = NEVER.iter().filter(|(from, to, _)| {
        (*from == "*" || *from == package.name) && package.name != *to && reached.contains(*to)
    });
    broken
        .map(|(_, to, why)| {
            Finding::failure(&package.manifest, format!("{} reaches {to}: {why}", package.name))
        })
        .collect()
}

fn reach<'a>(package: &'a Package, packages: &'a [Package]) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut waiting = vec![package];
    while let Some(package) = waiting.pop() {
        for dependency in package.normal().filter(|dependency| dependency.local) {
            if reached.insert(dependency.name.as_str()) {
                waiting.extend(find(packages, &dependency.name));
            }
        }
    }
    reached
}

fn stale(packages: &[Package]) -> Vec<Finding> {
    let place = "xtask/src/tidy/arrows.rs";
    let mut findings = Vec::new();
    let never = NEVER.iter().flat_map(|(from, to, _)| [*from, *to]).filter(|name| *name != "*");
    let named =
        ARROWS.iter().map(|(name, _)| *name).chain([BINARY]).chain(FOR_TESTS.iter().copied()).chain(never);
    for name in named.collect::<BTreeSet<_>>() {
        if find(packages, name).is_none() {
            findings.push(Finding::failure(place, format!("stale: there is no {name}")));
        }
    }
    for (name, direct) in ARROWS {
        let Some(package) = find(packages, name) else { continue };
        for unused in direct.iter().filter(|wanted| !package.normal().any(|used| used.name == **wanted)) {
            findings.push(Finding::failure(place, format!("stale: {name} does not use {unused}")));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::packages::Dependency;

    /// The house as the rules draw it.
    fn house() -> Vec<Package> {
        let mut packages: Vec<Package> = ARROWS.iter().map(|(name, direct)| package(name, direct)).collect();
        packages.push(package(BINARY, &["hermes-runtime", "hermes-tools"]));
        packages.extend(FOR_TESTS.iter().map(|name| package(name, &["hermes-runtime", "hermes-tools"])));
        packages
    }

    fn package(name: &str, uses: &[&str]) -> Package {
        let dependencies = uses.iter().map(|name| dependency(name, Use::Normal)).collect();
        Package { name: name.into(), manifest: format!("crates/{name}/Cargo.toml"), dependencies }
    }

    fn dependency(name: &str, used: Use) -> Dependency {
        Dependency { name: name.into(), used, local: true }
    }

    fn with(from: &str, to: &str, used: Use) -> Vec<String> {
        let mut packages = house();
        let package = packages.iter_mut().find(|package| package.name == from).unwrap();
        package.dependencies.push(dependency(to, used));
        check(&packages).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_house_stands() {
        assert_eq!(check(&house()), []);
        assert_eq!(with("hermes-tools", "hermes-core", Use::Normal), [""; 0], "through hermes-kit");
        assert_eq!(with("hermes-tools", "hermes-testkit", Use::Tests), [""; 0]);
        assert_eq!(with("hermes-runtime", "hermes-tools", Use::Tests), [""; 0]);
    }

    #[test]
    fn forbidden_arrows_are_found_directly_and_by_detours() {
        let direct = with("hermes-tools", "hermes-runtime", Use::Normal).join("\n");
        assert!(direct.contains("hermes-tools must not use hermes-runtime"), "{direct}");
        assert!(direct.contains("hermes-tools reaches hermes-runtime"), "{direct}");
        let detour = with("hermes-policy", "hermes-host", Use::Normal).join("\n");
        assert!(detour.contains("hermes-runtime reaches hermes-host"), "{detour}");
        assert!(!with("hermes-kit", "hermes-testkit", Use::Normal).is_empty(), "tests' crates do not ship");
        assert!(!with("hermes-runtime", "hermes-cli", Use::Tests).is_empty(), "not even in tests");
    }

    #[test]
    fn stale_rules_and_homeless_crates_are_found() {
        let mut packages = house();
        packages.retain(|package| package.name != "hermes-policy");
        let text = check(&packages).iter().map(ToString::to_string).collect::<String>();
        assert!(text.contains("stale: there is no hermes-policy"), "{text}");
        let mut packages = house();
        packages.iter_mut().find(|package| package.name == "hermes-kit").unwrap().dependencies.pop();
        let text = check(&packages).iter().map(ToString::to_string).collect::<String>();
        assert!(text.contains("stale: hermes-kit does not use hermes-host"), "{text}");
        let mut packages = house();
        packages.push(package("hermes-new", &[]));
        assert!(check(&packages).iter().any(|finding| finding.text.contains("no place")));
    }
}
