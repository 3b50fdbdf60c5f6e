//! How the binary is linked. Pages of code and of relocations count as memory from the first touch on, so equal
//! functions are folded, what a start runs stands together (`cargo xtask order` lists it) and relocations are
//! packed, where the linker and the C library can.

use std::process::Command;

/// The first C library whose loader reads packed relocations.
const PACKED_SINCE: (u32, u32) = (2, 36);

const ORDER: &str = "link/start.order";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed={ORDER}");
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|found| found == value);
    // There Rust brings its own linker, which knows all of it.
    let known = is("TARGET", "x86_64-unknown-linux-gnu") && is("HOST", "x86_64-unknown-linux-gnu");
    if known && is("PROFILE", "release") {
        println!("cargo:rustc-link-arg-bins=-Wl,--icf=all");
        println!("cargo:rustc-link-arg-bins=-Wl,-z,keep-text-section-prefix");
        let folder = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
        println!("cargo:rustc-link-arg-bins=-Xlinker");
        println!("cargo:rustc-link-arg-bins=--symbol-ordering-file={folder}/{ORDER}");
        // The list may name functions that this version has no more.
        println!("cargo:rustc-link-arg-bins=-Wl,--no-warn-symbol-ordering");
        if c_library().is_some_and(|version| version >= PACKED_SINCE) {
            println!("cargo:rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
        }
    }
}

/// Of this machine: `glibc 2.36` is what `getconf` says.
fn c_library() -> Option<(u32, u32)> {
    let output = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (major, minor) = text.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
