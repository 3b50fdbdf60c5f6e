"""The tools, prompts and resources that MCP's conformance suite asks for by name, as a server over standard input and
output. `cargo xtask conformance` puts Hermes in front of it and points the suite at Hermes.

usage: fixture.py REVISION
What asks something is a generator: it yields its questions, gets the answers, and says what it has to say by
`context`. Revisions to 2025-11-25 ask by requests of their own, 2026-07-28 in place of the answer.
"""
import inspect, itertools, json, queue, sys, threading, time, uuid

REVISION = sys.argv[1]
STATELESS = REVISION >= "2026"
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA="
META = "io.modelcontextprotocol/"
LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]

lock = threading.Lock()
numbers = itertools.count(1)
answers = {}  # by the number of the question
suspended = {}  # by the state that the client carries
listening = {}  # filters, by the request that opened the stream
watched = set()
level = "info"
more = {"tools": False, "prompts": False}


def send(message):
    with lock:
        sys.stdout.write(json.dumps(dict(message, jsonrpc="2.0")) + "\n")
        sys.stdout.flush()


def tell(method, **params):
    send({"method": method, "params": params})


def announce(kind):
    """Says that a list is not what it was."""
    if not STATELESS:
        return tell("notifications/%s/list_changed" % kind)
    for id, wanted in listening.items():
        if wanted.get(kind + "ListChanged"):
            tell("notifications/%s/list_changed" % kind, _meta={META + "subscriptionId": id})


class Context:
    def __init__(self, params):
        self.meta = params.get("_meta") or {}

    def progress(self, done, total):
        if self.meta.get("progressToken") is not None:
            tell("notifications/progress", progressToken=self.meta["progressToken"], progress=done, total=total)

    def log(self, text, at="info"):
        wanted = self.meta.get(META + "logLevel") if STATELESS else level
        if wanted and LEVELS.index(at) >= LEVELS.index(wanted):
            tell("notifications/message", level=at, logger="fixture", data=text)


def text(value):
    return {"content": [{"type": "text", "text": value}]}


def form(message, properties, required=()):
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return {"method": "elicitation/create", "params": {"message": message, "requestedSchema": schema}}


def model(prompt, tokens=100):
    asked = [{"role": "user", "content": {"type": "text", "text": prompt}}]
    return {"method": "sampling/createMessage", "params": {"messages": asked, "maxTokens": tokens}}


ROOTS = {"method": "roots/list", "params": {}}
NAME = form("What is your name?", {"name": {"type": "string"}}, ["name"])
CONFIRM = form("Please confirm", {"ok": {"type": "boolean"}}, ["ok"])
TOOLS, PROMPTS = {}, {}


def tool(schema=None, **named):
    def register(function):
        TOOLS[named.get("name", function.__name__)] = (function, schema or {"type": "object", "properties": {}})
        return function
    return register


def said(answer):
    return text("User response: action: %s, content: %s" % (answer.get("action"), json.dumps(answer.get("content"))))


@tool()
def test_simple_text(arguments, context):
    return text("This is a simple text response for testing.")


@tool()
def test_image_content(arguments, context):
    return {"content": [{"type": "image", "data": PNG, "mimeType": "image/png"}]}


@tool()
def test_audio_content(arguments, context):
    return {"content": [{"type": "audio", "data": WAV, "mimeType": "audio/wav"}]}


def embedded(uri, kind, content):
    return {"type": "resource", "resource": {"uri": uri, "mimeType": kind, "text": content}}


