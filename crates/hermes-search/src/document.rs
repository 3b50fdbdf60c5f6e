//! What is searched: a tool, a skill, anything with a name and a description.

use serde_json::Value;
use sha2::{Digest, Sha256};

/// One thing to find. The library knows nothing else about it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// What it is called by; unique in an index.
    pub name: String,
    /// The name without the server's part.
    pub bare: String,
    /// The server, toolset or group it belongs to.
    pub server: String,
    pub description: String,
    /// JSON Schema of its arguments.
    pub parameters: Value,
    /// Other names, tags and words that people use for it.
    pub aliases: Vec<String>,
}

/// A definition in 16 bytes: equal hash, equal vector.
pub type DefinitionHash = [u8; 16];

impl Document {
    /// What the vector of this document depends on.
    pub fn hash(&self) -> DefinitionHash {
        let mut hasher = Sha256::new();
        for part in [self.bare.as_str(), &self.server, &self.description] {
            hasher.update(part.as_bytes());
            hasher.update([0]);
        }
        for (name, _) in self.properties() {
            hasher.update(name.as_bytes());
            hasher.update([0]);
        }
        let digest = hasher.finalize();
        let mut hash = DefinitionHash::default();
        for (to, from) in hash.iter_mut().zip(digest) {
            *to = from;
        }
        hash
    }

    /// The arguments of the first level.
    pub fn properties(&self) -> impl Iterator<Item = (&str, &Value)> {
        let properties = self.parameters.get("properties").and_then(Value::as_object);
        properties.into_iter().flatten().map(|(name, schema)| (name.as_str(), schema))
    }
}
