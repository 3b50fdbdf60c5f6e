use std::sync::Arc;

use hermes_core::{Access, Permission, Policy, Verdict};
use hermes_policy::All;

use crate::rules::{decide, rules};

#[test]
fn a_child_never_exceeds_its_parent() {
    let parent: Arc<dyn Policy> = Arc::new(rules(&["env:read"], &[], &[]));
    let child: Arc<dyn Policy> = Arc::new(rules(&["*"], &[], &[]));
    let both = All::of([parent, child]);
    assert_eq!(decide(&both, &[Access::any(Permission::ENV_READ)]), Verdict::Allow);
    assert_eq!(decide(&both, &[Access::any(Permission::ENV_WRITE)]), Verdict::Deny);
}

#[test]
fn no_level_means_no_permission() {
    assert_eq!(decide(&All::of([]), &[Access::any(Permission::ENV_READ)]), Verdict::Deny);
}
