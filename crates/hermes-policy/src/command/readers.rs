//! Programs that look, compute or build.

use super::access::{read, read_tree, write};
use super::args::Arg;
use super::endless;
use super::options::{Shape, parse};
use super::scene::Scene;
use super::secret_names;
use super::sockets;
use super::trial::Trial;

/// Options whose value is a file that a reader writes.
const OUTPUTS: &[&str] = &["-o", "--output", "--output-file", "--log-file", "--outfile"];

/// Readers whose first operand is a pattern or a program rather than a file.
const PATTERN_FIRST: &[&str] =
    &["grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack", "jq", "yq", "pcregrep", "ugrep", "xmllint"];

/// Readers whose `-o` writes a file; for others it means something else.
const WRITES_OUTPUT: &[&str] = &[
    "sort", "xmllint", "pandoc", "openssl", "dot", "tree", "uniq", "shuf", "less", "iconv", "gpg", "objcopy",
    "xsltproc", "pv",
];

/// Builders whose inputs may be addresses in disguise.
const MEDIA: &[&str] = &[
    "ffmpeg",
    "ffprobe",
    "ffplay",
    "avconv",
    "convert",
    "magick",
    "mogrify",
    "identify",
    "montage",
    "composite",
    "sox",
    "mpv",
    "vlc",
    "cvlc",
    "mplayer",
    "mencoder",
    "gst-launch-1.0",
    "gs",
    "pandoc",
    "inkscape",
    "rsvg-convert",
];

/// The operands are files that are shown.
pub(crate) fn judge(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    endless::reader(trial, scene, name, args);
    secret_names::searched(trial, scene, name, args);
    if MEDIA.contains(&name) {
        super::media::judge(trial, scene, name, args);
    }
    let mut pattern = PATTERN_FIRST.contains(&name)
        && !args.iter().any(|arg| matches!(arg.text.as_str(), "-e" | "-f" | "--regexp"));
    let mut options = true;
    for (place, arg) in args.iter().enumerate() {
        let text = arg.text.as_str();
        if text == "--" {
            options = false;
        } else if options && text.starts_with('-') && text.len() > 1 {
            output(trial, scene, name, (args, place));
        } else if std::mem::take(&mut pattern) {
            // A pattern mentions things; it touches nothing.
        } else if is_recursive(name, args) {
            read_tree(trial, scene, arg);
        } else {
            read(trial, scene, arg);
        }
    }
    // `yq -i`, `dasel put`: edits in place.
    if matches!(name, "yq" | "xq" | "gojq" | "mlr" | "dasel")
        && args
            .iter()
            .any(|arg| matches!(arg.text.as_str(), "-i" | "-I" | "--inplace" | "--in-place" | "put"))
    {
        for file in args.iter().filter(|arg| !arg.text.starts_with('-')).skip(1) {
            write(trial, scene, file);
        }
    }
    // `xxd -r hex file` and `uniq in out` write their second operand.
    if (name == "xxd" && args.iter().any(|arg| arg.text.starts_with("-r"))) || name == "uniq" {
        let operands: Vec<&Arg> = args.iter().filter(|arg| !arg.text.starts_with('-')).collect();
        if let Some(target) = operands.get(1) {
            write(trial, scene, target);
        }
    }
}

/// Goes down into folders by itself.
fn is_recursive(name: &str, args: &[Arg]) -> bool {
    matches!(name, "rg" | "ag" | "ack" | "ugrep")
        || (name.ends_with("grep")
            && args.iter().any(|arg| {
                arg.text == "--recursive"
                    || (arg.text.starts_with('-')
                        && !arg.text.starts_with("--")
                        && arg.text.contains(['r', 'R']))
            }))
}

