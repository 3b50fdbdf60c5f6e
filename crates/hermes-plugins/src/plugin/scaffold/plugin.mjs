// A plugin in Node: one JSON object a line on standard input and output. console.log would be taken for a
// message; use console.error.
import { createInterface } from "node:readline";

const tools = {
  TOOL_NAME: {
    description: "Greet somebody by name.",
    effect: "none",
    parameters: {
      type: "object",
      properties: { name: { type: "string", description: "Who to greet." } },
      required: ["name"],
      additionalProperties: false,
    },
    run: async ({ name }) => ({ greeting: `Hello, ${name}!` }),
  },
};

const send = (message) => process.stdout.write(JSON.stringify(message) + "\n");

async function answer({ id, method, params }) {
  if (method === "describe") {
    const described = Object.entries(tools).map(([name, { run, ...tool }]) => ({ name, ...tool }));
    return send({ id, result: { protocol: 1, tools: described } });
  }
  if (method === "shutdown") process.exit(0);
  if (method !== "call") return;
  try {
    send({ id, result: await tools[params.tool].run(params.arguments) });
  } catch (error) {
    send({ id, error: { code: "exec_failed", message: String(error) } });
  }
}

createInterface({ input: process.stdin }).on("line", (line) => answer(JSON.parse(line)));
