//! The schema as a tree that the checks, the key lookup and the docs can walk.

use std::sync::LazyLock;

use serde_json::Value;

use super::json_schema::schema;
use super::key::{KeyPath, Step};

/// What a value must look like.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// Fixed keys.
    Table(Vec<Field>),
    /// Free keys, values alike.
    Map(Box<Shape>),
    List {
        item: Box<Shape>,
        least: u64,
        format: Option<String>,
    },
    Text(TextRule),
    Whole {
        min: u64,
        max: Option<u64>,
    },
    Switch,
    /// May be left empty.
    Optional(Box<Shape>),
    Either(Vec<Shape>),
}

/// The rules of a text.
#[derive(Clone, Debug, Default)]
pub(super) struct TextRule {
    pub(super) allowed: Vec<String>,
    pub(super) may_be_empty: bool,
    pub(super) pattern: Option<String>,
    pub(super) format: Option<String>,
}

/// A key of a table.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) doc: String,
    pub(super) default: Option<Value>,
    pub(super) required: bool,
    pub(super) shape: Shape,
}

static ROOT: LazyLock<Shape> = LazyLock::new(|| Shape::read(&schema()));

impl Shape {
    /// The shape of the whole configuration.
    pub(super) fn root() -> &'static Shape {
        &ROOT
    }

    fn read(schema: &Value) -> Shape {
        let types = type_names(schema);
        let nullable = types.contains(&"null");
        if let Some(branches) = schema.get("anyOf").and_then(Value::as_array) {
            return Self::read_branches(branches);
        }
        let shape = match types.iter().find(|name| **name != "null") {
            Some(&"object") => Self::read_object(schema),
            Some(&"array") => Shape::List {
                item: Box::new(schema.get("items").map_or(Shape::Text(TextRule::default()), Self::read)),
                least: schema.get("minItems").and_then(Value::as_u64).unwrap_or(0),
                format: text_of(schema, "format"),
            },
            Some(&"integer") => Shape::Whole {
                min: schema.get("minimum").and_then(Value::as_u64).unwrap_or(0),
                max: schema.get("maximum").and_then(Value::as_u64),
            },
            Some(&"boolean") => Shape::Switch,
            _ => Shape::Text(TextRule {
                allowed: schema.get("enum").map(texts).unwrap_or_default(),
                may_be_empty: schema.get("minLength").is_none(),
                pattern: text_of(schema, "pattern"),
                format: text_of(schema, "format"),
            }),
        };
        if nullable { Shape::Optional(Box::new(shape)) } else { shape }
    }

    fn read_branches(branches: &[Value]) -> Shape {
        let (empty, full): (Vec<_>, Vec<_>) =
            branches.iter().partition(|branch| type_names(branch).iter().all(|name| *name == "null"));
        let mut shapes: Vec<Shape> = full.into_iter().map(Self::read).collect();
        let shape = if shapes.len() == 1 { shapes.pop() } else { None }.unwrap_or(Shape::Either(shapes));
        if empty.is_empty() { shape } else { Shape::Optional(Box::new(shape)) }
    }

    fn read_object(schema: &Value) -> Shape {
        if let Some(values) = schema.get("additionalProperties").filter(|values| values.is_object()) {
            return Shape::Map(Box::new(Self::read(values)));
        }
        let required = schema.get("required").map(texts).unwrap_or_default();
        let fields = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        Shape::Table(
            fields
                .map(|(name, field)| Field {
                    name: name.clone(),
                    doc: text_of(field, "description").unwrap_or_default(),
                    default: field.get("default").cloned(),
                    required: required.contains(name),
                    shape: Self::read(field),
                })
                .collect(),
        )
    }

    /// The shape one step down, if there is such a step.
    pub(super) fn step(&self, step: &Step) -> Option<&Shape> {
        match (self, step) {
            (Shape::Table(fields), Step::Name(name)) => {
                fields.iter().find(|field| field.name == *name).map(|field| &field.shape)
            }
            (Shape::Map(values), Step::Name(_)) => Some(values),
            (Shape::List { item, .. }, Step::Index(_)) => Some(item),
            (Shape::Optional(inner), _) => inner.step(step),
            (Shape::Either(shapes), _) => shapes.iter().find_map(|shape| shape.step(step)),
            _ => None,
        }
    }

    /// The shape at a key.
    pub(super) fn at_key(&self, key: &KeyPath) -> Option<&Shape> {
        key.steps().iter().try_fold(self, |shape, step| shape.step(step))
    }

    /// The fixed keys right below this shape, also where it may be a single value instead.
    pub(super) fn fields(&self) -> &[Field] {
        match self {
            Shape::Table(fields) => fields,
            Shape::Either(shapes) => {
                shapes.iter().map(Shape::fields).find(|fields| !fields.is_empty()).unwrap_or_default()
            }
            _ => &[],
        }
    }

    /// Every fixed key below this shape, dotted, parents before children.
    pub(super) fn keys(&self, prefix: &KeyPath) -> Vec<String> {
        self.fields()
            .iter()
            .flat_map(|field| {
                let key = prefix.join(&field.name);
                let mut keys = vec![key.to_string()];
                keys.extend(field.shape.keys(&key));
                keys
            })
            .collect()
    }
}

fn type_names(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(name)) => vec![name.as_str()],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn text_of(schema: &Value, keyword: &str) -> Option<String> {
    schema.get(keyword).and_then(Value::as_str).map(str::to_owned)
}
