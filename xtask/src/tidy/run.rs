//! Asks every rule and says what they found.

use super::finding::{Finding, Level};
use super::packages::packages;
use super::source::sources;
use super::{arrows, exports, files, manifests, papers, pure};
use crate::shell::{Outcome, root};

pub(crate) fn run() -> Outcome {
    let root = root();
    let (sources, packages) = (sources(&root)?, packages(&root)?);
    let mut findings: Vec<Finding> = Vec::new();
    for source in &sources {
        findings.extend(files::check(source));
        findings.extend(exports::check(source));
    }
    findings.extend(arrows::check(&packages));
    findings.extend(pure::check(&packages, &sources));
    findings.extend(manifests::check(&root, &packages, &sources)?);
    findings.extend(papers::check(&root, &sources)?);
    findings.sort();
    for finding in &findings {
        eprintln!("{finding}");
    }
    let failures = findings.iter().filter(|finding| finding.level == Level::Failure).count();
    if failures == 0 { Ok(()) } else { Err(format!("the house is not tidy: {failures} to mend")) }
}
