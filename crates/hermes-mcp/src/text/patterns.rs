//! What texts of tools and results should not say: each pattern with what it means.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};

/// Files and variables where secrets lie.
pub(super) const FILES: &str = r"(?:(?:~|\$HOME|/home/\w+|/root)?/?\.(?:ssh|aws|gnupg|kube|docker|cursor|claude|config/gcloud|netrc|npmrc|pypirc|git-credentials|env)\b[^\s,;]*|\bid_(?:rsa|ed25519|ecdsa)\b|/etc/(?:passwd|shadow)|\bmcp\.json\b|\bwallet\.dat\b|\*?\.pem\b|\bssh (?:directory|folder)\b|\$\{?[A-Z_]*(?:SECRET|TOKEN|PASSWORD|API_KEY|ACCESS_KEY)[A-Z_]*)";
/// What people keep to themselves.
const PERSONAL: &str = r"(?:private keys?|ssh keys?|browser cookies|clipboard|credit card|passwords|wallets?|seed phrase|saved logins)";
/// Anything secret, by its name or by its kind.
const SECRETS: &str = r"(?:{files}|{personal}|api[ _-]?keys?|access tokens?|credentials?(?: file)?|passwords?|secrets?|environment variables?|keychain|cookies)";
/// What a session holds that is none of a tool's business.
pub(super) const SESSION: &str = r"(?:(?:entire|full|whole|previous|prior|complete|all)\s+(?:of )?(?:the |this |your |our )*(?:conversation|chat|message|prompt|context|transcript)s?(?: history| context| log| window| so far)?|(?:the|this|your|our) conversation(?: history| context| log| so far)?|\b(?:conversation|chat|message) history|system prompt|previous messages|tool results|context window|your (?:instructions|context|memory|reasoning|hidden prompt)|instructions (?:that )?you (?:were|have been) given|(?:everything|anything|all|what(?:ever)?) (?:that )?the user (?:has |have )?(?:said|typed|wrote|written|told|asked|shared)|the user'?s (?:recent |last |previous |prior |latest )(?:messages|prompts|questions|inputs?)|(?:every|all)(?: the| available| other| of your| your)* tools? (?:you have|and their|that you)|transcript of (?:this|the current|our) (?:chat|conversation|session|dialogue))";
/// Where something may be sent.
pub(super) const ADDRESS: &str = r"(?:https?://\S+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)";
/// Whoever the model works for.
const PERSON: &str = r"(?:users?|humans?|anyone|anybody|them|him|operator|person|people)";
/// What is better not done behind somebody's back.
const DO: &str = r"(?:add|append|send|forward|copy|include|bcc|cc|upload|read|call|run|execute|install|post|attach|transmit|record|collect|delete|grant|approve)";
/// Whoever reads texts without being a person.
const MODEL: &str = r"(?:ai|llm|language model|chat ?bot|automated|autonomous)";

