// Copying: the same symbols again, or from the last one to the first.
//
//   s3 s1 s7 > s3 s1 s7              what follows the ">" is the answer
//
// Source: Jelassi et al. 2024, "Repeat After Me", arXiv:2402.01032, section 3.

#include <algorithm>
#include <cmath>

#include "harness/data/tasks/task.h"

namespace ablate::data {
namespace {

std::vector<std::string> words(const Params& dials) {
  std::vector<std::string> all;
  add_words(all, "s", dials.integer("symbols"));
  all.push_back(">");
  return all;
}

std::int64_t length(const Params&, std::int64_t symbols) { return 2 * symbols + 3; }

double chance(const Params& dials) { return 1 / static_cast<double>(dials.integer("symbols")); }

void draw(const TaskDraw& with, Rng& rng, TaskDocument& document) {
  const std::int64_t symbols = with.dials.integer("symbols");
  std::vector<std::int64_t> drawn;
  for (std::int64_t i = 0; i < with.difficulty; ++i) drawn.push_back(rng.below(symbols));
  for (const std::int64_t symbol : drawn) document.put(symbol);
  document.put(symbols);
  if (with.dials.text("order") == "reversed") std::reverse(drawn.begin(), drawn.end());
  for (const std::int64_t symbol : drawn) document.put(symbol, true);
  document.nats = static_cast<double>(with.difficulty) * std::log(static_cast<double>(symbols));
}

}  // namespace

TaskSpec copy_task() {
  return {.name = "copy",
          .summary = "random symbols, then the same symbols again, or reversed",
          .source = "Jelassi et al. 2024, arXiv:2402.01032, section 3",
          .difficulty = {"length", "test_length", {8}, {}, 1, 4096, "symbols of a document"},
          .dials = {integer("symbols", 16, 2, 16384, "number of different symbols"),
                    choice("order", "same", {"same", "reversed"},
                           "order of the symbols in the answer")},
          .refusal = nullptr,
          .words = words,
          .length = length,
          .chance = chance,
          .draw = draw};
}

}  // namespace ablate::data
