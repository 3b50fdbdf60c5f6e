//! A bare MCP client that talks to `hermes mcp serve`, one message at a time.

use std::io::{BufRead, BufReader, Write};

use serde_json::{Value, json};

use crate::harness::Hermes;

pub(super) struct Client {
    child: std::process::Child,
    output: BufReader<std::process::ChildStdout>,
    last: u64,
    /// What is said to the server's questions.
    answer: Value,
    /// The questions that came.
    pub(super) questions: Vec<Value>,
    /// The notifications that came.
    pub(super) news: Vec<Value>,
    /// Answers that came while another was waited for.
    early: Vec<Value>,
}

impl Client {
    /// A client that cannot be asked anything.
    pub(super) fn start(hermes: &Hermes, flags: &[&str]) -> Self {
        Self::with(hermes, flags, json!({}), Value::Null)
    }

    /// The same of `hermes mcp serve` with flags of its own.
    pub(super) fn serving(hermes: &Hermes, flags: &[&str], own: &[&str]) -> Self {
        Self::begun(Self::spawned(hermes, flags, own, Value::Null), json!({}))
    }

    /// A client with these capabilities that answers every question alike.
    pub(super) fn with(hermes: &Hermes, flags: &[&str], capabilities: Value, answer: Value) -> Self {
        Self::begun(Self::silent(hermes, flags, answer), capabilities)
    }

    fn begun(mut client: Self, capabilities: Value) -> Self {
        let hello = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": capabilities,
            "clientInfo": {"name": "t", "version": "1"},
        });
        let welcome = client.ask("initialize", hello);
        assert_eq!(welcome["result"]["serverInfo"]["name"], "hermes", "{welcome}");
        client.tell("notifications/initialized", json!({}));
        client
    }

    /// A client that has said nothing yet.
    pub(super) fn silent(hermes: &Hermes, flags: &[&str], answer: Value) -> Self {
        Self::spawned(hermes, flags, &[], answer)
    }

    fn spawned(hermes: &Hermes, flags: &[&str], own: &[&str], answer: Value) -> Self {
        let mut arguments = flags.to_vec();
        arguments.extend(["mcp", "serve"]);
        arguments.extend(own);
        let mut child = hermes.spawn(&arguments);
        let output = BufReader::new(child.stdout.take().unwrap());
        Client { child, output, last: 0, answer, questions: Vec::new(), news: Vec::new(), early: Vec::new() }
    }

    pub(super) fn tell(&mut self, method: &str, params: Value) {
        self.send(json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request and does not wait for its answer.
    pub(super) fn begin(&mut self, method: &str, params: Value) -> u64 {
        self.last += 1;
        self.send(json!({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}));
        self.last
    }

    /// Sends a request and waits for its answer.
    pub(super) fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        self.answer_to(id)
    }

    pub(super) fn call(&mut self, name: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({"name": name, "arguments": arguments}))
    }

    /// Waits for an answer, past notifications and through questions.
    pub(super) fn answer_to(&mut self, id: u64) -> Value {
        if let Some(at) = self.early.iter().position(|message| message["id"] == id) {
            return self.early.remove(at);
        }
        loop {
            let message = self.next();
            match (message.get("method"), message.get("id")) {
                (Some(_), Some(asked)) => {
                    let reply = json!({"jsonrpc": "2.0", "id": asked, "result": self.answer});
                    self.questions.push(message.clone());
                    self.send(reply);
                }
                (Some(_), None) => self.news.push(message),
                (None, Some(answered)) if *answered == id => return message,
                _ => self.early.push(message),
            }
        }
    }

    /// Whether an answer came while others were waited for.
    pub(super) fn has_answered(&self, id: u64) -> bool {
        self.early.iter().any(|message| message["id"] == id)
    }

    /// Waits for a notification.
    pub(super) fn hear(&mut self, method: &str) -> Value {
        loop {
            if let Some(at) = self.news.iter().position(|news| news["method"] == method) {
                return self.news.remove(at);
            }
            let message = self.next();
            if message.get("method").is_some() && message.get("id").is_none() {
                self.news.push(message);
            }
        }
    }

    fn next(&mut self) -> Value {
        let mut line = String::new();
        assert_ne!(self.output.read_line(&mut line).unwrap(), 0, "the server ended");
        serde_json::from_str(&line).unwrap()
    }

    fn send(&mut self, message: Value) {
        writeln!(self.child.stdin.as_mut().unwrap(), "{message}").unwrap();
    }

    /// Ends the server without a word.
    pub(super) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub(super) fn end(mut self) {
        drop(self.child.stdin.take());
        assert!(self.child.wait().unwrap().success());
    }
}