/// Pattern and meaning. Names in braces are filled in.
const TABLE: &[(&str, &str)] = &[
    (
        r"<\s*/?\s*(?:important|system|instructions?|secret|admin|hidden|assistant|critical|override|user|developer|tool_response|function_calls?)\b[^>]*>",
        "markup that poses as instructions",
    ),
    (
        r"<\|[a-z_]+\|>|\[/?INST\]|<<SYS>>|<!--|\bend of (?:the )?(?:tool |function )?(?:output|result|context|document)\b|\[\s*(?:system|admin|developer|security) (?:notice|message|prompt|override|instructions?)\b[^\]]*\]",
        "marks of a chat format or a hidden comment",
    ),
    (
        r"(?:^|\n|[.!]\s)\s*(?:system|developer|assistant|admin|root)(?: message| prompt| notice| override)?\s*:\s*\S|\bnew (?:task|request|order|message) from (?:the )?(?:user|system|admin\w*|developer)",
        "a text that poses as another speaker",
    ),
    (
        r"\b(?:ignore|disregard|forget|override|bypass|discard)\b.{0,30}\b(?:instructions?|rules|prompts?|guidelines|polic(?:y|ies)|directions|constraints|restrictions|everything (?:above|before))|\b(?:previous|prior|earlier|original|existing|system)\b[^.\n]{0,30}\b(?:instructions?|rules|message|prompt|guidelines|polic(?:y|ies))\b[^.\n]{0,20}\b(?:obsolete|void|no longer|superseded|outdated|cancell?ed|revoked)\b|\b(?:safety|security|usage|content) (?:policy|polic(?:y|ies)|rules?|guidelines|limits)\b[^.\n]{0,20}\b(?:do(?:es)? not apply|no longer|are off|is off)",
        "an order to ignore instructions",
    ),
    (
        r"\b(?:ignor(?:a|e|en|iere?n?|ez|er|ar|i)|olvida|olvide|vergiss|vergesst|oublie[zr]?|dimentica|esque[cç]a|negeer|vergeet|zignoruj|игнорируй\w*|забудь\w*)\b[^.\n]{0,40}\b(?:instrucc?ion\w*|instru[cç]\w+|anweisung\w*|vorgaben|istruzion\w*|consignes|regeln|reglas|r[eè]gles|instructies|instrukcj\w*|инструкц\w*|указани\w*)|(?:忽略|无视|無視|忘记|忘掉)[^。\n]{0,15}(?:指令|指示|说明|規則|规则|提示)|(?:指示|命令)[^。\n]{0,8}無視|(?:지시|명령)[^.\n]{0,10}무시",
        "an order to ignore instructions",
    ),
    (
        r"\b(?:new|updated|real|actual|hidden|following) (?:system )?instructions?\b.{0,20}(?::|\bare\b|override)|\byou are now\b|\byou are (?:root|the administrator)\b|\b(?:developer|god|admin|debug|unrestricted|jailbreak|dan) mode\b|\bfrom now on\b,? (?:you|always|never)|\bact (?:as|on behalf of|in the name of)\b.{0,20}\b(?:admin\w*|root|system|unrestricted|developers?)\b|\bgrant (?:yourself|itself|this tool)\b|\b(?:elevated|unrestricted|root|admin\w*) (?:privileges|access|permissions|rights)\b[^.\n]{0,20}\b(?:enabled|granted|active|unlocked)",
        "an order to take another role",
    ),
    (
        r"\b(?:do not|don'?t|never|must not|should not|avoid)\b.{0,20}\b(?:tell|inform|mention|reveal|notify|show|disclose|explain|alert|report|ask)\b.{0,30}\b{person}\b|\bwithout\b.{0,12}\b(?:telling|asking|informing|notifying|mentioning)\b|\b(?:proceed|continue|go ahead|act|do (?:it|this|so)|execute|run (?:it|them|this)|send (?:it|them))\b[^.\n]{0,30}\bwithout\b.{0,12}\b(?:confirmation|permission|consent|approval|the user)\b|\b(?:secretly|covertly|discreetly)\b|\b(?:silently|quietly)\b[^.\n]{0,12}\b{do}\b|\b(?:send|forward|copy|upload|post|transmit|leak|record|collect)\b[^.\n]{0,40}\bsilently\b|\bhid(?:e|den) (?:this |it )?from\b|\bkeep (?:this|it|that) (?:secret|hidden|confidential|between|to yourself)|\bno (?:need|reason) to\b[^.\n]{0,15}\b(?:mention|bother|ask|tell|inform|notify|confirm|report|involve)\b|\bsay nothing\b|\b{person} (?:does not|doesn'?t|do not|don'?t|cannot|can'?t|need not|must not|should not|will not|won'?t) (?:see|know|notice|be told|find out|learn|need to know)\b",
        "an order to keep something from the user",
    ),
    (
        r"\b(?:disable|skip|bypass|turn off|switch off|suppress|auto-?approve|ignore)\b.{0,25}\b(?:approvals?|confirmations?|permission (?:prompts?|checks?)|safety|sandbox|guardrails?|security|policy)\b|\b(?:no|without) (?:need for |any )?(?:approval|confirmation|permission) (?:is )?(?:needed|required|necessary)|\bapprovals?(?: prompts?| requests?)?\b[^.\n]{0,20}\b(?:turned|switched|set to) off\b|\bapprovals\.mode\b|\b(?:user|human|operator|person|admin\w*|owner)\b[^.\n]{0,20}\b(?:has|have) already\b[^.\n]{0,15}\b(?:consented|approved|agreed|authori[sz]ed|allowed|permitted|confirmed)\b|\b(?:is|are|was|and) pre-?(?:approved|authori[sz]ed)\b|\b(?:user|person|they)\b[^.\n]{0,20}\b(?:objects?|refuses?|declines?|complains?|hesitates?)\b[^.\n]{0,60}\b(?:anyway|regardless|assure|nevertheless|insist)",
        "an order against approvals",
    ),
    (
        r"\b(?:read|open|cat|copy|send|pass|include|attach|paste|upload|append|provide|fetch|load|forward|submit|put|add|give|supply|share|output|print|contents? of|value of)\b[^.\n]{0,60}{secrets}[^.\n]{0,40}\b(?:and|as|in|into|to|before|with|here|parameter|argument|field|comment|request)\b",
        "a request for secrets",
    ),
    (
        r"\b(?:what|contents?|copy|text|dump|value|set (?:this|it)|fill (?:this|it|in)?)\b[^.\n]{0,25}{files}",
        "a request for secrets",
    ),
    (
        r"(?:^|[.!:;(\n]\s*|\b(?:first|before|also|then|always|must|should|please|and|you|to|of|with)\b[^.\n]{0,30})\b(?:read|open|cat|load|fetch|copy|upload|send|attach|include|pass|read_file|get)\b[^.\n]{0,30}{files}|\b(?:call|use|invoke|run)\b[^.\n]{0,30}\b(?:on|with|for|against)\b[^.\n]{0,10}{files}|{files}[^.\n]{0,25}\b(?:has|have|must|should|needs?)\b[^.\n]{0,8}\b(?:be )?(?:passed|sent|included|attached|copied|uploaded|provided|supplied|given)\b",
        "a request for secrets",
    ),
    (
        r"\b(?:look for|search for|collect|gather|take|grab|harvest|steal|exfiltrate|read|include|provide|give|send|copy|attach|pass)\b[^.\n]{0,40}\b{personal}\b[^.\n]{0,60}\b(?:and|number|in|into|to|as|with|under|from)\b",
        "a request for secrets",
    ),
    (
        r"\b(?:include|pass|send|provide|append|prepend|copy|paste|attach|insert|put|forward|share|repeat|output|print|reveal|summari[sz]e|dump|populate|fill|supply|give|transmit|list|hand|write|embed)\b[^.\n]{0,45}{session}",
        "a request for the conversation",
    ),
    (
        r"{session}[^.\n]{0,20}\b(?:be|is|are) (?:provided|sent|passed|included|supplied|given|copied|attached)\b|\btranscript of (?:this|the current|our) (?:chat|conversation|session|dialogue)\b|\b(?:list|names?|schemas?|definitions?) of (?:all|every)(?: the| your| available| other)* tools?\b[^.\n]{0,40}\b(?:in|into|to|as|with)\b",
        "a request for the conversation",
    ),
    (
        r"\b(?:when(?:ever)?|if|before|after|each time|every time|once)\b[^.\n]{0,50}\b(?:[a-z]+_[a-z_]+|(?:an)?other tools?|any (?:other )?tool|(?:the )?\w+ tool)\b[^.\n]{0,25}\b(?:is|are|gets?)?\s*(?:called|used|invoked|run|available|executed|exists|present)\b[^.\n]{0,10}[,:;]?\s*(?:you (?:must|should)|always|instead|change|replace|set|modify|add|append|redirect|send|bcc|use|also|first|rewrite|substitute)|\bwhen(?:ever)? (?:you see|the user asks)\b[^.\n]{0,40}[,:]\s*(?:dump|replace|send|copy|change|call|run|include|redirect)",
        "an order about other tools",
    ),
    (
        r"\b(?:instead of|rather than|in place of|never use|do not use|don'?t use|prefer (?:this|it) over)\b[^.\n]{0,20}\b(?:the )?(?:(?:every |all |any )other|other|built-?in|official|[a-z]+_[a-z_]+)\b[^.\n]{0,20}\btools?\b|\b(?:all|every) other tools?\b[^.\n]{0,30}\b(?:deprecated|broken|unsafe|disabled|compromised|must|should)|\b(?:tools?|server)\b[^.\n]{0,30}\b(?:is|are) (?:compromised|infected|malicious|hacked)\b|\b(?:always|must|required|have to)\b[^.\n]{0,40}\b(?:before|prior to)\b[^.\n]{0,15}\b(?:any|every|all|answering|responding) ?(?:other )?(?:tools?|actions?|calls?|requests?|questions?|anything)?\b|\bthis tool (?:overrides?|replaces?|supersedes?)\b|\b(?:route|redirect|proxy|direct|funnel|tunnel|send)\b[^.\n]{0,20}\b(?:all|every|their|its|any)\b[^.\n]{0,20}\b(?:calls|requests|traffic|messages|queries)\b[^.\n]{0,30}\b(?:through|to|via)\b|\b(?:all|every) (?:future|further|subsequent|later)\b[^.\n]{0,20}\b(?:requests?|calls?|messages?|tasks?|sessions?|answers?)\b[^.\n]{0,20}\b(?:must|should|have to|need|are to)\b|\byou (?:must|should|need to|have to|are to) (?:now|immediately|instead)\b|\b(?:stop|abort|drop) what you(?:'re| are) doing\b",
        "an order about other tools",
    ),
    (
        r"\b(?:ai|llm|language|assistant|chat)\s*(?:agents?|assistants?|models?|bots?)?\s*[:,]\s*(?:please |you |always |must |do |copy|send|run|read|execute|ignore|call|post|use|include|fetch|open|visit|delete|forward)|\b(?:note|message|instructions?|attention|reminder)s? (?:to|for) (?:the |any |all )?(?:ai|llm|assistant|agent|model|bot)s?\b|\b(?:ai|llm) (?:agents?|assistants?|models?)\b.{0,25}\b(?:must|should|shall|need to|have to|are required|please)\b|\bif you(?:'re| are) an? (?:ai|llm|assistant|agent|language model|(?:chat ?)?bot)\b|\b(?:dear|hey|hello|hi|attention),? (?:ai|assistant|agent|claude|gpt\S*|gemini|copilot|llm|model)s?\b|\b{model}(?: systems?| agents?| assistants?| models?)?\b[^.\n]{0,15}\b(?:reading|processing|parsing|seeing|summari[sz]ing) this\b|\b(?:to|for) the (?:assistant|model|agent|llm|ai)\s*(?:only)?\s*[:,(]|\bfor the (?:model|assistant|ai|agent|llm) only\b|\b(?:automated|autonomous) agents?\s*[:,]|\b(?:the|any) (?:language )?(?:model|assistant|agent|llm|ai)\b[^.\n]{0,25}\b(?:must|should|shall|is obliged to|is required to|needs to|has to)\b(?: then| also| first| always| now)* (?:copy|send|transmit|fill|populate|dump|upload|mark|move|approve|delete|collect|report|execute|run)\b",
        "a text that addresses a model",
    ),
    (
        r"\b(?:run|execute|eval|invoke|type|paste|enter)\b[^.\n]{0,40}(?:\brm -[rf]|\bcurl\b|\bwget\b|\bbash\b|sh -c|powershell|chmod|\bsudo\b|\bnc -|base64 -d|mkfifo|crontab)|\b(?:curl|wget)\b[^\n]{0,120}\|\s*(?:ba|z|da)?sh\b|\brm -rf\s+[~/]|\b(?:also|then|first|always|now|finished,?|step zero,?)\b[^.\n]{0,12}\b(?:run|execute)\b[^.\n]{0,10}\b(?:git push|rm|curl|wget|chmod|sudo|bash|python3? -c)\b|\b(?:fetch|download|get|retrieve|visit|open|go to)\b[^.\n]{0,20}https?://\S+[^.\n]{0,20}\band\b[^.\n]{0,10}\b(?:execute|run|eval|source|follow|obey|do what)\b",
        "a command to run",
    ),
    (
        r"\b(?:send|post|forward|upload|email|e-mail|bcc|cc|exfiltrate|leak|transmit|deliver|report|hand|give|pass|share|mirror|stream|invoke|call)\b[^.\n]{0,70}(?:{secrets}|{session}|\b(?:data|files?|results?|output|everything|contents?|it|them|documents?|source|notes?|messages?|inbox)\b)[^\n]{0,40}\b(?:to|at|with)\b[^\n]{0,30}{address}",
        "an order to send data elsewhere",
    ),
    (
        r"\b(?:recipient|address|destination|url|endpoint|amount|account|iban|wallet|payee|money|funds|payment|balance)\b[^.\n]{0,20}\b(?:to|with|by)\b\s*(?:https?://\S+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|0x[0-9a-f]{8,}|[a-z]{2}\d{2}[ \d]{8,})|\b(?:bcc|blind copy|blind-copy)\b[^.\n]{0,40}@|@[\w.-]+ (?:as|in) (?:a )?(?:bcc|blind)",
        "an order to divert something",
    ),
    (r"!\[[^\]]*\]\(\s*https?://[^)]*(?:[?&][^)]*=|\{|\$)[^)]*\)", "a picture that carries data away"),
    (
        r"\b(?:or|otherwise)\b[^.\n]{0,20}\b(?:tool|it|this)\b[^.\n]{0,10}\b(?:will|would)\b[^.\n]{0,10}\b(?:not work|break|crash|fail)",
        "a threat to make a model obey",
    ),
    (
        r"\b(?:reply|respond|answer|say|output)\b (?:only |exactly |just )?(?:with|that)\b[^.\n]{0,40}\b(?:success|approved|safe|done|no issues)\b[^.\n]{0,30}\b(?:regardless|no matter|even if|whatever)|\bpretend\b[^.\n]{0,40}\b(?:success\w*|worked|done|fine|nothing|safe)",
        "an order to lie",
    ),
    (
        r"\b(?:treat|regard|consider)\b[^.\n]{0,50}\bas (?:(?:coming |if it came )?from the (?:user|system|developer)|instructions|commands|orders)\b|\b(?:with|as|has|have|takes?) (?:the )?(?:highest|top|absolute|maximum) priority\b|\bdirectives? (?:from|of|to)\b|\bdo (?:what|as|whatever) it (?:says|tells)\b|\b(?:comply with|obey) (?:it|them|the|any|all)\b|\bhidden (?:requirement|instruction|step|rule|command)s?\b|\bregardless of what (?:was|is|the user|they)\b",
        "an order to obey a text",
    ),
];

