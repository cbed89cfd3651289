//! A viewer, written by docs/viewer-protocol.md alone.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use futures::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};

/// Longest wait for anything.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// What a server sends.
#[derive(Debug)]
pub enum Incoming {
    State {
        is_key: bool,
        time: f64,
    },
    Scan {
        vehicle: u16,
        stride: u16,
        time: f64,
        pose: [f32; 6],
        ranges: Vec<Option<f64>>,
    },
    /// A cloud, a picture or a reading: its first byte, sensor, topic, time, and length [bytes].
    SensorData {
        kind: u8,
        sensor: u16,
        topic: u16,
        time: f64,
        length: usize,
    },
    Scene(Value),
    Status(Value),
    Answer(Value),
    Notice(Value),
    Closed(u16, String),
}

pub struct Viewer {
    pub socket: WebSocketStream<TcpStream>,
    pub greeting: Value,
    /// The newest scene, also one that came while the viewer waited for something else.
    pub scene: Value,
    /// Value of one count, by name; those of vehicles.
    resolutions: BTreeMap<String, (usize, f64)>,
    counts: Vec<i64>,
    /// Length of all messages [bytes].
    pub bytes: usize,
    next_id: u32,
}

/// The HTTP status and the body of a WebSocket that was refused.
pub type Refused = (u16, String);

impl Viewer {
    /// A viewer who has got the greeting and the scene.
    pub async fn join(address: SocketAddr) -> Viewer {
        let (viewer, _) = Viewer::connect(address, &[]).await.unwrap();
        viewer
    }