@tool()
def test_embedded_resource(arguments, context):
    return {"content": [embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")]}


@tool()
def test_multiple_content_types(arguments, context):
    image = {"type": "image", "data": PNG, "mimeType": "image/png"}
    resource = embedded("test://mixed-content-resource", "application/json", '{"test": "data", "value": 123}')
    return {"content": [{"type": "text", "text": "Multiple content types test:"}, image, resource]}


@tool()
def test_error_handling(arguments, context):
    return dict(text("This tool intentionally returns an error for testing"), isError=True)


@tool()
def test_tool_with_logging(arguments, context):
    for line in ["Tool execution started", "Tool processing data", "Tool execution completed"]:
        context.log(line)
        time.sleep(0.05)
    return text("logged")


@tool()
def test_logging_tool(arguments, context):
    context.log("This is a log message")
    return text("logged")


@tool()
def test_tool_with_progress(arguments, context):
    for done in [0, 50, 100]:
        context.progress(done, 100)
        time.sleep(0.05)
    return text("done")


@tool()
def test_reconnection(arguments, context):
    return text("Reconnection test completed")


@tool({"type": "object", "properties": {"prompt": {"type": "string"}}})
def test_sampling(arguments, context):
    answer = (yield {"question": model(arguments.get("prompt", "Hello"))})["question"]
    return text("LLM response: " + answer["content"]["text"])


@tool()
def test_missing_capability(arguments, context):
    yield {"question": model("Hello")}
    return text("asked")


@tool({"type": "object", "properties": {"message": {"type": "string"}}})
def test_elicitation(arguments, context):
    field = lambda about: {"type": "string", "description": about}
    fields = {"username": field("User's response"), "email": field("User's email address")}
    return said((yield {"question": form(arguments.get("message", "?"), fields, fields)})["question"])


@tool()
def test_streaming_elicitation(arguments, context):
    return said((yield {"question": NAME})["question"])


@tool()
def test_elicitation_sep1034_defaults(arguments, context):
    fields = {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": True},
    }
    return said((yield {"question": form("Please check", fields)})["question"])


@tool()
def test_elicitation_sep1330_enums(arguments, context):
    plain = ["option1", "option2", "option3"]
    titles = ["First Option", "Second Option", "Third Option"]
    titled = [{"const": "value%d" % (n + 1), "title": title} for n, title in enumerate(titles)]
    fields = {
        "untitledSingle": {"type": "string", "enum": plain},
        "titledSingle": {"type": "string", "oneOf": titled},
        "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"],
                       "enumNames": ["Option One", "Option Two", "Option Three"]},
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": plain}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled}},
    }
    return said((yield {"question": form("Please choose", fields)})["question"])


@tool()
def test_input_required_result_elicitation(arguments, context):
    answer = (yield {"user_name": NAME})["user_name"]
    return text("Hello, %s!" % (answer.get("content") or {}).get("name"))


@tool()
def test_input_required_result_sampling(arguments, context):
    answer = (yield {"capital_question": model("What is the capital of France?")})["capital_question"]
    return text(answer["content"]["text"])


@tool()
def test_input_required_result_list_roots(arguments, context):
    return text(json.dumps((yield {"client_roots": ROOTS})["client_roots"]))


@tool()
def test_input_required_result_request_state(arguments, context):
    yield {"confirm": CONFIRM}
    return text("state-ok")


@tool()
def test_input_required_result_tampered_state(arguments, context):
    yield {"confirm": CONFIRM}
    return text("confirmed")


@tool()
def test_input_required_result_multiple_inputs(arguments, context):
    got = yield {"user_name": NAME, "greeting": model("Generate a greeting", 50), "client_roots": ROOTS}
    return text(json.dumps(got))


@tool()
def test_input_required_result_multi_round(arguments, context):
    yield {"step1": form("Step 1: What is your name?", {"name": {"type": "string"}}, ["name"])}
    yield {"step2": form("Step 2: What is your favorite color?", {"color": {"type": "string"}}, ["color"])}
    return text("both steps done")


@tool()
def test_input_required_result_capabilities(arguments, context):
    got = yield {"user_name": NAME, "greeting": model("Generate a greeting", 50)}
    return text(json.dumps(got))


def toggle(kind):
    more[kind] = not more[kind]
    announce(kind)
    return text("changed")


@tool()
def test_trigger_tool_change(arguments, context):
    return toggle("tools")


