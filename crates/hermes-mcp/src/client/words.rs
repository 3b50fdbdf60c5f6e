//! What the SDK says of a failure, in words for people: without the names of its types.

use std::error::Error;

use rmcp::service::{ClientInitializeError, ServiceError};
use rmcp::transport::DynamicTransportError;
use rmcp::transport::auth::AuthError;

pub(super) fn of_service(error: &ServiceError) -> String {
    match error {
        ServiceError::TransportSend(error) => of_transport(error),
        ServiceError::TransportClosed => "it closed the connection".to_owned(),
        other => other.to_string(),
    }
}

pub(super) fn of_handshake(error: &ClientInitializeError) -> String {
    match error {
        ClientInitializeError::ConnectionClosed(_) => "it closed its output before the handshake".to_owned(),
        ClientInitializeError::NoCompatibleProtocolVersion { server_supported, .. } => {
            let theirs = server_supported.iter().map(|spoken| hermes_core::text::visible(spoken.as_str()));
            let theirs = theirs.collect::<Vec<_>>().join(", ");
            format!("it speaks a revision of the protocol that Hermes does not know: {theirs}")
        }
        ClientInitializeError::TransportError { error, .. } => of_transport(error),
        ClientInitializeError::JsonRpcError(error) => {
            format!(
                "it refused the handshake: {} ({})",
                hermes_core::text::visible(&error.message),
                error.code.0
            )
        }
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => of_handshake(fallback),
        ClientInitializeError::Cancelled => "the handshake was cancelled".to_owned(),
        // The SDK would show its own types here.
        _ => "it answered the handshake with something else than the protocol says".to_owned(),
    }
}

fn of_transport(error: &DynamicTransportError) -> String {
    let mut cause: Option<&(dyn Error + 'static)> = Some(&*error.error);
    while let Some(inner) = cause {
        if let Some(login) = inner.downcast_ref() {
            return of_login(login);
        }
        cause = inner.source();
    }
    error.error.to_string()
}

/// Why there is no token to show.
pub(in crate::client) fn of_login(error: &AuthError) -> String {
    match error {
        AuthError::TokenRefreshFailed(_) | AuthError::HttpError(_) => {
            "the login could not be renewed: whoever vouches for users did not answer as it should".to_owned()
        }
        other => other.to_string(),
    }
}
