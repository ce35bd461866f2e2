#include "harness/probes/file_notes_spec.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <unordered_set>

namespace ablate::probes {

void warn_of_few(const Preparation& preparation, std::string_view what, std::int64_t found,
                 std::int64_t asked) {
  if (found < asked)
    preparation.warn(
        fmt::format("there are {} {} of the {} asked for; all are used, so numbers vary "
                    "more than with the full number",
                    found, what, asked));
}

std::int64_t copies_in(const std::vector<std::string>& items) {
  const std::unordered_set<std::string_view> distinct(items.begin(), items.end());
  return std::ssize(items) - std::ssize(distinct);
}

void warn_of_copies(const Preparation& preparation, std::string_view what,
                    const std::vector<std::string>& train, const std::vector<std::string>& test) {
  const std::unordered_set<std::string_view> known(train.begin(), train.end());
  const auto copies =
      std::ranges::count_if(test, [&](const std::string& item) { return known.contains(item); });
  if (copies > 0)
    preparation.warn(
        fmt::format("{} of {} test {} are also in train, so they measure what was learned by "
                    "heart; leave them out of one of the files",
                    copies, test.size(), what));
}

SplitTrain split_train(std::int64_t found, std::int64_t training, std::int64_t development) {
  const std::int64_t asked = training + development;
  const std::int64_t used = std::min(found, asked);
  const std::int64_t chosen_on = asked > 0 ? used * development / asked : 0;
  return {used - chosen_on, chosen_on};
}

}  // namespace ablate::probes
