//! A command of the stand-in: a real process whose output can be read from any place, more than once.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use tokio::sync::watch;

pub(super) struct Execution {
    /// Standard output and standard error.
    streams: [Printed; 2],
    exit: watch::Sender<Option<i32>>,
    input: Mutex<Option<Box<dyn Write + Send>>>,
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

fn open_terminal((ws_row, ws_col): (u16, u16)) -> (File, File) {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
    grantpt(&ours).and_then(|()| unlockpt(&ours)).unwrap();
    tcsetwinsize(&ours, Winsize { ws_row, ws_col, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
    let theirs = rustix::fs::open(ptsname(&ours, Vec::new()).unwrap(), flags, Mode::empty()).unwrap();
    (File::from(ours), File::from(theirs))
}

impl Execution {
    /// `terminal` is the size of the one that it gets, by rows and columns.
    pub(super) fn start(argv: &[String], terminal: Option<(u16, u16)>) -> Arc<Self> {
        let mut command = Command::new("setsid");
        command
            .args(terminal.map(|_| "--ctty"))
            .arg("--wait")
            .args(argv)
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("HOME", "/tmp");
        type Ends = (Box<dyn Write + Send>, Box<dyn Read + Send>, Box<dyn Read + Send>);
        let (mut child, (input, stdout, stderr)): (_, Ends) = match terminal {
            Some(size) => {
                let (ours, theirs) = open_terminal(size);
                let [stdin, stdout] = [&theirs; 2].map(|end| end.try_clone().unwrap());
                let child = command.stdin(stdin).stdout(stdout).stderr(theirs).spawn().unwrap();
                drop(command);
                let typed = ours.try_clone().unwrap();
                (child, (Box::new(typed), Box::new(ours), Box::new(std::io::empty())))
            }
            None => {
                command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
                let mut child = command.spawn().unwrap();
                let input = Box::new(child.stdin.take().unwrap());
                let (stdout, stderr) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
                (child, (input, Box::new(stdout), Box::new(stderr)))
            }
        };
        let stream = || Printed(watch::channel((Vec::new(), false)).0);
        let execution = Arc::new(Execution {
            streams: [stream(), stream()],
            exit: watch::channel(None).0,
            input: Mutex::new(Some(input)),
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
