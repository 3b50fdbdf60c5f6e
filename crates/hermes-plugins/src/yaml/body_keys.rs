//! `body`: a shape with typed places. A text that is one place becomes the value itself; within longer
//! text a value becomes text. What comes out is written as JSON or as a form, so it cannot break out.

use hermes_core::yaml::{Kind, Node, Reader};
use serde_json::{Map, Value};

use super::spec::BodyTemplate;
use super::template::{Arguments, Template, as_it_is};

pub(super) fn body(reader: &mut Reader, node: &Node) -> BodyTemplate {
    match &node.kind {
        Kind::List(items) => BodyTemplate::List(items.iter().map(|item| body(reader, item)).collect()),
        Kind::Map(entries) => BodyTemplate::Table(
            entries.iter().map(|(key, value)| (key.name.clone(), body(reader, value))).collect(),
        ),
        Kind::Scalar { text, .. } if node.to_value().is_string() => match Template::parse(text) {
            Ok(template) => BodyTemplate::Text(template),
            Err(why) => {
                reader.error(node.at, why, None);
                BodyTemplate::Value(Value::Null)
            }
        },
        _ => BodyTemplate::Value(node.to_value()),
    }
}

impl BodyTemplate {
    /// Adds the parameters it speaks of.
    pub(crate) fn names(&self, into: &mut Vec<String>) {
        match self {
            BodyTemplate::Value(_) => {}
            BodyTemplate::Text(template) => into.extend(template.names().map(str::to_owned)),
            BodyTemplate::List(items) => items.iter().for_each(|item| item.names(into)),
            BodyTemplate::Table(entries) => entries.iter().for_each(|(_, value)| value.names(into)),
        }
    }

    /// The value of one call; `None` where an argument was not given, and its key is then left out.
    pub(crate) fn render(&self, arguments: &Arguments) -> Option<Value> {
        match self {
            BodyTemplate::Value(value) => Some(value.clone()),
            BodyTemplate::Text(template) => match template.whole() {
                Some(name) => arguments.get(name).filter(|value| !value.is_null()).cloned(),
                None => template.render(arguments, as_it_is).map(Value::String),
            },
            BodyTemplate::List(items) => {
                Some(Value::Array(items.iter().filter_map(|item| item.render(arguments)).collect()))
            }
            BodyTemplate::Table(entries) => {
                let given =
                    entries.iter().filter_map(|(key, value)| Some((key.clone(), value.render(arguments)?)));
                Some(Value::Object(given.collect::<Map<_, _>>()))
            }
        }
    }
}