    /// The same with headers of its own; its scene too.
    pub async fn connect(address: SocketAddr, headers: &[(&'static str, &str)]) -> Result<(Viewer, Value), Refused> {
        Viewer::over(TcpStream::connect(address).await.unwrap(), address, "", headers).await
    }

    /// The first scene of a viewer who takes them in a form: `short` or `streamed`.
    pub async fn scene_in_form(address: SocketAddr, form: &str) -> Value {
        let stream = TcpStream::connect(address).await.unwrap();
        Viewer::over(stream, address, &format!("?scene={form}"), &[]).await.unwrap().1
    }

    /// The same over a socket that takes next to nothing beforehand.
    pub async fn join_narrow(address: SocketAddr) -> Viewer {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(4096).unwrap();
        Viewer::over(socket.connect(address).await.unwrap(), address, "", &[]).await.unwrap().0
    }

    async fn over(
        stream: TcpStream,
        address: SocketAddr,
        query: &str,
        headers: &[(&'static str, &str)],
    ) -> Result<(Viewer, Value), Refused> {
        let mut request = format!("ws://{address}/api/socket{query}").into_client_request().unwrap();
        request.headers_mut().insert("sec-websocket-protocol", "skidpad.v1".parse().unwrap());
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        let socket = match tokio_tungstenite::client_async(request, stream).await {
            Ok((socket, response)) => {
                assert_eq!(response.headers()["sec-websocket-protocol"], "skidpad.v1");
                socket
            }
            Err(Error::Http(response)) => {
                let body = response.body().as_deref().unwrap_or_default();
                return Err((response.status().as_u16(), String::from_utf8_lossy(body).into_owned()));
            }
            Err(error) => panic!("{error}"),
        };
        let mut viewer = Viewer {
            socket,
            greeting: Value::Null,
            scene: Value::Null,
            resolutions: BTreeMap::new(),
            counts: Vec::new(),
            bytes: 0,
            next_id: 1,
        };
        let greeting = viewer.message().await.unwrap();
        assert_eq!(greeting[0], 1);
        viewer.greeting = serde_json::from_slice(&greeting[1..]).unwrap();
        for (index, channel) in viewer.greeting["layout"]["vehicle"].as_array().unwrap().iter().enumerate() {
            let name = channel["name"].as_str().unwrap().to_owned();
            viewer.resolutions.insert(name, (index, channel["resolution"].as_f64().unwrap()));
        }
        let scene = loop {
            if let Incoming::Scene(scene) = viewer.next().await {
                break scene;
            }
        };
        Ok((viewer, scene))
    }

    /// The next binary message, or why there is none any more.
    async fn message(&mut self) -> Result<Vec<u8>, (u16, String)> {
        loop {
            let next = timeout(PATIENCE, self.socket.next()).await.expect("the server says nothing");
            match next {
                Some(Ok(Message::Binary(bytes))) => {
                    self.bytes += bytes.len();
                    return Ok(bytes.to_vec());
                }
                Some(Ok(Message::Close(Some(frame)))) => return Err((frame.code.into(), frame.reason.to_string())),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(other)) => panic!("{other:?}"),
                Some(Err(error)) => return Err((0, error.to_string())),
                None => return Err((0, "gone".into())),
            }
        }
    }

    pub async fn next(&mut self) -> Incoming {
        let bytes = match self.message().await {
            Ok(bytes) => bytes,
            Err((code, reason)) => return Incoming::Closed(code, reason),
        };
        let json = || serde_json::from_slice(&bytes[1..]).unwrap();
        match bytes[0] {
            2 => {
                self.counts.clear();
                self.scene = json();
                Incoming::Scene(self.scene.clone())
            }
            3 => self.state(&bytes),
            4 => scan(&bytes),
            5 => Incoming::Status(json()),
            6 => Incoming::Answer(json()),
            7 => Incoming::Notice(json()),
            8..=10 => sensor_data(&bytes),
            kind => panic!("a message of kind {kind}"),
        }
    }

    fn state(&mut self, bytes: &[u8]) -> Incoming {
        let is_key = bytes[1] & 1 == 1;
        let time = i64::from_le_bytes(bytes[6..14].try_into().unwrap()) as f64 * 1e-9;
        if is_key {
            self.counts.clear();
        }
        let (mut index, mut place) = (0, 14);
        while place < bytes.len() {
            let (mut token, mut shift) = (0_u64, 0);
            loop {
                let byte = bytes[place];
                place += 1;
                token |= u64::from(byte & 0x7f) << shift;
                shift += 7;
                if byte & 0x80 == 0 {
                    break;
                }
            }
            let value = token >> 1;
            if token & 1 == 0 {
                index += value as usize;
                continue;
            }
            if self.counts.len() <= index {
                self.counts.resize(index + 1, 0);
            }
            self.counts[index] += (value >> 1) as i64 ^ -((value & 1) as i64);
            index += 1;
        }
        Incoming::State { is_key, time }
    }

    /// A number of the first vehicle in the last state.
    pub fn first(&self, name: &str) -> f64 {
        let (index, resolution) = self.resolutions[name];
        self.counts.get(index).copied().unwrap_or(0) as f64 * resolution
    }

    /// Time of the next state [s].
    pub async fn state_time(&mut self) -> f64 {
        loop {
            if let Incoming::State { time, .. } = self.next().await {
                return time;
            }
        }
    }

    /// The next status that `fits`.
    pub async fn status(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        loop {
            match self.next().await {
                Incoming::Status(status) if fits(&status) => return status,
                Incoming::Closed(code, reason) => panic!("closed: {code} {reason}"),
                _ => {}
            }
        }
    }

    /// Sends text and does not wait.
    pub async fn say(&mut self, text: String) {
        self.socket.send(Message::text(text)).await.unwrap();
    }

    /// Gives an order: the simulated time at which it was carried out, or why it was not.
    pub async fn order(&mut self, order: Value) -> Result<f64, String> {
        self.answer(order).await.map(|answer| answer["time"].as_f64().unwrap())
    }

    /// Gives an order: the whole answer, or why it was not carried out.
    pub async fn answer(&mut self, order: Value) -> Result<Value, String> {
        let id = self.next_id;
        self.next_id += 1;
        self.say(json!({ "id": id, "order": order }).to_string()).await;
        loop {
            match self.next().await {
                Incoming::Answer(answer) if answer["id"] == json!(id) => {
                    return match answer["error"].as_str() {
                        Some(error) => Err(error.into()),
                        None => Ok(answer),
                    };
                }
                Incoming::Closed(code, reason) => panic!("closed: {code} {reason}"),
                _ => {}
            }
        }
    }

    pub async fn watch(&mut self, rate: f64, points: Value) {
        self.order(json!({ "do": "watch", "rate": rate, "points": points, "stride": 1 })).await.unwrap();
    }

    /// Code and reason of the closing.
    pub async fn closed(&mut self) -> (u16, String) {
        loop {
            if let Incoming::Closed(code, reason) = self.next().await {
                return (code, reason);
            }
        }
    }
}

fn scan(bytes: &[u8]) -> Incoming {
    let u16_at = |at: usize| u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap());
    let f32_at = |at: usize| f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let farthest = f64::from(f32_at(44));
    let range = |at: usize| match u16_at(at) {
        u16::MAX => None,
        value => Some(f64::from(value) / 65534.0 * farthest),
    };
    Incoming::Scan {
        stride: u16_at(2),
        time: i64::from_le_bytes(bytes[8..16].try_into().unwrap()) as f64 * 1e-9,
        vehicle: u16_at(16),
        pose: std::array::from_fn(|index| f32_at(20 + 4 * index)),
        ranges: (48..bytes.len()).step_by(2).map(range).collect(),
    }
}

fn sensor_data(bytes: &[u8]) -> Incoming {
    let u16_at = |at: usize| u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap());
    Incoming::SensorData {
        kind: bytes[0],
        sensor: u16_at(18),
        topic: u16_at(2),
        time: i64::from_le_bytes(bytes[8..16].try_into().unwrap()) as f64 * 1e-9,
        length: bytes.len(),
    }
}

/// Sends a request as it is; status, headers in lower case, body.
pub async fn request(address: SocketAddr, request: &str) -> (u16, String, Vec<u8>) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut bytes = Vec::new();
    // A connection that is turned away may be reset after its answer.
    let _ = timeout(PATIENCE, stream.read_to_end(&mut bytes)).await.expect("the server does not close");
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n").expect("no answer");
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap().to_ascii_lowercase();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, head, bytes[end + 4..].to_vec())
}

/// The answer to a GET.
pub async fn get(address: SocketAddr, path: &str, headers: &str) -> (u16, String, Vec<u8>) {
    request(address, &format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{headers}\r\n")).await
}

/// The answer to an order over REST.
pub async fn post(address: SocketAddr, order: &str) -> (u16, Value) {
    let length = order.len();
    let text = format!(
        "POST /api/orders HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\n\r\n{order}"
    );
    let (status, _, body) = request(address, &text).await;
    (status, serde_json::from_slice(&body).unwrap())
}
