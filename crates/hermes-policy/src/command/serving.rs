//! Servers of files: everybody who can reach them sees what is in the folder.

use super::args::Arg;
use super::place::Kind;
use super::scene::Scene;
use super::trial::Trial;

/// Programs that show a folder to whoever asks.
const SERVERS: &[&str] = &[
    "miniserve",
    "dufs",
    "filebrowser",
    "darkhttpd",
    "webfsd",
    "static-web-server",
    "http-server",
    "serve",
    "live-server",
    "sfz",
    "goshs",
    "updog",
    "httpd",
    "thttpd",
    "mini_httpd",
    "quark",
    "simple-http-server",
    "gossa",
    "chfs",
    "copyparty",
    "caddy",
    "php",
    "ruby",
    "sftpgo",
    "rclone",
    "devd",
    "algernon",
    "basic-http-server",
];

/// Words that turn a program for many things into such a server.
const SERVES: &[&str] = &["file-server", "serve", "-S", "httpd", "webdav", "ftp", "http", "portable"];

pub(crate) fn judge(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    if !SERVERS.contains(&name) {
        return;
    }
    let many = matches!(name, "caddy" | "php" | "ruby" | "sftpgo" | "rclone");
    if many && !args.iter().take(4).any(|arg| SERVES.contains(&arg.text.as_str())) {
        return;
    }
    let paths = args.iter().filter_map(|arg| match arg.text.starts_with('-') {
        true => arg.after('='),
        false => Some(arg.clone()),
    });
    let paths: Vec<Arg> = paths.filter(|path| path.text.starts_with(['/', '~', '.'])).collect();
    paths.iter().for_each(|folder| folder_shown(trial, scene, folder));
}

/// A folder outside the workspace becomes visible.
pub(crate) fn folder_shown(trial: &mut Trial<'_>, scene: &Scene<'_>, folder: &Arg) {
    let place = scene.locate(trial, folder);
    if !place.is_writable() && place.kind != Kind::Unknown {
        let reason = format!("it shows what is in {} to everybody who asks", folder.shown());
        scene.ask(trial, "serve-files", "exfiltration", reason);
    }
}
