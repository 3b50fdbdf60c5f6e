//! Registering, checking and removing files of tools.

use std::path::{Component, Path, PathBuf};

use hermes_plugins::yaml::{ToolSpec, YamlFile};
use hermes_plugins::{Registered, RegisteredFile, clash_text, clashes};
use hermes_runtime::registry::Set;
use serde_json::json;

use crate::app::{Surroundings, registry};
use crate::failure::{Failure, exit};
use crate::render::{Style, print_json, print_text};

pub(super) async fn register(
    config: &Path,
    overriding: bool,
    surroundings: &Surroundings,
    json: bool,
    style: Style,
) -> Result<u8, Failure> {
    let path = found(config, surroundings)?;
    let tools = read(&path, surroundings)?;
    let registered = Registered::of(&surroundings.home);
    let path = registered.find(&path)?.map_or(path, |known| known.path);
    let mut file = RegisteredFile::agreeing(path.clone(), &tools);
    if overriding {
        file = file.overriding(&tools);
    }
    refuse_taken_names(&file, &tools, surroundings).await?;
    registered.add(file.clone())?;
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
    if json {
        print_json(&json!({"file": path, "tools": names, "secrets": file.agreed}))?;
        return Ok(exit::OK);
    }
    print_text(&format!("{} {} from {}\n", style.good("registered"), names.join(", "), path.display()))?;
    for (variable, destination) in &file.agreed {
        let state = match surroundings.host.keys.get(variable) {
            Some(_) => String::new(),
            None => format!(" ({})", style.warning("not set: 'hermes setup' asks for it")),
        };
        print_text(&format!("  {variable} goes to {destination}{state}\n"))?;
    }
    Ok(exit::OK)
}

/// A name that somebody else's tool has would be refused later, by every run; better said now.
async fn refuse_taken_names(
    file: &RegisteredFile,
    tools: &[ToolSpec],
    surroundings: &Surroundings,
) -> Result<(), Failure> {
    let others =
        Registered::of(&surroundings.home).files()?.into_iter().filter(|other| other.path != file.path);
    let others: Vec<Vec<ToolSpec>> =
        others.filter_map(|other| read_known(&other.path, surroundings).ok()).collect();
    let clashes = clashes(others.iter().map(Vec::as_slice).chain([tools]));
    if let Some((name, places)) =
        clashes.iter().find(|(name, _)| tools.iter().any(|tool| tool.name == **name))
    {
        return Err(Failure::answer_is_no(clash_text(name, places)));
    }
    let (registry, _) = registry(surroundings).await?;
    let made = hermes_plugins::yaml::tools(
        tools.to_vec(),
        &surroundings.host,
        &hermes_plugins::yaml::Consent::to_everything(),
    );
    let set = Set { may_take: file.may_take(tools), ..Set::new(YamlFile::owner_of(&file.path), made) };
    match registry.replace_sets(vec![set]).refused.first() {
        Some(refused) => Err(Failure::answer_is_no(refused.error.to_string()).with_hint(
            "a tool with 'override: true' may stand in for another if it is registered with --override",
        )),
        None => Ok(()),
    }
}

fn read_known(path: &Path, surroundings: &Surroundings) -> Result<Vec<ToolSpec>, String> {
    YamlFile::read(path, &path.display().to_string(), &surroundings.host)
}

pub(super) fn validate(
    file: &Path,
    surroundings: &Surroundings,
    json: bool,
    style: Style,
) -> Result<u8, Failure> {
    found(file, surroundings)?;
    let tools = read(file, surroundings)?;
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
    if json {
        print_json(&json!({"file": file, "valid": true, "tools": names}))?;
    } else {
        print_text(&format!("{} {}: {}\n", style.good("valid"), file.display(), names.join(", ")))?;
    }
    Ok(exit::OK)
}

pub(super) fn remove(file_or_tool: &str, surroundings: &Surroundings) -> Result<u8, Failure> {
    let registered = Registered::of(&surroundings.home);
    let path = surroundings.cwd.join(file_or_tool);
    let path = named(&path).unwrap_or(path);
    let names = |file: &RegisteredFile| -> Vec<String> {
        let tools = YamlFile::read(&file.path, "", &surroundings.host).unwrap_or_default();
        tools.into_iter().map(|tool| tool.name).collect()
    };
    let holds = |file: &RegisteredFile| names(file).iter().any(|name| name == file_or_tool);
    let known = match registered.find(&path)? {
        Some(file) => Some(file),
        None => registered.files()?.into_iter().find(holds),
    };
    let Some(file) = known else {
        return Err(Failure::answer_is_no(format!(
            "no registered file is '{file_or_tool}' or holds such a tool"
        ))
        .with_hint("'hermes tool list' shows what is registered"));
    };
    registered.remove(&file.path)?;
    // The others of the file go too, and whoever named one tool should know.
    let gone = names(&file);
    let gone = if gone.is_empty() { String::new() } else { format!("{} from ", gone.join(", ")) };
    print_text(&format!("removed {gone}{}\n", file.path.display()))?;
    Ok(exit::OK)
}

/// The file, which is there, by the name it was given. Links stay: whoever exchanges one means another file.
pub(super) fn found(file: &Path, surroundings: &Surroundings) -> Result<PathBuf, Failure> {
    let path = surroundings.cwd.join(file);
    path.metadata().and_then(|_| named(&path)).map_err(Failure::io(&path.display().to_string()))
}

/// A path without parts that lead up; what is before such a part is resolved as the system does it.
fn named(path: &Path) -> std::io::Result<PathBuf> {
    let mut named = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => named = named.join("..").canonicalize()?,
            Component::CurDir => {}
            part => named.push(part),
        }
    }
    Ok(named)
}

/// The tools of a file; what is wrong with it goes to the user line by line.
pub(super) fn read(file: &Path, surroundings: &Surroundings) -> Result<Vec<ToolSpec>, Failure> {
    let path = surroundings.cwd.join(file);
    YamlFile::read(&path, &file.display().to_string(), &surroundings.host).map_err(Failure::answer_is_no)
}
