// Workers for tests: shell scripts that speak the protocol and write real journals.

#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "tests/harness/store/fake_results.h"

namespace ablate::run::testing_support {

// A journal line is its event with "previous" and "sum" among its members; that a dozen lines of
// shell can write one is the point of the format.
constexpr const char* kFakeWorkerFunctions = R"sh(
job=$(cat)
results=$(printf %s "$job" | sed 's/.*"results":"\([^"]*\)".*/\1/')
ids=$(printf %s "$job" | grep -o '"flops":[^,]*,"id":"[^"]*"' | sed 's/.*:"//; s/"//')
if [ -n "$results" ]; then  # not where a device is asked about
  mkdir -p "$results/calls"
  echo "$(echo $ids) " >> "$results/calls/log"  # in one write: other workers write there too
fi
line() {  # trial, attempt, what comes before "previous" and "sum", what comes after
  journal="$results/trials/$(printf %.2s "$1")/$1/journal.jsonl"
  previous=$(sed -n '$s/.*"sum":"\([0-9a-f]*\)".*/\1/p' "$journal" 2>/dev/null)
  before=$(printf '{"attempt":%s,%s,"previous":"%s"' "$2" "$3" "${previous:-$1}")
  sum=$(printf '%s,%s}' "$before" "$4" | sha256sum | cut -c1-16)
  printf '%s,"sum":"%s",%s}\n' "$before" "$sum" "$4" >> "$journal"
}
attempts() { grep -c '"event":"attempt"' "$results/trials/$(printf %.2s "$1")/$1/journal.jsonl" 2>/dev/null; }
begin() {
  n=$(attempts $1)
  line $1 $((${n:-0} + 1)) '"event":"attempt","provenance":{}' '"time":"2024-01-01T00:00:00.000Z"'
}
outcome() {  # trial, outcome, message
  line $1 $(attempts $1) '"event":"outcome","message":"'"$3"'","outcome":"'"$2"'"' \
    '"time":"2024-01-01T00:00:01.000Z"'
}
complete() {  # trial; it has every measurement that it asks for
  asked=$(printf %s "$job" | grep -o '"id":"'$1'".*' | grep -o '"probes":\[[^]]*\]' | head -n 1)
  for id_of_measurement in $(echo "$asked" | grep -o '"id":"[^"]*"' | sed 's/.*:"//; s/"//'); do
    line $1 $(attempts $1) '"event":"measurement","id":"'$id_of_measurement'","metrics":{}' \
      '"time":"2024-01-01T00:00:01.000Z"'
  done
  outcome $1 completed ''
}
progress() {  # trial, share
  echo '{"event":"progress","trial":"'$1'","arm":"clm","seed":1,"stage":"train","step":5,"steps":10,"share":'$2',"loss":2.5,"tokens_per_second":1000}'
}
fault() {  # message, no_space; ends the worker
  echo '{"event":"fault","message":"'"$1"'","no_space":'$2'}'
  echo "$1" >&2
  exit 1
}
wait_until() {  # a command that is to succeed; ends the worker where it does not in twenty minutes
  looks=0
  until eval "$1"; do
    looks=$((looks + 1))
    if test $looks -gt 120000; then fault "waited 20 minutes until $1" false; fi
    sleep 0.01
  done
}
)sh";

/// The first event of a worker with these versions.
inline std::string statement(const Json& versions) {
  return canonical({{"event", "versions"}, {"versions", versions}});
}

/// Writes an executable worker that begins with the event `first` and then runs `body` after the
/// functions above.
inline std::filesystem::path fake_worker(const std::filesystem::path& folder,
                                         const std::string& body,
                                         const std::string& first = statement(Json())) {
  const auto file = folder / "worker.sh";
  store::testing_support::put_bytes(
      file, "#!/bin/sh\necho '" + first + "'\n" + kFakeWorkerFunctions + body);
  ::chmod(file.c_str(), 0755);
  return file;
}

}  // namespace ablate::run::testing_support
