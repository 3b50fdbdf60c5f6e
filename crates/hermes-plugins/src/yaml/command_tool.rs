//! A `command` as a tool of the registry.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use hermes_core::arguments::exact_json;
use hermes_core::{
    Access, AnyTool, CallContext, Effect, ErrorCode, Permission, Prepared, Target, ToolError, ToolInfo,
};
use hermes_host::Host;
use hermes_host::process::{Finished, Program, run_within};
use serde_json::{Value, json};

use super::arguments::complete;
use super::encode::shell_word;
use super::source::{Consent, info};
use super::spec::{CommandSpec, EnvValue, ToolSpec, Word};
use super::template::{Arguments, Template, as_it_is, as_text};
use crate::cut_short::cut_short;
use crate::excerpt::excerpt;
use crate::own_secrets::OwnSecrets;
use crate::walls::{usual_env, walls};

/// Characters of a failed program's own words that are shown.
const MAX_EXCERPT: usize = 2_000;
/// The program's own limit stands behind the call's, which knows what to say.
const GRACE: Duration = Duration::from_secs(5);

pub(super) struct CommandTool {
    info: ToolInfo,
    spec: ToolSpec,
    command: CommandSpec,
    host: Host,
    consent: Consent,
    secrets: OwnSecrets,
}

impl CommandTool {
    pub(super) fn new(spec: ToolSpec, command: CommandSpec, host: Host, consent: Consent) -> Self {
        let effect = if command.read_only { Effect::ReadOnly } else { Effect::Mutating };
        let secrets = OwnSecrets::default();
        CommandTool { info: info(&spec, effect), spec, command, host, consent, secrets }
    }

    /// The words of one call. An argument that was not given takes its word, or its group, away.
    fn argv(&self, arguments: &Arguments) -> Result<Vec<String>, ToolError> {
        let mut argv = Vec::new();
        let mut options_ended = false;
        for word in &self.command.argv {
            let mut words = Vec::new();
            for template in word.templates() {
                match self.word(template, arguments, options_ended)? {
                    Some(mut more) => words.append(&mut more),
                    None => {
                        words.clear();
                        break;
                    }
                }
            }
            options_ended |= matches!(word, Word::One(one) if one.literal() == Some("--"));
            argv.append(&mut words);
        }
        Ok(argv)
    }

    fn word(
        &self,
        template: &Template,
        arguments: &Arguments,
        options_ended: bool,
    ) -> Result<Option<Vec<String>>, ToolError> {
        let texts: Vec<String> = match template.whole().and_then(|name| arguments.get(name)) {
            // A list that is all of a word becomes as many words.
            Some(Value::Array(items)) => items.iter().filter_map(as_text).collect(),
            _ => match template.render(arguments, as_it_is) {
                Some(text) => vec![text],
                None => return Ok(None),
            },
        };
        for text in &texts {
            if text.contains('\0') {
                return Err(ToolError::invalid("a word of a command line may not hold a NUL character"));
            }
            self.check_dash(template, text, options_ended)?;
        }
        Ok(Some(texts))
    }

    /// A value that begins a word must not turn into an option of the program.
    fn check_dash(&self, template: &Template, text: &str, options_ended: bool) -> Result<(), ToolError> {
        let Some(name) = template.opening().filter(|_| text.starts_with('-') && !options_ended) else {
            return Ok(());
        };
        let parameter = self.spec.parameters.iter().find(|parameter| parameter.name == name);
        let numeric = |parameter: &super::spec::Parameter| {
            matches!(parameter.schema.get("type").and_then(Value::as_str), Some("integer" | "number"))
        };
        if parameter.is_some_and(|parameter| parameter.leading_dash || numeric(parameter)) {
            return Ok(());
        }
        Err(ToolError::invalid(format!("{name}: a value that begins with '-' would be taken for an option"))
            .with_hint("leave the dash out, or write ./ in front of a file name"))
    }

    /// What the program is given beside the usual: values of arguments, and keys by name.
    fn env(&self, arguments: &Arguments) -> Result<Vec<(String, String)>, ToolError> {
        let mut env = usual_env(&self.host);
        for (name, value) in &self.command.env {
            let value = match value {
                EnvValue::Template(template) => template.render(arguments, as_it_is),
                EnvValue::FromEnv(_) => None,
            };
            if value.as_deref().is_some_and(|value| value.contains('\0')) {
                return Err(ToolError::invalid(format!("{name}: a variable may not hold a NUL character")));
            }
            env.extend(value.map(|value| (name.clone(), value)));
        }
        Ok(env)
    }

    /// The keys the program is given, looked up when it starts.
    fn keys(&self) -> Result<Vec<(String, String)>, ToolError> {
        self.consent.check(&self.spec).map_err(|why| ToolError::new(ErrorCode::Auth, why))?;
        let mut keys = Vec::new();
        for (name, value) in &self.command.env {
            if let EnvValue::FromEnv(variable) = value {
                let key = self.host.keys.get(variable).ok_or_else(|| {
                    ToolError::new(ErrorCode::Auth, format!("the environment variable {variable} is not set"))
                })?;
                keys.push((name.clone(), key));
            }
        }
        Ok(keys)
    }