@tool()
def test_trigger_prompt_change(arguments, context):
    return toggle("prompts")


@tool({"type": "object", "properties": {
    "region": {"type": "string", "x-mcp-header": "Region"}, "query": {"type": "string"}}})
def test_custom_header(arguments, context):
    return text("ok")


@tool({
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {"address": {"$anchor": "addressDef", "type": "object", "properties": {
        "street": {"type": "string"}, "city": {"type": "string"}}}},
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
})
def json_schema_2020_12_tool(arguments, context):
    return text("ok")


def prompt(*names):
    def register(function):
        fields = [{"name": name, "description": "The " + name, "required": True} for name in names]
        PROMPTS[function.__name__] = (function, fields)
        return function
    return register


def messages(*contents):
    return {"messages": [{"role": "user", "content": content} for content in contents]}


@prompt()
def test_simple_prompt(arguments, context):
    return messages({"type": "text", "text": "This is a simple prompt for testing."})


@prompt("arg1", "arg2")
def test_prompt_with_arguments(arguments, context):
    said = "Prompt with arguments: arg1='%s', arg2='%s'" % (arguments.get("arg1"), arguments.get("arg2"))
    return messages({"type": "text", "text": said})


@prompt("resourceUri")
def test_prompt_with_embedded_resource(arguments, context):
    resource = embedded(arguments.get("resourceUri"), "text/plain", "Embedded resource content for testing.")
    return messages(resource, {"type": "text", "text": "Please process the embedded resource above."})


@prompt()
def test_prompt_with_image(arguments, context):
    image = {"type": "image", "data": PNG, "mimeType": "image/png"}
    return messages(image, {"type": "text", "text": "Please analyze the image above."})


@prompt()
def test_input_required_result_prompt(arguments, context):
    asked = form("What context should the prompt use?", {"context": {"type": "string"}}, ["context"])
    answer = (yield {"user_context": asked})["user_context"]
    return messages({"type": "text", "text": "In the context of %s" % (answer.get("content") or {}).get("context")})


RESOURCES = {
    "test://static-text": {"mimeType": "text/plain", "text": "This is the content of the static text resource."},
    "test://static-binary": {"mimeType": "image/png", "blob": PNG},
    "test://watched-resource": {"mimeType": "text/plain", "text": "Watched."},
}


def read(uri):
    if uri in RESOURCES:
        return {"contents": [dict(RESOURCES[uri], uri=uri)]}
    if uri.startswith("test://template/") and uri.endswith("/data"):
        found = {"id": uri.split("/")[3], "templateTest": True, "data": "Data for ID: " + uri.split("/")[3]}
        return {"contents": [{"uri": uri, "mimeType": "application/json", "text": json.dumps(found)}]}
    raise Refusal(-32602 if STATELESS else -32002, "Resource not found", {"uri": uri})


class Refusal(Exception):
    pass


def ask(questions):
    """Asks by requests, one for each question."""
    got = {}
    for key, question in questions.items():
        number = "q-%d" % next(numbers)
        answers[number] = queue.Queue()
        send(dict(question, id=number))
        answer = answers[number].get()
        if "error" in answer:
            raise Refusal(-32603, answer["error"].get("message"), None)
        got[key] = answer["result"]
    return got


def go_on(id, work, got):
    """Runs a generator to its end, or to a question that the client must come back with the answers to."""
    try:
        while True:
            questions = work.send(got)
            if STATELESS:
                state = str(uuid.uuid4())
                suspended[state] = work
                return {"resultType": "input_required", "inputRequests": questions, "requestState": state}
            got = ask(questions)
    except StopIteration as end:
        return end.value


def perform(id, function, params):
    try:
        state = params.get("requestState")
        if state is not None and state not in suspended:
            raise Refusal(-32602, "no such requestState", None)
        if state is not None:
            result = go_on(id, suspended.pop(state), params.get("inputResponses") or {})
        else:
            result = function(params.get("arguments") or {}, Context(params))
            if inspect.isgenerator(result):
                result = go_on(id, result, None)
        answer(id, result)
    except Refusal as refusal:
        code, message, data = refusal.args
        send({"id": id, "error": {"code": code, "message": message, "data": data}})


