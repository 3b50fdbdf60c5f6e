//! `hermes policy test`.

use std::collections::BTreeMap;
use std::path::Path;

use hermes_core::{Decision, Verdict};
use hermes_policy::profile::Engine;
use serde_json::{Value, json};

use super::cases::Case;
use super::shadow::shadow;
use super::show::word;
use super::subject::identity;
use crate::app::App;
use crate::commands::run::read_text;
use crate::failure::{Failure, exit};
use crate::render::{Style, print_json, print_text};

/// How a case came out.
struct Ran {
    name: String,
    expected: Verdict,
    wanted_rule: Option<String>,
    found: Result<Decision, Failure>,
    shadow: Option<Decision>,
}

/// The policies that cases ask for, by profile.
#[derive(Default)]
struct Engines(BTreeMap<Option<String>, (Engine, Option<Engine>)>);

pub(super) async fn run(
    file: &Path,
    other: Option<&Path>,
    app: &App,
    json: bool,
    style: Style,
) -> Result<u8, Failure> {
    let cases = Case::read_all(&file.display().to_string(), &read_text(file)?)?;
    // Another policy that cannot be used is no fault of the cases.
    other.map(|file| shadow(file, None, app)).transpose()?;
    let mut engines = Engines::default();
    let mut ran = Vec::new();
    for case in cases {
        ran.push(judge(case, other, app, &mut engines).await);
    }
    let held = ran.iter().filter(|ran| ran.holds()).count();
    if json {
        let rows: Vec<Value> = ran.iter().map(Ran::as_json).collect();
        print_json(&json!({"ok": held == ran.len(), "held": held, "cases": rows}))?;
    } else {
        let text: String = ran.iter().map(|ran| ran.as_text(style)).collect();
        let sum = format!("{held} of {} cases hold", ran.len());
        let sum = if held == ran.len() { style.good(&sum) } else { style.bad(&sum) };
        print_text(&format!("{text}{sum}\n"))?;
    }
    Ok(if held == ran.len() { exit::OK } else { exit::TOOL_FAILED })
}

async fn judge(case: Case, other: Option<&Path>, app: &App, engines: &mut Engines) -> Ran {
    let (name, expected, wanted_rule) = (case.name.clone(), case.expect.into(), case.rule.clone());
    let (actor, profile) = (case.actor.clone(), case.profile.clone());
    let session = app.session(None);
    let judged = async {
        let preview = case.preview(app, &session).await?;
        let identity = identity(&session, actor.as_deref());
        let (engine, shadow) = engines.of(profile, other, app)?;
        let request = preview.request(&identity);
        Ok((
            engine.explain(&request).decision,
            shadow.as_ref().map(|shadow| shadow.explain(&request).decision),
        ))
    };
    let (found, shadow) = match judged.await {
        Ok((decision, shadow)) => (Ok(decision), shadow),
        Err(failure) => (Err(failure), None),
    };
    Ran { name, expected, wanted_rule, found, shadow }
}

impl Engines {
    fn of(
        &mut self,
        profile: Option<String>,
        other: Option<&Path>,
        app: &App,
    ) -> Result<&(Engine, Option<Engine>), Failure> {
        if !self.0.contains_key(&profile) {
            let maker = app.policy.maker();
            let engine = maker
                .build(&maker.texts()?, profile.as_deref())
                .map_err(|problems| Failure::policy(&problems))?;
            let other = other.map(|file| shadow(file, profile.as_deref(), app)).transpose()?;
            self.0.insert(profile.clone(), (engine, other));
        }
        self.0.get(&profile).ok_or_else(|| Failure::usage("the policy could not be built"))
    }
}

impl Ran {
    fn holds(&self) -> bool {
        self.found.as_ref().is_ok_and(|decision| {
            decision.verdict == self.expected
                && self.wanted_rule.as_ref().is_none_or(|rule| decision.rule.contains(rule.as_str()))
        })
    }

    fn differing(&self) -> Option<&Decision> {
        let found = self.found.as_ref().ok()?;
        self.shadow.as_ref().filter(|shadow| shadow.verdict != found.verdict)
    }

    fn as_text(&self, style: Style) -> String {
        let mut text = String::new();
        if !self.holds() {
            text.push_str(&format!("{} {}\n", style.bad("✗"), self.name));
            let rule = self.wanted_rule.as_ref().map(|rule| format!(" by {rule}")).unwrap_or_default();
            text.push_str(&format!("  expected {}{rule}\n", word(self.expected)));
            match &self.found {
                Ok(found) => {
                    text.push_str(&format!("  got      {} by {}\n", word(found.verdict), found.rule));
                    text.push_str(&format!("           {}\n", found.reason));
                }
                Err(failure) => text.push_str(&format!("  got      no judgement: {}\n", failure.message)),
            }
        }
        if let Some(shadow) = self.differing() {
            let mark = style.warning("≠");
            text.push_str(&format!(
                "{mark} {}: the other policy says {} by {}\n",
                self.name,
                word(shadow.verdict),
                shadow.rule
            ));
        }
        text
    }

    fn as_json(&self) -> Value {
        let mut row = json!({"name": self.name, "holds": self.holds(), "expected": self.expected, "rule": self.wanted_rule});
        if let Value::Object(row) = &mut row {
            match &self.found {
                Ok(decision) => row.insert("decision".to_owned(), json!(decision)),
                Err(failure) => row.insert("error".to_owned(), json!(failure.message)),
            };
            if let Some(shadow) = &self.shadow {
                row.insert(
                    "shadow".to_owned(),
                    json!({"differs": self.differing().is_some(), "decision": shadow}),
                );
            }
        }
        row
    }
}
