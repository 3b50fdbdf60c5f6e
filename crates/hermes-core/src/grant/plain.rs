//! Which programs are known to run no others, whatever their options: only these can be granted by their first
//! words. A program with an option that starts another one, or loads code, does not belong here.

use super::runners::{base_name, has_subcommands, lists};

/// Builtins and tools that look, compute, or change what they name, and start nothing.
const PLAIN: &str = "
    [ arch b2sum base32 base64 basename black cal cat cd chgrp chmod chown cksum clear cmp column comm cp
    csplit curl cut date df diff dig dir dirname dos2unix du echo egrep expand export expr factor false fgrep
    file fmt fold free getconf getent grep groups gunzip gzip head hexdump host hostname id iostat isort join
    jq kill killall last ln locale ls lsattr lsblk lscpu lsof md5sum mkdir mkfifo mktemp mv nl nproc nslookup
    numfmt od paste pathchk pgrep ping pkill popd pr printenv printf ps ptx pushd pwd read readelf readlink
    realpath rev rm rmdir ruff rustfmt seq set sha1sum sha224sum sha256sum sha384sum sha512sum shellcheck
    shfmt shred shuf size sleep stat strings stty sum sync tac tail tee test touch tr tree true truncate tsc
    tsort tty type umask uname unexpand uniq unix2dos unlink unset unxz unzip uptime users uuidgen vmstat w
    wait wc whereis which who whoami xxd xz xzcat yes zcat zstdcat
";

/// Whether it is known what a program of this name does, its options and all. A file that a relative path names is
/// known too: whoever stores a grant for it binds it to what the file holds.
pub(super) fn is_plain(program: &str) -> bool {
    let own_file = program.contains('/') && !program.starts_with('/');
    own_file || lists(PLAIN, &base_name(program)) || has_subcommands(program)
}

#[cfg(test)]
mod tests {
    use super::super::prefix::check_prefix;
    use super::super::runners::runs_others;
    use super::*;

    #[test]
    fn the_list_is_sorted_and_disjoint_from_the_runners() {
        assert!(PLAIN.split_whitespace().is_sorted());
        for name in PLAIN.split_whitespace() {
            assert_eq!(runs_others(&[name.to_owned()]), None, "{name}");
        }
    }

    #[test]
    fn only_what_is_known_is_a_prefix() {
        let check = |text: &str| {
            let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            check_prefix(&words)
        };
        for text in
            "ls|rm|git status|./run.sh|tools/check|/bin/ls|npm run build|tsc --noEmit|grep -r".split('|')
        {
            assert!(check(text).is_ok(), "{text}");
        }
        for text in "capsh|nix-shell|pre-commit|jupyter|nc|psql|mysql|gcc|gcc-13|rg|ag|tcpdump|vault|sort|wget|\
                     unknowntool|unknowntool build|/opt/x/tool|rustc|ld|as|pip-run|split|install|nm|pytest|eslint|ncat|telnet|mail|mutt|sort -n"
            .split('|')
        {
            let refused = check(text).unwrap_err();
            assert!(refused.reason.contains("store the exact command"), "{text}: {refused}");
        }
    }
}
