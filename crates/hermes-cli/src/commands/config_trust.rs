//! `hermes config trust`: a project's file as it is, what it would do, and the user's word on exactly that.

use std::collections::BTreeSet;
use std::path::PathBuf;

use hermes_core::text::visible;
use hermes_host::Env;
use hermes_host::home::Home;
use hermes_runtime::config::{Config, Layer, Origin};
use serde_json::{Value, json};

use super::project_effect::{Effect, effects};
use crate::app::{GlobalOptions, TrustStore, agrees, digest};
use crate::failure::Failure;
use crate::render::{Style, print_json, print_text};

/// The project file's text and what to call it, if the project has one.
fn project(options: &GlobalOptions) -> Result<(Home, PathBuf, Option<String>), Failure> {
    let env = Env::of_process();
    let home = match options.home_folder() {
        Some(root) => Home::at(std::path::absolute(root).map_err(Failure::io("--home"))?),
        None => Home::resolve(&env)?,
    };
    let cwd = match &options.cwd {
        Some(cwd) => cwd.clone(),
        None => std::env::current_dir().map_err(Failure::io("the working folder"))?,
    };
    let path = cwd.join(".hermes").join("config.yaml");
    let text = std::fs::read_to_string(&path).ok();
    Ok((home, path, text))
}

pub(super) fn trust(
    show: bool,
    seen: Option<&str>,
    options: &GlobalOptions,
    style: Style,
) -> Result<(), Failure> {
    let (home, path, text) = project(options)?;
    let Some(text) = text else {
        return Err(Failure::usage(format!("there is no project configuration at {}", path.display())));
    };
    // Agreeing to a file that cannot be used would only hide the mistake.
    let theirs = Layer::new(Origin::ProjectFile(path.clone()), text.clone());
    Config::load(std::slice::from_ref(&theirs), &[], &[]).map_err(Failure::config)?;
    let file = home.config_file();
    let own = std::fs::read_to_string(&file).ok().map(|text| Layer::new(Origin::UserFile(file), text));
    let before: Vec<Layer> = own.into_iter().collect();
    let after: Vec<Layer> = before.iter().cloned().chain([theirs]).collect();
    let load = |layers: &[Layer]| Config::load(layers, &[], &[]).map_err(Failure::config);
    let effects = effects(&load(&before)?, &load(&after)?);

    let (name, digest) = (path.display().to_string(), digest(&text));
    if !options.json {
        print_text(&page(&name, &text, &effects, style))?;
    }
    if seen.is_some_and(|seen| !seen.eq_ignore_ascii_case(&digest)) {
        return Err(Failure::answer_is_no("nothing was trusted: the file is another one by now")
            .with_hint("'hermes config trust --show' shows what it is."));
    }
    // What was read is what is agreed to, whatever the file holds by now.
    let agreed = !show && (options.json || agrees("Agree to exactly this? [y/N] "));
    if agreed {
        TrustStore::of(&home).add(&digest, &name)?;
    }
    if options.json {
        let effects: Vec<Value> = effects.into_iter().map(|effect| effect.json).collect();
        return print_json(&json!({
            "file": name, "digest": digest, "content": text, "effects": effects, "trusted": agreed,
        }));
    }
    match (agreed, show) {
        (true, _) => print_text(&format!("{} {name} as shown\n", style.good("trusted"))),
        (false, true) => Ok(()),
        (false, false) => Err(Failure::answer_is_no("nothing was trusted")),
    }
}

/// The file line by line, and what it comes to.
fn page(name: &str, text: &str, effects: &[Effect], style: Style) -> String {
    let mut page = format!("{}\n", style.accent(&visible(name)));
    for line in text.lines() {
        page.push_str(&format!("{} {}\n", style.dim("  |"), visible(line)));
    }
    page.push_str(if effects.is_empty() { "It changes nothing.\n" } else { "With it, Hermes\n" });
    for effect in effects {
        page.push_str(&format!("  {}\n", effect.line));
    }
    page
}

pub(super) fn untrust(options: &GlobalOptions, style: Style) -> Result<(), Failure> {
    let (home, path, text) = project(options)?;
    let digests: BTreeSet<String> = text.iter().map(digest).collect();
    let known = TrustStore::of(&home).remove(&digests)?;
    let state = if known { style.good("no longer trusted") } else { style.dim("was not trusted") };
    print_text(&format!("{} {state}\n", path.display()))
}
