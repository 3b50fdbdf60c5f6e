//! A client that started this program and speaks to it over standard input and output.

use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::fs::FileTypeExt;
use std::sync::Arc;

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::UnixStream;
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio_util::sync::CancellationToken;

use super::backend::Backend;
use super::handler::Handler;
use super::once::Once;
use super::served::Served;
use super::transport::ServeTransport;

type Input = Box<dyn AsyncRead + Send + Unpin>;
type Output = Box<dyn AsyncWrite + Send + Unpin>;

/// Serves until the client closes the connection or `stop` fires.
pub async fn serve_stdio(backend: Arc<dyn Backend>, stop: CancellationToken) -> Result<(), String> {
    let input = input().unwrap_or_else(|_| Box::new(tokio::io::stdin()));
    let output = output().unwrap_or_else(|_| Box::new(tokio::io::stdout()));
    let transport = Once::new(ServeTransport::new(input, output));
    let served = Served::new(backend).await;
    let serving = Handler::new(served.clone()).serve_with_ct(transport, stop);
    let running = match serving.await {
        Ok(running) => running,
        // A client that leaves before it said anything did nothing wrong.
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => return Ok(()),
        Err(_) => return Err("the client did not begin as the protocol says".to_owned()),
    };
    let ended = running.waiting().await;
    served.rounds.end();
    ended.map(drop).map_err(|error| error.to_string())
}

/// Standard input as clients give it, a pipe or a socket: without a thread and two switches for every message.
fn input() -> io::Result<Input> {
    let file = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    match file.metadata()?.file_type().is_socket() {
        true => Ok(Box::new(socket(file)?)),
        false => Ok(Box::new(Receiver::from_file(file)?)),
    }
}

fn output() -> io::Result<Output> {
    let file = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    match file.metadata()?.file_type().is_socket() {
        true => Ok(Box::new(socket(file)?)),
        false => Ok(Box::new(Sender::from_file(file)?)),
    }
}

fn socket(file: File) -> io::Result<UnixStream> {
    let stream = std::os::unix::net::UnixStream::from(std::os::fd::OwnedFd::from(file));
    stream.set_nonblocking(true)?;
    UnixStream::from_std(stream)
}
