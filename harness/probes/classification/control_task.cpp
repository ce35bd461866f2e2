#include "harness/probes/classification/control_task.h"

namespace ablate::probes {

std::vector<std::int32_t> control_labels(std::span<const std::vector<Token>> documents,
                                         std::span<const std::int32_t> labels, const Rng& rng) {
  std::vector<std::int32_t> control;
  for (const std::vector<Token>& document : documents) {
    const Token first = document.size() > 1 ? document[1] : end_token;
    Rng own = rng.fork(static_cast<std::uint64_t>(first));
    control.push_back(
        labels[static_cast<std::size_t>(own.below(static_cast<std::int64_t>(labels.size())))]);
  }
  return control;
}

}  // namespace ablate::probes
