//! Which programs run other programs, so that their first words say nothing about what the rest would do. The one
//! list of them: prefixes of grants and allowed commands of profiles are refused by it.

/// Shells, interpreters, launchers, and programs with an option that starts another program.
const RUNNERS: &str = "
    . abduco alacritty alias ansible ant apptainer arch-chroot ash at awk babel-node bash batch bazel bb
    bpython bubblewrap builtin bun bunx busybox bwrap byobu caffeinate catchsegv cgexec choom chpst chronic
    chroot cling clisp clj clojure cmake cmd command cpulimit crontab crun crystal cscript csh csi ctr
    daemon daemonize dart dash dbus-launch dbus-run-session deno direnv doas doit dotenv dotenvx dtach
    dumb-init dzdo eatmydata ecl ed elixir elvish emacs enable enroot entr env env-cmd envchain envconsul
    envdir erl eval ex exec expect fab fakechroot fakeroot faketime fd fdfind find firejail fish flock forth
    gawk gdb gforth ghci gmake gnome-terminal gnuplot gosh gosu gradle gradlew groovy guile heaptrack
    hyperfine iex invoke ionice ipython irb java jbang jrunscript jshell julia just kitty konsole kotlin ksh
    lein less linux32 linux64 lldb logsave ltrace lua luajit lxc-attach lxc-execute m4 machinectl make man
    mawk micropython mksh mono more mosh mshta mvn mvnw nano nawk nice nim ninja node nodejs nodemon nohup
    nox npx nsenter nsjail nu numactl nvim ocaml octave osascript osh parallel pct pdksh pdsh perf perl php
    pipx pkexec pnpx powershell prlimit proot proxychains pssh pwsh pypy python qjs r racket rake rbash
    rhino rlwrap rr rscript rsync ruby run-parts run0 runc runcon rundll32 runghc runuser s6-setuidgid sash
    sbcl sbt scala scheme schroot scp screen script sed sem setarch setlock setpriv setsid setuidgid sftp sg
    sh singularity socat softlimit source sqlite ssh ssh-agent sshpass start-stop-daemon startx stdbuf
    strace su su-exec sudo swift systemd-inhibit systemd-nspawn systemd-run tar task taskset tclsh tcsh time
    timeout tini tmux tmuxinator torify torsocks tox toybox trap trickle ts-node ts-node-esm tsocks tsx
    udocker unbuffer unshare utop uvx valgrind vi vim vimdiff vite-node wasm3 wasmer wasmtime watch
    watchexec wezterm wine winpty wish wmic wscript wsl xargs xdg-open xdotool xinit xonsh xterm xvfb-run
    yash ysh zellij zip zsh zx
";

/// Programs whose subcommand says what they do, with the subcommands that run other programs.
const WITH_SUBCOMMANDS: &[(&str, &str)] = &[
    ("apt", ""),
    ("apt-get", ""),
    ("asdf", ""),
    ("aws", ""),
    ("aws-vault", "exec"),
    ("az", ""),
    ("brew", "ruby sh"),
    ("bundle", "console exec"),
    ("cabal", "exec repl run"),
    ("cargo", "make run script watch"),
    ("colima", "ssh"),
    ("composer", "exec"),
    ("conda", "run"),
    ("ddev", "exec ssh"),
    ("direnv", ""),
    ("distrobox", "enter"),
    ("docker", "buildx compose container exec run"),
    ("docker-compose", "exec run"),
    ("doppler", "run"),
    ("dotnet", "exec fsi run script tool watch"),
    ("flatpak", "enter run"),
    ("fly", "console ssh"),
    ("gcloud", ""),
    ("gh", "alias extension"),
    ("git", "bisect config difftool filter-branch mergetool rebase submodule"),
    ("go", "generate run tool"),
    ("hatch", "run shell"),
    ("helm", "plugin"),
    ("hermes", "approvals config grants hooks run tools"),
    ("heroku", "run"),
    ("hg", "debugshell"),
    ("incus", "exec"),
    ("kubectl", "debug exec run"),
    ("lerna", "exec run"),
    ("limactl", "shell"),
    ("lxc", "exec"),
    ("minikube", "ssh"),
    ("mise", "exec run x"),
    ("mix", "do run"),
    ("multipass", "exec shell"),
    ("nerdctl", "compose exec run"),
    ("nix", "develop run shell"),
    ("nodenv", "exec"),
    ("npm", "exec explore x"),
    ("nx", "exec run"),
    ("oc", "debug exec rsh run"),
    ("op", "run"),
    ("pdm", "run"),
    ("pip", ""),
    ("pipenv", "run shell"),
    ("pixi", "run shell"),
    ("pnpm", "dlx exec"),
    ("podman", "compose container exec run unshare"),
    ("poetry", "run shell"),
    ("pyenv", "exec shell"),
    ("rbenv", "exec shell"),
    ("rustup", "run"),
    ("rye", "run"),
    ("snap", "run"),
    ("stack", "exec ghci run script"),
    ("systemctl", ""),
    ("terraform", "console"),
    ("toolbox", "enter run"),
    ("turbo", "run"),
    ("uv", "run tool x"),
    ("vagrant", "ssh"),
    ("yarn", "dlx exec node"),
];

