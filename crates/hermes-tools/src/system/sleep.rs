//! Waits.

use std::time::Duration;

use hermes_host::Clock;
use hermes_kit::prelude::*;
use jiff::Timestamp;
use tokio::time::Instant;

const MAX_SECONDS: f64 = 3_600.0;

/// Wait for some seconds or until a point in time, at most one hour. Use it to let something finish, such as
/// a build or a rate limit, instead of asking again and again.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// How long to wait in seconds, fractions allowed. Give either this or until.
    #[schemars(range(min = 0, max = 3600))]
    seconds: Option<f64>,
    /// When to wake up, as an ISO 8601 time with an offset, such as 2026-05-01T09:00:00+02:00 or one ending
    /// in Z. A time in the past returns at once.
    until: Option<String>,
    /// Why to wait; kept in the record of the call.
    #[serde(rename = "reason")]
    _reason: Option<String>,
}

#[derive(Debug, Serialize)]
pub struct Output {
    slept_seconds: f64,
    /// Whether the wait was cut short from outside.
    interrupted: bool,
    woke_at: String,
}

pub struct Sleep {
    clock: Clock,
}

impl Tool for Sleep {
    type Args = Args;
    type Output = Output;
    const META: ToolMeta = ToolMeta {
        // Longer than the longest wait.
        timeout: Duration::from_secs(3_660),
        exposure: Exposure::Deferrable,
        emoji: "💤",
        tags: &["wait", "pause", "delay", "timer"],
        ..ToolMeta::new("sleep", "system", Effect::None)
    };

    fn new(host: &Host) -> Self {
        Sleep { clock: host.clock.clone() }
    }

    async fn call(&self, args: Args, cx: &CallContext) -> Result<Output, ToolError> {
        let wait = self.duration(&args)?;
        let started = Instant::now();
        let interrupted = tokio::select! {
            // An interrupt wins over a wait that ends in the same instant.
            biased;
            () = cx.cancel().cancelled() => true,
            () = self.clock.sleep(wait) => false,
        };
        let slept = started.elapsed();
        let slept_seconds = (slept.as_secs_f64() * 1_000.0).round() / 1_000.0;
        if interrupted && slept >= cx.time() {
            let text = "the wait was longer than the tool may take";
            return Err(ToolError::new(ErrorCode::Cancelled, text).with_field("slept_seconds", slept_seconds));
        }
        Ok(Output {
            slept_seconds,
            interrupted,
            woke_at: Timestamp::from_millisecond(self.clock.now_ms()).unwrap_or_default().to_string(),
        })
    }

    fn examples() -> Vec<Example> {
        vec![
            Example::succeeds(
                "a tenth of a second",
                json!({"seconds": 0.1, "reason": "let the server start"}),
                json!({"interrupted": false}),
            ),
            Example::succeeds(
                "a time that has passed",
                json!({"until": "2001-01-01T00:00:00Z"}),
                json!({"interrupted": false}),
            ),
            Example::fails("neither form given", json!({}), ErrorCode::InvalidArgument),
        ]
    }
}

impl Sleep {
    fn duration(&self, args: &Args) -> Result<Duration, ToolError> {
        let seconds = match (args.seconds, args.until.as_deref()) {
            (Some(seconds), None) => seconds,
            (None, Some(until)) => self.seconds_until(until)?,
            _ => return Err(ToolError::invalid("give either seconds or until, not both and not neither")),
        };
        if !(0.0..=MAX_SECONDS).contains(&seconds) {
            return Err(ToolError::invalid(format!("the wait must be from 0 to {MAX_SECONDS} seconds"))
                .with_hint("Wait in several steps if it must be longer."));
        }
        Ok(Duration::from_secs_f64(seconds))
    }

    fn seconds_until(&self, until: &str) -> Result<f64, ToolError> {
        let time: Timestamp = until.trim().parse().map_err(|_| {
            ToolError::invalid("until is not an ISO 8601 time with an offset")
                .with_hint("Write it like 2026-05-01T09:00:00+02:00 or 2026-05-01T07:00:00Z.")
        })?;
        let now = Timestamp::from_millisecond(self.clock.now_ms()).unwrap_or_default();
        Ok(time.duration_since(now).as_secs_f64().max(0.0))
    }
}

register_tool!(Sleep);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_checked() {
        let sleep = Sleep { clock: Clock::fixed_at_ms(1_000_000_000_000) };
        let wait = |seconds: Option<f64>, until: Option<&str>| {
            let args = Args { seconds, until: until.map(str::to_owned), _reason: None };
            sleep.duration(&args).ok().map(|wait| wait.as_secs_f64())
        };
        assert_eq!(wait(Some(1.5), None), Some(1.5));
        assert_eq!(wait(Some(3_600.0), None), Some(3_600.0));
        assert_eq!(wait(None, Some("2001-09-09T01:46:45Z")), Some(5.0));
        assert_eq!(wait(None, Some("2001-09-09T03:46:45+02:00")), Some(5.0));
        assert_eq!(wait(None, Some("1999-01-01T00:00:00Z")), Some(0.0));
        for refused in [f64::NAN, f64::INFINITY, -0.1, -1.0, 3_600.1, 1e300] {
            assert_eq!(wait(Some(refused), None), None, "{refused}");
        }
        for refused in ["tomorrow", "2001-09-09T01:46:45", "2002-01-01T00:00:00Z", ""] {
            assert_eq!(wait(None, Some(refused)), None, "{refused}");
        }
        assert_eq!(wait(None, None), None);
        assert_eq!(wait(Some(1.0), Some("2001-09-09T01:46:45Z")), None);
    }
}
