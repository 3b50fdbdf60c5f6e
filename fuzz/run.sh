#!/bin/sh
# Runs one target for so many seconds (600 unless told), seeded, with the dictionary that fits it.
set -eu
cd "$(dirname "$0")"
target=${1:?"usage: fuzz/run.sh TARGET [SECONDS]"}
seconds=${2:-600}
case $target in
    sanitise | redact | names | search) dict=dict/text.dict ;;
    shell | command) dict=dict/shell.dict ;;
    *) dict=dict/json.dict ;;
esac
[ -d "corpus/$target" ] || ./seed.sh
export CARGO_TARGET_DIR="$PWD/target"
exec cargo +nightly fuzz run "$target" -- \
    -dict="$dict" -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1
