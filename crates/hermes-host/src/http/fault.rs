//! What went wrong, for the model: never a URL's query, a header or a body. Whether the server may have
//! had the request is the difference between a call that may be repeated and one that may not.

use std::error::Error;

use hermes_core::egress::{Blocked, Origin};
use hermes_core::{ErrorCode, ToolError};
use reqwest::Method;
use rustls::CertificateError;

/// A request that may not go where it would.
pub(super) fn blocked(blocked: &Blocked) -> ToolError {
    let code = match blocked.category {
        "no_answer" => ErrorCode::Network,
        _ => ErrorCode::PermissionDenied,
    };
    ToolError::new(code, blocked.reason.clone()).with_field("category", blocked.category)
}

/// The exchange broke off.
pub(super) fn failed(error: reqwest::Error, method: &Method, origin: &Origin) -> ToolError {
    let mut source: Option<&(dyn Error + 'static)> = Some(&error);
    while let Some(cause) = source {
        if let Some(found) = cause.downcast_ref::<Blocked>() {
            return blocked(found);
        }
        source = cause.source();
    }
    let answer = if let Some(why) = distrust(&error) {
        ToolError::new(ErrorCode::Network, format!("the certificate of {origin} cannot be trusted: {why}"))
            .with_field("category", "certificate")
    } else if error.is_connect() {
        let code = if error.is_timeout() { ErrorCode::Timeout } else { ErrorCode::Network };
        ToolError::new(code, format!("{origin} could not be reached"))
    } else if method.is_safe() {
        ToolError::new(ErrorCode::Network, format!("the exchange with {origin} broke off"))
    } else {
        unknown(format!("the exchange with {origin} broke off"))
    };
    answer.with_operator(format!("{:?}", error.without_url()))
}

/// What is wrong with the server's certificate, if that is why the exchange failed.
fn distrust(error: &(dyn Error + 'static)) -> Option<&'static str> {
    if let Some(rustls::Error::InvalidCertificate(flaw)) = error.downcast_ref() {
        return Some(flaw_of(flaw));
    }
    // An error of input and output leaves what it wraps out of its chain.
    match error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref) {
        Some(wrapped) => distrust(wrapped),
        None => distrust(error.source()?),
    }
}

fn flaw_of(flaw: &CertificateError) -> &'static str {
    match flaw {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => "it is expired",
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => "it is not valid yet",
        CertificateError::UnknownIssuer => "its issuer is unknown",
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "it is for another name"
        }
        CertificateError::Revoked => "it was revoked",
        _ => "it is not in order",
    }
}

/// The server took too long.
pub(super) fn late(method: &Method, origin: &Origin) -> ToolError {
    let said = format!("{origin} did not answer in time");
    if method.is_safe() { ToolError::new(ErrorCode::Timeout, said) } else { unknown(said) }
}

/// The caller gave up.
pub(super) fn cancelled(method: &Method) -> ToolError {
    let said = "the call was cancelled";
    if method.is_safe() { ToolError::new(ErrorCode::Cancelled, said) } else { unknown(said.to_owned()) }
}

pub(super) fn too_large(origin: &Origin, max: u64) -> ToolError {
    ToolError::new(ErrorCode::TooLarge, format!("{origin} answered with more than {max} bytes"))
}

fn unknown(said: String) -> ToolError {
    ToolError::new(ErrorCode::OutcomeUnknown, format!("{said}; what was asked may have been done"))
        .with_hint("look at the state of things before asking for the same again")
}
