//! Programs for sound and pictures: their inputs and outputs may be addresses in disguise.

use super::access::{read, write};
use super::args::Arg;
use super::model::EffectKind;
use super::scene::Scene;
use super::trial::Trial;
use super::urls;

/// Spellings in front of a path: `concat:a|b`, `subfile,,start,0,end,9,,:a`, `crypto:a`.
const PROTOCOLS: &[&str] =
    &["concat", "file", "crypto", "cache", "async", "subfile", "concatf", "hls", "tee"];

/// What separates the files in one word, filters included: `movie=a,scale`, `textfile=a:x=1`.
const SEPARATORS: [char; 6] = ['|', ':', '=', ',', ';', '\''];

pub(crate) fn judge(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    for arg in args.iter().filter(|arg| !urls::is_url(&arg.text)) {
        for part in arg.text.split(SEPARATORS).filter(|part| part.starts_with(['/', '~', '.'])) {
            read(trial, scene, &Arg::certain(part));
        }
    }
    let script = |arg: &&Arg| ["msl:", "ephemeral:"].iter().any(|coder| arg.text.starts_with(coder));
    if args.iter().any(|arg| script(&arg)) {
        let reason = format!("{name} is told to run a script of its own, or to delete what it reads");
        scene.ask(trial, "media-script", "arg_injection", reason);
    }
    let input = |place: usize| {
        place.checked_sub(1).and_then(|before| args.get(before)).is_some_and(|before| before.text == "-i")
    };
    for (place, arg) in args.iter().enumerate().filter(|(place, _)| !input(*place)) {
        if let Some((protocol, path)) = arg.text.split_once(':')
            && PROTOCOLS.contains(&protocol)
            && path.starts_with(['/', '~'])
        {
            write(trial, scene, &Arg::certain(path));
        }
        let outputs = matches!(name, "ffmpeg" | "avconv" | "gst-launch-1.0" | "cvlc" | "vlc");
        let last = place + 1 == args.len() || arg.text.starts_with("tee:");
        if outputs && last && args.len() > 1 && urls::is_url(&arg.text) && !urls::is_loopback(&arg.text) {
            trial.effect(EffectKind::Network, arg.shown());
            let reason = format!("it sends what it makes to {}", arg.shown());
            scene.ask(trial, "stream-out", "exfiltration", reason);
        }
    }
}
