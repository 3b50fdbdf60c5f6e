// The conformance suite cannot show a token. It comes in here, and what it says goes on to Hermes with the token.
//
// usage: node door.mjs PORT HERMES_PORT TOKEN_FILE
import fs from "node:fs";
import http from "node:http";

const [port, hermes, file] = process.argv.slice(2);
const authorization = `Bearer ${fs.readFileSync(file, "utf8").trim()}`;

const server = http.createServer((request, response) => {
  const { method, url: path } = request;
  const headers = { ...request.headers, authorization };
  const onward = http.request({ host: "127.0.0.1", port: hermes, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    response.flushHeaders();
    answer.pipe(response);
  });
  onward.on("error", () => response.destroy());
  // Who stops listening is not to be told any more.
  response.on("close", () => onward.destroy());
  request.pipe(onward);
});
server.keepAliveTimeout = 0;
server.listen(Number(port), "127.0.0.1");
