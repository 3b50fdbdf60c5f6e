//! What texts of tools and results should not say: each pattern with what it means.

use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};

/// Places where secrets lie, as part of other patterns.
const SECRETS: &str = r"(?:~?/?\.(?:ssh|aws|gnupg|kube|docker|cursor|claude|config/gcloud|netrc|npmrc|pypirc|git-credentials|env)\b[^\s,;]*|id_(?:rsa|ed25519|ecdsa)|/etc/(?:passwd|shadow)|mcp\.json|\.env\b|private keys?|api[ _-]?keys?|access tokens?|credentials?(?: file)?|passwords?|secrets?|environment variables?|keychain|seed phrase|cookies)";
/// What a session holds that is none of a tool's business.
const SESSION: &str = r"(?:(?:entire|full|whole|previous|prior|complete|all)?\s*(?:the |this |your |our )?(?:conversation|chat|message|prompt)s?(?: history| context| log)?|system prompt|chat history|previous messages|tool results|your (?:instructions|context|memory))";

/// Pattern and meaning. `{secrets}` and `{session}` are filled in.
const TABLE: &[(&str, &str)] = &[
    (
        r"<\s*/?\s*(?:important|system|instructions?|secret|admin|hidden|assistant|critical|override|user|developer|tool_response|function_calls?)\b[^>]*>",
        "markup that poses as instructions",
    ),
    (r"<\|[a-z_]+\|>|\[/?INST\]|<<SYS>>|<!--", "marks of a chat format or a hidden comment"),
    (
        r"(?:^|\n|[.!]\s)\s*(?:system|developer|assistant|admin|root)(?: message| prompt| notice| override)?\s*:\s*\S",
        "a text that poses as another speaker",
    ),
    (
        r"\b(?:ignore|disregard|forget|override|bypass|discard)\b.{0,30}\b(?:instructions?|rules|prompts?|guidelines|polic(?:y|ies)|directions|constraints|restrictions|everything (?:above|before))",
        "an order to ignore instructions",
    ),
    (
        r"\b(?:new|updated|real|actual|hidden|following) (?:system )?instructions?\b.{0,20}(?::|\bare\b|override)|\byou are now\b|\b(?:developer|god|admin|debug|unrestricted|jailbreak|dan) mode\b|\bfrom now on\b,? (?:you|always|never)|\bact as\b.{0,20}\b(?:admin|root|system|unrestricted)",
        "an order to take another role",
    ),
    (
        r"\b(?:do not|don'?t|never|must not|should not|avoid)\b.{0,20}\b(?:tell|inform|mention|reveal|notify|show|disclose|explain|alert|report|ask)\b.{0,30}\b(?:users?|humans?|anyone|anybody|them|him|operator|person|people)\b|\bwithout\b.{0,12}\b(?:telling|asking|informing|notifying|mentioning|confirmation|permission|consent|the user)\b|\b(?:silently|secretly|covertly|quietly|discreetly)\b|\bhid(?:e|den) (?:this |it )?from\b|\bkeep (?:this|it) (?:secret|hidden|confidential|between)",
        "an order to keep something from the user",
    ),
    (
        r"\b(?:disable|skip|bypass|turn off|switch off|suppress|auto-?approve|ignore)\b.{0,25}\b(?:approvals?|confirmations?|permissions?|safety|sandbox|guardrails?|security|warnings?|checks?|filters?|policy)\b|\b(?:no|without) (?:need for |any )?(?:approval|confirmation|permission) (?:is )?(?:needed|required|necessary)",
        "an order against approvals",
    ),
    (
        r"\b(?:read|open|cat|copy|send|pass|include|attach|paste|upload|append|provide|fetch|load|forward|submit|put|add|share|output|print|contents? of|value of)\b[^.\n]{0,60}{secrets}[^.\n]{0,40}\b(?:and|as|in|into|to|first|before|with|here|parameter|argument|field|comment|request)\b",
        "a request for secrets",
    ),
    (
        r"\b(?:full |raw |exact )?(?:contents?|copy|text|dump) of\b.{0,20}(?:~?/?\.(?:ssh|aws|env|gnupg|kube|cursor|claude|netrc|npmrc)\b|id_rsa|id_ed25519|/etc/(?:passwd|shadow)|mcp\.json)",
        "a request for secrets",
    ),
    (
        r"\b(?:first|before|also|then|always|must|should|please|and)\b[^.\n]{0,30}\b(?:read|open|cat|load|fetch|copy|upload|send)\b[^.\n]{0,30}(?:~?/?\.(?:ssh|aws|env|gnupg|kube|cursor|claude|netrc|npmrc)\b|id_rsa|id_ed25519|/etc/(?:passwd|shadow)|mcp\.json|{secrets})",
        "a request for secrets",
    ),
    (
        r"\b(?:read|open|cat|load|fetch|copy|upload|send|attach|include|pass)\b (?:the |your |their |user'?s? |all )*(?:~?/?\.(?:ssh|aws|env|gnupg|kube|cursor|claude|netrc|npmrc)\b|id_rsa|id_ed25519|/etc/(?:passwd|shadow)|mcp\.json)",
        "a request for secrets",
    ),
    (
        r"\b(?:include|pass|send|provide|append|copy|paste|attach|insert|put|forward|share|repeat|output|print|reveal|summari[sz]e)\b[^.\n]{0,25}{session}[^.\n]{0,30}\b(?:in|into|to|as|here|with|first|parameter|argument|field|verbatim)\b",
        "a request for the conversation",
    ),
    (
        r"\b(?:when(?:ever)?|if|before|after|each time|every time|once)\b[^.\n]{0,50}\b(?:[a-z]+_[a-z_]+|(?:an)?other tools?|any (?:other )?tool|(?:the )?\w+ tool)\b[^.\n]{0,25}\b(?:is|are|gets?)?\s*(?:called|used|invoked|run|available|executed)\b[^.\n]{0,10}[,:;]?\s*(?:you (?:must|should)|always|instead|change|replace|set|modify|add|append|redirect|send|bcc|use|also|first|rewrite|substitute)",
        "an order about other tools",
    ),
    (
        r"\b(?:instead of|rather than|in place of|never use|do not use|don'?t use|prefer (?:this|it) over)\b[^.\n]{0,20}\b(?:the )?(?:other|built-?in|official|[a-z]+_[a-z_]+)\b[^.\n]{0,20}\btools?\b|\b(?:all|every) other tools?\b[^.\n]{0,30}\b(?:deprecated|broken|unsafe|disabled|must|should)|\b(?:always|must)\b[^.\n]{0,30}\b(?:before|prior to)\b[^.\n]{0,15}\b(?:any|every|all) (?:other )?(?:tools?|actions?|calls?|requests?)\b|\bthis tool (?:overrides?|replaces?|supersedes?)\b",
        "an order about other tools",
    ),
    (
        r"\b(?:ai|llm|language|assistant|chat)\s*(?:agents?|assistants?|models?|bots?)?\s*[:,]\s*(?:please |you |always |must |do |copy|send|run|read|execute|ignore|call|post|use|include|fetch|open|visit|delete|forward)|\b(?:note|message|instructions?|attention|reminder) (?:to|for) (?:the |any |all )?(?:ai|llm|assistant|agent|model|bot)s?\b|\b(?:ai|llm) (?:agents?|assistants?|models?)\b.{0,25}\b(?:must|should|shall|need to|have to|are required|please)\b|\bif you are an? (?:ai|llm|assistant|agent|language model|bot)\b|\b(?:dear|hey|hello),? (?:ai|assistant|agent|claude|gpt|model)\b",
        "a text that addresses a model",
    ),
    (
        r"\b(?:run|execute|eval|invoke|type|paste|enter)\b[^.\n]{0,40}(?:rm -[rf]|curl\b|wget\b|bash\b|sh -c|powershell|chmod|sudo|nc -|base64 -d|python3? -c|mkfifo|crontab)|\b(?:curl|wget)\b[^\n]{0,120}\|\s*(?:ba|z|da)?sh\b|\brm -rf\s+[~/]",
        "a command to run",
    ),
    (
        r"\b(?:send|post|forward|upload|email|e-mail|bcc|cc|exfiltrate|leak|transmit|deliver|report)\b[^.\n]{0,70}(?:{secrets}|{session}|\b(?:data|files?|results?|output|everything|contents?|it|them|documents?|source)\b)[^\n]{0,40}(?:https?://\S+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)",
        "an order to send data elsewhere",
    ),
    (
        r"\b(?:recipient|address|destination|url|endpoint|amount|account|iban|wallet)\b[^.\n]{0,20}\b(?:to|with|by)\b\s*(?:https?://\S+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|0x[0-9a-f]{8,})",
        "an order to divert something",
    ),
    (r"!\[[^\]]*\]\(\s*https?://[^)]*(?:[?&][^)]*=|\{|\$)[^)]*\)", "a picture that carries data away"),
    (
        r"\b(?:or|otherwise)\b[^.\n]{0,20}\b(?:tool|it|this|call|request)\b[^.\n]{0,10}\b(?:will|would)\b[^.\n]{0,10}\b(?:not work|fail|break|be rejected|crash)",
        "a threat to make a model obey",
    ),
    (
        r"\b(?:reply|respond|answer|say|output)\b (?:only |exactly |just )?(?:with|that)\b[^.\n]{0,40}\b(?:success|approved|safe|done|no issues)\b[^.\n]{0,30}\b(?:regardless|no matter|even if|whatever)",
        "an order to lie",
    ),
];

