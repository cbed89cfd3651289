//! The routes of the server: the page, the WebSocket, and the same data as JSON and files.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::rejection::PathRejection;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{Path, RawQuery, Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, HeaderValue, VARY};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::json;
use skidpad_run::guard::lock;
use skidpad_view::messages::{Answer, Order, PROTOCOL, Status};
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::compression::takes_gzip;
use super::hub::SceneForm;
use super::refusal::Refusal;
use super::session::{self, MAX_BYTES};
use super::slots::ConnectionSlot;
use super::{Shared, files, orders, page, state_json};

/// Time limit for receiving and for carrying out an order.
const PATIENCE: Duration = Duration::from_secs(10);

/// Time limit for a new state.
const STATE_PATIENCE: Duration = Duration::from_millis(500);

/// All routes.
pub(super) fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/api/health", get(|| async { Json(json!({ "ok": true })) }))
        .route("/api/socket", get(socket))
        .route("/api/scene", get(scene))
        .route("/api/state", get(state))
        .route("/api/status", get(status))
        .route("/api/orders", post(order))
        .route("/api/maps/{name}", get(map))
        .route("/api/parts/{name}", get(part))
        .route("/api/files/{number}/{*path}", get(files::get))
        .fallback(get(page))
        .method_not_allowed_fallback(|| async {
            Refusal::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "method: not accepted here\n  accepted: see docs/viewer-protocol.md",
            )
        })
        .layer(middleware::from_fn_with_state(Arc::clone(&shared), guard))
        .with_state(shared)
}

/// Checks access, and adds the headers of every response.
async fn guard(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let mut response = match admit(&shared, &request) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    let headers = response.headers_mut();
    page::protect(headers);
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// The page and the health check are public; all data of the simulation needs the token.
fn admit(shared: &Shared, request: &Request) -> Result<(), Refusal> {
    shared.access.check_origin(request.headers())?;
    let path = request.uri().path();
    if path.starts_with("/api/") && path != "/api/health" {
        shared.access.check_token(request.headers(), request.uri())?;
    }
    Ok(())
}

async fn page(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let path = request.uri().path();
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "method: not accepted here\n  accepted: GET")
            .into_response();
    }
    shared.page.respond(path.trim_start_matches('/'), request.headers())
}

async fn socket(
    State(shared): State<Arc<Shared>>,
    RawQuery(query): RawQuery,
    place: axum::Extension<ConnectionSlot>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Refusal> {
    let upgrade = upgrade.map_err(|rejection| {
        Refusal::new(
            StatusCode::UPGRADE_REQUIRED,
            format!("socket: {rejection}\n  accepted: a WebSocket of version 13"),
        )
    })?;
    let upgrade = upgrade.protocols([PROTOCOL]).max_message_size(MAX_BYTES).max_frame_size(MAX_BYTES);
    if upgrade.selected_protocol().is_none() {
        let reason = format!("socket: no subprotocol that this server speaks\n  accepted: {PROTOCOL}");
        return Err(Refusal::new(StatusCode::BAD_REQUEST, reason));
    }
    let seat = place.0.take_viewer_slot()?;
    let form = SceneForm::of(query.as_deref());
    Ok(upgrade.on_upgrade(move |socket| session::serve(socket, shared, seat, form)))
}

/// A response with finished JSON.
fn json(bytes: Bytes) -> Response {
    ([(CONTENT_TYPE, "application/json")], bytes).into_response()
}

fn no_scene() -> Refusal {
    Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "scene: not available yet\n  hint: ask again in a second")
}

async fn scene(State(shared): State<Arc<Shared>>, RawQuery(query): RawQuery) -> Result<Response, Refusal> {
    let shown = shared.hub.shown().borrow().clone();
    let message = shown.made(SceneForm::of(query.as_deref())).await.ok_or_else(no_scene)?;
    // The first byte is the kind of the message.
    Ok(json(message.slice(1..)))
}

