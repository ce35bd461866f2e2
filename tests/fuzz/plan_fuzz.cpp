// Fuzzes the plan of a results folder, and the trials in it as far as a worker reads them.

#include "experiments/catalog.h"
#include "harness/base/json/parse.h"
#include "harness/plan/resolve/resolve.h"
#include "harness/plan/resolve/versions.h"
#include "harness/plan/trial/plan_json.h"
#include "harness/store/folder/folder.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/law.h"
#include "tests/temporary_folder.h"

namespace ablate::fuzz {
namespace {

/// A plan with the checksum that makes readers believe it.
std::string repaired_plan(std::string input) {
  Json plan = parse_or_discard(input);
  if (!plan.is_object()) return input;
  plan.erase("sha256");
  plan["sha256"] = sha256(canonical(plan));
  return canonical(plan);
}

}  // namespace
}  // namespace ablate::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ablate;
  static const TemporaryFolder results;
  results.write("plan.json", fuzz::input_of(data, size, fuzz::repaired_plan));
  fuzz::accept_or_refuse([&] {
    const plan::Plan plan = plan::plan_from_json(store::read_plan(results.path()));
    for (const plan::Trial& trial : plan.trials) plan::check_versions(trial, catalog());
  });
  return 0;
}
