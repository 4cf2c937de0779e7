use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use serde_json::json;
use tokio::sync::Semaphore;
use webnn::{CallOptions, Cancellation};

use crate::{Class, Classifier, Failure};

/// An event of a run.
#[derive(Debug)]
pub enum Event<'a> {
    Started,
    /// The run ended, and its place is free. The result is [`webnn::Error::Abort`] if the client has disconnected.
    Ended(Result<(), &'a Failure>),
}

/// Options of a server.
pub struct ServerOptions {
    /// The largest body of a request, in bytes.
    pub max_body: usize,
    /// The largest number of runs in flight. Further requests get the status 503.
    pub max_runs: usize,
    /// A function that each run calls on its thread when it starts and when it ends.
    pub on_event: Box<dyn Fn(Event<'_>) + Send + Sync>,
}

struct Server {
    classifier: Classifier,
    runs: Arc<Semaphore>,
    on_event: Box<dyn Fn(Event<'_>) + Send + Sync>,
}

/// The body of a request with a tensor.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Tensor {
    shape: Vec<u32>,
    data: Vec<f32>,
}

enum Input {
    Picture(Bytes),
    Json(Bytes),
}

/// Requests a cancellation when it is dropped. axum drops a handler's future if the client disconnects.
struct CancelOnDrop(Cancellation);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.request();
    }
}

/// An answer with a status and a JSON body `{"error": ...}`.
struct Refusal(StatusCode, String);

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.0, Json(json!({ "error": self.1 }))).into_response()
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Refusal {
        use webnn::Error;
        let status = match &failure {
            Failure::Input(_) | Failure::Model(Error::Type(_) | Error::Data(_)) => StatusCode::BAD_REQUEST,
            Failure::Model(Error::Timeout(_)) => StatusCode::SERVICE_UNAVAILABLE,
            Failure::Model(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Refusal(status, failure.to_string())
    }
}

impl Server {
    fn classify(&self, input: Input, cancellation: &Cancellation) -> Result<Vec<Class>, Failure> {
        let Tensor { shape, data } = match input {
            Input::Picture(file) => Tensor { shape: self.classifier.shape().to_vec(), data: self.classifier.read_picture(&file)? },
            Input::Json(text) => serde_json::from_slice(&text).map_err(|error| {
                Failure::Input(format!("the body is not of the form {{\"shape\": [...], \"data\": [...]}}: {error}"))
            })?,
        };
        self.classifier.classify(&shape, &data, CallOptions::default().cancellation(cancellation))
    }
}

/// Returns the body as the input that the request's content type names. Refuses other content types.
fn input_of(headers: &HeaderMap, body: Bytes) -> Result<Input, Refusal> {
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    match content_type.split(';').next().unwrap_or("").trim() {
        "image/png" | "image/jpeg" => Ok(Input::Picture(body)),
        "application/json" => Ok(Input::Json(body)),
        other => {
            let message = format!("the content type is {other:?}; accepted: image/png, image/jpeg, application/json");
            Err(Refusal(StatusCode::UNSUPPORTED_MEDIA_TYPE, message))
        }
    }
}

/// Classifies the body. The work runs on a thread for blocking calls, and stops if the future is dropped.
async fn classify(
    State(server): State<Arc<Server>>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<Vec<Class>>, Refusal> {
    let body = body.map_err(|rejection| Refusal(rejection.status(), rejection.body_text()))?;
    let input = input_of(&headers, body)?;
    let place = server.runs.clone().try_acquire_owned();
    let place = place.map_err(|_| Refusal(StatusCode::SERVICE_UNAVAILABLE, "too many runs are in flight; try again".into()))?;
    let cancellation = Cancellation::new().map_err(Failure::from)?;
    let _guard = CancelOnDrop(cancellation.clone());
    let run = tokio::task::spawn_blocking(move || {
        (server.on_event)(Event::Started);
        let result = server.classify(input, &cancellation);
        drop(place);
        (server.on_event)(Event::Ended(result.as_ref().map(|_| ())));
        result
    });
    match run.await {
        Ok(result) => Ok(Json(result?)),
        Err(error) => Err(Refusal(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())),
    }
}

/// Returns a service with the route `POST /classify`. It takes a PNG, a JPEG, or the model's input as JSON:
/// `{"shape": [1, 3, 224, 224], "data": [...]}`; it answers with the five most likely classes.
pub fn router(classifier: Classifier, options: ServerOptions) -> Router {
    let server = Server { classifier, runs: Arc::new(Semaphore::new(options.max_runs)), on_event: options.on_event };
    Router::new().route("/classify", post(classify)).layer(DefaultBodyLimit::max(options.max_body)).with_state(Arc::new(server))
}