/// A part of the streamed scene or of the one before, which never changes under its name.
async fn part(
    State(shared): State<Arc<Shared>>,
    path: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let Path(name) = path?;
    let shown = shared.hub.shown().borrow().clone();
    let is_zipped = takes_gzip(&headers);
    let missing = format!("part \"{name}\": not found\n  accepted: those that the scene names");
    // Large ones take a while.
    let part_content = spawn_blocking(move || {
        let part = shown.part(&name)?;
        Some(if is_zipped { part.zipped() } else { part.content() })
    });
    let content = part_content.await.ok().flatten().ok_or_else(|| Refusal::not_found(missing))?;
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, max-age=31536000, immutable"));
    headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    if is_zipped {
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    Ok((headers, content).into_response())
}

async fn state(State(shared): State<Arc<Shared>>) -> Result<Response, Refusal> {
    let mut states = shared.hub.states();
    states.mark_unchanged();
    shared.hub.ask(false);
    // After the end of a run there is no new state: the last one is returned.
    let _ = timeout(STATE_PATIENCE, states.changed()).await;
    let shown = shared.hub.shown().borrow().clone();
    // Copied, so that the lock is released before the conversion to text.
    let state = shared.hub.look(Clone::clone);
    let text = state_json::state(&shown.scene, &state);
    let changes = || {
        let reason = "state: vehicles or blocks are being added or removed\n  hint: ask again in a second";
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, reason)
    };
    match shown.is_there() {
        false => Err(no_scene()),
        true => text.map(|value| Json(value).into_response()).ok_or_else(changes),
    }
}

async fn status(State(shared): State<Arc<Shared>>) -> Json<Status> {
    let status = shared.hub.status().borrow().clone();
    Json(Status { viewers: shared.hub.viewers(), ..status })
}

async fn map(
    State(shared): State<Arc<Shared>>,
    path: Result<Path<String>, PathRejection>,
) -> Result<Response, Refusal> {
    let Path(name) = path?;
    let shown = shared.hub.shown().borrow().clone();
    let number = name.strip_suffix(".png").and_then(|number| number.parse::<usize>().ok());
    let map = number.and_then(|number| shown.maps.get(number)).cloned().ok_or_else(|| {
        Refusal::not_found(format!("map \"{name}\": not found\n  accepted: {} maps, from 0.png on", shown.maps.len()))
    })?;
    Ok(([(CONTENT_TYPE, "image/png")], map).into_response())
}

async fn order(
    State(shared): State<Arc<Shared>>,
    place: axum::Extension<ConnectionSlot>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Answer>, Refusal> {
    let spent = lock(&shared.budget).spend();
    spent.map_err(|reason| Refusal::new(StatusCode::TOO_MANY_REQUESTS, reason))?;
    let is_json = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    if !is_json.is_some_and(|value| value.starts_with("application/json")) {
        let reason = "order: its content type is not JSON\n  accepted: Content-Type: application/json";
        return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, reason));
    }
    let late = || {
        Refusal::new(StatusCode::REQUEST_TIMEOUT, "order: its body took too long to arrive\n  accepted: within 10 s")
    };
    let body =
        timeout(PATIENCE, axum::body::to_bytes(body, MAX_BYTES)).await.map_err(|_| late())?.map_err(|error| {
            let reason = format!("order: {error}\n  accepted: up to {MAX_BYTES} bytes");
            Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, reason)
        })?;
    let order: Order = serde_json::from_slice(&body).map_err(|error| {
        let reason = format!("order: {error}\n  accepted: {{\"do\": NAME, …}}, see docs/viewer-protocol.md");
        Refusal::new(StatusCode::BAD_REQUEST, reason)
    })?;
    if matches!(order, Order::Watch { .. }) {
        let reason = "watch: needs a WebSocket\n  accepted: over the WebSocket; GET /api/state";
        return Err(Refusal::new(StatusCode::BAD_REQUEST, reason));
    }
    orders::permit(&order, shared.read_only).map_err(|reason| Refusal::new(StatusCode::FORBIDDEN, reason))?;
    orders::check(&order).map_err(|reason| Refusal::new(StatusCode::BAD_REQUEST, reason))?;
    // The receiver ends only with the runtime.
    let _ = shared.driven.send(order.clone()).await;
    let (sender, answer) = oneshot::channel();
    // An order that outlives its client keeps its connection slot, too.
    let reply = move |answer| {
        let _place = place;
        drop(sender.send(answer));
    };
    shared.pilot.carry_out(order, Box::new(reply));
    let unanswered = || {
        let found = "order: not answered within 10 s; the simulation will carry it out later";
        Refusal::new(StatusCode::REQUEST_TIMEOUT, format!("{found}\n  hint: check /api/state before you send it again"))
    };
    let answer = timeout(PATIENCE, answer).await.map_err(|_| unanswered())?;
    match answer.unwrap_or_else(|_| Err("order: no answer".into())) {
        Ok(done) => Ok(Json(Answer::new(0, Ok(done)))),
        Err(reason) => Err(Refusal::new(StatusCode::CONFLICT, reason)),
    }
}
