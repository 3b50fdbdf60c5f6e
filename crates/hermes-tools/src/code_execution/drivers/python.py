import ast, io, json, os, signal, sys, traceback

asked_by = os.fdopen(os.dup(0), "rb")
answers = os.fdopen(os.dup(int(os.environ.pop("HERMES_ASK", "0"))), "wb")
null = os.open("/dev/null", os.O_RDONLY)
os.dup2(null, 0)
os.close(null)
space = {"__name__": "__main__"}
count = 0


MOST_OUTPUT, MOST_RESULT = 40_000, 8_000


def shown(head, tail, total):
    left = total - len(head) - len(tail)
    return head + ("\n[%d of %d characters left out here]\n" % (left, total) if left else "") + tail


def bounded(text, most):
    half = most // 2
    return text if len(text) <= most else shown(text[:half], text[-half:], len(text))


class Printed(io.TextIOBase):
    def __init__(self):
        self.head, self.tail, self.total = "", "", 0

    def writable(self):
        return True

    def write(self, text):
        half = MOST_OUTPUT // 2
        kept = text[: half - len(self.head)]
        self.head += kept
        if len(text) > len(kept):
            self.tail = (self.tail + text[max(len(kept), len(text) - half) :])[-half:]
        self.total += len(text)
        return len(text)

    def getvalue(self):
        return shown(self.head, self.tail, self.total)


def time_is_up(*_):
    raise TimeoutError("the time is up")


def evaluate(code, seconds, answer):
    tree = ast.parse(code, "<repl>")
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        exec(compile(tree, "<repl>", "exec"), space)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "<repl>", "eval"), space)
            if value is not None:
                space["_"] = value
                answer["result"] = bounded(repr(value), MOST_RESULT)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


signal.signal(signal.SIGALRM, time_is_up)
for line in asked_by:
    asked = json.loads(line)
    count += 1
    answer, out = {"execution_count": count}, Printed()
    sys.stdout = sys.stderr = out
    try:
        evaluate(asked["code"], asked["seconds"], answer)
    except BaseException as error:
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == "<repl>"]
        lines = ["line %d, in %s" % (frame.lineno, frame.name) for frame in frames]
        answer["error"] = {"type": type(error).__name__, "message": bounded(str(error), MOST_RESULT), "traceback": lines}
    finally:
        sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
    answer["output"] = out.getvalue()
    answers.write(json.dumps(answer).encode() + b"\n")
    answers.flush()
