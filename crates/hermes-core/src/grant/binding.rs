//! What an approval is bound to, as one text that is the same for the same call and different for any
//! other. Whoever keeps it keeps its SHA-256.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::access::{Access, Target};
use crate::policy::{AccessRequest, CommandEffect, Verdict};

/// A file that a command would execute, by the word that names it and by its content; or the variables it
/// would get; or a place that it would touch because a link leads there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NamedFile {
    pub word: String,
    /// `sha256:` and the hash of what the file holds; for a very large file `stamp:` and its size and time.
    pub content: String,
}

/// Stands in place of a word for the variables that the session gives its commands: with another `PATH`, the
/// same words may start other programs.
pub(super) const VARIABLES: &str = "(variables)";

/// Stand in place of a word for a place that a link leads to: one that the rules leave open, and one that they would
/// ask about by itself.
const LED: &str = "(led to)";
const LED_ASTRAY: &str = "(led to what is asked about)";

impl NamedFile {
    /// The places that a command would touch and that only links lead to. Without links there are none.
    pub fn of_places(effects: &[CommandEffect]) -> Vec<Self> {
        let of_place = |effect: &CommandEffect| {
            let word = if effect.led? == Verdict::Allow { LED } else { LED_ASTRAY };
            Some(NamedFile { word: word.to_owned(), content: access_value(&effect.access).to_string() })
        };
        effects.iter().filter_map(of_place).collect()
    }

    /// For whoever reads what an approval depends on.
    pub fn shown(&self) -> &str {
        if [LED, LED_ASTRAY].contains(&self.word.as_str()) { "where its links lead" } else { &self.word }
    }

    /// Whether it is a place that a link leads to and that the rules would ask about by itself.
    pub fn is_led_astray(&self) -> bool {
        self.word == LED_ASTRAY
    }

    /// The session's variables as one more thing that a command depends on; nothing where there are none.
    pub fn of_variables(
        overlay: &BTreeMap<String, Option<String>>,
        digest: impl FnOnce(String) -> String,
    ) -> Option<Self> {
        let content = || format!("sha256:{}", digest(json!(overlay).to_string()));
        (!overlay.is_empty()).then(|| NamedFile { word: VARIABLES.to_owned(), content: content() })
    }
}

/// A call with everything that decides what it does. Change any part and the approval is void.
#[derive(Clone, Copy, Debug)]
pub struct Binding<'a> {
    pub request: &'a AccessRequest<'a>,
    /// Variables of the session that commands get; a name without a value is hidden from them.
    pub overlay: &'a BTreeMap<String, Option<String>>,
    pub files: &'a [NamedFile],
}

/// Permissions whose use means the same in every folder; the domains of all others may start something
/// that looks around.
const FOLDERLESS: &[&str] = &[
    "calendar",
    "clipboard",
    "email",
    "env",
    "file",
    "memory",
    "network",
    "notification",
    "session",
    "skills",
    "system",
];

impl Binding<'_> {
    /// For an approval that is good for one run: this call, in this session and folder.
    pub fn once(&self) -> String {
        let mut fields = self.fields();
        fields.insert("session".to_owned(), self.request.session.into());
        self.add_folder(&mut fields);
        sorted(&Value::Object(fields)).to_string()
    }

    /// For a stored grant, whose scope says where it holds: this call, and the folder too unless nothing
    /// the call touches depends on it.
    pub fn call(&self) -> String {
        let mut fields = self.fields();
        if self.request.access.iter().any(depends_on_folder) {
            self.add_folder(&mut fields);
        }
        sorted(&Value::Object(fields)).to_string()
    }

    /// The session's folder, and where its shell stands if the call runs in it.
    fn add_folder(&self, fields: &mut Map<String, Value>) {
        fields.insert("cwd".to_owned(), path_value(self.request.cwd));
        if let Some(shell) = self.request.shell {
            fields.insert("shell".to_owned(), path_value(shell));
        }
    }

    fn fields(&self) -> Map<String, Value> {
        let access: Vec<Value> = self.request.access.iter().map(access_value).collect();
        let fields = [
            ("version", json!(1)),
            ("tool", json!(self.request.tool)),
            ("owner", json!(self.request.owner)),
            ("arguments", self.request.arguments.clone()),
            ("access", access.into()),
            ("overlay", json!(self.overlay)),
            ("files", json!(self.files)),
        ];
        fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

fn depends_on_folder(access: &Access) -> bool {
    let domain = access.permission.as_str().split(':').next().unwrap_or_default();
    !FOLDERLESS.contains(&domain)
        || matches!(
            access.target,
            Target::Command(_) | Target::InShell(_) | Target::Path(_) | Target::Elsewhere(_)
        )
}

fn access_value(access: &Access) -> Value {
    let (kind, target) = match &access.target {
        Target::Any => ("any", Value::Null),
        Target::Path(text) => ("path", text.as_str().into()),
        Target::Elsewhere(text) => ("elsewhere", text.as_str().into()),
        Target::Resolved(path) => ("resolved", path_value(path)),
        Target::Command(text) | Target::InShell(text) => ("command", text.as_str().into()),
        Target::Host(text) => ("host", text.as_str().into()),
        Target::Name(text) => ("name", text.as_str().into()),
    };
    json!([access.permission, kind, target])
}

/// A path without loss: text where it is text, otherwise its bytes.
fn path_value(path: &Path) -> Value {
    match path.to_str() {
        Some(text) => text.into(),
        None => json!({ "bytes": path.as_os_str().as_encoded_bytes() }),
    }
}

/// Keys in order at every depth: models write the same arguments in any order.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let mut pairs: Vec<(&String, &Value)> = fields.iter().collect();
            pairs.sort_by_key(|(name, _)| *name);
            pairs.into_iter().map(|(name, field)| (name.clone(), sorted(field))).collect::<Map<_, _>>().into()
        }
        Value::Array(items) => items.iter().map(sorted).collect::<Vec<_>>().into(),
        other => other.clone(),
    }
}
