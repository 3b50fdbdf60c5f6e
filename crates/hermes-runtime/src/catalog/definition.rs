//! From a tool's own description to the object a provider accepts.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, LazyLock, OnceLock};

use hermes_core::schema::{Provider, normalise, surely_fits};
use hermes_core::{AnyTool, SchemaOverride, ToolInfo};
use serde_json::Value;

/// Which of a tool's names the model is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Naming {
    #[default]
    Hermes,
    Chapter18,
}

impl Naming {
    pub fn shown_name(self, info: &ToolInfo) -> &str {
        match (self, &info.chapter_name) {
            (Naming::Chapter18, Some(name)) => name,
            _ => &info.name,
        }
    }
}

type Make = Box<dyn FnOnce() -> Value + Send>;

/// The object that describes a tool to a provider. Made at the first look at it and shared by all who
/// hold it; a clone is a pointer.
#[derive(Clone)]
pub struct Definition(Arc<LazyLock<Value, Make>>);

impl Definition {
    fn later(make: impl FnOnce() -> Value + Send + 'static) -> Self {
        Definition(Arc::new(LazyLock::new(Box::new(make))))
    }

    pub(crate) fn now(value: Value) -> Self {
        let definition = Definition::later(move || value);
        LazyLock::force(&definition.0);
        definition
    }
}

impl Deref for Definition {
    type Target = Value;

    fn deref(&self) -> &Value {
        &self.0
    }
}

impl PartialEq for Definition {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || **self == **other
    }
}

impl fmt::Debug for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

type Defined = Result<Definition, String>;

/// The definitions of one registered tool, by provider and naming: one each for all sessions.
pub(crate) struct Definitions {
    shared: [[OnceLock<Defined>; 2]; Provider::ALL.len()],
    /// Whether the schema surely fits every provider.
    fits_all: bool,
}

impl Definitions {
    /// Of a tool that is being registered. Its schema is looked at now: the first look at thousands of tools would
    /// otherwise be busy with little else.
    pub(crate) fn of(info: &ToolInfo) -> Self {
        // This provider asks for all that the others ask for, and for more.
        let fits_all = surely_fits(&info.parameters, Provider::Anthropic);
        Definitions { shared: Default::default(), fits_all }
    }

    /// The definition of a tool as it describes itself, or why it must be kept back.
    pub(super) fn get(&self, tool: &Arc<dyn AnyTool>, provider: Provider, naming: Naming) -> Defined {
        let by_naming = Provider::ALL.iter().zip(&self.shared).find(|(known, _)| **known == provider);
        let place = by_naming.map(|(_, [hermes, chapter])| match naming {
            Naming::Chapter18 if tool.info().chapter_name.is_some() => chapter,
            Naming::Hermes | Naming::Chapter18 => hermes,
        });
        match place {
            Some(place) => place.get_or_init(|| self.describe(tool, provider, naming)).clone(),
            None => self.describe(tool, provider, naming),
        }
    }

    fn describe(&self, tool: &Arc<dyn AnyTool>, provider: Provider, naming: Naming) -> Defined {
        let info = tool.info();
        match self.fits_all || surely_fits(&info.parameters, provider) {
            true => Ok(describe_later(tool, provider, naming)),
            false => define(info, provider, naming, None).map(Definition::now),
        }
    }
}

fn describe_later(tool: &Arc<dyn AnyTool>, provider: Provider, naming: Naming) -> Definition {
    let tool = Arc::clone(tool);
    Definition::later(move || {
        let info = tool.info();
        define(info, provider, naming, None).unwrap_or_else(|cause| {
            tracing::error!(tool = %info.name, %cause, "a schema that surely fits did not");
            wrap(provider, naming.shown_name(info), &info.description, object([("type", "object".into())]))
        })
    })
}

/// The definition of a tool that describes itself differently in this session.
pub(super) fn redefine(
    info: &ToolInfo,
    provider: Provider,
    naming: Naming,
    changed: SchemaOverride,
) -> Defined {
    define(info, provider, naming, Some(changed)).map(Definition::now)
}

fn define(
    info: &ToolInfo,
    provider: Provider,
    naming: Naming,
    changed: Option<SchemaOverride>,
) -> Result<Value, String> {
    let changed = changed.unwrap_or_default();
    let description = changed.description.as_deref().unwrap_or(&info.description);
    let parameters = normalise(changed.parameters.as_ref().unwrap_or(&info.parameters), provider)?;
    Ok(wrap(provider, naming.shown_name(info), description, parameters))
}

/// The provider's envelope around name, description and parameters.
pub fn wrap(provider: Provider, name: &str, description: &str, parameters: Value) -> Value {
    let schema = if provider == Provider::Anthropic { "input_schema" } else { "parameters" };
    // Moved in: `json!` would copy the parameters once more.
    let tool = object([("name", name.into()), ("description", description.into()), (schema, parameters)]);
    match provider {
        Provider::Anthropic | Provider::Gemini => tool,
        Provider::OpenAi | Provider::Generic => object([("type", "function".into()), ("function", tool)]),
    }
}

fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    Value::Object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}
