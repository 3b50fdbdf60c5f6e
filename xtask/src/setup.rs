//! `cargo xtask setup`: installs what is missing, and only that.

use crate::peers;
use crate::programs::ALL;
use crate::shell::{Outcome, capture, cargo_with, step};
use crate::system;

/// Components of the Rust toolchain that the tests call.
const COMPONENTS: &[&str] = &["clippy", "fmt"];

pub(crate) fn run() -> Outcome {
    check_components()?;
    // Packages come over the network while programs are built.
    std::thread::scope(|scope| {
        let packages = scope.spawn(|| system::install().and_then(|()| peers::install()));
        let built = programs();
        packages.join().map_err(|_| "installing packages crashed".to_owned())?.and(built)
    })
}

fn programs() -> Outcome {
    for program in ALL {
        match program.find() {
            Ok(_) => eprintln!("{} is there", program.name),
            Err(_) => step(&format!("install {}", program.name), || program.install())?,
        }
    }
    Ok(())
}

/// Toolchains are the user's own: a missing part is named, not installed.
pub(crate) fn check_components() -> Outcome {
    for component in COMPONENTS {
        capture(cargo_with(&[component, "--version"])).map_err(|_| {
            format!("'cargo {component}' is not there; get it with: rustup component add clippy rustfmt")
        })?;
    }
    Ok(())
}
