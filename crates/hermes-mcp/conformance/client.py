"""Hermes as the client that MCP's conformance suite tests: the real binary, with a browser and a person played.

usage: client.py HERMES URL
The suite starts this once a scenario and says which in MCP_CONFORMANCE_SCENARIO; what a scenario wants beside a
connection, a list of tools and a call of each comes in MCP_CONFORMANCE_CONTEXT.
"""
import json, os, pty, re, select, shutil, subprocess, sys, tempfile, urllib.request

hermes, url = sys.argv[1], sys.argv[2]
scenario = os.environ.get("MCP_CONFORMANCE_SCENARIO", "")
context = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")
home = tempfile.mkdtemp(prefix="hermes-conformance-")
ARGUMENTS = {"add_numbers": {"a": 5, "b": 3}}


def configure():
    server = {"url": url, "elicitation": True, "parallel": 8, "timeout_seconds": 20, "trust_annotations": False}
    login = {}
    if context.get("client_id"):
        login["client_id"] = context["client_id"]
    if context.get("client_secret"):
        login["client_secret"] = context["client_secret"]
    if scenario == "auth/basic-cimd":
        login["client_metadata_url"] = "https://conformance-test.local/client-metadata.json"
    server["login"] = login
    with open(os.path.join(home, "config.yaml"), "w") as file:
        json.dump({"permissions": {"profile": "open"}, "mcp_servers": {"s": server}}, file)
    with open(os.path.join(home, "hermes_permissions.yaml"), "w") as file:
        file.write('profiles: {open: {allow: ["*"]}}\n')


def environment():
    return dict(os.environ, HERMES_HOME=home, TERM="xterm")


def run(*words):
    ran = subprocess.run([hermes, *words], env=environment(), cwd=home, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    print("$", *words, "->", ran.returncode, ran.stdout[-2000:], ran.stderr[-2000:], file=sys.stderr)
    return ran


def at_terminal(*words):
    """Runs at a terminal where a person says yes to everything and takes what the form suggests."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(home)
        os.execve(hermes, [hermes, *words], environment())
    transcript = shown = ""
    while True:
        ready, _, _ = select.select([terminal], [], [], 25)
        if not ready:
            os.kill(child, 15)
            break
        try:
            piece = os.read(terminal, 65536).decode("utf-8", "replace")
        except OSError:
            break
        if not piece:
            break
        shown += piece
        question = shown.rstrip("\r\n").splitlines()[-1] if shown.strip() else ""
        if question.endswith("[y/N] "):
            answer = "y"
        elif re.search(r"\[[^\]]*Enter [^\]]*\] $", question):
            answer = ""
        elif question.endswith("[yes or no] "):
            answer = "yes"
        elif re.search(r"\[(integer|number|a number)\] $", question):
            answer = "1"
        elif re.search(r"\[[a-z -]+\] $", question):
            answer = "something"
        else:
            continue
        # Its echo may come by itself, and must not look like the question asked again.
        transcript += shown
        shown = ""
        os.write(terminal, (answer + "\n").encode())
    print("$", *words, (transcript + shown)[-3000:], file=sys.stderr)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def log_in():
    """Logs in with a browser that agrees to everything."""
    login = subprocess.Popen([hermes, "mcp", "login", "s"], env=environment(), cwd=home, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for line in login.stdout:
        if line.startswith("http"):
            try:
                urllib.request.urlopen(line.strip(), timeout=20).read()
            except OSError as error:
                print("browser:", error, file=sys.stderr)
            break
    try:
        rest, complaints = login.communicate(timeout=20)
    except subprocess.TimeoutExpired:
        login.kill()
        rest, complaints = login.communicate()
    print("$ mcp login ->", login.returncode, rest, complaints, file=sys.stderr)
    # A server may want more as soon as it has what it asked for.
    return login.returncode == 0 or "hermes mcp login" in complaints


def minimal(name):
    """Arguments that a tool's schema cannot object to."""
    record = json.load(open(os.path.join(home, "mcp", "s.json")))
    schema = next((tool["inputSchema"] for tool in record["seen"]["tools"] if tool["name"] == name), {})
    values = {"string": "x", "integer": 1, "number": 1, "boolean": True, "array": [], "object": {}}
    properties = schema.get("properties") or {}
    return {key: values.get((properties.get(key) or {}).get("type"), "x") for key in schema.get("required") or []}


def meet():
    """The tools of the server, logging in where it wants that."""
    for _ in range(3):
        met = run("mcp", "test", "s", "--json")
        if met.returncode == 0:
            return json.loads(met.stdout)["tools"]
        if "hermes mcp login" not in met.stderr or not log_in():
            break
    return None


def call(name, arguments):
    for _ in range(3):
        words = ["tools", "call", "mcp_s_" + re.sub(r"[^A-Za-z0-9_]", "_", name), json.dumps(arguments)]
        interactive = "elicitation" in scenario or scenario.startswith("sep-2322")
        if interactive:
            return at_terminal(*words)
        ran = run(*words)
        if "hermes mcp login" not in ran.stdout + ran.stderr or not log_in():
            return ran.returncode


def main():
    configure()
    if scenario == "sse-retry":
        # It watches the connections of one process.
        call("test_reconnection", {})
        return 0
    tools = meet()
    if tools is None:
        return 1
    names = [tool["name"] for tool in tools if tool["verdict"] == "accepted"]
    if context.get("toolCalls"):
        for wanted in context["toolCalls"]:
            # A model that is told that null is no boolean leaves it out.
            call(wanted["name"], {key: value for key, value in wanted["arguments"].items() if value is not None})
        return 0
    if scenario == "json-schema-2020-12-preservation":
        record = json.load(open(os.path.join(home, "mcp", "s.json")))
        seen = {tool["name"]: tool["inputSchema"] for tool in record["seen"]["tools"]}
        echo = next(name for name in names if name != "json_schema_2020_12_tool")
        call(echo, {"schema": seen["json_schema_2020_12_tool"]})
        return 0
    for name in names:
        call(name, ARGUMENTS.get(name) or minimal(name))
    if scenario == "http-standard-headers":
        for utility in ("list_resources", "list_prompts"):
            run("tools", "call", "mcp_s_" + utility, "{}")
        listed = json.loads(run("tools", "call", "mcp_s_list_resources", "{}").stdout or "{}")
        for resource in listed.get("resources", []):
            run("tools", "call", "mcp_s_read_resource", json.dumps({"uri": resource["uri"]}))
        listed = json.loads(run("tools", "call", "mcp_s_list_prompts", "{}").stdout or "{}")
        for prompt in listed.get("prompts", []):
            run("tools", "call", "mcp_s_get_prompt", json.dumps({"name": prompt["name"]}))
    return 0


try:
    code = main()
finally:
    shutil.rmtree(home, ignore_errors=True)
sys.exit(code)
