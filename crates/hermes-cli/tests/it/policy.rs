//! Permission profiles and `hermes policy`.

mod checking;
mod choosing;
mod guards;
mod hosts;
mod offered;
mod reporting;

use serde_json::{Value, json};

use crate::harness::Hermes;

impl Hermes {
    /// Writes the user's policy file.
    fn with_policy(self, text: &str) -> Self {
        self.policy(text);
        self
    }

    fn policy(&self, text: &str) {
        std::fs::create_dir_all(self.home()).unwrap();
        std::fs::write(self.home().join("hermes_permissions.yaml"), text).unwrap();
    }

    /// The verdict and the decision on one call.
    #[track_caller]
    fn explained(&self, flags: &[&str], call: &Value) -> Value {
        let arguments: Vec<&str> = ["policy", "explain", "--json"].iter().chain(flags).copied().collect();
        self.run_with(&arguments, &call.to_string()).json()["calls"][0].clone()
    }
}

fn read(path: &str) -> Value {
    json!({"name": "read_file", "arguments": {"path": path}})
}

fn write(path: &str) -> Value {
    json!({"name": "write_file", "arguments": {"path": path, "content": "x"}})
}
