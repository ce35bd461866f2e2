// Fuzzes --set, --arm, --only and --drop: an input has a flag on every line, such as "set
// train.batch=3".

#include "tests/fuzz/input.h"
#include "tests/fuzz/law.h"
#include "tests/fuzz/reading.h"

namespace ablate::fuzz {
namespace {

constexpr std::size_t kMaxFlags = 16;

constexpr std::string_view kExperiment = R"({
  "name": "flags",
  "extends": ["base/small.json"],
  "train": {"budget": {"tokens": 100000}},
  "arms": [
    {"name": "clm", "set": {"objective": {"type": "causal_lm"}}},
    {"name": "mlm", "set": {"objective.type": "masked_lm"}, "grid": {"objective.rate": [0.15, 0.3]}}
  ],
  "baseline": "clm",
  "seeds": 3,
  "match": {"on": []},
  "probes": ["held_out", {"type": "generation", "samples": 5}],
  "analysis": {"primary": "held_out.excess"}
})";

plan::Overrides flags_of(std::string_view input) {
  plan::Overrides flags;
  for (std::size_t line = 0; line < kMaxFlags && !input.empty(); ++line) {
    const std::string_view text = input.substr(0, input.find('\n'));
    input.remove_prefix(std::min(text.size() + 1, input.size()));
    const std::string_view name = text.substr(0, text.find(' '));
    const std::string value(text.substr(std::min(name.size() + 1, text.size())));
    (name == "arm"    ? flags.arms
     : name == "only" ? flags.only
     : name == "drop" ? flags.drop
                      : flags.set)
        .push_back(value);
  }
  return flags;
}

}  // namespace
}  // namespace ablate::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ablate;
  static const fuzz::ExperimentFolder folder;
  static const std::filesystem::path file = folder.write(fuzz::kExperiment);
  const plan::Overrides flags = fuzz::flags_of(fuzz::input_of(data, size));
  fuzz::accept_or_refuse([&] { fuzz::read_and_check(file, flags); });
  return 0;
}