/// Words behind which any program's own business ends and another's begins, wherever they stand.
const HANDS_OVER: &str = "dlx enter eval exec exec-env exec-file rsh shell x";
/// The same at the end of what is known: `npm run build` says what it does, `npm run` does not.
const HANDS_OVER_LAST: &str = "attach console debug repl run script ssh with";
/// How many words of a prefix are looked at for them.
const DEEP: usize = 4;

/// Interpreters that come under many names: `python3.12-dbg`, `node-18`, `lua5.4`.
const STEMS: &str = "bash dash fish julia ksh lua luajit node perl php pypy python ruby tclsh zsh";

/// Why these first words of a command do not say what it would do, if they do not.
pub fn runs_others(words: &[String]) -> Option<String> {
    let program = words.first().map(|word| base_name(word)).unwrap_or_default();
    if program.is_empty() {
        return Some("there is no program".to_owned());
    }
    let plain = without_version(&program);
    if is_runner(&program) || lists(RUNNERS, plain) {
        return Some(format!(
            "'{program}' runs other programs, so its first words do not say what would happen"
        ));
    }
    let given: Vec<&str> = words.iter().skip(1).take(DEEP).map(String::as_str).collect();
    if let Some(why) = by_subcommand(&program, plain, given.first().copied()) {
        return Some(why);
    }
    let over = given.iter().find(|word| lists(HANDS_OVER, word));
    let last =
        words.last().map(String::as_str).filter(|word| words.len() > 1 && lists(HANDS_OVER_LAST, word));
    over.copied().or(last).map(|word| format!("'{program} … {word}' runs other programs"))
}

/// Whether the program is one whose subcommand says what it does.
pub(super) fn has_subcommands(program: &str) -> bool {
    let name = base_name(program);
    WITH_SUBCOMMANDS.iter().any(|(known, _)| *known == name || *known == without_version(&name))
}

fn by_subcommand(program: &str, plain: &str, subcommand: Option<&str>) -> Option<String> {
    let (_, runners) = WITH_SUBCOMMANDS.iter().find(|(name, _)| *name == program || *name == plain)?;
    match subcommand {
        None => {
            Some(format!("'{program}' alone says nothing about what would happen; name the subcommand too"))
        }
        Some(option) if option.starts_with('-') => Some(format!(
            "'{program} {option}' may change what every later word means; begin with the subcommand"
        )),
        Some(subcommand) if lists(runners, subcommand) => {
            Some(format!("'{program} {subcommand}' runs other programs"))
        }
        Some(_) => None,
    }
}

fn is_runner(program: &str) -> bool {
    let stem = program.split(|letter: char| !letter.is_ascii_alphabetic()).next().unwrap_or_default();
    lists(RUNNERS, program) || lists(STEMS, stem) || is_loader(program)
}

/// The dynamic loader runs whatever program it is given; so does an emulator of a processor.
fn is_loader(program: &str) -> bool {
    ["ld-linux", "ld-musl", "ld.so", "ld64.so", "qemu-", "proxychains"]
        .iter()
        .any(|start| program.starts_with(start))
        || program.ends_with(".so")
        || program.contains(".so.")
}

pub(super) fn lists(names: &str, name: &str) -> bool {
    names.split_whitespace().any(|listed| listed == name)
}

pub(super) fn base_name(word: &str) -> String {
    let name = word.rsplit(['/', '\\']).next().unwrap_or_default().to_ascii_lowercase();
    let ends = [".exe", ".com", ".cmd", ".bat"];
    ends.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name).to_owned()
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
        runs_others(&words)
    }

    #[test]
    fn the_lists_are_sorted() {
        assert!(RUNNERS.split_whitespace().is_sorted());
        assert!(WITH_SUBCOMMANDS.is_sorted());
    }

    #[test]
    fn what_runs_other_programs_is_no_prefix() {
        for text in "sh|bash -c|/bin/zsh|python3|python3.12 -m|python3.12-dbg|/usr/bin/env|sudo|xargs|find .|ssh host|\
                     docker exec|docker|eval|node|node-18|git|git -c|git -C x|npm|npm exec|nice|perl5.36.0|ruby|BASH|\
                     cmd.exe|C:\\Windows\\cmd.exe|tar|make test|uv run|go run|hermes grants|.|rbash|nu|elvish|ts-node|tsx|elixir|\
                     erl|iex|ocaml|qjs|micropython|clojure|tini|dumb-init|gosu|fakeroot|run0|dzdo|chpst|hyperfine|\
                     watchexec|unbuffer|rlwrap|proxychains|proxychains4|wsl|wsl.exe|sg|ld-linux-x86-64.so.2|\
                     /lib64/ld-linux-x86-64.so.2|ld-musl-x86_64.so.1|direnv exec|pyenv exec|asdf exec|oc exec|\
                     nerdctl exec web|lxc exec box|distrobox enter|flatpak run org.x|cargo run|npm run|dotnet run|\
                     unknowntool exec|unknowntool -v exec|unknowntool env shell|unknowntool run|qemu-x86_64|lua5.4"
            .split('|')
        {
            assert!(refused(text).is_some(), "{text}");
        }
        for text in
            "git status|npm test|npm run build|cargo build|ls|./run.sh|pytest|docker ps|go test|eslint src|\
                     tsc --noEmit|gh pr list|unknowntool build"
                .split('|')
        {
            assert_eq!(refused(text), None, "{text}");
        }
    }
}
