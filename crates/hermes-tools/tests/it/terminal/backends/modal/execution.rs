//! A command of the stand-in: a real process whose output can be read from any place, more than once.

use std::io::{Read, Write};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};

use tokio::sync::watch;

pub(super) struct Execution {
    /// Standard output and standard error.
    streams: [Printed; 2],
    exit: watch::Sender<Option<i32>>,
    input: Mutex<Option<ChildStdin>>,
}

/// One of its streams: what was printed, and whether there will be more.
struct Printed(watch::Sender<(Vec<u8>, bool)>);

impl Printed {
    fn collect(&self, mut stream: impl Read) {
        let mut chunk = vec![0; 16 * 1024];
        while let Ok(length @ 1..) = stream.read(&mut chunk) {
            self.0.send_modify(|(printed, _)| printed.extend(&chunk[..length]));
        }
        self.0.send_modify(|(_, ended)| *ended = true);
    }
}

impl Execution {
    pub(super) fn start(argv: &[String]) -> Arc<Self> {
        let (program, arguments) = argv.split_first().unwrap();
        let mut child = Command::new(program)
            .args(arguments)
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("HOME", "/tmp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (stdout, stderr) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        let stream = || Printed(watch::channel((Vec::new(), false)).0);
        let execution = Arc::new(Execution {
            streams: [stream(), stream()],
            exit: watch::channel(None).0,
            input: Mutex::new(child.stdin.take()),
        });
        let own = Arc::clone(&execution);
        std::thread::spawn(move || own.streams[1].collect(stderr));
        let own = Arc::clone(&execution);
        std::thread::spawn(move || {
            own.streams[0].collect(stdout);
            let code = child.wait().unwrap().code().unwrap_or(137);
            own.exit.send_replace(Some(code));
        });
        execution
    }

    /// What a stream has from an offset on; empty at its end.
    pub(super) async fn read(&self, stream: usize, offset: usize) -> Vec<u8> {
        let mut printed = self.streams[stream].0.subscribe();
        let found = printed.wait_for(|(printed, ended)| printed.len() > offset || *ended).await.unwrap();
        found.0[offset.min(found.0.len())..].to_vec()
    }

    pub(super) fn write(&self, data: &[u8], eof: bool) {
        let mut input = self.input.lock().unwrap();
        if let Some(stdin) = input.as_mut() {
            let _ = stdin.write_all(data);
        }
        if eof {
            *input = None;
        }
    }

    pub(super) async fn wait(&self) -> i32 {
        self.exit.subscribe().wait_for(Option::is_some).await.unwrap().unwrap()
    }
}
