//! How much memory a start takes. Nearly all of it is code, by the page: a list of functions that has aged shows
//! here first.

use std::path::Path;
use std::process::Command;

use crate::shell::{Outcome, capture};

/// In kilobytes of 1,000 bytes.
const MOST: u64 = 20_000;

/// What the system says of children, in its kilobytes of 1,024 bytes.
const MEASURE: &str = "import resource, subprocess, sys\n\
    subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)\n\
    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)";

/// All definitions by the binary as users get it.
pub(crate) fn check(hermes: &Path, home: &Path) -> Outcome {
    let mut start = Command::new("python3");
    start.args(["-c", MEASURE]).arg(hermes).args(["tools", "schema", "--json"]).env("HERMES_HOME", home);
    let printed = capture(start)?;
    let found: u64 = printed.trim().parse().map_err(|_| format!("no number: {printed}"))?;
    let kilobytes = found * 1024 / 1000;
    if kilobytes >= MOST {
        return Err(format!(
            "a start takes {kilobytes} kB of memory, {MOST} are allowed; 'cargo xtask order' may mend it"
        ));
    }
    eprintln!("    a start takes {kilobytes} kB of memory");
    Ok(())
}
