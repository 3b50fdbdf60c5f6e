//! Builds that put their results in place: into the system unless an option names a folder of the workspace.

use super::access::write;
use super::args::Arg;
use super::scene::Scene;
use super::trial::Trial;

/// Options that say where an installation goes.
const WHERE: &[&str] =
    &["--prefix", "--destdir", "--root", "--install-dir", "--home", "--installdir", "--target-dir"];

/// `cmake --install build`, `ninja install`, `meson install`, `bazel run //:install`, `setup.py install --prefix=/usr`.
pub(crate) fn judge(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    let is = |arg: &Arg| match name {
        "cmake" => arg.text == "--install",
        "bazel" | "bazelisk" => arg.text.starts_with("//") && names_install(&arg.text),
        _ => matches!(arg.text.as_str(), "install" | "install/strip" | "install/local"),
    };
    let targets = args.iter().zip(args.iter().skip(1)).any(|(option, value)| {
        name == "cmake"
            && matches!(option.text.as_str(), "--target" | "-t")
            && value.text.starts_with("install")
    });
    if !targets && !args.iter().any(is) {
        return;
    }
    let places = places(args);
    places.iter().for_each(|place| write(trial, scene, place));
    let known = matches!(name, "cmake" | "ninja" | "meson" | "bazel" | "bazelisk" | "scons" | "waf");
    if places.is_empty() && known {
        let reason = format!("{name} installs into the system");
        scene.ask(trial, "install-system", "outside_workspace", reason);
    }
}

/// `//:install`, `//tools/install`, `//x:install_all`.
fn names_install(label: &str) -> bool {
    label.rsplit([':', '/']).next().is_some_and(|name| name.starts_with("install"))
}

fn places(args: &[Arg]) -> Vec<Arg> {
    let mut found = Vec::new();
    for (place, arg) in args.iter().enumerate() {
        let option = arg.text.split_once('=').map_or(arg.text.as_str(), |(option, _)| option);
        if WHERE.contains(&option) {
            found.extend(arg.after('=').or_else(|| args.get(place + 1).cloned()));
        }
    }
    found
}
