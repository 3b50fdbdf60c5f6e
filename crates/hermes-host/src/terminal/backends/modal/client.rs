//! One command in a sandbox, as a program of this machine: our own binary under another name, before `main`. So it
//! is started, followed, typed to and ended as any other program is, also in the background and after a restart.

use std::ffi::CStr;
use std::io::{Read, Write};
use std::time::Duration;

use rustix::termios::{OptionalActions, tcgetattr, tcgetwinsize, tcsetattr};
use tokio::sync::mpsc;

use super::commands::{STDERR, STDOUT};
use super::grpc::{Status, UNAUTHENTICATED};
use super::router::Router;
use super::service::{Fault, Service};
use crate::env::Env;

/// The word that makes our binary this program.
const CLIENT: &str = "hermes-modal-client";

/// The exit code where the command could not be started or was lost, as `ssh` has it.
const LOST: i32 = 255;
const FIRST_DELAY: Duration = Duration::from_millis(50);
const ATTEMPTS: u32 = 8;

/// What it is to do, as its arguments after the word say.
struct Errand {
    task_id: String,
    exec_id: String,
    pty: bool,
    argv: Vec<String>,
}

/// The arguments of the program for one command.
pub(super) fn arguments(task_id: &str, exec_id: &str, pty: bool, argv: Vec<String>) -> Vec<String> {
    let own = ["/proc/self/exe", CLIENT, task_id, exec_id, if pty { "terminal" } else { "pipes" }];
    own.into_iter().map(str::to_owned).chain(argv).collect()
}

fn errand(mut words: impl Iterator<Item = String>) -> Option<Errand> {
    let (task_id, exec_id, streams) = (words.next()?, words.next()?, words.next()?);
    Some(Errand { task_id, exec_id, pty: streams == "terminal", argv: words.collect() })
}

/// Becomes the program where the arguments of this process say so; otherwise returns.
pub(crate) fn enter(arguments: &[&CStr]) {
    let [_, word, rest @ ..] = arguments else { return };
    if word.to_bytes() != CLIENT.as_bytes() {
        return;
    }
    let words = rest.iter().map(|word| word.to_string_lossy().into_owned());
    let code = errand(words).map_or(LOST, run);
    std::process::exit(code);
}

fn run(errand: Errand) -> i32 {
    crate::process::keep_private();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let outcome = match runtime {
        Ok(runtime) => runtime.block_on(converse(errand)),
        Err(error) => Err(Fault::from(error.to_string())),
    };
    outcome.unwrap_or_else(|fault| {
        let _ = writeln!(std::io::stderr(), "hermes: modal: {}", fault.reason);
        LOST
    })
}

async fn converse(errand: Errand) -> Result<i32, Fault> {
    let terminal = errand.pty.then(raw_terminal);
    let service = Service::new(&Env::of_process())?;
    let router = Router::connect(service, &errand.task_id, &errand.exec_id).await?;
    router.start(errand.argv, terminal).await?;
    tokio::select! {
        shown = show_all(&router, terminal.is_some()) => shown?,
        () = pass_on_input(&router) => {}
    }
    Ok(router.wait().await?)
}

/// What is typed and shown is the other side's business. Returns the size.
fn raw_terminal() -> (u32, u32) {
    if let Ok(mut modes) = tcgetattr(rustix::stdio::stdin()) {
        modes.make_raw();
        let _ = tcsetattr(rustix::stdio::stdin(), OptionalActions::Now, &modes);
    }
    let size = tcgetwinsize(rustix::stdio::stdin());
    size.map_or((24, 80), |size| (u32::from(size.ws_row), u32::from(size.ws_col)))
}

/// A terminal has one stream.
async fn show_all(router: &Router, terminal: bool) -> Result<(), Status> {
    let printed = show(router, STDOUT, |data| {
        let mut stdout = std::io::stdout().lock();
        stdout.write_all(data).and_then(|()| stdout.flush())
    });
    if terminal {
        return printed.await;
    }
    let complained = show(router, STDERR, |data| std::io::stderr().lock().write_all(data));
    tokio::try_join!(printed, complained).map(|_| ())
}

/// Everything that a stream of the command has, to its end; a connection that breaks is made again where it stood.
async fn show(
    router: &Router,
    stream: i32,
    write: impl Fn(&[u8]) -> std::io::Result<()>,
) -> Result<(), Status> {
    let (mut offset, mut failures) = (0, 0);
    loop {
        let before = offset;
        let status = match show_from(router, stream, &mut offset, &write).await {
            Ok(()) => return Ok(()),
            Err(status) => status,
        };
        failures = if offset > before { 0 } else { failures + 1 };
        if failures > ATTEMPTS {
            return Err(status);
        }
        match status.code {
            UNAUTHENTICATED => router.enter_again().await?,
            _ if status.passes() => tokio::time::sleep(FIRST_DELAY * 2_u32.pow(failures)).await,
            _ => return Err(status),
        }
    }
}

async fn show_from(
    router: &Router,
    stream: i32,
    offset: &mut u64,
    write: impl Fn(&[u8]) -> std::io::Result<()>,
) -> Result<(), Status> {
    let mut output = router.output(stream, *offset).await?;
    while let Some(part) = output.next().await? {
        *offset += u64::try_from(part.data.len()).unwrap_or_default();
        // Whoever does not listen any more ends us.
        let _ = write(&part.data);
    }
    Ok(())
}

/// Never ends: a command may go on without input.
async fn pass_on_input(router: &Router) {
    let (typed, mut arriving) = mpsc::channel::<Vec<u8>>(1);
    std::thread::spawn(move || {
        let mut chunk = vec![0; 64 * 1024];
        loop {
            let length = std::io::stdin().read(&mut chunk).unwrap_or(0);
            let bytes = chunk.get(..length).unwrap_or_default().to_vec();
            if typed.blocking_send(bytes).is_err() || length == 0 {
                return;
            }
        }
    });
    let mut offset = 0;
    while let Some(bytes) = arriving.recv().await {
        // A command that has closed its input wants no more.
        if router.type_in(offset, &bytes).await.is_err() {
            break;
        }
        offset += u64::try_from(bytes.len()).unwrap_or_default();
    }
    std::future::pending().await
}