/// The table, compiled once.
pub(super) static PATTERNS: LazyLock<Vec<(Regex, &'static str)>> = LazyLock::new(|| {
    let filled = |pattern: &str| pattern.replace("{secrets}", SECRETS).replace("{session}", SESSION);
    let compile = |pattern: &str| RegexBuilder::new(&filled(pattern)).case_insensitive(true).build();
    TABLE.iter().filter_map(|(pattern, what)| Some((compile(pattern).ok()?, *what))).collect()
});

/// Names of parameters that ask for what is none of a tool's business.
pub(super) static GREEDY_NAMES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let pattern = r"^(?:(?:full|entire|whole|previous|prior|complete|all|raw)_?)*(?:conversation|chat|message|dialog(?:ue)?|prompt)s?_?(?:history|log|context|transcript|so_far)$|^(?:the_)?system_?(?:prompt|message|instructions)$|^(?:previous|prior|all|past)_?(?:messages|turns|tool_(?:calls|results))$|^(?:model|llm|assistant|agent)_?(?:name|id|version|context|memory|instructions|reasoning|thoughts)$|^(?:chain_of_thought|reasoning_trace|thinking|scratchpad|tools?_list|available_tools|tool_definitions)$|^(?:ssh|private)_?keys?_?(?:contents?|file)?$|^(?:env|environment)_?(?:vars|variables|file|dump)$|^(?:side_?note|hidden_?\w*|do_not_\w+)$";
    RegexBuilder::new(pattern).case_insensitive(true).build().ok()
});

/// What a tool that only reads does not do.
pub(super) static CHANGING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let pattern = r"\b(?:drops?|deletes?|removes?|erases?|wipes?|truncates?|overwrites?|writes?|creates?|updates?|modif(?:y|ies)|inserts?|sends?|transfers?|pays?|purchases?|publishes|deploys?|kills?|terminates?|resets?|revokes?|executes?|formats?|destroys?|purges?|uploads?|merges?|posts?)\b";
    RegexBuilder::new(pattern).case_insensitive(true).build().ok()
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        assert_eq!(PATTERNS.len(), TABLE.len());
        assert!(GREEDY_NAMES.is_some() && CHANGING.is_some());
    }
}
