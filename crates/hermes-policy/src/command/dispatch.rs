//! From a program's name to whoever knows about it.

use super::args::Arg;
use super::ruleset::Family;
use super::scene::Scene;
use super::trial::Trial;
use super::{
    archives, awk, builtins, containers, copying, dd, debuggers, deletion, editors, endless, fetching,
    finding, generic, git, hosts, installers, interpreters, launching, making, modes, peel, processes,
    python, readers, remote, sed, shells, sockets, sql, table, terminals, windows, written, xargs,
};

/// Judges a call whose program is known by name; its words may still hold unknown parts.
pub(crate) fn judge(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    let asked = launching::judge(trial, scene, name, args);
    written::run_build_file(trial, scene, name, args);
    hosts::judge(trial, scene, name, args);
    containers::composed(trial, scene, name, args);
    if peel::judge(trial, scene, name, args) {
        return;
    }
    let by_table = table::judge(trial, scene, name, args);
    if let Some(family) = trial.rules.family(name) {
        return by_family(trial, scene, family, (name, args));
    }
    if trial.rules.language(name).is_some() {
        return interpreters::judge(trial, scene, name, args);
    }
    if !by_table {
        if let Some(plain) = family_by_shape(name) {
            return by_family(trial, scene, plain, (name, args));
        }
        if windows::is_cmdlet(name) {
            return windows::cmdlet(trial, scene, name, args);
        }
        generic::judge(trial, scene, name, args, asked);
    }
}

/// Names that come in many endings.
fn family_by_shape(name: &str) -> Option<Family> {
    if name.starts_with("mkfs.") || name.starts_with("newfs_") {
        return Some(Family::MakeFilesystem);
    }
    None
}

fn by_family(trial: &mut Trial<'_>, scene: &Scene<'_>, family: Family, (name, args): (&str, &[Arg])) {
    match family {
        Family::Reader => readers::judge(trial, scene, name, args),
        Family::Looker | Family::Talker => readers::look(trial, scene, name, args),
        Family::Builder => readers::build(trial, scene, name, args),
        Family::Delete => deletion::judge(trial, scene, name, args),
        Family::Erase => deletion::erase(trial, scene, args),
        Family::Truncate => deletion::truncate(trial, scene, name, args),
        Family::Copy => copying::copy(trial, scene, name, args),
        Family::Move => copying::rename(trial, scene, args),
        Family::Link => copying::link(trial, scene, args),
        Family::Tee => copying::tee(trial, scene, args),
        Family::MakeFolder => copying::make(trial, scene, name, args),
        Family::Dd => dd::judge(trial, scene, name, args),
        Family::MakeFilesystem => dd::make_filesystem(trial, scene, name, args),
        Family::Mode => modes::mode(trial, scene, args),
        Family::Owner => modes::owner(trial, scene, args),
        Family::Attributes => modes::attributes(trial, scene, name, args),
        Family::Kill => processes::kill(trial, scene, args),
        Family::KillByName => processes::kill_by_name(trial, scene, name, args),
        Family::Find => finding::find(trial, scene, args),
        Family::FindFast => finding::fast(trial, scene, args),
        Family::Xargs => xargs::judge(trial, scene, args),
        Family::Parallel => xargs::parallel(trial, scene, args),
        Family::Shell => shells::judge(trial, scene, name, args),
        Family::SessionShell => shells::session(trial, scene, name, args),
        Family::Eval => shells::eval(trial, scene, args),
        Family::Source => shells::source(trial, scene, args),
        Family::Trap => builtins::trap(trial, scene, args),
        Family::Alias => builtins::alias(trial, scene, name, args),
        Family::Declare => builtins::declare(trial, scene, name, args),
        Family::ChangeFolder => {}
        Family::Sudo => launching::sudo(trial, scene, name, args),
        Family::Env => launching::env(trial, scene, args),
        Family::Sed => sed::judge(trial, scene, args),
        Family::Awk => awk::judge(trial, scene, args),
        Family::Editor => editors::judge(trial, scene, name, args),
        Family::LineEditor => editors::line(trial, scene, name, args),
        Family::Tar => archives::tar(trial, scene, args),
        Family::Archive => archives::pack(trial, scene, name, args),
        Family::Unpack => archives::unpack(trial, scene, name, args),
        Family::Curl => fetching::curl(trial, scene, args),
        Family::Wget => fetching::wget(trial, scene, args),
        Family::Fetch => fetching::other(trial, scene, name, args),
        Family::Netcat => sockets::netcat(trial, scene, args),
        Family::Socat => sockets::socat(trial, scene, args),
        Family::Tls => sockets::tls(trial, scene, args),
        Family::Lookup => sockets::lookup(trial, scene, args),
        Family::Ssh => remote::ssh(trial, scene, args),
        Family::RemoteCopy => remote::copy(trial, scene, args),
        Family::Rsync => remote::rsync(trial, scene, args),
        Family::Sql => sql::judge(trial, scene, name, args),
        Family::Mongo => sql::mongo(trial, scene, args),
        Family::Git => git::judge(trial, scene, args),
        Family::Container => containers::judge(trial, scene, args),
        Family::Make => making::judge(trial, scene, args),
        Family::Python => python::judge(trial, scene, name, args),
        Family::Installer => installers::judge(trial, scene, name, args),
        Family::Schedule => builtins::schedule(trial, scene, name, args),
        Family::Terminal => terminals::judge(trial, scene, name, args),
        Family::PowerShell => windows::powershell(trial, scene, args),
        Family::WindowsShell => windows::cmd(trial, scene, args),
        Family::Endless => endless::judge(trial, scene, args),
        Family::Debugger => debuggers::judge(trial, scene, args),
    }
}
