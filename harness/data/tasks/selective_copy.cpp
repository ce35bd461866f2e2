// Selective copying: the symbols that stood among blanks, in their order.
//
//   _ s3 _ _ s1 _ > s3 s1            what follows the ">" is the answer
//
// Source: Gu and Dao 2023, "Mamba", arXiv:2312.00752, section 4.1.1; athms/mad-lab at 49f0a45, where no
// blank ever follows the last symbol. Here all places are equally likely.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "harness/data/tasks/task.h"

namespace ablate::data {
namespace {

std::string refusal(const Params& dials, std::int64_t items) {
  if (items <= dials.integer("length")) return {};
  return fmt::format("{} items do not fit into a length of {}; give a greater length", items,
                     dials.integer("length"));
}

std::vector<std::string> words(const Params& dials) {
  std::vector<std::string> all;
  add_words(all, "s", dials.integer("symbols"));
  all.insert(all.end(), {"_", ">"});
  return all;
}

std::int64_t length(const Params& dials, std::int64_t items) {
  return dials.integer("length") + items + 3;
}

double chance(const Params& dials) { return 1 / static_cast<double>(dials.integer("symbols")); }

void draw(const TaskDraw& with, Rng& rng, TaskDocument& document) {
  const std::int64_t symbols = with.dials.integer("symbols");
  const std::int64_t places = with.dials.integer("length");
  std::vector<std::int64_t> at = distinct(with.difficulty, places, rng), drawn;
  std::sort(at.begin(), at.end());
  for (std::int64_t place = 0; place < places; ++place) {
    const bool item = std::binary_search(at.begin(), at.end(), place);
    if (item) drawn.push_back(rng.below(symbols));
    document.put(item ? drawn.back() : symbols);
  }
  document.put(symbols + 1);
  for (const std::int64_t symbol : drawn) document.put(symbol, true);
  document.nats = log_choices(places, with.difficulty) +
                  static_cast<double>(with.difficulty) * std::log(static_cast<double>(symbols));
}

}  // namespace

TaskSpec selective_copy_task() {
  return {.name = "selective_copy",
          .summary = "symbols among blanks, then the symbols alone",
          .source = "Gu and Dao 2023, arXiv:2312.00752, section 4.1.1",
          .difficulty = {"items", "test_items", {8}, {}, 1, 1024, "symbols among the blanks"},
          .dials = {integer("length", 32, 1, 4096, "symbols and blanks together"),
                    integer("symbols", 16, 2, 16384, "number of different symbols")},
          .refusal = refusal,
          .words = words,
          .length = length,
          .chance = chance,
          .draw = draw};
}

}  // namespace ablate::data
