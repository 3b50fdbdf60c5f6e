//! Who is asked when policy wants a person's word, and what needs no question.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Who is asked when a call needs a person's word. `hermes grants` holds what was answered for longer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Approvals {
    /// `prompt` asks on the terminal, `queue` waits for `hermes approvals`, `deny` asks nobody. Without it: `prompt`
    /// where a person sits at the terminal, `deny` elsewhere. Where there is no terminal, `prompt` asks nobody.
    pub mode: Option<ApprovalMode>,
    /// Seconds after which no answer is a no.
    #[schemars(range(min = 1, max = 3_600))]
    pub timeout_seconds: u64,
    /// Commands that need no question, letter for letter. What is denied stays denied.
    #[schemars(inner(length(min = 1)))]
    pub command_allowlist: Vec<String>,
    /// Who answers for a person where little is at stake.
    pub smart: SmartApproval,
}

impl Default for Approvals {
    fn default() -> Self {
        Approvals {
            mode: None,
            timeout_seconds: 60,
            command_allowlist: Vec::new(),
            smart: SmartApproval::default(),
        }
    }
}

// Variants carry no doc comments: schemars would turn the plain list of values into a `oneOf`.
#[allow(missing_docs)]
/// Who is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalMode {
    Prompt,
    Queue,
    Deny,
}

/// A program or a model that answers for a person where little is at stake. Off unless one is configured; a program
/// must be trusted too, with `hermes approvals trust`. Whatever is not clearly approved goes to the person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SmartApproval {
    /// The program and its arguments; no shell is involved. It gets the request as JSON on its standard input and
    /// answers with `{"verdict": "approve", "reason": "…"}`, or `deny` or `escalate`.
    #[schemars(inner(length(min = 1)))]
    pub command: Vec<String>,
    /// A model that is asked instead of a program.
    pub model: Option<SmartModel>,
    /// Categories of findings that it may judge, such as `destructive_delete`. A command with any other finding goes
    /// to the person.
    #[schemars(inner(length(min = 1)))]
    pub categories: Vec<String>,
    /// Seconds the answer may take.
    #[schemars(range(min = 1, max = 300))]
    pub timeout_seconds: u64,
}

impl Default for SmartApproval {
    fn default() -> Self {
        SmartApproval { command: Vec::new(), model: None, categories: Vec::new(), timeout_seconds: 20 }
    }
}

/// A model behind an OpenAI-compatible interface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SmartModel {
    /// The address that `/chat/completions` is added to, such as `https://api.openai.com/v1`.
    #[schemars(length(min = 1))]
    pub endpoint: String,
    /// The model's name there.
    #[schemars(length(min = 1))]
    pub name: String,
    /// The environment variable, or the key of `hermes setup`, that holds the API key.
    #[serde(default)]
    pub key_env: Option<String>,
}
