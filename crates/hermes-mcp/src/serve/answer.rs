//! From an outcome to what a client reads: the wire object as structure and as text, and what no text can hold as
//! content of its own.

use hermes_core::{ErrorCode, ToolError, ToolOutcome};
use rmcp::model::{
    CallToolResult, ContentBlock, ErrorData, GetPromptResult, MetaObject, PromptMessage, ReadResourceResult,
    ResourceContents, Role,
};
use serde_json::{Value, json};

use super::backend::Backend;

/// Characters of data that are sent along with one answer; more stays behind its handle.
const MAX_DATA: usize = 8 * 1024 * 1024;
/// Where it is said what is odd about a server's texts.
const FLAGS: &str = "hermes/flags";

/// The outcome, whole: a client that reads structure gets it, others get its text.
pub(super) async fn result(outcome: &ToolOutcome, backend: &dyn Backend) -> CallToolResult {
    let wire = Value::Object(outcome.to_wire());
    let mut content = vec![ContentBlock::text(text(&wire))];
    let mut room = MAX_DATA;
    for attachment in wire.get("attachments").and_then(Value::as_array).into_iter().flatten() {
        content.extend(block(attachment, backend, &mut room).await);
    }
    let mut result = match outcome.is_success() {
        true => CallToolResult::success(content),
        false => CallToolResult::error(content),
    };
    result.structured_content = Some(wire);
    result
}

/// What a client reads that knows no structure. What has a block of its own is not repeated.
fn text(wire: &Value) -> String {
    if wire.get("attachments").is_none() {
        return said(wire);
    }
    let mut wire = wire.clone();
    let attachments = wire.get_mut("attachments").and_then(Value::as_array_mut);
    for attachment in attachments.into_iter().flatten().filter_map(Value::as_object_mut) {
        attachment.retain(|key, value| key != "text" || !value.is_string());
    }
    said(&wire)
}

/// A result alone is itself; anything else is shown as the object it is.
fn said(wire: &Value) -> String {
    let alone = wire.as_object().filter(|fields| fields.len() == 1);
    match alone.and_then(|fields| fields.get("result")) {
        Some(Value::String(text)) => text.clone(),
        Some(result) => result.to_string(),
        None => wire.to_string(),
    }
}

async fn block(attachment: &Value, backend: &dyn Backend, room: &mut usize) -> Option<ContentBlock> {
    let kind = attachment.get("type")?.as_str()?;
    if kind == "resource" {
        return contents_of(attachment, backend, room).await.map(ContentBlock::resource);
    }
    if kind == "resource_link" {
        return link(attachment);
    }
    let (base64, mime_type) = data(attachment, backend, room).await?;
    match kind {
        "image" => Some(ContentBlock::image(base64, mime_type)),
        "audio" => Some(ContentBlock::audio(base64, mime_type)),
        _ => None,
    }
}

fn link(attachment: &Value) -> Option<ContentBlock> {
    let mut block = attachment.clone();
    let fields = block.as_object_mut()?;
    if let Some(kind) = fields.remove("mime_type") {
        fields.insert("mimeType".to_owned(), kind);
    }
    serde_json::from_value(block).ok()
}

/// A resource with its text, or with the data behind its handle.
async fn contents_of(part: &Value, backend: &dyn Backend, room: &mut usize) -> Option<ResourceContents> {
    let uri = part.get("uri").and_then(Value::as_str).unwrap_or_default();
    if let Some(text) = part.get("text") {
        // A text that was too long is an excerpt, with the handle of the whole in it.
        let text = text.as_str().map_or_else(|| text.to_string(), str::to_owned);
        let contents = ResourceContents::text(text, uri);
        let contents = match part.get("mime_type").and_then(Value::as_str) {
            Some(kind) => contents.with_mime_type(kind),
            None => contents,
        };
        return Some(marked_contents(contents, part));
    }
    let (base64, kind) = data(part, backend, room).await?;
    Some(marked_contents(ResourceContents::blob(base64, uri).with_mime_type(kind), part))
}

/// What is odd about a resource stands where clients look for what is not part of it: its text is the server's.
fn marked_contents(contents: ResourceContents, part: &Value) -> ResourceContents {
    let Some(flags) = part.get("flags").filter(|flags| flags.is_array()) else { return contents };
    let mut meta = MetaObject::default();
    meta.0.insert(FLAGS.to_owned(), flags.clone());
    contents.with_meta(meta)
}

