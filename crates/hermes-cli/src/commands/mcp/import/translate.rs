//! One server of another client in our words. Whatever is not taken over is named.

use hermes_runtime::config::McpServer;
use serde_json::{Map, Value, json};

use super::read::Client;
use super::references;

/// A server as it stands in our configuration, and what the user should know of it.
pub(super) struct Translated {
    pub(super) server: Value,
    pub(super) entry: McpServer,
    pub(super) notes: Vec<String>,
}

/// A server in our words, or why it cannot be had.
pub(super) fn translate(server: &Value, client: Client) -> Result<Translated, String> {
    let given = server.as_object().ok_or("it is no description of a server")?;
    let mut entry = Entry { given: given.clone(), ours: Map::new(), notes: Vec::new() };
    entry.reached(client)?;
    entry.environment();
    entry.told_to_strangers();
    entry.switches();
    entry.times(client);
    entry.filters();
    entry.login();
    // What says nothing of how it is used.
    for about in ["name", "source", "description", "display_name", "bundled"] {
        entry.given.remove(about);
    }
    let Entry { given, ours, mut notes } = entry;
    if !given.is_empty() {
        let names: Vec<String> = given.keys().cloned().collect();
        notes.push(format!("not taken over: {}", names.join(", ")));
    }
    let server = Value::Object(ours);
    let entry = serde_json::from_value(server.clone()).map_err(|error| error.to_string())?;
    Ok(Translated { server, entry, notes })
}

struct Entry {
    /// What is not looked at yet.
    given: Map<String, Value>,
    ours: Map<String, Value>,
    notes: Vec<String>,
}

impl Entry {
    fn take(&mut self, names: &[&str]) -> Option<Value> {
        let found = names.iter().find_map(|name| self.given.remove(*name));
        found.filter(|value| !value.is_null())
    }

    fn put(&mut self, key: &str, value: impl Into<Value>) {
        self.ours.insert(key.to_owned(), value.into());
    }

    fn text(&mut self, value: &Value) -> Option<String> {
        Some(references::translated(value.as_str()?, &mut self.notes))
    }

    /// The program with its arguments, or the address.
    fn reached(&mut self, client: Client) -> Result<(), String> {
        let kind = self.take(&["type", "transport"]).and_then(|kind| kind.as_str().map(str::to_owned));
        let kind = kind.unwrap_or_default().replace(['-', '_'], "").to_lowercase();
        if !["", "stdio", "local", "http", "streamablehttp", "remote", "sse"].contains(&kind.as_str()) {
            return Err(format!("it is a server of the kind '{kind}', which only its own client has"));
        }
        match self.take(&["command", "cmd"]) {
            // One client has the arguments in the same list, another everything in one object.
            Some(Value::Array(words)) => {
                let mut words = words.into_iter();
                self.given.insert("command".to_owned(), words.next().ok_or("its command is empty")?);
                self.given.entry("args").or_insert_with(|| words.collect());
                return self.program();
            }
            Some(Value::Object(inside)) => {
                let path = inside.get("path").cloned().ok_or("its command names no program")?;
                self.given.extend(inside.into_iter().filter(|(key, _)| key != "path"));
                self.given.insert("command".to_owned(), path);
                return self.program();
            }
            Some(command) => {
                self.given.insert("command".to_owned(), command);
                return self.program();
            }
            None => {}
        }
        let newer = self.given.contains_key("httpUrl");
        let url = self.take(&["httpUrl", "url", "serverUrl", "uri"]);
        let url = url.ok_or("it names neither a program nor an address")?;
        let url = self.text(&url).ok_or("its address is no text")?;
        let old = kind == "sse" || (kind.is_empty() && !newer && url.trim_end_matches('/').ends_with("/sse"));
        if old && client != Client::OpenCode {
            self.put("transport", "sse");
        }
        self.put("url", url);
        Ok(())
    }

    fn program(&mut self) -> Result<(), String> {
        let command = self.take(&["command"]).and_then(|command| self.text(&command));
        self.put("command", command.ok_or("its command is no text")?);
        if let Some(args) = self.take(&["args"]) {
            let args =
                references::list(&args, &mut self.notes).ok_or("its arguments are no list of texts")?;
            self.put("args", args);
        }
        if let Some(cwd) = self.take(&["cwd", "workingDirectory"]).and_then(|cwd| self.text(&cwd)) {
            self.put("cwd", cwd);
        }
        Ok(())
    }

    fn environment(&mut self) {
        let mut env = self.map(&["env", "environment", "envs"]);
        // Names alone mean variables of the user's.
        for name in self.names(&["env_vars", "env_keys"]) {
            env.entry(name.clone()).or_insert_with(|| format!("${{{name}}}").into());
        }
        if !env.is_empty() {
            self.put("env", env);
        }
    }

