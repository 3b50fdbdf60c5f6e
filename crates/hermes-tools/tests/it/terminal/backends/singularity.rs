//! Against a stand-in with the documented command line, and, where there is one, against apptainer itself.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use hermes_host::terminal::{BackendSettings, ContainerSettings, TerminalSettings};
use hermes_testkit::TestRuntime;
use serde_json::json;

use super::conformance::conforms;
use super::started::{busybox_root, done};
use crate::support::value;

async fn runtime(folder: &Path, image: &str) -> TestRuntime {
    let container =
        ContainerSettings { image: Some(image.into()), cwd: "/tmp".into(), ..ContainerSettings::default() };
    let settings =
        TerminalSettings { backend: BackendSettings::Singularity(container), ..TerminalSettings::default() };
    let path = format!("{}:/usr/sbin:/usr/bin:/sbin:/bin", folder.display());
    TestRuntime::builder()
        .env("PATH", &path)
        .env("APPTAINER_CONFIGDIR", &folder.join("config").display().to_string())
        .terminal(settings)
        .build()
        .await
}

fn install(folder: &Path, script: &str) {
    let program = folder.join("apptainer");
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[tokio::test]
async fn a_stand_in() {
    let folder = tempfile::tempdir().unwrap();
    install(folder.path(), include_str!("../../../fixtures/apptainer.sh"));
    let image = folder.path().join("image.sif");
    std::fs::write(&image, "").unwrap();
    let test = runtime(folder.path(), image.to_str().unwrap()).await;
    conforms(&test, "singularity", "image.sif").await;
    assert!(test.host().terminals.check().await.unwrap().contains("stand-in"));
    // Somebody else's stays.
    let instances = folder.path().join("config/instances");
    std::fs::write(instances.join("another"), "").unwrap();
    assert!(test.host().terminals.clean().await.unwrap() > 0, "sessions had instances");
    let left: Vec<_> =
        std::fs::read_dir(&instances).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["another"]);
}

/// A root with apptainer in it: Debian 12 has no package of it, so it comes from a newer system.
const ROOT: &str = "HERMES_APPTAINER_ROOT";
const HOW: &str = "debootstrap --variant=minbase --include=apptainer sid $HERMES_APPTAINER_ROOT";

/// Becomes the other root in a mount namespace of its own: apptainer refuses a plain chroot.
const ENTER: &str = r#"#!/bin/sh
exec unshare -m --propagation private sh -c '
mount --bind "$0" "$0" && cd "$0" || exit 125
mount -t proc proc proc && mount --rbind /dev dev && mount --rbind /sys sys && mount -t tmpfs tmpfs tmp || exit 125
mkdir -p old && pivot_root . old && cd / && umount -l /old || exit 125
export HOME=/root; unset APPTAINER_CONFIGDIR
exec /usr/bin/apptainer "$@"' "ROOT" "$@"
"#;

#[tokio::test]
#[ignore = "needs a root with apptainer in it, named by HERMES_APPTAINER_ROOT"]
async fn apptainer_itself() {
    let root = std::env::var_os(ROOT).map(PathBuf::from);
    let root = root.unwrap_or_else(|| panic!("{ROOT} is not set; make such a root with: {HOW}"));
    assert!(
        root.join("usr/bin/apptainer").exists(),
        "no apptainer in {}; get it with: {HOW}",
        root.display()
    );
    for name in ["etc/hosts", "etc/resolv.conf"] {
        std::fs::OpenOptions::new().create(true).append(true).open(root.join(name)).unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    install(folder.path(), &ENTER.replace("ROOT", root.to_str().unwrap()));
    let apptainer = || Command::new(folder.path().join("apptainer"));
    busybox_root(&root.join("srv/hermes-test"));
    done(apptainer().args(["build", "--force", "/srv/hermes-test.sif", "/srv/hermes-test"]));
    let test = runtime(folder.path(), "/srv/hermes-test.sif").await;
    conforms(&test, "singularity", "hermes-test.sif").await;
    let look = "grep -E 'CapEff|NoNewPrivs' /proc/self/status; touch /root/kept";
    let inside = value(test.call("terminal", json!({"command": look})).await);
    let text = inside["output"].as_str().unwrap();
    assert!(text.contains("CapEff:\t0000000000000000") && text.contains("NoNewPrivs:\t1"), "{text}");
    let kept = value(test.call("terminal", json!({"command": "ls /root"})).await);
    assert_eq!(kept["output"], json!("kept"), "not the same instance");
    assert!(test.host().terminals.clean().await.unwrap() > 0, "sessions had instances");
    assert_eq!(test.host().terminals.clean().await.unwrap(), 0, "and have none any more");
}
