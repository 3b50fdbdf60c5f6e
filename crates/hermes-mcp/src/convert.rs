//! From a server's answer to what the model reads: texts joined, structure kept, large parts behind handles.

use hermes_core::{CallContext, ErrorCode, ToolError};
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde_json::{Map, Value, json};

use crate::text::scan;

/// The value of a finished call, or the error the tool itself reported.
pub(crate) async fn outcome(result: CallToolResult, cx: &CallContext) -> Result<Value, ToolError> {
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
                attachments.push(json!({"type": "resource_link", "uri": link.uri, "name": link.name}));
            }
            _ => texts.push("[content of an unknown kind]".to_owned()),
        }
    }
    let text = visible(&texts.join("\n"));
    if result.is_error == Some(true) {
        let message =
            if text.is_empty() { "the tool reported an error without a text".to_owned() } else { text };
        return Err(ToolError::new(ErrorCode::ExecFailed, message));
    }
    let flags = flags(&text);
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
            if said(&structured) {
                fields.insert("result".into(), structured)
            } else if let Some(value) = wrapped.filter(|value| said(value)) {
                fields.insert("result".into(), value.clone())
            } else {
                fields.insert("result".into(), text.into());
                fields.insert("structured_content".into(), structured)
            }
        }
    };
    if !flags.is_empty() {
        fields.insert("flags".into(), flags.into());
    }
    if !attachments.is_empty() {
        fields.insert("attachments".into(), attachments.into());
    }
    Ok(Value::Object(fields))
}

/// The contents of a resource that was read.
pub(crate) async fn resources(contents: Vec<ResourceContents>, cx: &CallContext) -> Value {
    let mut shown = Vec::new();
    for part in contents {
        shown.push(content(part, cx).await);
    }
    json!({ "contents": shown })
}

/// A resource with its text, or with what stands for it where it has none.
async fn content(content: ResourceContents, cx: &CallContext) -> Value {
    match content {
        ResourceContents::TextResourceContents { uri, mime_type, text, .. } => {
            let mut shown = Map::from_iter([("type".to_owned(), Value::from("resource"))]);
            shown.insert("uri".into(), visible(&uri).into());
            shown.extend(mime_type.map(|kind| ("mime_type".to_owned(), visible(&kind).into())));
            let text = visible(&text);
            let flags = flags(&text);
            shown.insert("text".into(), text.into());
            shown.extend((!flags.is_empty()).then(|| ("flags".to_owned(), flags.into())));
            Value::Object(shown)
        }
        ResourceContents::BlobResourceContents { uri, mime_type, blob, .. } => {
            attach("resource", mime_type, blob, Some(uri), cx).await
        }
        _ => json!({"type": "resource", "text": "[a resource of an unknown kind]"}),
    }
}

/// What is hidden in a text or instructs its reader. For whoever reads the answer: no text in it has any say in what
/// may be done.
fn flags(text: &str) -> Vec<String> {
    let mut flags: Vec<String> = scan("result", text).into_iter().map(|finding| finding.what).collect();
    flags.dedup();
    flags
}

/// The value with nothing hidden in any of its texts.
pub(crate) fn visible_texts(value: Value) -> Value {
    match value {
        Value::String(text) => visible(&text).into(),
        Value::Array(items) => items.into_iter().map(visible_texts).collect(),
        Value::Object(fields) => {
            Value::Object(fields.into_iter().map(|(name, field)| (name, visible_texts(field))).collect())
        }
        other => other,
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
    let stored = json!({"type": kind, "mime_type": mime_type, "data": base64});
    if let Ok(results) = cx.ports().results()
        && let Ok(id) = results.put(&cx.session().id, &stored).await
    {
        shown.insert("handle".into(), format!("{}{id}", hermes_core::handle::SCHEME).into());
    }
    Value::Object(shown)
}

fn visible(text: &str) -> String {
    hermes_core::text::visible(text)
}
