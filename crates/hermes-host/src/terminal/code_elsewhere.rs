//! Code where commands run on another machine or in a container. It goes there by standard input, which then carries
//! the answers to its questions; the questions come by standard error, and what it prints by standard output.

use std::time::Duration;

use base64::Engine as _;
use hermes_core::{CallContext, ErrorCode, ToolError};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};

use super::backends::{Job, Prepared, processes};
use super::code::Code;
use super::door::{Terminals, failed};
use super::ending::EndThere;
use super::interpreter::{Interpreter, Peer, Remains, missing};
use super::script;
use crate::process::{Child, Stream};

/// How long the other side may take before the code begins.
const PATIENCE: Duration = Duration::from_secs(60);
/// What is kept of its complaints.
const MOST_COMPLAINTS: usize = 4_096;

/// Files come as their names, their contents in base64 and a line with a dot. They lie in a folder whose name nobody can
/// know before it is there, and that nobody else may look into: others use the same `/tmp`. Two named pipes stand for the
/// socket that code has here: `HERMES_ASK` is where it writes. What it leaves running is ended, as it is here.
const SCRIPT: &str = r#"
command -v PROGRAM >/dev/null || { echo "MARK lacks" >&2; exit 127; }
umask 077
d=$(mktemp -d /tmp/hermes-XXXXXXXXXXXX) || exit 125
trap 'rm -rf "$d"' EXIT
trap 'exit 143' TERM
[ -d "$d" ] && [ ! -L "$d" ] && [ -O "$d" ] || { echo "$d is not a folder of our own" >&2; exit 125; }
chmod 700 "$d" && mkfifo "$d/ask" "$d/answer" || exit 125
while IFS= read -r name && [ -n "$name" ]; do
  while IFS= read -r line && [ "$line" != . ]; do echo "$line"; done | base64 -d >"$d/$name" || exit 125
done
echo "MARK ready $d" >&2
exec 4<&0
cat <"$d/ask" >&2 &
exec 3>"$d/ask"
cat <&4 3>&- >"$d/answer" &
ulimit -d KIBIBYTES 2>/dev/null
HERMES_ASK=3 HERMES_CODE=$d PYTHONPATH=$d PROGRAM FLAGS "$d/FIRST" <"$d/answer" 2>&1 4<&-
code=$?
sweep 40 " $$ "
exit $code"#;

impl Terminals {
    pub(super) async fn interpret_elsewhere(
        &self,
        code: &Code,
        cx: &CallContext,
    ) -> Result<Interpreter, ToolError> {
        let (first, _) = code.files.first().ok_or_else(|| ToolError::invalid("there is no code"))?;
        let (inner, session, mark) = (&*self.inner, &cx.session().id, script::new_mark());
        let state = inner.state(cx).await?;
        let line = format!("{}\n{SCRIPT}", processes(&mark))
            .replace("PROGRAM", code.program)
            .replace("FLAGS", &code.flags.join(" "))
            .replace("FIRST", first)
            .replace("KIBIBYTES", &(code.memory_bytes / 1_024).to_string())
            .replace("MARK", &mark);
        let job = Job {
            session,
            line: &line,
            mark: &mark,
            tells: None,
            lasts: false,
            cwd: &inner.standing_folder(&state, cx),
            env: &state.environment(inner.base()),
            pty: false,
            fed: true,
            kept: true,
            left: None,
            walls: None,
        };
        let Prepared { mut launch, mut input, place } = inner.backend.prepare(job).await?;
        let there = EndThere::new(self, session, &mark);
        (launch.stdin, launch.stderr) = (Stream::Piped, Stream::Piped);
        let mut child = Child::start(&launch).await.map_err(|reason| failed(&reason))?;
        let (Some(mut stdin), Some(stderr)) = (child.stdin.take(), child.stderr.take()) else {
            return Err(ToolError::internal("there is no way to speak to it"));
        };
        let mut stderr = BufReader::new(stderr);
        input.extend(packed(&code.files).into_bytes());
        let beginning = async { tokio::join!(stdin.write_all(&input), begun(&mut stderr, &mark)).1 };
        let begun = tokio::select! {
            () = cx.cancel().cancelled() => Begun::Never("the call was cancelled".to_owned()),
            begun = tokio::time::timeout(PATIENCE, beginning) => {
                begun.unwrap_or_else(|_| Begun::Never("the other side did not answer in time".to_owned()))
            }
        };
        let peer = Peer::new(stderr, stdin).noisy();
        let why = match begun {
            Begun::In(folder) => {
                let there = there.with_folder(Some(folder));
                let remains = Remains { there, _here: None };
                return Ok(Interpreter { child, peer, place, remains });
            }
            Begun::Lacking => {
                missing(code.program, &format!("where the commands of the {} backend run", place.backend))
            }
            Begun::Never(why) => {
                ToolError::new(ErrorCode::ExecFailed, format!("the code could not be started there: {why}"))
            }
        };
        let _ = child.kill().await;
        there.now().await;
        Err(why)
    }
}

/// How it went before the code itself began.
enum Begun {
    /// It lies in this folder.
    In(String),
    Lacking,
    Never(String),
}

async fn begun(stderr: &mut BufReader<tokio::net::unix::pipe::Receiver>, mark: &str) -> Begun {
    let mut complaints = String::new();
    loop {
        let mut line = Vec::new();
        let read = stderr.take(MOST_COMPLAINTS as u64).read_until(b'\n', &mut line).await;
        let line = String::from_utf8_lossy(&line);
        let word = line.trim_end().strip_prefix(mark).map(str::trim_start);
        if let Some(folder) = word.and_then(|word| word.strip_prefix("ready ")) {
            return Begun::In(folder.to_owned());
        }
        match word {
            Some("lacks") => return Begun::Lacking,
            _ if complaints.len() < MOST_COMPLAINTS => complaints.push_str(&line),
            _ => {}
        }
        if matches!(read, Ok(0) | Err(_)) {
            let said = complaints.trim_end();
            return Begun::Never(if said.is_empty() {
                "the connection was lost".to_owned()
            } else {
                said.to_owned()
            });
        }
    }
}

/// Lines that every shell can take apart without reading a byte too much.
fn packed(files: &[(String, String)]) -> String {
    let mut lines = String::new();
    for (name, content) in files {
        lines.extend([name, "\n"]);
        // Decoders want short lines, and shells read them faster.
        for part in content.as_bytes().chunks(3_000) {
            lines.push_str(&base64::engine::general_purpose::STANDARD.encode(part));
            lines.push('\n');
        }
        lines.push_str(".\n");
    }
    lines + "\n"
}
