//! The judge of commands: any text is judged, the gravest finding decides, and nothing that is added after a
//! command or wrapped around it makes it look harmless.

use hermes_policy::command::{Class, Judgement, Stage, judge};

/// Stops at a promise that is broken.
pub fn holds(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let stage = Stage {
        home: "/home/agent".to_owned(),
        cwd: "/workspace".to_owned(),
        writable: vec!["/workspace".to_owned(), "/tmp".to_owned()],
        hermes_home: "/home/agent/.hermes".to_owned(),
    };
    let judgement = judge(&text, &stage);
    is_coherent(&judgement, &text);
    assert_eq!(judgement, judge(&text, &stage), "judged twice: {text:?}");

    // Whatever follows, the first line runs.
    let after = judge(&format!("rm -rf /\n{text}"), &stage);
    assert_eq!(after.class, Class::Deny, "hidden by {text:?}");

    // A shell that is given the text does what the text does, unless it takes it for an option.
    if judgement.class == Class::Deny
        && !text.contains('\0')
        && !text.starts_with(['-', '+'])
        && text.len() < 512
    {
        let wrapped = format!("sh -c '{}'", text.replace('\'', "'\\''"));
        assert!(judge(&wrapped, &stage).class >= Class::Ask, "harmless in a shell: {wrapped:?}");
    }
}

fn is_coherent(judgement: &Judgement, text: &str) {
    for finding in &judgement.findings {
        assert!(finding.class <= judgement.class, "{finding:?} of {text:?}");
        assert!(!finding.rule.is_empty() && !finding.category.is_empty() && !finding.reason.is_empty());
        let (start, end) = finding.span;
        assert!(start <= end && end <= text.len(), "{finding:?} of {text:?}");
    }
    let asks = judgement.class >= Class::Ask;
    assert_eq!(asks, !judgement.findings.is_empty(), "{judgement:?} of {text:?}");
    assert_eq!(asks, judgement.category.is_some());
}
