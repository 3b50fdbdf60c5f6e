//! Programs that take words of their command line for code, and programs that start other programs.

/// A program that runs what its words say.
pub(super) struct Runner {
    pub(super) names: &'static [&'static str],
    /// Options whose value is code.
    pub(super) code: &'static [&'static str],
    /// Options whose value is something else, in the word behind them.
    pub(super) values: &'static [&'static str],
    /// Letters of bundled options that take the rest of their word.
    pub(super) takes_rest: &'static str,
    pub(super) operands: Operands,
}

/// What the words are that are no options.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Operands {
    /// The first names a file of code, the others are its arguments. Without any, standard input is code.
    Script,
    /// As `Script`; and what follows code on the command line is close enough to it to be refused too.
    Shell,
    /// The first is code where no option brought some.
    Code,
    /// From the first on, they are put together and given to a shell.
    Text,
    /// The first says where; the others are put together and given to a shell there.
    FarText,
    /// None of them is code.
    Data,
}

impl Runner {
    const fn new(
        names: &'static [&'static str],
        code: &'static [&'static str],
        values: &'static [&'static str],
        takes_rest: &'static str,
        operands: Operands,
    ) -> Self {
        Runner { names, code, values, takes_rest, operands }
    }

    pub(super) fn named(name: &str) -> Option<&'static Runner> {
        RUNNERS.iter().find(|runner| runner.names.contains(&name))
    }
}

#[rustfmt::skip]
const RUNNERS: &[Runner] = &[
    Runner::new(
        &["ash", "bash", "cmd", "csh", "dash", "elvish", "fish", "ksh", "mksh", "nu", "oksh", "posh", "rbash", "rc", "sh", "tcsh", "xonsh", "yash", "zsh"],
        &["-c", "--command", "/c", "/k"], &["-O", "-o", "--rcfile", "--init-file"], "oO", Operands::Shell),
    Runner::new(&["powershell", "pwsh"],
        &["-c", "-e", "-ec", "-command", "-encodedcommand", "-commandwithargs", "/c", "/command"],
        &["-w", "-ex", "-ep", "-executionpolicy", "-windowstyle", "-workingdirectory"], "w", Operands::Shell),
    Runner::new(&["python", "pythonw", "pypy", "ipython", "bpython", "micropython", "jython", "graalpy"],
        &["-c"], &["-W", "-X", "-Q"], "WXQm", Operands::Script),
    Runner::new(&["perl", "raku", "jperl"], &["-e", "-E"], &["-I"], "IMmFCDx", Operands::Script),
    Runner::new(&["ruby", "jruby", "truffleruby", "irb", "pry", "crystal"],
        &["-e", "--eval"], &["-I", "-r", "-C", "-E"], "IrCEFKT", Operands::Script),
    Runner::new(&["node", "nodejs", "iojs", "bun", "deno", "qjs", "tsx", "ts-node", "esno", "jjs", "rhino"],
        &["-e", "-p", "--eval", "--print", "eval"], &["-r", "--require", "--import", "-C"], "rC", Operands::Script),
    Runner::new(&["php", "hhvm"],
        &["-r", "-B", "-R", "-E", "--run", "--process-begin", "--process-code", "--process-end"],
        &["-c", "-d", "-z", "-t", "-S"], "cdzfFtS", Operands::Script),
    Runner::new(&["lua", "luajit", "texlua", "luau"], &["-e"], &["-l"], "l", Operands::Script),
    Runner::new(&["r", "rscript", "littler", "julia"], &["-e", "-E", "--eval", "--print"], &["-L", "-J", "-p"], "LJp", Operands::Script),
    Runner::new(&["osascript"], &["-e"], &["-l", "-s"], "ls", Operands::Script),
    Runner::new(&["tclsh", "wish", "expect"], &["-c"], &[], "", Operands::Script),
    Runner::new(
        &["clisp", "clojure", "clj", "ecl", "elixir", "iex", "emacs", "emacsclient", "erl", "gauche", "ghc", "gosh",
          "groovy", "guile", "jshell", "kotlin", "kotlinc", "maxima", "matlab", "mit-scheme", "ocaml", "octave",
          "racket", "runghc", "sbcl", "scala", "scheme", "swift", "gnuplot", "psysh"],
        &["-e", "-E", "-c", "-x", "-r", "--eval", "-eval", "--execute", "--expr", "-batch", "--batch-string"],
        &[], "", Operands::Script),
    Runner::new(&["awk", "gawk", "mawk", "nawk", "original-awk", "goawk"],
        &["-e", "--source"], &["-F", "-v", "-f", "-i", "-E", "--field-separator", "--assign", "--file", "--include", "--exec"],
        "FvfiE", Operands::Code),
    Runner::new(&["sed", "gsed", "ssed"], &["-e", "--expression"], &["-f", "-l", "--file", "--line-length"], "fli", Operands::Code),
    Runner::new(&["vim", "vi", "nvim", "view", "ex", "vimdiff", "gvim", "rvim"],
        &["-c", "--cmd", "+"], &["-S", "-u", "-s", "-w"], "Susw", Operands::Data),
    Runner::new(&["gdb", "lldb"],
        &["-ex", "-iex", "-eval-command", "--eval-command", "-init-eval-command", "-o", "--one-line", "-O"],
        &["-x", "-p"], "", Operands::Data),
    Runner::new(&["su", "runuser", "script", "sg", "newgrp"], &["-c", "--command", "--session-command"],
        &["-s", "-g", "-G", "-u", "--shell", "--user"], "sgGu", Operands::Data),
    Runner::new(&["ssh", "rsh", "remsh", "slogin", "dbclient", "autossh", "mosh"],
        &["-oProxyCommand", "-oLocalCommand", "-oKnownHostsCommand"],
        &["-B", "-b", "-c", "-D", "-E", "-e", "-F", "-I", "-i", "-J", "-L", "-l", "-M", "-m", "-O", "-o", "-p", "-P",
          "-Q", "-R", "-S", "-W", "-w"],
        "BbcDEeFIiJLlmOopPQRSWw", Operands::FarText),
    Runner::new(&["nix-shell"], &["--run", "--command"], &["-p", "-A", "-E"], "pAE", Operands::Data),
    Runner::new(&["watch", "parallel", "sem", "hyperfine"], &[], &["-n", "--interval", "-j", "-I"], "njI", Operands::Text),
];

