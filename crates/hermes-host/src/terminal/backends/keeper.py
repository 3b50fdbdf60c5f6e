# The same as keeper.pl, for where there is no perl. Without ctypes nobody can be asked to become a parent.
import fcntl
import os
import select
import signal
import struct
import sys
import time

try:
    import ctypes
    prctl = ctypes.CDLL(None).prctl
except (ImportError, OSError, AttributeError):
    prctl = lambda *_: 0

watched, command = sys.argv[1] == "1", sys.argv[2:]
terminal, keeper, shell = os.isatty(0), 0, 0
said = os.path.exists("/proc/%d/task/%d/children" % (os.getpid(), os.getpid()))


def adopt():
    prctl(36, 1, 0, 0, 0)


def about(pid):
    try:
        with open("/proc/%d/stat" % pid, "rb") as stat:
            state, parent, group, session = stat.read().rpartition(b") ")[2].split()[:4]
        return state, int(parent), int(group), int(session)
    except (OSError, ValueError):
        return None


def started(pid, of):
    if not said:
        return of.get(pid, [])
    found = []
    try:
        for thread in os.listdir("/proc/%d/task" % pid):
            with open("/proc/%d/task/%s/children" % (pid, thread)) as children:
                found += map(int, children.read().split())
    except OSError:
        pass
    return found


def below():
    of, own, groups = {}, about(os.getpid()), set()
    for pid in [] if said else map(int, filter(str.isdigit, os.listdir("/proc"))):
        seen = about(pid)
        if seen:
            of.setdefault(seen[1], []).append(pid)
    found, next = [], started(os.getpid(), of)
    for pid in next:
        seen = about(pid)
        if not seen or seen[0] in (b"Z", b"X"):
            continue
        found.append(pid)
        if own and seen[3] and seen[3] != own[3] and seen[2] > 1:
            groups.add(-seen[2])
        next += started(pid, of)
    return found + list(groups)


def send(number, pids):
    kept = 0
    for pid in pids:
        try:
            os.kill(pid, number)
        except PermissionError:
            kept += 1
        except OSError:
            pass
    return kept


def strike():
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except OSError:
        return False
    send(signal.SIGSTOP, below())
    left = below()
    return not left or len(left) > send(signal.SIGKILL, left)


def look(*_):
    if (keeper or shell) and not os.isatty(0):
        send(signal.SIGHUP if keeper else signal.SIGKILL, [keeper or shell])


def there(stream):
    return struct.unpack("i", fcntl.ioctl(stream, 0x541B, bytes(4)))[0]


def pass_on(ending, streams):
    rest, ended = {to: b"" for to in streams}, False
    while not ended:
        taken = [ending] + [streams[to] for to in streams if not rest[to]]
        ready, free, _ = select.select(taken, [to for to in streams if rest[to]], [])
        for to, stream in list(streams.items()):
            try:
                if to in free:
                    rest[to] = rest[to][os.write(to, rest[to][:4096]):]
                elif stream in ready:
                    rest[to] = os.read(stream, 65536)
                    if not rest[to]:
                        del streams[to]
            except OSError:
                os.close(stream)
                del streams[to]
        ended = ending in ready
    for to, stream in streams.items():
        left = there(stream)
        rest[to] += os.read(stream, left) if left else b""
        try:
            while rest[to]:
                rest[to] = rest[to][os.write(to, rest[to]):]
        except OSError:
            pass
    code = os.read(ending, 1)
    os._exit(code[0] if code else 137)


def become_deaf():
    for name in "INT QUIT TERM TSTP TTIN TTOU PIPE".split() + ([] if terminal else ["HUP"]):
        signal.signal(getattr(signal, "SIG" + name), signal.SIG_IGN)


ending, end = os.pipe()
pipes = {to: os.pipe() for to in ([] if terminal else [1, 2])}
if terminal:
    signal.signal(signal.SIGHUP, look)
keeper = os.fork()
if keeper:
    become_deaf()
    if terminal:
        look()
    os.close(end)
    for to in pipes:
        os.close(pipes[to][1])
    pass_on(ending, {to: pipes[to][0] for to in pipes})
os.close(ending)
for to, (stream, into) in pipes.items():
    os.close(stream)
    os.dup2(into, to)
    os.close(into)
adopt()
shell = os.fork()
if not shell:
    try:
        adopt()
        # Python leaves these ignored to whatever it becomes.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        os.execvp(command[0], command)
    finally:
        os._exit(126)
become_deaf()
if terminal:
    look()
watcher = os.fork() if watched else None
if watcher == 0:
    try:
        # Whose keeper was killed is not to be waited for because of this one.
        os.close(end)
        nothing = os.open("/dev/null", os.O_WRONLY)
        for to in 1, 2:
            os.dup2(nothing, to)
        ended = 0
        while ended < 3:
            found = select.select([0], [], [], 0 if ended else None)[0]
            ended = ended + 1 if found and not there(0) else 0
            time.sleep(0.1)
        os.kill(shell, signal.SIGKILL)
    finally:
        os._exit(0)
# Goes on by itself after a signal.
status = os.waitpid(shell, 0)[1]
signal.signal(signal.SIGHUP, signal.SIG_IGN)
if watcher:
    os.kill(watcher, signal.SIGKILL)
    os.waitpid(watcher, 0)
code = bytes([128 + (status & 127) if status & 127 else status >> 8])
since, pause, looks, none = time.monotonic(), 0.005, 0, 0
while none < 2:
    none = 0 if strike() else none + 1
    looks += 1
    if looks % 20:
        continue
    time.sleep(pause)
    if time.monotonic() - since < 2:
        continue
    pause = min(pause * 1.5, 2)
    if end:
        os.write(end, code)
        os.close(end)
        end = 0
        nothing = os.open("/dev/null", os.O_RDWR)
        for to in 0, 1, 2:
            os.dup2(nothing, to)
if end:
    os.write(end, code)
os._exit(0)
