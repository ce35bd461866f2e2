// Workers for tests: shell scripts that speak the protocol and write real journals.

#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "tests/harness/store/fake_results.h"

namespace ablate::run::testing_support {

// A journal line is its event with keys in order and "sum" among them; that a dozen lines of shell
// can write one is the point of the format.
constexpr const char* kFakeWorkerFunctions = R"sh(#!/bin/sh
job=$(cat)
results=$(printf %s "$job" | sed 's/.*"results":"\([^"]*\)".*/\1/')
ids=$(printf %s "$job" | grep -o '"flops":[^,]*,"id":"[^"]*"' | sed 's/.*:"//; s/"//')
mkdir -p "$results/calls"
echo "$(echo $ids) " >> "$results/calls/log"  # in one write: other workers write there too
line() {  # trial, attempt, what comes before "sum", what comes after
  sum=$(printf '{"attempt":%s,%s,%s}' "$2" "$3" "$4" | sha256sum | cut -c1-16)
  printf '{"attempt":%s,%s,"sum":"%s",%s}\n' "$2" "$3" "$sum" "$4" >> "$results/trials/$1/journal.jsonl"
}
attempts() { grep -c '"event":"attempt"' "$results/trials/$1/journal.jsonl" 2>/dev/null; }
begin() {
  n=$(attempts $1)
  line $1 $((${n:-0} + 1)) '"event":"attempt","provenance":{}' '"time":"2024-01-01T00:00:00.000Z"'
}
outcome() {  # trial, outcome, message
  line $1 $(attempts $1) '"event":"outcome","message":"'"$3"'","outcome":"'"$2"'"' \
    '"time":"2024-01-01T00:00:01.000Z"'
}
progress() {  # trial, share
  echo '{"event":"progress","trial":"'$1'","arm":"clm","seed":1,"stage":"train","step":5,"steps":10,"share":'$2',"loss":2.5,"tokens_per_second":1000}'
}
)sh";

/// Writes an executable worker that runs `body` after the functions above.
inline std::filesystem::path fake_worker(const std::filesystem::path& folder,
                                         const std::string& body) {
  const auto file = folder / "worker.sh";
  store::testing_support::put_bytes(file, kFakeWorkerFunctions + body);
  ::chmod(file.c_str(), 0755);
  return file;
}

}  // namespace ablate::run::testing_support
