#!/bin/sh
# Fills corpus/ with seeds: one file per line of seeds/*.txt and of the core's own fixture rows.
set -eu
cd "$(dirname "$0")"
fixtures=../crates/hermes-core/tests/fixtures

split_lines() { # target, file
    mkdir -p "corpus/$1"
    awk -v prefix="corpus/$1/$(basename "$2")-" '{ file = prefix NR; printf "%s", $0 > file; close(file) }' "$2"
}

split_lines coerce "$fixtures/coercion.jsonl"
split_lines normalise "$fixtures/schema_sanitize.jsonl"
split_lines sanitise "$fixtures/sanitize_error.jsonl"
split_lines names "$fixtures/tool_name_repair.jsonl"
for file in seeds/*.txt; do
    split_lines "$(basename "$file" .txt)" "$file"
done
# The commands of the judge's own rows: the last field of each line.
policy=../crates/hermes-policy/tests/fixtures
for target in shell command; do
    mkdir -p "corpus/$target"
    cat "$policy"/heldout_*.txt | awk -F '\t' -v prefix="corpus/$target/row-" \
        'NF > 1 { gsub(/\\n/, "\n", $NF); file = prefix NR; printf "%s", $NF > file; close(file) }'
done
# Whole files where lines mean nothing by themselves.
mkdir -p corpus/toolsets && cp ../crates/hermes-tools/src/toolsets.yaml corpus/toolsets/
for target in names redact; do
    mkdir -p "corpus/$target"
    for file in seeds/"$target"/*; do cp "$file" "corpus/$target/"; done
done
