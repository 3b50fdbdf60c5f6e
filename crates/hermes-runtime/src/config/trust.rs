//! Whether a project's file may be used. A project is somebody else's text until the user said otherwise.

/// What the user said about a project's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProjectTrust {
    /// The user trusts exactly this content.
    Trusted,
    /// There is a file, but the user has not trusted this content. It must not be loaded.
    Untrusted {
        /// The digest to show, and to store once the user trusts the file.
        digest: String,
    },
    /// The project has no file.
    Absent,
}

/// Decides from the digest of the file, if there is one, and the digests the user has trusted.
///
/// Any change of the content changes the digest, so trust never carries over to an edited file.
pub fn project_trust(digest: Option<&str>, trusted: &[impl AsRef<str>]) -> ProjectTrust {
    match digest {
        None => ProjectTrust::Absent,
        // An empty digest is a host that failed to compute one: never a match.
        Some(digest) if !digest.is_empty() && trusted.iter().any(|known| known.as_ref() == digest) => {
            ProjectTrust::Trusted
        }
        Some(digest) => ProjectTrust::Untrusted { digest: digest.to_owned() },
    }
}
