//! Sends requests to the server on a port of this machine: right ones, wrong ones, and one whose client disconnects during the run.
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};

use image::ImageFormat;
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use webnn::{Context, Error};
use webnn_examples::{Classifier, Event, Failure, ServerOptions, router};

mod support;
use support::{COLOURS, Folder, expected, picture};

/// An event of a run, in a form that the test can compare.
#[derive(Debug, PartialEq)]
enum Seen {
    Started,
    Finished,
    Refused,
    Cancelled,
}

struct Server {
    address: SocketAddr,
    events: Receiver<Seen>,
    _runtime: Runtime, // stops the server when it is dropped
}

impl Server {
    fn new(model: &Path, labels: Option<&Path>) -> Server {
        let (sender, events) = channel();
        let on_event = move |event: Event<'_>| {
            let seen = match event {
                Event::Started => Seen::Started,
                Event::Ended(Ok(())) => Seen::Finished,
                Event::Ended(Err(Failure::Model(Error::Abort(_)))) => Seen::Cancelled,
                Event::Ended(Err(_)) => Seen::Refused,
            };
            let _ = sender.send(seen);
        };
        let classifier = Classifier::load(&Context::new().unwrap(), model, labels).unwrap();
        let options = ServerOptions { max_body: 100_000, max_runs: 1, on_event: Box::new(on_event) };
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        runtime.spawn(async move { axum::serve(listener, router(classifier, options)).await });
        Server { address, events, _runtime: runtime }
    }

    /// Sends a request, and returns the connection on which the answer arrives.
    fn send(&self, method: &str, path: &str, content_type: &str, body: &[u8]) -> TcpStream {
        let mut connection = TcpStream::connect(self.address).unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: {content_type}\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        connection.write_all(head.as_bytes()).unwrap();
        // The server may answer and close before it has read a body that is too large.
        let _ = connection.write_all(body);
        connection
    }

    /// Sends a request, and returns the status and the body of the answer.
    fn ask(&self, method: &str, path: &str, content_type: &str, body: &[u8]) -> (u16, String) {
        answer(self.send(method, path, content_type, body))
    }

    fn post(&self, content_type: &str, body: &[u8]) -> (u16, Value) {
        let (status, body) = self.ask("POST", "/classify", content_type, body);
        (status, serde_json::from_str(&body).unwrap_or_else(|error| panic!("{body}: {error}")))
    }

    fn check_error(&self, content_type: &str, body: &[u8], status: u16, texts: &[&str]) {
        let (found, answer) = self.post(content_type, body);
        let message = answer["error"].as_str().unwrap_or_else(|| panic!("{answer}"));
        assert_eq!(found, status, "{message}");
        for text in texts {
            assert!(message.contains(text), "{message}\nlacks {text}");
        }
    }
}