    fn result(&self, mut finished: Finished) -> Result<Value, ToolError> {
        let max = self.command.max_bytes;
        let cut = finished.stdout.len() > max || finished.stderr.len() > max;
        finished.stdout.truncate(max);
        finished.stderr.truncate(max);
        let stdout = String::from_utf8_lossy(&finished.stdout);
        let stderr = String::from_utf8_lossy(&finished.stderr);
        let fine = finished.exit_code.is_some_and(|code| self.command.ok_exit_codes.contains(&code));
        if !fine {
            let ending = match finished.exit_code {
                Some(code) => format!("ended with exit code {code}"),
                None => "was ended by a signal".to_owned(),
            };
            let error = ToolError::new(ErrorCode::ExecFailed, format!("the program {ending}"));
            return Err(error
                .with_field("exit_code", finished.exit_code)
                .with_field("stdout", excerpt(&stdout, MAX_EXCERPT))
                .with_field("stderr", excerpt(&stderr, MAX_EXCERPT)));
        }
        if !self.command.json {
            let mut result = json!({"exit_code": finished.exit_code, "stdout": stdout, "stderr": stderr});
            if let (true, Some(object)) = (cut, result.as_object_mut()) {
                object.insert("truncated".into(), true.into());
                object.insert("max_output_bytes".into(), max.into());
            }
            return Ok(result);
        }
        if finished.stdout.len() == max && cut {
            let text = format!("the program printed more than {max} bytes, which is no whole JSON any more");
            return Err(ToolError::new(ErrorCode::TooLarge, text)
                .with_field("exit_code", finished.exit_code)
                .with_hint("max_output_bytes of the tool may be raised"));
        }
        let data = exact_json(&finished.stdout).map_err(|error| {
            ToolError::new(ErrorCode::ExecFailed, format!("the program printed no JSON: {error}"))
                .with_field("stdout", excerpt(&stdout, MAX_EXCERPT))
        })?;
        Ok(json!({"exit_code": finished.exit_code, "data": data}))
    }
}

impl AnyTool for CommandTool {
    fn info(&self) -> &ToolInfo {
        &self.info
    }

    fn check(&self) -> BoxFuture<'_, Result<(), String>> {
        Box::pin(async {
            if let Some(Word::One(first)) = self.command.argv.first() {
                let program = first.literal().unwrap_or_default();
                if self.host.env.find_binary(program).is_none() {
                    return Err(format!("the program '{program}' is not on PATH"));
                }
            }
            self.consent.ready(&self.spec, &self.host.keys)
        })
    }

    fn prepare(self: Arc<Self>, arguments: &Value) -> Result<Box<dyn Prepared>, ToolError> {
        let arguments = complete(&self.spec.parameters, arguments)?;
        let argv = self.argv(&arguments)?;
        let env = self.env(&arguments)?;
        let stdin =
            match self.command.stdin.as_ref().and_then(|template| template.render(&arguments, as_it_is)) {
                Some(text) => text.into_bytes(),
                None => Vec::new(),
            };
        Ok(Box::new(CommandCall { tool: self, argv, env, stdin }))
    }
}

struct CommandCall {
    tool: Arc<CommandTool>,
    argv: Vec<String>,
    env: Vec<(String, String)>,
    stdin: Vec<u8>,
}

impl Prepared for CommandCall {
    fn access(&self) -> Vec<Access> {
        // As the shell would need it written, so that policy reads the very words that run.
        let line = self.argv.iter().map(|word| shell_word(word)).collect::<Vec<_>>().join(" ");
        vec![Access::new(Permission::TERMINAL_EXECUTE, Target::Command(line))]
    }

    fn run(self: Box<Self>, cx: CallContext) -> BoxFuture<'static, Result<Value, ToolError>> {
        let CommandCall { tool, argv, mut env, stdin } = *self;
        Box::pin(async move {
            let keys = tool.keys()?;
            env.extend(keys.iter().cloned());
            // A program that only looks has nothing to write but what it forgets.
            let mut writable = vec![PathBuf::from(tool.host.env.get("TMPDIR").unwrap_or("/tmp"))];
            if !tool.command.read_only {
                writable.push(cx.cwd().to_owned());
            }
            let walls = walls(&tool.host, cx.cwd(), writable, true);
            let walls = tool.host.terminals.hold_to_rules(walls, &cx)?;
            let program = Program {
                argv,
                cwd: cx.cwd().to_owned(),
                env,
                stdin,
                timeout: tool.spec.timeout + GRACE,
                // One byte more tells that there is more.
                max_output: tool.command.max_bytes.saturating_add(1),
            };
            let late = format!("the program did not finish within {} s", tool.spec.timeout.as_secs());
            let finished = tokio::select! {
                () = cx.cancel().cancelled() => {
                    return Err(cut_short(&tool.info, "the program was stopped", ErrorCode::Cancelled));
                }
                () = tokio::time::sleep(tool.spec.timeout) => {
                    return Err(cut_short(&tool.info, &late, ErrorCode::Timeout));
                }
                finished = run_within(program, Some(walls)) => finished,
            };
            let finished = finished.map_err(|why| ToolError::new(ErrorCode::ExecFailed, why))?;
            tool.secrets.hidden(keys, tool.result(finished))
        })
    }
}
