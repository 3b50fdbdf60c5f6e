//! Ends a command on the other side: finds all of its processes, asks them to end, and kills what does not.

use super::withdrawn;
use crate::terminal::quote::quoted_text;

/// The variable that names every process of a command on the other side.
pub(super) const NAME: &str = "HERMES_JOB";

/// Ends every process that bears the name, also those that went their own way, and what these started and gave another
/// environment. One that has not begun yet never does. Says in the end whether nothing of it is left.
pub(super) fn end(mark: &str) -> String {
    let (leave, remove) = (withdrawn::leave(mark), withdrawn::remove(mark));
    // What was found cannot begin any more.
    format!(
        "{leave}\n{}\n{END}\n[ -z \"$found\" ] || {remove}\n{SEEN} && [ -z \"$left\" ] && echo {DONE}",
        processes(mark)
    )
}

/// The same for whatever shell reads a line there.
pub(super) fn end_line(mark: &str) -> String {
    format!("exec sh -c {}", quoted_text(&end(mark)))
}

/// Whether it is seen what others run, too: of what nobody sees nobody knows that it is gone.
const SEEN: &str = r#"{ IFS= read -r l </proc/1/stat; } 2>/dev/null"#;

/// What the other side says where nothing is left.
const DONE: &str = "hermes-done";

/// Whether it said so.
pub(super) fn is_done(said: Result<String, String>) -> bool {
    said.is_ok_and(|said| said.trim_end().ends_with(DONE))
}

/// Functions of the shell that find the processes that bear the name, and all that belongs to them.
pub(in crate::terminal) fn processes(mark: &str) -> String {
    format!("{}\n{TREE}", bearers(mark))
}

/// A function of the shell: `bearers environ` lists the environments of the processes that bear the name, and
/// `bearers cmdline` the arguments of who stays with the command: it was given the name as one of them.
fn bearers(mark: &str) -> String {
    BEARERS.replace("NAME", &quoted_text(&format!("{NAME}={mark}")))
}

/// GNU's grep reads those of all processes at once. Others see only the first of each, so there every process is looked
/// at by itself.
const BEARERS: &str = r#"case $(grep --version 2>/dev/null) in *GNU*) gnu=1;; *) gnu=;; esac
bearers() {
  if [ "$gnu" ]; then grep -lzxF NAME /proc/[0-9]*/"$1" 2>/dev/null; return; fi
  for p in /proc/[0-9]*/"$1"; do (tr '\0' '\n' < "$p" | grep -qxF NAME) 2>/dev/null && echo "$p"; done
}"#;

/// Functions of the shell. `tree` adds to `all` the numbers of the processes that bear the name, and of what these and
/// those that are there already started; once seen they are known, whosever children they become. To read who started whom
/// takes a while where many run, so it is done once. Of these, `tops` are those that were started by others: the shell of
/// the command. `send` sends a signal to the others that live, and fails where none gets it; 0 counts all: who became somebody
/// else lives too. `sweep` kills all but the given ones until two looks, of at most so many, find nobody that can be; it
/// looks ever more seldom, and forgets whom it killed: their numbers will be others' one day.
const TREE: &str = r#"all=" " tops=" "
tree() {
  for p in $(bearers environ); do p=${p#/proc/}; p=${p%/environ}; case $all in *" $p "*) ;; *) all="$all$p ";; esac; done
  started=
  for s in /proc/[0-9]*/stat; do
    { IFS= read -r l <"$s"; } 2>/dev/null || continue
    p=${s#/proc/}; l=${l##*) }; l=${l#* }
    started="$started ${p%/stat}:${l%% *}"
  done
  grew=1
  while [ $grew = 1 ]; do
    grew=0
    for s in $started; do
      case $all in *" ${s%%:*} "*) ;; *" ${s#*:} "*) all="$all${s%%:*} "; grew=1;; esac
    done
  done
}
top() {
  for p in $all; do
    { IFS= read -r l <"/proc/$p/stat"; } 2>/dev/null || continue
    l=${l##*) }; l=${l#* }
    case $all in *" ${l%% *} "*) ;; *) tops="$tops$p ";; esac
  done
}
send() {
  lives=1
  for p in $2; do
    case $3 in *" $p "*) continue;; esac
    { IFS= read -r l <"/proc/$p/stat"; } 2>/dev/null || continue
    case ${l##*) } in [ZX]*) continue;; esac
    if [ "$1" = 0 ]; then lives=0; else kill "-$1" "$p" 2>/dev/null && lives=0; fi
  done
  return $lives
}
sweep() {
  n=0 none=0
  while [ $none -lt 2 ]; do
    [ $n -lt $1 ] || return 1
    n=$((n+1)); tree
    if send KILL "$all" "$2"; then none=0 found=1 all=" "; else none=$((none+1)); fi
    if [ $n -gt 100 ]; then sleep 2; elif [ $n -gt 60 ]; then sleep 0.5; elif [ $n -gt 20 ]; then sleep 0.05; fi
  done
}"#;

