//! The attempts, as data. Each is a shell script that prints `escaped` if it got through; it runs in
//! `$PLACE/work`, where it may write, with `$PLACE/outside`, where it may not.

/// One attempt to get past a wall.
pub(super) struct Attempt {
    pub(super) wall: &'static str,
    pub(super) script: &'static str,
    /// Whether a program that is only fenced, without namespaces, is stopped too.
    pub(super) fenced: bool,
    /// Whether it takes a bound on the whole tree to stop it.
    pub(super) tree: bool,
}

const fn attempt(wall: &'static str, script: &'static str) -> Attempt {
    Attempt { wall, script, fenced: true, tree: false }
}

/// Held only by a view of its own.
const fn sealed(wall: &'static str, script: &'static str) -> Attempt {
    Attempt { wall, script, fenced: false, tree: false }
}

/// Held only by a control group: every process by itself uses little.
const fn together(wall: &'static str, script: &'static str) -> Attempt {
    Attempt { wall, script, fenced: true, tree: true }
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
    attempt("list what is hidden", "ls ../secrets | grep . && echo escaped"),
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
    attempt("make a program that gives privileges", "cp /bin/true given && chmod 4755 given && echo escaped"),
    // To be let in is enough; nothing is written.
    attempt(
        "write to a disk",
        "for d in /dev/sd? /dev/vd? /dev/nvme*; do test -b $d && : >> $d && echo escaped; done",
    ),
    attempt("change the kernel", "echo 0 > /proc/sys/kernel/panic && echo escaped"),
    attempt("reach the network", "(exec 3<>/dev/tcp/127.0.0.1/$PORT) && echo escaped"),
    attempt(
        "reach a local service",
        "test -S ../outside/service && nc -U ../outside/service </dev/null && echo escaped",
    ),
    together(
        "use more memory than allowed, by several processes",
        // Each has filled its buffer once its first byte is there, and keeps it until somebody takes the rest.
        "for i in 1 2 3 4 5 6 7; do exec {fd}< <(dd if=/dev/zero bs=48M count=1 2>/dev/null); \
         test \"$(head -c1 <&$fd | wc -c)\" -eq 1 || exit; all=\"$all $fd\"; done; \
         for fd in $all; do test \"$(cat <&$fd | wc -c)\" -gt 40000000 || exit; done; echo escaped",
    ),
    together(
        "start more processes than allowed",
        "sh -c 'i=0; while test $i -lt 100; do sleep 9 & i=$((i + 1)); done; echo escaped'",
    ),
];
