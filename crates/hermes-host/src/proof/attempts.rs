//! The attempts, as data. Each is a shell script that prints `escaped` if it got through; it runs in
//! `$PLACE/work`, where it may write, with `$PLACE/outside`, where it may not.

/// One attempt to get past a wall.
pub(super) struct Attempt {
    pub(super) wall: &'static str,
    pub(super) script: &'static str,
    /// Whether a program that is only fenced, without namespaces, is stopped too.
    pub(super) fenced: bool,
}

const fn attempt(wall: &'static str, script: &'static str) -> Attempt {
    Attempt { wall, script, fenced: true }
}

/// Held only by a view of its own.
const fn sealed(wall: &'static str, script: &'static str) -> Attempt {
    Attempt { wall, script, fenced: false }
}

pub(super) const ATTEMPTS: &[Attempt] = &[
    attempt("create a file outside", "echo x > ../outside/new && echo escaped"),
    attempt("change a file outside", "echo x >> ../outside/file && echo escaped"),
    attempt("empty a file outside", ": > ../outside/file && echo escaped"),
    attempt("delete a file outside", "rm -f ../outside/file && echo escaped"),
    attempt("move a file out", "echo x > mine; mv mine ../outside/moved 2>&1 && echo escaped"),
    attempt("move a file in", "mv ../outside/file taken && echo escaped"),
    attempt("link to a file outside", "ln ../outside/file linked && echo x > linked && echo escaped"),
    attempt("write through a symbolic link", "ln -s ../outside/file soft; echo x > soft && echo escaped"),
    attempt("make a pipe outside", "mkfifo ../outside/pipe && echo escaped"),
    attempt("make a device", "mknod disk b 254 0 && echo escaped"),
    sealed("change modes outside", "chmod 777 ../outside/file && echo escaped"),
    sealed("change times outside", "touch -d 2001-01-01 ../outside/file && echo escaped"),
    attempt("read what is hidden", "cat ../secrets/key && echo escaped"),
    attempt("list what is hidden", "ls ../secrets/key && echo escaped"),
    sealed("plant a git hook", "echo x > .git/hooks/pre-commit && echo escaped"),
    sealed("plant settings of Hermes", "mkdir -p .hermes/x && echo escaped"),
    attempt("read the memory of the runtime", "head -c1 /proc/$RUNTIME/mem && echo escaped"),
    attempt("read the environment of the runtime", "grep -c . /proc/$RUNTIME/environ && echo escaped"),
    attempt("signal the runtime", "kill -0 $RUNTIME && echo escaped"),
    attempt("mount something", "mount -t tmpfs none . && echo escaped"),
    sealed("mount the view writable again", "mount -o remount,rw,bind / && echo escaped"),
    attempt("make namespaces", "unshare -Ur true && echo escaped"),
    attempt("gain a capability", "grep -q 'CapEff:.*[1-9a-f]' /proc/self/status && echo escaped"),
    attempt("gain privileges by a program", "grep -q 'NoNewPrivs:.*0' /proc/self/status && echo escaped"),
    attempt("write to a disk", "for d in /dev/sd? /dev/vd? /dev/nvme*; do test -w $d && echo escaped; done"),
    attempt("change the kernel", "echo 0 > /proc/sys/kernel/panic && echo escaped"),
    attempt("reach the network", "(exec 3<>/dev/tcp/127.0.0.1/$PORT) && echo escaped"),
    attempt(
        "reach a local service",
        "test -S ../outside/service && nc -U ../outside/service </dev/null && echo escaped",
    ),
];
