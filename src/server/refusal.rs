//! The response to a refused request: a status and a reason as JSON.

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// A status and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) status: StatusCode,
    /// `place: what was found`, then what is accepted.
    pub(super) reason: String,
}

impl Refusal {
    pub(super) fn new(status: StatusCode, reason: impl Into<String>) -> Refusal {
        Refusal { status, reason: reason.into() }
    }

    /// A 404 response.
    pub(super) fn not_found(reason: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, reason)
    }
}

/// A path with an invalid parameter.
impl From<PathRejection> for Refusal {
    fn from(rejection: PathRejection) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, format!("address: {rejection}\n  accepted: those that the scene names"))
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(json!({ "error": self.reason }))).into_response()
    }
}
