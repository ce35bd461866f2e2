// Fuzzes what `ablate` and a worker say to each other: jobs and events.

#include "experiments/catalog.h"
#include "harness/plan/resolve/versions.h"
#include "harness/run/job/lane_choice.h"
#include "harness/run/job/protocol.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/law.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ablate;
  const std::string text = fuzz::input_of(data, size);
  fuzz::accept_or_refuse([&] {
    const run::Job job = run::job_from_text(text);
    for (const plan::Trial& trial : job.trials) plan::check_versions(trial, catalog());
  });
  const Json event = run::event_in(text);
  fuzz::accept_or_refuse([&] {
    if (event.is_object() && event.contains("choice"))
      to_json(run::lane_choice_from_json(event.at("choice")));
  });
  return 0;
}
