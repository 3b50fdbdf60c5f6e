//! Plain lists: families of programs, languages, names of build output, words of destruction.

use std::collections::{BTreeMap, HashSet};
use std::sync::OnceLock;

use serde::Deserialize;

use super::pattern::Pattern;

/// What the judge does with a program beyond tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Family {
    /// Shows or computes; its operands are read.
    Reader,
    /// Looks at names and attributes only, or at nothing.
    Looker,
    /// Writes below its working folder as its business: compilers, formatters, test runners.
    Builder,
    /// Understands only text that is given to it.
    Talker,
    Delete,
    Erase,
    Truncate,
    Copy,
    Move,
    Link,
    Tee,
    Dd,
    MakeFilesystem,
    Mode,
    Owner,
    Attributes,
    MakeFolder,
    Kill,
    KillByName,
    Find,
    FindFast,
    Xargs,
    Parallel,
    Shell,
    Eval,
    Source,
    Trap,
    Alias,
    Declare,
    ChangeFolder,
    Sudo,
    Env,
    Sed,
    Awk,
    Editor,
    LineEditor,
    Tar,
    Archive,
    Unpack,
    Curl,
    Wget,
    Fetch,
    Netcat,
    Socat,
    Tls,
    Ssh,
    RemoteCopy,
    Rsync,
    Lookup,
    Sql,
    Mongo,
    Git,
    Container,
    Make,
    Python,
    Installer,
    Schedule,
    Terminal,
    PowerShell,
    WindowsShell,
    Endless,
    Debugger,
    SessionShell,
}

/// A language whose programs take code on the command line.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Language {
    pub names: Vec<String>,
    /// Options whose value is code.
    pub code: Vec<String>,
    /// Options that take a value that is not code.
    #[serde(default)]
    pub values: Vec<String>,
    /// Subcommands whose operand is code, such as `eval` of deno.
    #[serde(default)]
    pub sub: Vec<String>,
    /// Text in backquotes is run.
    #[serde(default)]
    pub backquotes: bool,
    /// Calls need no parentheses.
    #[serde(default)]
    pub bare: bool,
    /// Calls that run programs if a certain word stands in the code, such as an import.
    #[serde(default)]
    pub run_if: BTreeMap<String, Vec<String>>,
    /// What must never stand in the code.
    #[serde(default)]
    pub forbidden: Option<Pattern>,
    /// Names hold dashes and stars, as in Lisp.
    #[serde(default)]
    pub lisp: bool,
    /// Calls that run programs count only if one of these stands in the code.
    #[serde(default)]
    pub needs: Vec<String>,
    /// `[[…]]` is a string, as in Lua.
    #[serde(default)]
    pub long_brackets: bool,
    /// Words need no quotes: a call is the rest of its line.
    #[serde(default)]
    pub raw: bool,
    /// Begins a comment.
    pub comment: String,
    pub calls: Calls,
    /// The last parts of the names of all calls: most words of a code are none of them.
    #[serde(skip)]
    ends: OnceLock<HashSet<String>>,
}

impl Language {
    /// Whether a word may be one of the calls, by the part behind its last dot or colon.
    pub fn may_call(&self, word: &str) -> bool {
        let ends = self.ends.get_or_init(|| {
            let calls = &self.calls;
            let lists = [
                &calls.run,
                &calls.delete,
                &calls.delete_tree,
                &calls.write,
                &calls.open,
                &calls.copy,
                &calls.mode,
                &calls.read,
                &calls.fork,
                &calls.kill,
                &calls.eval,
                &calls.by_name,
                &calls.fetch,
                &calls.send,
                &calls.connect,
                &calls.secret,
            ];
            let names = lists.into_iter().chain(self.run_if.values()).flatten();
            names.map(|name| last_part(name.trim_start_matches('=')).to_owned()).collect()
        });
        ends.contains(last_part(word))
    }
}

fn last_part(name: &str) -> &str {
    name.rsplit(['.', ':']).next().unwrap_or(name)
}

/// Calls by what they do. A name matches the end of a dotted name.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Calls {
    pub run: Vec<String>,
    pub delete: Vec<String>,
    pub delete_tree: Vec<String>,
    pub write: Vec<String>,
    pub open: Vec<String>,
    pub copy: Vec<String>,
    pub mode: Vec<String>,
    pub read: Vec<String>,
    pub fork: Vec<String>,
    pub kill: Vec<String>,
    pub eval: Vec<String>,
    /// The first string is the name of another call.
    pub by_name: Vec<String>,
    pub fetch: Vec<String>,
    pub send: Vec<String>,
    pub connect: Vec<String>,
    /// Shows a password or a key.
    pub secret: Vec<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Lists {
    /// Folders and files that a build makes again.
    pub build_output: Vec<String>,
    /// Endings of files that may be lost.
    pub throwaway_endings: Vec<String>,
    /// Words that mean loss when an unknown program is told to do them.
    pub loss: Vec<String>,
    /// Words that show a secret.
    pub secrets: Vec<String>,
    /// Options that mean loss.
    pub loss_options: Vec<String>,
    /// Words that send local data away.
    pub upload: Vec<String>,
    /// Words that change something far away.
    pub release: Vec<String>,
    /// Options with which a program only says what it would do.
    pub rehearsals: Vec<String>,
    /// Options whose value is a command, in any program.
    pub launch_options: Vec<String>,
    /// Options whose value is a file to write, in any program.
    pub output_options: Vec<String>,
    /// Programs whose output is made to be evaluated.
    pub hooks: Vec<String>,
    /// Variables that name a tool of the build.
    pub tool_variables: Vec<String>,
    /// Names of processes that a machine needs.
    pub daemons: Vec<String>,
    /// Programs that a developer lets a tool start again and again.
    pub chores: Vec<String>,
    /// Pagers, compressors and shells of other tools that are what they seem.
    pub helpers: Vec<String>,
}