fn output(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, (args, place): (&[Arg], usize)) {
    let Some(arg) = args.get(place) else { return };
    for option in OUTPUTS {
        let long = option.starts_with("--");
        if !long && !WRITES_OUTPUT.contains(&name) {
            continue;
        }
        if arg.text == *option {
            if let Some(file) = args.get(place + 1) {
                write(trial, scene, file);
            }
        } else if let Some(rest) = arg.without_prefix(option) {
            match rest.without_prefix("=") {
                Some(file) => write(trial, scene, &file),
                None if !long && !rest.text.is_empty() => write(trial, scene, &rest),
                None => {}
            }
        }
    }
}

/// Names and attributes, or nothing at all.
pub(crate) fn look(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    endless::reader(trial, scene, name, args);
    sockets::data_in_name(trial, scene, args);
    if name == "info" {
        super::generic::outputs(trial, scene, args);
    }
}

/// Compilers, formatters, test runners: they write below the workspace, and where an option says.
pub(crate) fn build(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    trial.changes();
    if MEDIA.contains(&name) {
        super::media::judge(trial, scene, name, args);
    }
    if matches!(name, "ffmpeg" | "convert" | "magick" | "sox" | "lame" | "qpdf" | "optipng")
        && let Some(target) = args.last().filter(|_| args.len() > 1)
        && target.text.starts_with(['/', '~'])
    {
        write(trial, scene, target);
    }
    super::serving::judge(trial, scene, name, args);
    super::words::releases(trial, scene, name, args);
    if name == "java" {
        let jar = args.iter().skip_while(|arg| arg.text != "-jar").nth(1);
        // `java A.java` compiles and runs.
        let file = jar.or_else(|| args.iter().find(|arg| !arg.text.starts_with('-')));
        file.into_iter().for_each(|file| super::hidden::run_named(trial, scene, file, &[]));
    }
    if matches!(name, "split" | "csplit") {
        pieces(trial, scene, name, args);
    }
    super::installing::judge(trial, scene, name, args);
    super::holding::far(trial, scene, args);
    made(trial, scene, name, args);
    super::generic::outputs(trial, scene, args);
}

/// `objcopy a /usr/bin/b`, `ar rcs /usr/lib/x.a x.o`, `strip /usr/bin/x`: an operand that is made or changed.
fn made(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    let operands: Vec<&Arg> = args.iter().filter(|arg| !arg.text.starts_with('-')).collect();
    if matches!(name, "javac" | "javadoc" | "scalac" | "kotlinc") {
        let folder = args.iter().skip_while(|arg| arg.text != "-d").nth(1);
        folder.into_iter().for_each(|folder| write(trial, scene, folder));
    }
    let target = match name {
        "objcopy" => operands.last(),
        "ar" if args
            .first()
            .is_some_and(|mode| mode.text.starts_with('-') && !mode.text.contains(['t', 'p', 'x'])) =>
        {
            operands.first()
        }
        "sphinx-build" => operands.get(1),
        "ar" if args.first().is_some_and(|mode| !mode.text.contains(['t', 'p', 'x'])) => operands.get(1),
        "strip" | "ranlib" | "patchelf" | "install_name_tool" | "codesign" | "optipng" | "dos2unix" => {
            operands.last()
        }
        _ => None,
    };
    let far = |target: &&&Arg| target.text.starts_with(['/', '~']);
    if let Some(target) =
        target.filter(far).filter(|_| !args.iter().any(|arg| arg.text.starts_with("--print")))
    {
        write(trial, scene, target);
    }
}

/// `split file prefix`, `csplit -f prefix file`: where the pieces go.
fn pieces(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    let values = &["-a", "-b", "-C", "-l", "-n", "-t", "--filter", "-f", "--prefix", "-b", "--suffix-format"];
    let parsed = parse(args, Shape { values, ..Shape::default() });
    let prefix = match name {
        "split" => parsed.operands.get(1),
        _ => parsed.value(&["-f", "--prefix"]),
    };
    if let Some(prefix) = prefix {
        write(trial, scene, prefix);
    }
}
