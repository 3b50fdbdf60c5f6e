//! The `permissions` section of the configuration, every value with the place that set it.

use hermes_policy::command::{Class, UserRule, UserRules};
use hermes_policy::paths::lexical;
use hermes_policy::profile::{At, ConfigLevel, Ground, Place};
use hermes_runtime::config::{DangerousClass, DangerousPattern, Loaded, Spot};

use crate::app::Surroundings;
use crate::failure::Failure;

pub(super) fn config_level(surroundings: &Surroundings, ground: &Ground) -> Result<ConfigLevel, Failure> {
    let permissions = &surroundings.config().permissions;
    let texts = |key: &str, texts: &[String]| -> Vec<At<String>> {
        let at = |index| place_of(&surroundings.loaded, &format!("permissions.{key}[{index}]"));
        texts.iter().enumerate().map(|(index, text)| At { value: text.clone(), at: at(index) }).collect()
    };
    // By their letters: a link that somebody puts in the place of an allowed folder allows nothing else.
    let folders = |key: &str, folders: &[String]| {
        let resolve = |text: At<String>| match lexical(&text.value, &ground.home, &ground.cwd) {
            Ok(value) => Ok(At { value, at: text.at }),
            Err(why) => Err(Failure::usage(format!("{}: {why}", text.at))),
        };
        texts(key, folders).into_iter().map(resolve).collect::<Result<Vec<_>, Failure>>()
    };
    Ok(ConfigLevel {
        allow: texts("allow", &permissions.allow),
        deny: texts("deny", &permissions.deny),
        ask: texts("ask", &permissions.ask),
        read_roots: folders("read_roots", &permissions.read_roots)?,
        write_roots: folders("write_roots", &permissions.write_roots)?,
        protected_paths: texts("protected_paths", &permissions.protected_paths),
    })
}

/// The commands that the user wants asked about or denied, each proved by its own examples.
pub(crate) fn dangerous_commands(surroundings: &Surroundings) -> Result<UserRules, Failure> {
    let rule = |pattern: &DangerousPattern| UserRule {
        name: pattern.name.clone(),
        program: pattern.program.clone(),
        pattern: pattern.pattern.clone(),
        class: match pattern.class {
            DangerousClass::Ask => Class::Ask,
            DangerousClass::Deny => Class::Deny,
        },
        category: pattern.category.clone().unwrap_or_else(|| "user_rule".to_owned()),
        reason: pattern.reason.clone(),
        matches: pattern.matches.clone(),
        pass: pattern.pass.clone(),
    };
    let patterns = &surroundings.config().permissions.dangerous_patterns;
    let place = place_of(&surroundings.loaded, "permissions.dangerous_patterns").to_string();
    UserRules::check(&place, patterns.iter().map(rule).collect())
        .map_err(|error| Failure::usage(error.to_string()))
}

/// Where a key got its value.
pub(super) fn place_of(loaded: &Loaded, key: &str) -> Place {
    match loaded.why(key).map(|why| why.origin) {
        Ok(place) => match place.spot {
            Some(Spot::Text { line, column }) => {
                Place { file: place.origin.to_string().into(), line, column }
            }
            _ => Place::whole(place.to_string()),
        },
        Err(_) => Place::whole("defaults"),
    }
}
