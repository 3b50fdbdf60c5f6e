//! The HTTP door and certificates: OpenSSL at the far end, on loopback, with an authority made for the test.

use std::net::{IpAddr, Ipv4Addr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use hermes_core::{ErrorCode, ToolError};
use hermes_host::Http;
use hermes_host::http::Certificate;
use hermes_policy::urls::UrlPolicy;

use super::http::{Lying, get, open, sent};

const HOST: &str = "service.test.example.com";

/// An authority and the certificates it gave out.
struct Authority(tempfile::TempDir);

impl Authority {
    fn new() -> Self {
        let authority = Authority(tempfile::tempdir().unwrap());
        let settings = "[ca]\ndefault_ca = here\n[here]\ndir = .\ndatabase = index\nnew_certs_dir = .\nrand_serial = yes\n\
            default_md = sha256\npolicy = any\ncertificate = ca.pem\nprivate_key = ca.key\ncopy_extensions = copy\n\
            [any]\ncommonName = supplied\n";
        std::fs::write(authority.0.path().join("settings"), settings).unwrap();
        std::fs::write(authority.0.path().join("index"), "").unwrap();
        authority.openssl(
            "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout ca.key -out ca.pem -days 2 \
             -subj /CN=authority -addext basicConstraints=critical,CA:TRUE",
        );
        authority
    }

    /// A certificate for a name, good from one moment to another.
    fn certify(&self, name: &str, from: &str, until: &str) {
        self.openssl(&format!(
            "req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout {name}.key -out {name}.csr \
             -subj /CN={name} -addext subjectAltName=DNS:{name}"
        ));
        self.openssl(&format!(
            "ca -batch -notext -config settings -startdate {from} -enddate {until} -in {name}.csr -out {name}.pem"
        ));
    }

    fn openssl(&self, words: &str) {
        let mut openssl = Command::new("openssl");
        let done = openssl.args(words.split_whitespace()).current_dir(self.0.path()).output();
        let done = done.expect("openssl is missing; get it with: cargo xtask setup");
        assert!(done.status.success(), "{words}: {}", String::from_utf8_lossy(&done.stderr));
    }

    fn root(&self) -> Certificate {
        Certificate::from_pem(&std::fs::read(self.0.path().join("ca.pem")).unwrap()).unwrap()
    }
}

/// OpenSSL's own web server.
struct Server(Child, u16);

impl Server {
    async fn start(folder: &Path, name: &str, options: &[&str]) -> Server {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let child = Command::new("openssl")
            .args(["s_server", "-quiet", "-www", "-accept", &format!("127.0.0.1:{port}")])
            .args(["-cert", &format!("{name}.pem"), "-key", &format!("{name}.key")])
            .args(options)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut server = Server(child, port);
        while tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_err() {
            assert!(server.0.try_wait().unwrap().is_none(), "openssl s_server ended at once");
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        server
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Asks the server that calls itself `HOST`, trusting these roots beside those of the system.
async fn ask(server: &Server, roots: Vec<Certificate>) -> Result<u16, ToolError> {
    let here = vec![IpAddr::V4(Ipv4Addr::LOCALHOST)];
    let guard = Arc::new(UrlPolicy { allow_private: true, ..UrlPolicy::default() });
    let http = Http::with_lookup(guard, Arc::new(Lying(HOST, here)), roots);
    sent(&http, get(format!("https://{HOST}:{}/", server.1))).await.map(|(status, _)| status)
}

#[tokio::test]
async fn a_certificate_counts_if_it_is_for_this_host_now_and_by_somebody_trusted() {
    let authority = Authority::new();
    let folder = authority.0.path();
    authority.certify(HOST, "20200101000000Z", "20900101000000Z");
    authority.certify("other.test.example.com", "20200101000000Z", "20900101000000Z");
    let good = Server::start(folder, HOST, &[]).await;
    assert_eq!(ask(&good, vec![authority.root()]).await.unwrap(), 200);
    drop(good);

    let refused = async |server: Server, roots: Vec<Certificate>| {
        let error = ask(&server, roots).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::Network, "{error}");
        (error.message, error.data.get("category").cloned())
    };
    let untrusted = |message: &str| message.contains("certificate") && message.contains(HOST);
    let stranger = refused(Server::start(folder, HOST, &[]).await, vec![]).await;
    let another = refused(Server::start(folder, HOST, &[]).await, vec![Authority::new().root()]).await;
    let misnamed = Server::start(folder, "other.test.example.com", &[]).await;
    let misnamed = refused(misnamed, vec![authority.root()]).await;
    std::fs::remove_file(folder.join("index")).unwrap();
    std::fs::write(folder.join("index"), "").unwrap();
    authority.certify(HOST, "20200101000000Z", "20210101000000Z");
    let expired = refused(Server::start(folder, HOST, &[]).await, vec![authority.root()]).await;
    for (message, category) in [stranger, another, misnamed, expired] {
        assert!(untrusted(&message), "{message}");
        assert_eq!(category, Some("certificate".into()));
    }
}

#[tokio::test]
async fn old_protocols_and_plain_text_are_refused() {
    let authority = Authority::new();
    authority.certify(HOST, "20200101000000Z", "20900101000000Z");
    let tls12 = Server::start(authority.0.path(), HOST, &["-tls1_2"]).await;
    assert_eq!(ask(&tls12, vec![authority.root()]).await.unwrap(), 200);
    let old = Server::start(authority.0.path(), HOST, &["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"]).await;
    assert_eq!(ask(&old, vec![authority.root()]).await.unwrap_err().code, ErrorCode::Network);
    let plain = hermes_testkit::WebServer::start(|_| hermes_testkit::Answer::text(200, "")).await;
    let error = sent(&open(), get(plain.url("/").replace("http:", "https:"))).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::Network);
    assert!(plain.seen().is_empty());
}
