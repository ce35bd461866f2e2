// What the benchmarks were built as: part of what they write. Google Benchmark's own
// "library_build_type" is that of Debian's library, which says "debug" whatever we are.

#include <benchmark/benchmark.h>

#include "harness/base/posix/machine_fault.h"

namespace ablate::bench {
namespace {

const bool added_context = [] {
  benchmark::AddCustomContext("build", ABLATE_BUILD_TYPE);
  benchmark::AddCustomContext("commit", ABLATE_COMMIT);
  let_large_files_fail();  // main() is Google Benchmark's
  return true;
}();

}  // namespace
}  // namespace ablate::bench