fn answer(mut connection: TcpStream) -> (u16, String) {
    let (mut bytes, mut part) = (Vec::new(), [0; 4096]);
    // A connection that the server closes before it has read the whole body ends with an error, after the answer.
    while let Ok(count @ 1..) = connection.read(&mut part) {
        bytes.extend(&part[..count]);
    }
    let text = String::from_utf8(bytes).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

fn check_classes(answer: &Value, colour: [u8; 3], tolerance: f64) {
    let classes = answer.as_array().unwrap_or_else(|| panic!("{answer}"));
    assert_eq!(classes.len(), 3);
    for class in classes {
        let index = class["class"].as_u64().unwrap() as usize;
        assert_eq!(class["label"], ["red", "green", "blue"][index]);
        let (found, expected) = (class["probability"].as_f64().unwrap(), expected(colour)[index]);
        assert!((found - expected).abs() < tolerance, "{index}: {found} {expected}");
    }
    let order: Vec<f64> = classes.iter().map(|class| class["probability"].as_f64().unwrap()).collect();
    assert!(order.is_sorted_by(|a, b| a >= b), "{order:?}");
}

#[test]
fn pictures_and_tensors_are_classified() {
    let folder = Folder::new("serve");
    let (model, labels) = (folder.write("colours.webnn", COLOURS), folder.write("labels.txt", "red\ngreen\nblue\n"));
    let server = Server::new(&model, Some(&labels));
    let colour = [200, 30, 90];
    for (content_type, format, tolerance) in [("image/png", ImageFormat::Png, 1e-5), ("image/jpeg", ImageFormat::Jpeg, 0.01)] {
        let (status, answer) = server.post(content_type, &picture(colour, format));
        assert_eq!(status, 200, "{answer}");
        check_classes(&answer, colour, tolerance);
        assert_eq!((server.events.recv(), server.events.recv()), (Ok(Seen::Started), Ok(Seen::Finished)));
    }
    // The scores 1, 3 and 2 have the softmax of these numbers.
    let data: Vec<f32> = [1., 3., 2.].iter().flat_map(|&score| [score; 16]).collect();
    let body = json!({ "shape": [1, 3, 4, 4], "data": data }).to_string();
    let (status, answer) = server.post("application/json; charset=utf-8", body.as_bytes());
    assert_eq!(status, 200, "{answer}");
    let found: Vec<_> = answer.as_array().unwrap().iter().map(|class| class["class"].as_u64().unwrap()).collect();
    assert_eq!(found, [1, 2, 0]);
    let sum = 1f64.exp() + 2f64.exp() + 3f64.exp();
    assert!((answer[0]["probability"].as_f64().unwrap() - 3f64.exp() / sum).abs() < 1e-6, "{answer}");
}

#[test]
fn wrong_requests_are_refused() {
    let folder = Folder::new("refusals");
    let server = Server::new(&folder.write("colours.webnn", COLOURS), None);
    let good = picture([1, 2, 3], ImageFormat::Png);
    let json = |shape: Value, count: usize| json!({ "shape": shape, "data": vec![0; count] }).to_string();
    server.check_error("text/plain", &good, 415, &["text/plain", "accepted: image/png, image/jpeg, application/json"]);
    server.check_error("image/png", b"no picture", 400, &["cannot be read as PNG or JPEG"]);
    server.check_error("image/png", &good[..good.len() / 2], 400, &["cannot be read as PNG or JPEG"]);
    server.check_error("image/png", b"", 400, &["cannot be read as PNG or JPEG"]);
    server.check_error("application/json", b"{\"shape\": [1]", 400, &["not of the form", "EOF"]);
    server.check_error("application/json", b"{\"shape\": [1], \"data\": [1], \"more\": 1}", 400, &["unknown field `more`"]);
    server.check_error("application/json", json(json!([1, 3, 4]), 12).as_bytes(), 400, &["image", "[1, 3, 4]", "[1, 3, 4, 4]"]);
    server.check_error("application/json", json(json!([1, 3, 5, 4]), 60).as_bytes(), 400, &["image"]);
    server.check_error("application/json", json(json!([1, 3, 4, 4]), 47).as_bytes(), 400, &["image"]);
    server.check_error("application/json", json(json!([1, 3, -4, 4]), 48).as_bytes(), 400, &["not of the form"]);
    server.check_error("application/json", &vec![b' '; 100_001], 413, &["length limit exceeded"]);
    assert_eq!(server.ask("GET", "/classify", "", b"").0, 405);
    assert_eq!(server.ask("POST", "/other", "image/png", &good).0, 404);
    let (status, answer) = server.post("image/png", &good); // still works
    assert_eq!(status, 200, "{answer}");
}

/// Writes a model whose run takes a minute or more.
fn slow_model(folder: &Folder) -> std::path::PathBuf {
    let mut text = "webnn_graph \"slow\" v2 { inputs { x0: f32[1, 1, 1024, 1024]; } nodes {".to_owned();
    for step in 1..4000 {
        text += &format!("x{step} = matmul(x{}, x0);\n", step - 1);
    }
    folder.write("slow.webnn", text + "} outputs { x3999; } }")
}

#[test]
fn a_client_that_disconnects_stops_its_run() {
    let folder = Folder::new("cancelled");
    let server = Server::new(&slow_model(&folder), None);
    let good = picture([1, 2, 3], ImageFormat::Png);
    for _ in 0..2 {
        let connection = server.send("POST", "/classify", "image/png", &good);
        assert_eq!(server.events.recv(), Ok(Seen::Started));
        server.check_error("image/png", &good, 503, &["too many runs are in flight"]);
        drop(connection);
        assert_eq!(server.events.recv(), Ok(Seen::Cancelled)); // frees the place of the next run
    }
}
