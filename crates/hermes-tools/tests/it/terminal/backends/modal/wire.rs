//! The two formats below the vendor's calls, written down a second time: messages as field numbers and values, and
//! gRPC on HTTP/2. Nothing here is shared with the client, so that a mistake of either shows.

use bytes::Bytes;
use h2::SendStream;
use h2::server::SendResponse;
use http::{HeaderMap, HeaderValue, Response};

/// A message that was received, by field number.
pub(super) struct Fields(Vec<(u64, Vec<u8>)>);

impl Fields {
    pub(super) fn read(mut bytes: &[u8]) -> Self {
        let mut fields = Vec::new();
        while !bytes.is_empty() {
            let key = varint(&mut bytes);
            let value = match key & 7 {
                0 => varint(&mut bytes).to_le_bytes().to_vec(),
                2 => {
                    let length = usize::try_from(varint(&mut bytes)).unwrap();
                    take(&mut bytes, length)
                }
                1 => take(&mut bytes, 8),
                5 => take(&mut bytes, 4),
                kind => panic!("no such kind of field: {kind}"),
            };
            fields.push((key >> 3, value));
        }
        Fields(fields)
    }

    pub(super) fn all(&self, number: u64) -> impl Iterator<Item = &[u8]> {
        self.0.iter().filter(move |(own, _)| *own == number).map(|(_, value)| value.as_slice())
    }

    pub(super) fn bytes(&self, number: u64) -> &[u8] {
        self.all(number).last().unwrap_or_default()
    }

    pub(super) fn text(&self, number: u64) -> String {
        String::from_utf8(self.bytes(number).to_vec()).unwrap()
    }

    pub(super) fn texts(&self, number: u64) -> Vec<String> {
        self.all(number).map(|value| String::from_utf8(value.to_vec()).unwrap()).collect()
    }

    pub(super) fn number(&self, number: u64) -> u64 {
        self.bytes(number).try_into().map_or(0, u64::from_le_bytes)
    }

    pub(super) fn message(&self, number: u64) -> Fields {
        Fields::read(self.bytes(number))
    }
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first().unwrap();
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return value;
        }
    }
    panic!("a number that does not end");
}

fn take(bytes: &mut &[u8], length: usize) -> Vec<u8> {
    let (taken, rest) = bytes.split_at(length);
    *bytes = rest;
    taken.to_vec()
}

/// A message to send.
#[derive(Default)]
pub(super) struct Answer(Vec<u8>);

impl Answer {
    pub(super) fn bytes(mut self, number: u64, value: &[u8]) -> Self {
        self.varint(number << 3 | 2);
        self.varint(value.len() as u64);
        self.0.extend(value);
        self
    }

    pub(super) fn text(self, number: u64, value: &str) -> Self {
        self.bytes(number, value.as_bytes())
    }

    pub(super) fn message(self, number: u64, value: &Answer) -> Self {
        self.bytes(number, &value.0)
    }

    pub(super) fn number(mut self, number: u64, value: u64) -> Self {
        self.varint(number << 3);
        self.varint(value);
        self
    }

    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push((value & 0x7f) as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }
}

/// The request's message.
pub(super) async fn received(mut body: h2::RecvStream) -> Fields {
    let mut bytes = Vec::new();
    while let Some(Ok(part)) = body.data().await {
        let _ = body.flow_control().release_capacity(part.len());
        bytes.extend(part);
    }
    assert_eq!(bytes.first(), Some(&0), "compressed");
    let length = u32::from_be_bytes(bytes[1..5].try_into().unwrap());
    assert_eq!(bytes.len(), 5 + length as usize);
    Fields::read(&bytes[5..])
}

/// The way back.
pub(super) struct Reply(SendStream<Bytes>);

impl Reply {
    pub(super) fn begin(mut respond: SendResponse<Bytes>) -> Option<Self> {
        let head = Response::builder().header("content-type", "application/grpc+proto").body(()).unwrap();
        respond.send_response(head, false).ok().map(Reply)
    }

    /// In small pieces, as a network would cut it.
    pub(super) fn send(&mut self, answer: &Answer) {
        let framed = [&[0], &(answer.0.len() as u32).to_be_bytes()[..], &answer.0].concat();
        for piece in framed.chunks(1_000) {
            let _ = self.0.send_data(Bytes::copy_from_slice(piece), false);
        }
    }

    pub(super) fn end(mut self, status: u32, message: &str) {
        let mut trailers = HeaderMap::new();
        trailers.insert("grpc-status", HeaderValue::from(status));
        trailers.insert("grpc-message", HeaderValue::from_str(&message.replace(' ', "%20")).unwrap());
        let _ = self.0.send_trailers(trailers);
    }
}
