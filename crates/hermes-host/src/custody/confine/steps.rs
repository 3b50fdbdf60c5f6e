//! The steps of which a filter of system calls is made, and how the right ones are found.

use libc::{BPF_ABS, BPF_JA, BPF_JEQ, BPF_JGE, BPF_JMP, BPF_K, BPF_LD, BPF_RET, BPF_W, sock_filter};

pub(super) const ALLOW: u32 = libc::SECCOMP_RET_ALLOW;

/// Finds the rule for a call by halves. Few steps, because the kernel goes through them for every call there is when the
/// filter is set up.
pub(super) fn decide(rules: &[(u32, Vec<sock_filter>)]) -> Vec<sock_filter> {
    let (lower, upper) = rules.split_at(rules.len() / 2);
    match upper.first() {
        Some((middle, _)) if rules.len() > FEW => {
            let lower = decide(lower);
            let mut steps = match u8::try_from(lower.len()) {
                Ok(over) => vec![jump(BPF_JGE, *middle, over, 0)],
                Err(_) => vec![jump(BPF_JGE, *middle, 0, 1), skip(lower.len())],
            };
            steps.extend(lower);
            steps.extend(decide(upper));
            steps
        }
        _ => rules.iter().flat_map(|(call, steps)| on_call(*call, steps)).chain([answer(ALLOW)]).collect(),
    }
}

/// So few rules are looked at one by one.
const FEW: usize = 3;

/// The steps for one call only. They may spoil the accumulator, so they end with an answer; a single one is that.
fn on_call(call: u32, steps: &[sock_filter]) -> Vec<sock_filter> {
    let end = (steps.len() > 1).then(|| answer(ALLOW));
    let over = u8::try_from(steps.len() + usize::from(end.is_some())).unwrap_or(u8::MAX);
    std::iter::once(jump(BPF_JEQ, call, 0, over)).chain(steps.iter().copied()).chain(end).collect()
}

fn skip(steps: usize) -> sock_filter {
    statement(BPF_JMP | BPF_JA, u32::try_from(steps).unwrap_or(u32::MAX))
}

pub(super) fn load(offset: u32) -> sock_filter {
    statement(BPF_LD | BPF_W | BPF_ABS, offset)
}

pub(super) fn answer(value: u32) -> sock_filter {
    statement(BPF_RET | BPF_K, value)
}

pub(super) fn statement(code: u32, k: u32) -> sock_filter {
    sock_filter { code: u16::try_from(code).unwrap_or_default(), jt: 0, jf: 0, k }
}

pub(super) fn jump(test: u32, value: u32, met: u8, not: u8) -> sock_filter {
    let code = u16::try_from(BPF_JMP | test | BPF_K).unwrap_or_default();
    sock_filter { code, jt: met, jf: not, k: value }
}
