//! The URL guard against the labelled rows and a second address table.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::path::Path;
use std::sync::LazyLock;

use hermes_policy::urls::{HostRule, UrlPolicy, UrlVerdict, check, check_hops, special};
use proptest::prelude::*;
use serde_json::Value;

fn rows(name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name);
    std::fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A resolver that gives a row's answers in order, the last one again and again.
fn resolver(row: &Value) -> impl FnMut(&str) -> Vec<IpAddr> + use<> {
    let dns = row["dns"].as_object().cloned().unwrap_or_default();
    let mut asked: HashMap<String, usize> = HashMap::new();
    move |name| {
        let Some(sets) = dns.get(name).and_then(Value::as_array) else { return Vec::new() };
        let turn = asked.entry(name.to_owned()).or_default();
        let set = sets.get((*turn).min(sets.len() - 1));
        *turn += 1;
        let answers = set.and_then(Value::as_array).into_iter().flatten();
        answers.filter_map(|answer| answer.as_str()?.parse().ok()).collect()
    }
}

fn judge(row: &Value) -> UrlVerdict {
    let texts = row["redirects"].as_array().into_iter().flatten();
    let locations: Vec<String> = texts.map(|text| text.as_str().unwrap().to_owned()).collect();
    check_hops(row["url"].as_str().unwrap(), &locations, &mut resolver(row), &UrlPolicy::default())
}

#[test]
fn the_labelled_rows_are_judged_as_labelled() {
    for (file, least) in [
        ("ssrf_urls.jsonl", 30),
        ("url_safety.jsonl", 25),
        ("ssrf_urls_heldout.jsonl", 300),
        ("ssrf_urls_fresh.jsonl", 300),
    ] {
        let (mut attacks, mut honest, mut wrong) = ([0, 0], [0, 0], Vec::new());
        for row in rows(file) {
            let verdict = judge(&row);
            let is_honest = row["expect"] == "allow" || row["safe"] == true;
            let count = if is_honest { &mut honest } else { &mut attacks };
            *count = [count[0] + usize::from(!verdict.is_allowed()), count[1] + 1];
            // What is pinned was checked, and is all that is connected to.
            let pinned = row["expect"] == "pin_or_block" && verdict.is_allowed();
            if verdict.is_allowed() != is_honest && !pinned {
                wrong.push(format!("{row}: {verdict:?}"));
            }
        }
        println!("{file}: attacks blocked or pinned {attacks:?}, legitimate blocked {honest:?}");
        assert!(wrong.is_empty(), "{file}:\n{}", wrong.join("\n"));
        assert!(attacks[1] + honest[1] >= least);
    }
}

#[test]
fn answers_are_pinned_and_asked_for_once() {
    let mut asked = Vec::new();
    let public: IpAddr = "93.184.215.14".parse().unwrap();
    let mut resolve = |name: &str| {
        asked.push(name.to_owned());
        vec![public]
    };
    let verdict = check("https://WWW.Example.com.:8443/x?y#z", &mut resolve, &UrlPolicy::default());
    let UrlVerdict::Allow { pinned, host, port } = verdict else { panic!("{verdict:?}") };
    assert_eq!((pinned, host.to_string(), port), (vec![public], "www.example.com".to_owned(), 8443));
    assert_eq!(asked, ["www.example.com"]);
}

#[test]
fn the_local_network_can_be_opened_but_not_metadata() {
    let open = UrlPolicy { allow_private: true, ..UrlPolicy::default() };
    let mut local = |_: &str| vec![IpAddr::V4(Ipv4Addr::LOCALHOST)];
    for url in [
        "http://127.0.0.1:8080/",
        "http://localhost/",
        "http://nas.lan/",
        "http://[::1]/",
        "http://10.0.0.1/",
        "http://[fd12::1]/",
    ] {
        assert!(check(url, &mut local, &open).is_allowed(), "{url}");
    }
    for url in [
        "http://169.254.169.254/",
        "http://metadata.google.internal/",
        "http://[fd00:ec2::254]/",
        "http://100.100.100.200/",
        "http://0.0.0.0/",
        "http://[::ffff:127.0.0.1]/",
        "http://224.0.0.1/",
        "http://127.1/",
        "http://u@127.0.0.1/",
    ] {
        assert!(!check(url, &mut local, &open).is_allowed(), "{url}");
    }
}

#[test]
fn hosts_can_be_listed() {
    let rules = |texts: &[&str]| texts.iter().map(|text| HostRule::parse(text).unwrap()).collect();
    let policy = UrlPolicy {
        allowed_hosts: rules(&["example.com", "*.example.com"]),
        denied_hosts: rules(&["bad.example.com"]),
        ..UrlPolicy::default()
    };
    let allowed = |url: &str| check(url, &mut |_| vec!["1.1.1.1".parse().unwrap()], &policy).is_allowed();
    assert!(allowed("https://example.com/") && allowed("https://a.EXAMPLE.com./"));
    assert!(
        !allowed("https://bad.example.com/")
            && !allowed("https://example.org/")
            && !allowed("https://1.1.1.1/")
    );
}