def answer(id, result):
    if STATELESS:
        result = dict({"resultType": "complete"}, **result)
    send({"id": id, "result": result})


def listed(key, entries):
    return {key: entries, "ttlMs": 0, "cacheScope": "private"} if STATELESS else {key: entries}


CAPABILITIES = {
    "logging": {}, "completions": {}, "tools": {"listChanged": True}, "prompts": {"listChanged": True},
    "resources": {"listChanged": True, "subscribe": True},
}
WHO = {"name": "conformance-fixture", "version": "1"}


def handle(message):
    global level
    method, id, params = message.get("method"), message.get("id"), message.get("params") or {}
    if method is None:
        answers[id].put(message)
    elif method == "initialize" and not STATELESS:
        answer(id, {"protocolVersion": REVISION, "capabilities": CAPABILITIES, "serverInfo": WHO})
    elif method == "server/discover" and STATELESS:
        answer(id, {"supportedVersions": [REVISION], "capabilities": CAPABILITIES, "ttlMs": 0, "cacheScope": "private",
                    "_meta": {META + "serverInfo": WHO}})
    elif method == "ping" and not STATELESS:
        answer(id, {})
    elif method == "logging/setLevel":
        level = params["level"]
        answer(id, {})
    elif method == "tools/list":
        names = list(TOOLS) + ["test_more"] * more["tools"]
        schema = lambda name: TOOLS[name][1] if name in TOOLS else {"type": "object", "properties": {}}
        tools = [{"name": name, "description": "The suite's " + name, "inputSchema": schema(name)} for name in names]
        answer(id, listed("tools", tools))
    elif method == "tools/call" and params["name"] in TOOLS:
        threading.Thread(target=perform, args=(id, TOOLS[params["name"]][0], params), daemon=True).start()
    elif method == "prompts/list":
        prompts = [{"name": name, "description": "The suite's " + name, "arguments": fields}
                   for name, (_, fields) in PROMPTS.items()]
        prompts += [{"name": "test_more", "description": "One more"}] * more["prompts"]
        answer(id, listed("prompts", prompts))
    elif method == "prompts/get" and params["name"] in PROMPTS:
        threading.Thread(target=perform, args=(id, PROMPTS[params["name"]][0], params), daemon=True).start()
    elif method == "resources/list":
        answer(id, listed("resources", [{"uri": uri, "name": uri[7:], "mimeType": found["mimeType"]}
                                        for uri, found in RESOURCES.items()]))
    elif method == "resources/templates/list":
        template = {"uriTemplate": "test://template/{id}/data", "name": "template", "mimeType": "application/json"}
        answer(id, listed("resourceTemplates", [template]))
    elif method == "resources/read":
        perform(id, lambda *_: listed("contents", read(params["uri"])["contents"]), params)
    elif method in ("resources/subscribe", "resources/unsubscribe") and not STATELESS:
        (watched.add if method == "resources/subscribe" else watched.discard)(params["uri"])
        answer(id, {})
    elif method == "subscriptions/listen" and STATELESS:
        listening[id] = params.get("notifications") or {}
        tell("notifications/subscriptions/acknowledged", notifications=listening[id], _meta={META + "subscriptionId": id})
    elif method == "completion/complete":
        known = ["paris", "park", "party", "test", "testing"]
        values = [value for value in known if value.startswith(params["argument"]["value"])]
        answer(id, {"completion": {"values": values, "total": len(values), "hasMore": False}})
    elif method == "notifications/cancelled":
        listening.pop(params.get("requestId"), None)
    elif id is not None:
        send({"id": id, "error": {"code": -32601, "message": "there is no %s here" % method}})


for line in sys.stdin:
    handle(json.loads(line))