/// What is no order: one that is quoted as an example, and one not to give secrets away.
const HARMLESS: &str = r#"\b(?:such as|like|e\.g\.|for example|for instance|phrases?|strings?|words?|the text|payloads?|examples?)\b[^.\n'"“‘`]{0,25}(?:'[^'\n]{1,80}'|"[^"\n]{1,80}"|“[^”\n]{1,80}”|‘[^’\n]{1,80}’|`[^`\n]{1,80}`)|\b(?:never|do not|don'?t|must not|should not|avoid)\s+(?:pass|send|include|share|commit|store|put|paste|expose|log|print|upload|provide|follow|obey)(?:ing)?\b[^.;\n]{0,40}\b(?:passwords?|secrets?|credentials?|tokens?|keys?|instructions|\.env)\b"#;

/// The text without what only looks like an order.
pub(super) fn without_harmless(text: &str) -> Cow<'_, str> {
    match HARMLESS_TEXT.as_ref() {
        Some(harmless) => harmless.replace_all(text, " "),
        None => Cow::Borrowed(text),
    }
}

static HARMLESS_TEXT: LazyLock<Option<Regex>> = LazyLock::new(|| compile(HARMLESS));

/// A pattern with the names in it filled in.
pub(super) fn compile(pattern: &str) -> Option<Regex> {
    let parts = [
        ("{secrets}", SECRETS),
        ("{session}", SESSION),
        ("{files}", FILES),
        ("{personal}", PERSONAL),
        ("{address}", ADDRESS),
        ("{person}", PERSON),
        ("{do}", DO),
        ("{model}", MODEL),
    ];
    let filled = parts.iter().fold(pattern.to_owned(), |text, (name, part)| text.replace(name, part));
    // The ends of words that are written in Latin letters are found, and the pattern made, in much less time.
    let filled = if filled.is_ascii() { filled.replace(r"\b", r"(?-u:\b)") } else { filled };
    RegexBuilder::new(&filled).case_insensitive(true).build().ok()
}