async fn data(part: &Value, backend: &dyn Backend, room: &mut usize) -> Option<(String, String)> {
    let stored = backend.stored(part.get("handle")?.as_str()?).await?;
    let base64 = stored.get("data")?.as_str()?;
    *room = room.checked_sub(base64.len())?;
    let kind = stored.get("mime_type").and_then(Value::as_str).unwrap_or("application/octet-stream");
    Some((base64.to_owned(), kind.to_owned()))
}

/// A result that was stored.
pub(super) fn stored(stored: &Value, uri: String) -> ReadResourceResult {
    let text = |key: &str| stored.get(key).and_then(Value::as_str);
    let contents = match (text("data"), text("mime_type")) {
        (Some(base64), Some(kind)) => ResourceContents::blob(base64, uri).with_mime_type(kind),
        _ => ResourceContents::text(stored.to_string(), uri).with_mime_type("application/json"),
    };
    ReadResourceResult::new(vec![contents])
}

/// A resource that was read.
pub(super) async fn contents(
    outcome: &ToolOutcome,
    uri: &str,
    backend: &dyn Backend,
) -> Result<ReadResourceResult, ErrorData> {
    let value = outcome.result.as_ref().map_err(|error| failure(error, Some(uri)))?;
    let Some(parts) = value.get("contents").and_then(Value::as_array) else {
        let whole = ResourceContents::text(value.to_string(), uri).with_mime_type("application/json");
        return Ok(ReadResourceResult::new(vec![whole]));
    };
    let (mut read, mut room) = (Vec::new(), MAX_DATA);
    let mut flags: Vec<Value> = Vec::new();
    for part in parts {
        read.extend(contents_of(part, backend, &mut room).await);
        let odd = part.get("flags").and_then(Value::as_array).into_iter().flatten();
        flags.extend(odd.cloned());
    }
    flags.dedup();
    let mut read = ReadResourceResult::new(read);
    if !flags.is_empty() {
        read.meta.get_or_insert_default().0.insert(FLAGS.to_owned(), flags.into());
    }
    Ok(read)
}

/// A prompt that was filled in; what was too long for that is shown as the excerpt that is left of it.
pub(super) fn prompt(outcome: &ToolOutcome) -> Result<GetPromptResult, ErrorData> {
    let value = outcome.result.as_ref().map_err(|error| failure(error, None))?;
    let whole = serde_json::from_value(marked(value));
    Ok(whole.unwrap_or_else(|_| {
        GetPromptResult::new(vec![PromptMessage::new_text(Role::User, value.to_string())])
    }))
}

/// What is odd about the texts of a prompt stands in front of its description: the messages are the server's.
fn marked(prompt: &Value) -> Value {
    let mut prompt = prompt.clone();
    let Some(fields) = prompt.as_object_mut() else { return prompt };
    if let Some(Value::Array(flags)) = fields.remove("flags") {
        let said = fields.get("description").and_then(Value::as_str).unwrap_or_default();
        let flags: Vec<&str> = flags.iter().filter_map(Value::as_str).collect();
        let text = format!("[flagged: {}] {said}", flags.join("; "));
        fields.insert("description".to_owned(), text.trim_end().into());
    }
    prompt
}

fn failure(error: &ToolError, uri: Option<&str>) -> ErrorData {
    let mut data = uri.map(|uri| json!({ "uri": uri }));
    // The words may be a server's.
    if let Some(flags) = error.data.get("flags") {
        let data = data.get_or_insert_with(|| json!({}));
        data.as_object_mut().map(|data| data.insert(FLAGS.to_owned(), flags.clone()));
    }
    let said =
        error.hint.as_ref().map_or_else(|| error.message.clone(), |hint| format!("{} {hint}", error.message));
    match (error.code, uri) {
        (ErrorCode::NotFound, Some(_)) | (ErrorCode::InvalidArgument, Some(_)) => {
            ErrorData::resource_not_found(said, data)
        }
        (ErrorCode::InvalidArgument | ErrorCode::NotFound, None) => ErrorData::invalid_params(said, data),
        _ => ErrorData::internal_error(format!("{}: {said}", error.code.as_str()), data),
    }
}