/// A program that starts the one its words name.
pub(super) struct Launcher {
    pub(super) names: &'static [&'static str],
    /// Options whose value is the word behind them.
    pub(super) values: &'static [&'static str],
    /// Options whose value is a command line.
    pub(super) text: &'static [&'static str],
    /// Words of its own in front of the program.
    pub(super) own: usize,
    /// The words that make it a launcher; any, where none are listed.
    pub(super) verbs: &'static [&'static str],
}

impl Launcher {
    const fn new(
        names: &'static [&'static str],
        values: &'static [&'static str],
        text: &'static [&'static str],
        own: usize,
    ) -> Self {
        Launcher { names, values, text, own, verbs: &[] }
    }

    /// One that launches only after a word that says so.
    const fn by_verb(names: &'static [&'static str]) -> Self {
        Launcher { names, values: &[], text: &[], own: 1, verbs: &["run", "exec", "x", "shell"] }
    }

    pub(super) fn named(name: &str) -> Option<&'static Launcher> {
        LAUNCHERS.iter().find(|launcher| launcher.names.contains(&name))
    }

    /// Whether it launches with this word behind it.
    pub(super) fn launches(&self, next: Option<&str>) -> bool {
        self.verbs.is_empty() || next.is_some_and(|next| self.verbs.contains(&next))
    }
}

#[rustfmt::skip]
const LAUNCHERS: &[Launcher] = &[
    Launcher::new(&["env", "genv"], &["-u", "-C", "--unset", "--chdir"], &["-S", "--split-string"], 0),
    Launcher::new(&["sudo", "doas", "pkexec", "run0"],
        &["-u", "-g", "-h", "-p", "-C", "-T", "-r", "-t", "-D", "-R", "-U", "--user", "--group", "--host", "--prompt",
          "--chdir", "--chroot"], &[], 0),
    Launcher::new(&["timeout", "gtimeout"], &["-s", "-k", "--signal", "--kill-after"], &[], 1),
    Launcher::new(&["nice", "gnice"], &["-n", "--adjustment"], &[], 0),
    Launcher::new(&["ionice"], &["-c", "-n", "-t", "--class", "--classdata"], &[], 0),
    Launcher::new(&["stdbuf", "gstdbuf"], &["-i", "-o", "-e", "--input", "--output", "--error"], &[], 0),
    Launcher::new(&["time", "gtime"], &["-f", "-o", "--format", "--output"], &[], 0),
    Launcher::new(&["xargs", "gxargs"],
        &["-I", "-n", "-P", "-L", "-s", "-d", "-E", "-a", "--max-args", "--max-procs", "--max-lines", "--max-chars",
          "--delimiter", "--arg-file", "--replace"], &[], 0),
    Launcher::new(&["chroot"], &["--userspec", "--groups"], &[], 1),
    Launcher::new(&["flock"], &["-w", "-E", "--timeout", "--wait", "--conflict-exit-code"], &["-c", "--command"], 1),
    Launcher::new(&["taskset", "chrt", "setarch", "gosu", "su-exec", "setuidgid", "softlimit", "chpst", "s6-setuidgid"], &[], &[], 1),
    Launcher::new(&["strace", "ltrace", "dtruss"], &["-e", "-o", "-s", "-p", "-P", "-u", "-a", "-E", "-I", "-O", "-S", "-b"], &[], 0),
    Launcher::new(&["nsenter"], &["-t", "-S", "-G", "--target", "--setuid", "--setgid"], &[], 0),
    Launcher::new(&["unshare"], &["-R", "-S", "-G", "-w", "--root", "--setuid", "--setgid", "--wd"], &[], 0),
    Launcher::new(&["systemd-run"], &["-p", "-u", "-M", "-H", "-E", "--unit", "--property", "--setenv", "--uid", "--gid", "--slice"], &[], 0),
    Launcher::new(&["cgexec"], &["-g"], &[], 0),
    Launcher::new(&["xvfb-run"], &["-e", "-f", "-n", "-p", "-s", "-w"], &[], 0),
    Launcher::by_verb(&["uv", "poetry", "pdm", "pipenv", "pipx", "hatch", "rye", "conda", "mamba", "foreman", "bundle", "rbenv",
        "pyenv", "nodenv", "direnv", "asdf", "mise", "npm", "pnpm", "yarn"]),
    Launcher::new(&["sshpass"], &["-p", "-f", "-d", "-P"], &[], 0),
    Launcher::new(
        &["nohup", "setsid", "unbuffer", "busybox", "toybox", "fakeroot", "firejail", "setpriv", "prlimit", "numactl", "valgrind",
          "dbus-run-session", "dbus-launch", "systemd-inhibit", "catchsegv", "rlwrap", "daemonize", "dumb-init",
          "tini", "catatonit", "caffeinate", "arch", "linux32", "linux64", "torsocks", "torify", "proxychains",
          "proxychains4", "tsocks", "ssh-agent", "dotenv", "winpty", "command", "exec", "builtin", "nocorrect", "npx", "bunx",
          "uvx", "i386", "x86_64", "eatmydata", "faketime", "chronic", "ts", "pv", "pidproxy"],
        &[], &[], 0),
];