/// The same knowledge as first and last addresses, from the registries' other notation.
const SPECIAL_V4: &[(&str, &str)] = &[
    ("0.0.0.0", "0.255.255.255"),
    ("10.0.0.0", "10.255.255.255"),
    ("100.64.0.0", "100.127.255.255"),
    ("127.0.0.0", "127.255.255.255"),
    ("168.63.129.16", "168.63.129.16"),
    ("169.254.0.0", "169.254.255.255"),
    ("172.16.0.0", "172.31.255.255"),
    ("192.0.0.0", "192.0.0.255"),
    ("192.0.2.0", "192.0.2.255"),
    ("192.31.196.0", "192.31.196.255"),
    ("192.52.193.0", "192.52.193.255"),
    ("192.88.99.0", "192.88.99.255"),
    ("192.168.0.0", "192.168.255.255"),
    ("192.175.48.0", "192.175.48.255"),
    ("198.18.0.0", "198.19.255.255"),
    ("198.51.100.0", "198.51.100.255"),
    ("203.0.113.0", "203.0.113.255"),
    ("224.0.0.0", "255.255.255.255"),
];
const SPECIAL_V6: &[(&str, &str)] = &[
    ("::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff"),
    ("3ffe::", "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
];

static RANGES: LazyLock<Vec<(IpAddr, IpAddr)>> = LazyLock::new(|| {
    let both = SPECIAL_V4.iter().chain(SPECIAL_V6);
    both.map(|(first, last)| (first.parse().unwrap(), last.parse().unwrap())).collect()
});

fn reference(address: IpAddr) -> bool {
    let within = RANGES
        .iter()
        .any(|(first, last)| first.is_ipv4() == address.is_ipv4() && address >= *first && address <= *last);
    let tunnelled =
        matches!(address, IpAddr::V6(v6) if matches!(v6.segments(), [_, _, _, _, 0 | 0x200, 0x5efe, _, _]));
    within || tunnelled
}

/// Addresses everywhere, and often just at the edge of a range.
fn address() -> impl Strategy<Value = IpAddr> {
    let edges: Vec<IpAddr> = RANGES.iter().flat_map(|(first, last)| [*first, *last]).collect();
    let near = (prop::sample::select(edges), -2_i8..=2).prop_map(|(edge, step)| match edge {
        IpAddr::V4(v4) => IpAddr::V4(Ipv4Addr::from_bits(v4.to_bits().wrapping_add_signed(step.into()))),
        IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits().wrapping_add_signed(step.into()))),
    });
    let v6 = prop::sample::select(vec![0_u128, 0x20, 0x2001 << 112, 0x2002 << 112, 0x26 << 120, 0x3f << 120]);
    prop_oneof![
        near,
        any::<u32>().prop_map(|bits| IpAddr::V4(Ipv4Addr::from_bits(bits))),
        any::<u128>().prop_map(|bits| IpAddr::V6(Ipv6Addr::from_bits(bits))),
        (v6, any::<u128>()).prop_map(|(high, low)| IpAddr::V6(Ipv6Addr::from_bits(high | low >> 16))),
        any::<(u64, bool, u32)>().prop_map(|(high, odd, low)| {
            let marker = if odd { 0x0200_5efe_u128 } else { 0x5efe };
            IpAddr::V6(Ipv6Addr::from_bits(
                u128::from(high | 0x2600 << 48) << 64 | marker << 32 | u128::from(low),
            ))
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn any_literal_is_judged_as_the_reference_does(address in address()) {
        prop_assert_eq!(special(address).is_some(), reference(address));
        let url = match address {
            IpAddr::V4(v4) => format!("http://{v4}/"),
            IpAddr::V6(v6) => format!("https://[{v6}]:8443/x"),
        };
        let verdict = check(&url, &mut |_| unreachable!("a literal is not looked up"), &UrlPolicy::default());
        prop_assert_eq!(verdict.is_allowed(), !reference(address), "{}", url);
        let named = check("http://a.example.com/", &mut |_| vec![address], &UrlPolicy::default());
        prop_assert_eq!(named.is_allowed(), !reference(address));
    }

    #[test]
    fn any_text_gets_an_answer(url in any::<String>(), location in any::<String>()) {
        let mut public = |_: &str| vec!["1.1.1.1".parse().unwrap()];
        let _ = check(&url, &mut public, &UrlPolicy::default());
        let _ = check_hops("https://a.example.com/b?c#d", &[location], &mut public, &UrlPolicy::default());
    }

    /// What looks like a URL and is allowed has a public address, and a host in the one safe spelling.
    #[test]
    fn what_is_allowed_is_public(
        url in "(http|https|HTTP)(://|:/|:///|:\\\\\\\\)([a-z0-9.@:%\\[\\]_-]|é|。|１|①|\\\\| ){0,20}(/|\\?|#|)([a-z@:/.%-]){0,8}"
    ) {
        let answer: IpAddr = "1.1.1.1".parse().unwrap();
        if let UrlVerdict::Allow { pinned, host, port } = check(&url, &mut |_| vec![answer], &UrlPolicy::default()) {
            prop_assert!(!pinned.is_empty() && pinned.iter().all(|address| special(*address).is_none()));
            prop_assert!(port != 0);
            let again = check(&format!("http://{host}/"), &mut |_| vec![answer], &UrlPolicy::default());
            prop_assert!(again.is_allowed(), "{} became {}", url, host);
        }
    }
}
