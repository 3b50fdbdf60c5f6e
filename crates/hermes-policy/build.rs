//! People write the rules about commands in YAML; the program gets them as JSON, since whoever judges a first command
//! waits until they are read.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use serde_json::{Map, Value};

const RULES: &str = "src/command/rules";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed={RULES}");
    let mut rules = Map::new();
    gather(Path::new(RULES), &mut rules)?;
    let folder = env::var_os("OUT_DIR").map(PathBuf::from).ok_or("OUT_DIR is not set")?;
    fs::write(folder.join("rules.json"), Value::Object(rules).to_string())?;
    Ok(())
}

fn gather(folder: &Path, rules: &mut Map<String, Value>) -> Result<(), Box<dyn Error>> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            gather(&path, rules)?;
            continue;
        }
        let text = fs::read_to_string(&path)?;
        let content =
            serde_saphyr::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        let name = path.strip_prefix(RULES)?.to_str().ok_or("a name that is no text")?;
        rules.insert(name.replace('\\', "/"), content);
    }
    Ok(())
}