/// The table, compiled once.
pub(super) static PATTERNS: LazyLock<Vec<(Regex, &'static str)>> =
    LazyLock::new(|| TABLE.iter().filter_map(|(pattern, what)| Some((compile(pattern)?, *what))).collect());

/// Names of parameters that ask for what is none of a tool's business.
pub(super) static GREEDY_NAMES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let pattern = r"^(?:(?:full|entire|whole|previous|prior|complete|all|raw)_?)*(?:conversation|chat|message|dialog(?:ue)?|prompt)s?_?(?:history|log|context|transcript|so_far)$|^(?:the_)?system_?(?:prompt|message|instructions)$|^(?:previous|prior|all|past)_?(?:messages|turns|tool_(?:calls|results))$|^(?:model|llm|assistant|agent)_?(?:name|id|version|context|memory|instructions|reasoning|thoughts)$|^(?:chain_of_thought|reasoning_trace|thinking|scratchpad|tools?_list|available_tools|tool_definitions)$|^(?:ssh|private)_?keys?_?(?:contents?|file)?$|^(?:env|environment)_?(?:vars|variables|file|dump)$|^(?:side_?note|hidden_?\w*|do_not_\w+)$";
    compile(pattern)
});

/// What a tool that only reads does not do.
pub(super) static CHANGING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let pattern = r"\b(?:drops?|deletes?|removes?|erases?|wipes?|truncates?|overwrites?|writes?|creates?|updates?|modif(?:y|ies)|inserts?|sends?|transfers?|pays?|purchases?|publishes|deploys?|kills?|terminates?|resets?|revokes?|executes?|formats?|destroys?|purges?|uploads?|merges?|posts?)\b";
    compile(pattern)
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        assert_eq!(PATTERNS.len(), TABLE.len());
        assert!(GREEDY_NAMES.is_some() && CHANGING.is_some() && HARMLESS_TEXT.is_some());
    }
}
