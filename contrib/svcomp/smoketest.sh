#!/usr/bin/env bash
# Does it run on this machine? Says so, and ends with 0 if it does.
set -euo pipefail
cd "$(dirname "$0")"
./robusto --version
expect() {
    local said
    said=$(./robusto check --property unreach-call.prp "$2" | tail -1) || true
    echo "$2: $said"
    [ "$said" = "$1" ]
}
expect 'RESULT: true' true.c
expect 'RESULT: false(unreach-call)' false.c