/// They are asked first, and killed a moment later. Meanwhile their shell stands still: it would go on with its next
/// line, and as long as it is there nobody gets away from it. Then it is asked too, so that it can still tell where it
/// stands. One that does not hear that goes on by itself, for which a moment is enough. Those that are to be killed are
/// stopped first, so that none starts another behind our back. What starts others all the time is faster than this: it is
/// left to who stays with the command, who goes on when its shell has ended, and is waited for.
const END: &str = r#"found=; tree; top; [ "$all" = ' ' ] || found=1
send STOP "$tops" ""
send TERM "$all" "$tops" && { n=0; while sleep 0.05; n=$((n+1)); [ $n -lt 16 ] && send 0 "$all" "$tops"; do :; done; }
n=0
while tree; send STOP "$all" "$tops"; before=$all; tree; [ "$all" != "$before" ] && [ $n -lt 2 ]; do n=$((n+1)); done
n=0
while send KILL "$all" "$tops" && [ $n -lt 5 ]; do n=$((n+1)); sleep 0.05; tree; done
most=16
for p in $tops; do
  while IFS= read -r l; do case $l in SigIgn:*[4567cdef]???) most=5;; esac; done <"/proc/$p/status"
done 2>/dev/null
send TERM "$tops" ""; send CONT "$tops" ""
n=0
while send 0 "$tops" "" && [ $n -lt $most ]; do n=$((n+1)); sleep 0.05; done
left=
sweep 120 "" || left=1
send 0 "$all" "" && left=1
n=0
while [ "$(bearers cmdline)" ]; do
  [ $n -lt 100 ] || { left=1; break; }
  n=$((n+1)); sleep 0.1
done"#;

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;
    use crate::terminal::script::new_mark;

    /// What ending a sleeper says, by a shell that begins like this.
    fn said(begins: &str, line: impl Fn(&str) -> String) -> (bool, bool) {
        let mark = new_mark();
        let mut child = Command::new("sleep").arg("1000").env(NAME, &mark).spawn().unwrap();
        let said = Command::new("sh").args(["-c", &format!("{begins}\n{}", line(&mark))]).output().unwrap();
        let lives = child.try_wait().unwrap().is_none();
        child.kill().and_then(|()| child.wait()).unwrap();
        (is_done(Ok(String::from_utf8(said.stdout).unwrap())), lives)
    }

    /// How often it is looked again whether a shell has ended that goes on and on.
    fn looks(line: &str) -> usize {
        let mark = new_mark();
        let mut child = Command::new("sh").args(["-c", line]).env(NAME, &mark).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(200));
        let counting = "sleep() { echo slept; command sleep \"$1\"; }";
        let said = Command::new("sh").args(["-c", &format!("{counting}\n{}", end(&mark))]).output().unwrap();
        assert!(child.wait().is_ok_and(|status| !status.success()));
        String::from_utf8(said.stdout).unwrap().matches("slept").count()
    }

    #[test]
    fn a_shell_that_hears_nothing_is_not_waited_for_like_another() {
        let deaf = looks("trap '' TERM; while :; do sleep 1; done");
        assert!((1..26).contains(&deaf), "{deaf}");
    }

    #[test]
    fn nothing_is_said_to_have_ended_that_lives_or_cannot_be_seen() {
        // A shell may read a line by rules of its own; who became somebody else gets no signal.
        assert_eq!((said("", end), said("IFS=", end_line)), ((true, false), (true, false)));
        assert_eq!(said("kill() { return 1; }", end), (false, true));
        assert_eq!(said("", |mark| end(mark).replace("/proc", "/nowhere")), (false, true));
    }
}
