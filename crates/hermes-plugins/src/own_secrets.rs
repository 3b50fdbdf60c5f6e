//! The secrets that a tool itself was given. Whatever it answers, they are not in it: the variables may be
//! called anything, so nobody else can tell that their values are secret.

use std::sync::{Mutex, PoisonError};

use hermes_core::ToolError;
use hermes_core::redact::Redactor;
use serde_json::Value;

/// Names and values, as they were handed out.
pub(crate) type Secrets = Vec<(String, String)>;

/// Whether a secret is found again where a tool repeats it. One of two letters is not: it would be found everywhere.
pub fn can_be_hidden(secret: &str) -> bool {
    !Redactor::of_values(vec![(String::new(), secret.to_owned())]).redact_text(secret).contains(secret)
}

/// Hides secrets in answers. What it takes to find them is made once and kept until they change.
#[derive(Debug, Default)]
pub(crate) struct OwnSecrets {
    made: Mutex<Option<(Secrets, Redactor)>>,
}

impl OwnSecrets {
    /// The answer without the secrets that were handed out for it.
    pub(crate) fn hidden(
        &self,
        secrets: Secrets,
        answer: Result<Value, ToolError>,
    ) -> Result<Value, ToolError> {
        let redactor = self.redactor(secrets);
        match answer {
            Ok(mut value) => {
                redactor.redact_value(&mut value);
                Ok(value)
            }
            Err(mut error) => {
                redactor.redact_error(&mut error);
                Err(error)
            }
        }
    }

    /// What hides these secrets.
    pub(crate) fn redactor(&self, secrets: Secrets) -> Redactor {
        if secrets.is_empty() {
            return Redactor::none();
        }
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, redactor)) = made.as_ref()
            && *known == secrets
        {
            return redactor.clone();
        }
        let redactor = Redactor::of_values(secrets.clone());
        *made = Some((secrets, redactor.clone()));
        redactor
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_short_cannot_be_hidden() {
        for (secret, hidden) in
            [("abc", false), ("é", false), ("abcd", true), ("[RED", false), ("a b c", true)]
        {
            assert_eq!(can_be_hidden(secret), hidden, "{secret}");
        }
    }
}
