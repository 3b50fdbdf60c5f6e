//! What whole walls are without where the kernel has no Landlock: namespaces and the filter stand, the second wall does not.

use std::sync::OnceLock;

use landlock::{ABI, Access as _, AccessFs, CompatLevel, Compatible as _, Ruleset, RulesetAttr as _};

use crate::process::Level;

const NO_LANDLOCK: &str = "Landlock is not available; without it pipes elsewhere can be written";

/// What a program lacks that was told to be held like that, for that reason if there is one.
pub(crate) fn lacking(level: Level, reason: Option<&str>) -> Option<String> {
    let is_without = level == Level::Sealed && !has_landlock();
    reason.or(is_without.then_some(NO_LANDLOCK)).map(str::to_owned)
}

/// The kernel, and what filters the calls of this process and all that it starts, stay what they are.
fn has_landlock() -> bool {
    static HAS: OnceLock<bool> = OnceLock::new();
    *HAS.get_or_init(|| {
        let needed = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
        needed.handle_access(AccessFs::from_all(ABI::V1)).and_then(Ruleset::create).is_ok()
    })
}
