// The table of tasks, and what their generators share.

#include "harness/data/tasks/task.h"

#include <fmt/core.h>

#include <cmath>
#include <numeric>

#include "harness/data/tasks/tasks.inc"

namespace ablate::data {

#define ABLATE_DECLARE(name) TaskSpec name##_task();
ABLATE_TASKS(ABLATE_DECLARE)
#undef ABLATE_DECLARE

std::span<const TaskSpec> task_specs() {
#define ABLATE_CALL(name) name##_task(),
  static const std::vector<TaskSpec> specs = {ABLATE_TASKS(ABLATE_CALL)};
#undef ABLATE_CALL
  return specs;
}

double log_factorial(std::int64_t n) { return std::lgamma(static_cast<double>(n) + 1); }

double log_arrangements(std::int64_t n, std::int64_t k) {
  return log_factorial(n) - log_factorial(n - k);
}

double log_choices(std::int64_t n, std::int64_t k) {
  return log_arrangements(n, k) - log_factorial(k);
}

std::vector<std::int64_t> distinct(std::int64_t count, std::int64_t bound, Rng& rng) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(bound));
  std::iota(all.begin(), all.end(), std::int64_t{0});
  for (std::int64_t i = 0; i < count; ++i)
    std::swap(all[static_cast<std::size_t>(i)],
              all[static_cast<std::size_t>(i + rng.below(bound - i))]);
  all.resize(static_cast<std::size_t>(count));
  return all;
}

void add_words(std::vector<std::string>& words, std::string_view prefix, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) words.push_back(fmt::format("{}{}", prefix, i));
}

}  // namespace ablate::data
