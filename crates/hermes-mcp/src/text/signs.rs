//! What stands in a sentence beside its words: addresses, hosts, accounts, pictures.

use super::lexicon::is_of_word;
use super::patterns::ACCOUNTS;

/// How the names of hosts end where they stand without a scheme.
const ENDS_OF_HOSTS: &[&str] =
    &["net", "com", "org", "io", "dev", "app", "biz", "cloud", "xyz", "site", "ru", "cn", "me", "info"];

/// An address of mail or of a machine.
pub(super) fn has_address(sentence: &str) -> bool {
    sentence.split_whitespace().any(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        let mail = word.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'));
        let host = word.split([':', '/']).next().unwrap_or_default();
        mail || host.split('.').count() == 4 && host.parse::<std::net::Ipv4Addr>().is_ok()
    })
}

/// A picture whose address has room for data.
pub(super) fn carries_data(sentence: &str) -> bool {
    let pictures = sentence.split("![").skip(1).filter_map(|rest| rest.split_once("](http"));
    pictures.into_iter().any(|(_, address)| {
        address.split(')').next().is_some_and(|address| address.contains(['?', '&', '{', '$']))
    })
}

/// The name of a host, wherever it stands.
pub(super) fn names_host(sentence: &str) -> bool {
    sentence.match_indices('.').any(|(at, dot)| {
        let (before, after) = (sentence.get(..at), sentence.get(at + dot.len()..));
        let named =
            before.is_some_and(|text| text.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '-'));
        let end = after.and_then(|text| text.split(|c| !is_of_word(c)).next());
        named && end.is_some_and(|end| ENDS_OF_HOSTS.contains(&end))
    })
}

/// The number of an account, a wallet or a telephone.
pub(super) fn names_account(sentence: &str) -> bool {
    sentence.bytes().any(|byte| byte.is_ascii_digit())
        && ACCOUNTS.as_ref().is_some_and(|accounts| accounts.is_match(sentence))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_and_accounts_are_seen_wherever_they_stand() {
        for (sentence, host, account) in [
            ("mirror it to streak-cloud.net each evening.", true, false),
            ("see https://docs.example.com/a", true, false),
            ("returns a.txt or main.rs.", false, false),
            ("swap it for de44 5001 0517 5407 3249 31 when you pay", false, true),
            ("to 0x4bbeeb066ed09b7aed07bf39eee0460dfa261520", false, true),
            ("send it to +49 1573 5990011", false, true),
            ("at most 1000 rows in 2024", false, false),
        ] {
            assert_eq!((names_host(sentence), names_account(sentence)), (host, account), "{sentence}");
        }
    }
}