    /// What goes to a server elsewhere with every request.
    fn told_to_strangers(&mut self) {
        let mut headers = self.map(&["headers", "http_headers"]);
        if let Some(Value::Object(mut options)) = self.take(&["requestOptions"]) {
            let more = options.remove("headers").unwrap_or_default();
            headers.extend(references::map(&more, &mut self.notes).unwrap_or_default());
            if !options.is_empty() {
                self.given.insert("requestOptions".to_owned(), Value::Object(options));
            }
        }
        for (name, variable) in self.map(&["env_http_headers"]) {
            headers.insert(name, format!("${{{}}}", variable.as_str().unwrap_or_default()).into());
        }
        if let Some(variable) = self.take(&["bearer_token_env_var"]) {
            let bearer = format!("Bearer ${{{}}}", variable.as_str().unwrap_or_default());
            headers.insert("Authorization".to_owned(), bearer.into());
        }
        if !headers.is_empty() {
            self.put("headers", headers);
        }
    }

    fn switches(&mut self) {
        let disabled = self.take(&["disabled"]) == Some(true.into());
        if disabled | (self.take(&["enabled"]) == Some(false.into())) {
            self.put("enabled", false);
        }
    }

    fn times(&mut self, client: Client) {
        // Clients count in seconds or in thousandths, some by the same name.
        let seconds = |value: Value, thousandths: Option<bool>| {
            let number = value.as_f64().filter(|number| *number > 0.0)?;
            let thousandths = thousandths.unwrap_or(number >= 1_000.0);
            Some(if thousandths { number / 1_000.0 } else { number }.ceil() as u64)
        };
        let limits = [
            ("timeout", "timeout_seconds", (client == Client::Goose).then_some(false)),
            ("tool_timeout_sec", "timeout_seconds", Some(false)),
            ("startup_timeout_sec", "connect_timeout_seconds", Some(false)),
            ("startup_timeout_ms", "connect_timeout_seconds", Some(true)),
            ("connectionTimeout", "connect_timeout_seconds", Some(true)),
        ];
        for (theirs, ours, thousandths) in limits {
            // One client means the time that listing the tools may take.
            let ours = if client == Client::OpenCode { "connect_timeout_seconds" } else { ours };
            let most = if ours == "timeout_seconds" { 3_600 } else { 600 };
            if let Some(limit) = self.take(&[theirs]).and_then(|value| seconds(value, thousandths)) {
                self.put(ours, limit.clamp(1, most));
            }
        }
    }

    fn filters(&mut self) {
        let mut include = self.names(&["includeTools", "enabled_tools", "available_tools"]);
        if let Some(tools) = self.given.get("tools").and_then(Value::as_array) {
            include.extend(
                tools.iter().filter_map(Value::as_str).filter(|tool| *tool != "*").map(str::to_owned),
            );
            self.given.remove("tools");
        }
        let exclude = self.names(&["excludeTools", "disabled_tools", "disabledTools"]);
        // What is both wanted and unwanted is unwanted; a list of wanted tools alone says the same.
        include.retain(|tool| !exclude.contains(tool));
        match (include.is_empty(), exclude.is_empty()) {
            (true, true) => {}
            (true, false) => self.put("tools", json!({"exclude": exclude})),
            (false, _) => self.put("tools", json!({"include": include})),
        }
    }

    fn login(&mut self) {
        let Some(Value::Object(mut oauth)) = self.take(&["oauth"]) else { return };
        let mut login = Map::new();
        for (theirs, ours) in [("clientId", "client_id"), ("clientSecret", "client_secret")] {
            if let Some(text) = oauth.remove(theirs).and_then(|text| self.text(&text)) {
                login.insert(ours.to_owned(), text.into());
            }
        }
        match oauth.remove("scopes").or_else(|| oauth.remove("scope")) {
            Some(Value::Array(scopes)) => drop(login.insert("scopes".to_owned(), scopes.into())),
            Some(Value::String(scopes)) => {
                login.insert("scopes".to_owned(), scopes.split_whitespace().collect());
            }
            _ => {}
        }
        if !oauth.is_empty() {
            self.given.insert("oauth".to_owned(), Value::Object(oauth));
        }
        if !login.is_empty() {
            self.put("login", login);
        }
    }

    fn map(&mut self, names: &[&str]) -> Map<String, Value> {
        let value = self.take(names).unwrap_or_default();
        references::map(&value, &mut self.notes).unwrap_or_default()
    }

    fn names(&mut self, keys: &[&str]) -> Vec<String> {
        let list = self.take(keys);
        let list = list.as_ref().and_then(Value::as_array).into_iter().flatten();
        list.filter_map(Value::as_str).map(str::to_owned).collect()
    }
}
