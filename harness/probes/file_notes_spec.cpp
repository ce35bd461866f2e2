#include "harness/probes/file_notes_spec.h"

#include <fmt/core.h>

#include <algorithm>

namespace ablate::probes {

void warn_of_few(const Preparation& preparation, std::string_view what, std::int64_t found,
                 std::int64_t asked) {
  if (found < asked)
    preparation.warn(
        fmt::format("there are {} {} of the {} asked for; all are used, so numbers vary "
                    "more than with the full number",
                    found, what, asked));
}

SplitTrain split_train(std::int64_t found, std::int64_t training, std::int64_t development) {
  const std::int64_t asked = training + development;
  const std::int64_t used = std::min(found, asked);
  const std::int64_t chosen_on = asked > 0 ? used * development / asked : 0;
  return {used - chosen_on, chosen_on};
}

}  // namespace ablate::probes
