#!/bin/sh
# A plugin in plain shell: one JSON object a line. Hermes writes messages without blanks between their
# parts, so sed can pick them; for more than this, use jq.
while IFS= read -r line; do
  id=$(printf '%s' "$line" | sed 's/^{"id":\([0-9]*\),.*/\1/')
  case $line in
  *'"method":"describe"'*)
    printf '{"id":%s,"result":{"protocol":1,"tools":[{"name":"TOOL_NAME","description":"Greet somebody by name.","effect":"none","parameters":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"],"additionalProperties":false}}]}}\n' "$id"
    ;;
  *'"method":"call"'*)
    # The name as JSON wrote it, escapes and all: it goes back into JSON as it is.
    name=$(printf '%s' "$line" | sed 's/.*"arguments":{"name":"\(.*\)"},"context":.*/\1/')
    printf '{"id":%s,"result":{"greeting":"Hello, %s!"}}\n' "$id" "$name"
    ;;
  *'"method":"shutdown"'*) exit 0 ;;
  esac
done
