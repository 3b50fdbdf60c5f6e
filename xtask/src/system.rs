//! Programs of the system that tests start for real, with the Debian package that has each.

use std::path::Path;
use std::process::Command;

use crate::shell::{Outcome, run, step};

const PROGRAMS: &[(&str, &str)] = &[
    ("7zz", "7zip"),
    ("bash", "bash"),
    ("busybox", "busybox-static"),
    ("catatonit", "catatonit"),
    ("docker", "docker.io"),
    ("dockerd", "docker.io"),
    ("mount", "mount"),
    ("node", "nodejs"),
    ("npm", "npm"),
    ("openssl", "openssl"),
    ("patch", "patch"),
    ("pg_ctlcluster", "postgresql"),
    ("pip3", "python3-pip"),
    ("podman", "podman"),
    ("python3", "python3"),
    // No program, but found in the same way.
    ("../lib/python3/dist-packages/psycopg2", "python3-psycopg2"),
    ("rg", "ripgrep"),
    ("runc", "runc"),
    ("ssh", "openssh-client"),
    ("sshd", "openssh-server"),
    ("strace", "strace"),
    ("tar", "tar"),
    ("unzip", "unzip"),
    ("zip", "zip"),
    ("xz", "xz-utils"),
    ("zstd", "zstd"),
];

const FOLDERS: &[&str] = &["/usr/sbin", "/usr/bin", "/usr/local/bin", "/sbin", "/bin"];

/// Installs the packages of what is missing.
pub(crate) fn install() -> Outcome {
    let packages = missing();
    if packages.is_empty() {
        eprintln!("the system's programs are there");
        return Ok(());
    }
    step(&format!("install {}", packages.join(" ")), || {
        let mut update = Command::new("apt-get");
        update.arg("update");
        run(update)?;
        let mut install = Command::new("apt-get");
        install.args(["install", "--yes", "--no-install-recommends"]).args(&packages);
        run(install)
    })
}

/// An error that says how to get what is missing.
pub(crate) fn check() -> Outcome {
    let packages = missing();
    match packages.is_empty() {
        true => Ok(()),
        false => {
            Err(format!("packages are missing: {}; get them with: cargo xtask setup", packages.join(" ")))
        }
    }
}

fn missing() -> Vec<&'static str> {
    let is_there = |program: &str| FOLDERS.iter().any(|folder| Path::new(folder).join(program).exists());
    let mut packages: Vec<&str> =
        PROGRAMS.iter().filter(|(program, _)| !is_there(program)).map(|(_, package)| *package).collect();
    packages.dedup();
    packages
}
