//! From a server's answer to what the model reads: texts joined, structure kept, large parts behind handles.

use hermes_core::{CallContext, ErrorCode, ToolError};
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde_json::{Map, Value, json};

use crate::client::flagged;
use crate::promise::Promise;
use crate::text::{flags, visible_texts};

/// Bytes of text that are looked through at once.
const AT_ONCE: usize = 64 * 1024;

/// The value of a finished call, or the error the tool itself reported. A promise about results does not hold for errors.
pub(crate) async fn outcome(
    result: CallToolResult,
    promise: Option<&Promise>,
    cx: &CallContext,
) -> Result<Value, ToolError> {
    let mut texts = Vec::new();
    let mut attachments = Vec::new();
    for block in result.content {
        match block {
            ContentBlock::Text(text) => texts.push(text.text),
            ContentBlock::Image(image) => {
                attachments.push(attach("image", Some(image.mime_type), image.data, None, cx).await);
            }
            ContentBlock::Audio(audio) => {
                attachments.push(attach("audio", Some(audio.mime_type), audio.data, None, cx).await);
            }
            ContentBlock::Resource(resource) => attachments.push(content(resource.resource, cx).await),
            ContentBlock::ResourceLink(link) => {
                let mut shown = json!({"type": "resource_link", "uri": link.uri, "name": link.name});
                let more =
                    [("title", link.title), ("description", link.description), ("mime_type", link.mime_type)];
                for (key, text) in more {
                    if let (Some(text), Value::Object(fields)) = (text, &mut shown) {
                        fields.insert(key.to_owned(), text.into());
                    }
                }
                attachments.push(shown);
            }
            _ => texts.push("[content of an unknown kind]".to_owned()),
        }
    }
    let text = texts.join("\n");
    let size = text.len() + result.structured_content.as_ref().map_or(0, size_of);
    if result.is_error == Some(true) {
        return Err(reported(if text.is_empty() { texts_of(&attachments) } else { text }));
    }
    let broken = promise.and_then(|promise| promise.broken_by(result.structured_content.as_ref()));
    let mut fields = Map::new();
    match (text.is_empty(), result.structured_content) {
        (true, Some(structured)) => fields.insert("result".into(), structured),
        (_, None) => fields.insert("result".into(), text.into()),
        (false, Some(structured)) => {
            // Servers repeat the structure as text for old clients; once is enough.
            let parsed = serde_json::from_str::<Value>(&text).ok();
            let said = |part: &Value| parsed.as_ref() == Some(part) || part.as_str() == Some(&text);
            let wrapped = structured.as_object().filter(|fields| fields.len() == 1);
            let wrapped = wrapped.and_then(|fields| fields.get("result"));
            if broken.is_some() {
                // Neither is known to be what was meant.
                fields.insert("result".into(), text.into());
                fields.insert("structured_content".into(), structured)
            } else if said(&structured) {
                fields.insert("result".into(), structured)
            } else if let Some(value) = wrapped.filter(|value| said(value)) {
                fields.insert("result".into(), value.clone())
            } else {
                fields.insert("result".into(), text.into());
                fields.insert("structured_content".into(), structured)
            }
        }
    };
    if !attachments.is_empty() {
        fields.insert("attachments".into(), attachments.into());
    }
    fields.extend(broken.map(|broken| ("schema_mismatch".to_owned(), broken.into())));
    Ok(shown_beside(Value::Object(fields), size).await)
}

/// What resources say that came with an answer.
fn texts_of(attachments: &[Value]) -> String {
    let texts = attachments.iter().filter_map(|attachment| attachment.get("text")?.as_str());
    texts.collect::<Vec<_>>().join("\n")
}

/// The error that the tool itself reported.
fn reported(text: String) -> ToolError {
    let text = if text.is_empty() { "the tool reported an error without a text".to_owned() } else { text };
    flagged(ToolError::new(ErrorCode::ExecFailed, text))
}

/// The contents of a resource that was read.
pub(crate) async fn resources(contents: Vec<ResourceContents>, cx: &CallContext) -> Value {
    let mut all = Vec::new();
    for part in contents {
        all.push(shown(content(part, cx).await));
    }
    json!({ "contents": all })
}

/// A server's answer as it is, with nothing hidden in it. What is odd about its texts stands where clients look for what
/// is not part of the answer.
pub(crate) fn original(answer: Value) -> Value {
    let flags = flags(&answer);
    let mut answer = visible_texts(answer);
    if let (false, Value::Object(fields)) = (flags.is_empty(), &mut answer) {
        let meta = fields.entry("_meta").or_insert_with(|| json!({}));
        if let Value::Object(meta) = meta {
            meta.insert("hermes/flags".to_owned(), flags.into());
        }
    }
    answer
}

/// The same for what may be large: looking through it keeps no call of others waiting.
async fn shown_beside(object: Value, size: usize) -> Value {
    if size <= AT_ONCE {
        return shown(object);
    }
    let looked = tokio::task::spawn_blocking(move || shown(object)).await;
    looked.unwrap_or_else(|_| json!({"result": "[the answer could not be looked through]"}))
}

/// Bytes of all texts.
fn size_of(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(size_of).sum(),
        Value::Object(fields) => fields.iter().map(|(name, field)| name.len() + size_of(field)).sum(),
        _ => 0,
    }
}

/// An object with nothing hidden in it, and with what is odd about its texts.
pub(crate) fn shown(object: Value) -> Value {
    let flags = flags(&object);
    let mut object = visible_texts(object);
    if let (false, Value::Object(fields)) = (flags.is_empty(), &mut object) {
        fields.insert("flags".to_owned(), flags.into());
    }
    object
}

/// A resource with its text, or with what stands for it where it has none.
async fn content(content: ResourceContents, cx: &CallContext) -> Value {
    match content {
        ResourceContents::TextResourceContents { uri, mime_type, text, .. } => {
            let mut fields = Map::from_iter([("type".to_owned(), Value::from("resource"))]);
            fields.insert("uri".into(), uri.into());
            fields.extend(mime_type.map(|kind| ("mime_type".to_owned(), kind.into())));
            fields.insert("text".into(), text.into());
            Value::Object(fields)
        }
        ResourceContents::BlobResourceContents { uri, mime_type, blob, .. } => {
            attach("resource", mime_type, blob, Some(uri), cx).await
        }
        _ => json!({"type": "resource", "text": "[a resource of an unknown kind]"}),
    }
}

/// Data that no model reads as text goes behind a handle.
async fn attach(
    kind: &str,
    mime_type: Option<String>,
    base64: String,
    uri: Option<String>,
    cx: &CallContext,
) -> Value {
    let mut shown = Map::from_iter([("type".to_owned(), Value::from(kind))]);
    shown.extend(mime_type.clone().map(|mime| ("mime_type".to_owned(), mime.into())));
    shown.extend(uri.map(|uri| ("uri".to_owned(), uri.into())));
    shown.insert("base64_chars".into(), base64.len().into());
    let stored = visible_texts(json!({"type": kind, "mime_type": mime_type, "data": base64}));
    if let Ok(results) = cx.ports().results()
        && let Ok(id) = results.put(&cx.session().id, &stored).await
    {
        shown.insert("handle".into(), format!("{}{id}", hermes_core::handle::SCHEME).into());
    }
    Value::Object(shown)
}
