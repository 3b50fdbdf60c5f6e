//! What can never be stored as a pattern: programs that run other programs, because their first words
//! say nothing about what the rest would do.

use super::model::Pattern;

/// A grant that is not stored, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Refused {
    pub reason: String,
}

impl Refused {
    pub(super) fn new(reason: impl Into<String>) -> Self {
        Refused { reason: reason.into() }
    }
}

/// Shells, interpreters, launchers, and programs with an option that starts another program.
const RUNNERS: &str = "
    . alias ansible ant apptainer ash at awk bash batch bpython builtin bun bunx busybox bwrap chroot
    cmake cmd command crontab csh dash dbus-run-session deno doas ed emacs enable entr env eval ex exec
    expect fd fdfind find firejail fish flock gawk gdb ghci gmake groovy guile ionice ipython irb java
    jshell julia just kotlin ksh less lldb ltrace lua luajit make man mawk mksh more nano nawk nice
    ninja node nodejs nohup npx nsenter nvim osascript parallel perf perl php pipx pkexec pnpx
    powershell prlimit pwsh pypy python r racket rake rscript rsync ruby runghc runuser sash scala scp
    screen script sed setarch setpriv setsid sftp sh singularity socat source sqlite ssh sshpass
    start-stop-daemon stdbuf strace su sudo swift systemd-run tar taskset tclsh tcsh time timeout tmux
    torsocks toybox trap unshare uvx valgrind vi vim vimdiff watch wish xargs xvfb-run yash zip zsh
";

/// Programs whose subcommand says what they do, with the subcommands that run other programs.
const WITH_SUBCOMMANDS: &[(&str, &str)] = &[
    ("apt", ""),
    ("apt-get", ""),
    ("aws", ""),
    ("az", ""),
    ("brew", "ruby sh"),
    ("bundle", "exec console"),
    ("cargo", ""),
    ("composer", "exec"),
    ("conda", "run"),
    ("docker", "exec run compose container buildx"),
    ("docker-compose", "exec run"),
    ("dotnet", "exec script"),
    ("gcloud", ""),
    ("gh", "alias extension"),
    ("git", "bisect config difftool filter-branch mergetool rebase submodule"),
    ("go", "generate run tool"),
    ("helm", "plugin"),
    ("hermes", "approvals config grants hooks run tools"),
    ("kubectl", "debug exec run"),
    ("nix", "develop run shell"),
    ("npm", "exec explore x"),
    ("pip", ""),
    ("pipenv", "run shell"),
    ("pnpm", "dlx exec"),
    ("podman", "exec run compose container unshare"),
    ("poetry", "run shell"),
    ("systemctl", ""),
    ("terraform", "console"),
    ("uv", "run tool x"),
    ("vagrant", "ssh"),
    ("yarn", "dlx exec node"),
];

pub(super) fn check_pattern(pattern: &Pattern) -> Result<(), Refused> {
    match pattern {
        Pattern::Prefix(words) => check_prefix(words),
        Pattern::Exact(digest)
            if digest.len() != 64 || !digest.bytes().all(|byte| byte.is_ascii_hexdigit()) =>
        {
            Err(Refused::new("the digest of a call has 64 hexadecimal digits"))
        }
        Pattern::Command(text) if text.trim().is_empty() => Err(Refused::new("the command is empty")),
        Pattern::Path(glob) if !glob.starts_with('/') => {
            Err(Refused::new("the path of a grant is absolute, so that it means the same everywhere"))
        }
        Pattern::Path(glob) if glob.split('/').any(|name| matches!(name, ".." | ".")) => {
            Err(Refused::new("the path of a grant has no '.' or '..' in it"))
        }
        Pattern::Path(glob) if glob.trim_matches(['/', '*', '?']).is_empty() => {
            Err(Refused::new("the path of a grant names a file or a folder, not everything"))
        }
        Pattern::Host(host) if host.is_empty() || host.contains(['*', '/', ' ']) => {
            Err(Refused::new("the host of a grant is one host, without wildcards"))
        }
        Pattern::Exact(_) | Pattern::Command(_) | Pattern::Path(_) | Pattern::Host(_) => Ok(()),
    }
}

fn check_prefix(words: &[String]) -> Result<(), Refused> {
    let program = words.first().map(|word| base_name(word)).unwrap_or_default();
    if program.is_empty() {
        return Err(Refused::new("the prefix is empty"));
    }
    let plain = without_version(&program);
    if lists(RUNNERS, &program) || lists(RUNNERS, plain) {
        return Err(Refused::new(format!(
            "'{program}' runs other programs, so its first words do not say what would happen; \
             store the exact command instead"
        )));
    }
    let Some((_, runners)) = WITH_SUBCOMMANDS.iter().find(|(name, _)| *name == program || *name == plain)
    else {
        return Ok(());
    };
    match words.get(1).map(String::as_str) {
        None => Err(Refused::new(format!(
            "'{program}' alone says nothing about what would happen; name the subcommand too"
        ))),
        Some(option) if option.starts_with('-') => Err(Refused::new(format!(
            "'{program} {option}' may change what every later word means; begin with the subcommand"
        ))),
        Some(subcommand) if lists(runners, subcommand) => Err(Refused::new(format!(
            "'{program} {subcommand}' runs other programs; store the exact command instead"
        ))),
        Some(_) => Ok(()),
    }
}

fn lists(names: &str, name: &str) -> bool {
    names.split_whitespace().any(|listed| listed == name)
}

fn base_name(word: &str) -> String {
    let name = word.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    name.strip_suffix(".exe").unwrap_or(&name).to_owned()
}

/// `python3.12`, `gcc-13` and `node20` are versions of something.
fn without_version(program: &str) -> &str {
    program.trim_end_matches(|letter: char| letter.is_ascii_digit() || matches!(letter, '.' | '-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> Option<String> {
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        check_prefix(&words).err().map(|refused| refused.reason)
    }

    #[test]
    fn the_lists_are_sorted() {
        assert!(RUNNERS.split_whitespace().is_sorted());
        assert!(WITH_SUBCOMMANDS.is_sorted());
    }

    #[test]
    fn what_runs_other_programs_is_no_prefix() {
        for text in [
            "sh",
            "bash -c",
            "/bin/zsh",
            "python3",
            "python3.12 -m",
            "/usr/bin/env",
            "sudo",
            "xargs",
            "find .",
            "ssh host",
            "docker exec",
            "docker",
            "eval",
            "node",
            "git",
            "git -c",
            "git -C x",
            "npm",
            "npm exec",
            "nice",
            "perl",
            "ruby",
            "BASH",
            "cmd.exe",
            "tar",
            "make test",
            "uv run",
            "go run",
            "hermes grants",
            ".",
        ] {
            assert!(refused(text).is_some(), "{text}");
        }
        for text in
            ["git status", "npm test", "cargo build", "ls", "./run.sh", "pytest", "docker ps", "go test"]
        {
            assert_eq!(refused(text), None, "{text}");
        }
    }
}
