//! The policy as the HTTP door asks it.

use core::net::IpAddr;
use std::borrow::Cow;

use hermes_core::egress::{Blocked, EgressGuard, Origin, Reach};

use super::check::{inspect, reachable};
use super::parse::Scheme;
use super::policy::UrlPolicy;
use super::redirect::next;

impl EgressGuard for UrlPolicy {
    fn url(&self, url: &str, reach: Reach) -> Result<Origin, Blocked> {
        let target = inspect(url, &self.reaching(reach)).map_err(told)?;
        let secure = target.scheme == Scheme::Https;
        Ok(Origin { secure, host: target.host.to_string(), port: target.port })
    }

    fn address(&self, address: IpAddr, reach: Reach) -> Result<(), Blocked> {
        reachable(address, &self.reaching(reach)).map_err(told)
    }

    fn redirect(&self, from: &str, location: &str) -> Result<String, Blocked> {
        next(from, location).map_err(told)
    }
}

impl UrlPolicy {
    fn reaching(&self, reach: Reach) -> Cow<'_, UrlPolicy> {
        match reach {
            Reach::Local if !self.allow_private => {
                Cow::Owned(UrlPolicy { allow_private: true, ..self.clone() })
            }
            _ => Cow::Borrowed(self),
        }
    }
}

fn told(blocked: super::verdict::Blocked) -> Blocked {
    Blocked::new(blocked.category, blocked.reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_local_reach_opens_the_local_network_and_nothing_else() {
        let guard = UrlPolicy::default();
        let origin = guard.url("http://127.0.0.1:8080/x", Reach::Local).unwrap();
        assert_eq!(origin.to_string(), "http://127.0.0.1:8080");
        assert_eq!(guard.url("http://127.0.0.1:8080/x", Reach::Public).unwrap_err().category, "loopback");
        assert_eq!(guard.url("http://169.254.169.254/", Reach::Local).unwrap_err().category, "metadata");
        assert!(guard.address([10, 0, 0, 1].into(), Reach::Public).is_err());
        assert!(guard.address([10, 0, 0, 1].into(), Reach::Local).is_ok());
        assert!(guard.address([169, 254, 169, 254].into(), Reach::Local).is_err());
    }

    #[test]
    fn origins_are_spelt_in_one_way() {
        let guard = UrlPolicy::default();
        let origin = |url: &str| guard.url(url, Reach::Public).unwrap().to_string();
        assert_eq!(origin("HTTPS://Example.COM:443/a"), "https://example.com");
        assert_eq!(origin("https://example.com:8443/a"), "https://example.com:8443");
        assert_eq!(origin("http://example.com"), "http://example.com");
    }
}
