//! From an outcome to what a client reads: the wire object as structure and as text, and what no text can hold as
//! content of its own.

use hermes_core::ToolOutcome;
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde_json::Value;

use super::backend::Backend;

/// Characters of data that are sent along with one answer; more stays behind its handle.
const MAX_DATA: usize = 8 * 1024 * 1024;

/// The outcome, whole: a client that reads structure gets it, others get its text.
pub(super) async fn answer(outcome: &ToolOutcome, backend: &dyn Backend) -> CallToolResult {
    let wire = Value::Object(outcome.to_wire());
    let mut content = vec![ContentBlock::text(text(&wire))];
    let mut room = MAX_DATA;
    for attachment in wire.get("attachments").and_then(Value::as_array).into_iter().flatten() {
        content.extend(data(attachment, backend, &mut room).await);
    }
    let mut result = match outcome.is_success() {
        true => CallToolResult::success(content),
        false => CallToolResult::error(content),
    };
    result.structured_content = Some(wire);
    result
}

/// A result alone is itself; anything else is shown as the object it is.
fn text(wire: &Value) -> String {
    let alone = wire.as_object().filter(|fields| fields.len() == 1);
    match alone.and_then(|fields| fields.get("result")) {
        Some(Value::String(text)) => text.clone(),
        Some(result) => result.to_string(),
        None => wire.to_string(),
    }
}

async fn data(attachment: &Value, backend: &dyn Backend, room: &mut usize) -> Option<ContentBlock> {
    let stored = backend.stored(attachment.get("handle")?.as_str()?).await?;
    let base64 = stored.get("data")?.as_str()?;
    *room = room.checked_sub(base64.len())?;
    let kind = stored.get("mime_type").and_then(Value::as_str).unwrap_or("application/octet-stream");
    match attachment.get("type")?.as_str()? {
        "image" => Some(ContentBlock::image(base64, kind)),
        "audio" => Some(ContentBlock::audio(base64, kind)),
        _ => {
            let uri = attachment.get("uri").and_then(Value::as_str).unwrap_or_default();
            Some(ContentBlock::resource(ResourceContents::blob(base64, uri).with_mime_type(kind)))
        }
    }
}
