// Multi-query associative recall: which value stood behind this key?
//
//   k7 v2 k3 v9 ? k3 v9 k7 v2        the values behind the "?" are answers
//
// Source: Arora et al. 2023, "Zoology", arXiv:2312.04927, section 3 and appendix; the harder variants as
// in github.com/HazyResearch/zoology at d88d6f5. There the answer is never read, queries stand in slots
// whose distances follow a power law, and the rest is filled up. Here the answer follows its query in the
// text, so that every objective can be trained on it, and queries follow each other.

#include <fmt/core.h>

#include <cmath>

#include "harness/data/tasks/task.h"

namespace ablate::data {
namespace {

struct Dials {
  std::int64_t keys, values, parts, updates, queries;
};

Dials dials_of(const Params& dials) {
  return {dials.integer("keys"), dials.integer("values"), dials.integer("parts"),
          dials.integer("updates"), dials.integer("queries")};
}

/// The side of a square of `pairs` keys of two parts.
std::int64_t side_of(std::int64_t pairs) { return std::llround(std::sqrt(pairs)); }

std::int64_t asked(const Dials& dials, std::int64_t pairs) {
  return dials.queries == 0 ? pairs : std::min(dials.queries, pairs);
}

std::string refusal(const Params& params, std::int64_t pairs) {
  const Dials dials = dials_of(params);
  const std::int64_t distinct_keys = dials.parts == 1 ? pairs : side_of(pairs);
  if (dials.parts == 2 && distinct_keys * distinct_keys != pairs)
    return fmt::format("keys of two parts fill a square; {} pairs do not: give 4, 9, 16 ...",
                       pairs);
  if (distinct_keys > dials.keys)
    return fmt::format("{} pairs need {} distinct keys and there are {}; give more keys", pairs,
                       distinct_keys, dials.keys);
  if (pairs + dials.updates > dials.values)
    return fmt::format(
        "{} pairs and {} updates need {} distinct values and there are {}; give more values", pairs,
        dials.updates, pairs + dials.updates, dials.values);
  if (dials.updates > pairs)
    return fmt::format("{} updates of {} pairs; each key is updated at most once: give fewer",
                       dials.updates, pairs);
  return {};
}

std::vector<std::string> words(const Params& params) {
  const Dials dials = dials_of(params);
  std::vector<std::string> all;
  add_words(all, "k", dials.keys);
  if (dials.parts == 2) add_words(all, "j", dials.keys);
  add_words(all, "v", dials.values);
  all.push_back("?");
  return all;
}

std::int64_t length(const Params& params, std::int64_t pairs) {
  const Dials dials = dials_of(params);
  return 3 + (pairs + dials.updates + asked(dials, pairs)) * (dials.parts + 1);
}

double chance(const Params& params) { return 1 / static_cast<double>(params.integer("values")); }

/// The keys of a document, each as its words.
std::vector<std::vector<std::int64_t>> keys_of(const Dials& dials, std::int64_t pairs, Rng& rng,
                                               double& nats) {
  std::vector<std::vector<std::int64_t>> keys;
  if (dials.parts == 1) {
    nats += log_arrangements(dials.keys, pairs);
    for (const std::int64_t key : distinct(pairs, dials.keys, rng)) keys.push_back({key});
    return keys;
  }
  const std::int64_t side = side_of(pairs);
  nats += 2 * log_choices(dials.keys, side) + log_factorial(pairs);
  const auto rows = distinct(side, dials.keys, rng), columns = distinct(side, dials.keys, rng);
  for (const std::int64_t cell : distinct(pairs, pairs, rng))
    keys.push_back({rows[static_cast<std::size_t>(cell / side)],
                    dials.keys + columns[static_cast<std::size_t>(cell % side)]});
  return keys;
}

void draw(const TaskDraw& with, Rng& rng, TaskDocument& document) {
  const Dials dials = dials_of(with.dials);
  const std::int64_t pairs = with.difficulty, first_value = dials.parts * dials.keys;
  const auto keys = keys_of(dials, pairs, rng, document.nats);
  std::vector<std::int64_t> values = distinct(pairs + dials.updates, dials.values, rng);
  document.nats += log_arrangements(dials.values, pairs + dials.updates);
  const auto put = [&](std::int64_t pair, bool answer) {
    for (const std::int64_t part : keys[static_cast<std::size_t>(pair)]) document.put(part);
    document.put(first_value + values[static_cast<std::size_t>(pair)], answer);
  };
  for (std::int64_t pair = 0; pair < pairs; ++pair) put(pair, false);
  std::int64_t update = pairs;
  for (const std::int64_t pair : distinct(dials.updates, pairs, rng)) {
    values[static_cast<std::size_t>(pair)] = values[static_cast<std::size_t>(update++)];
    put(pair, false);
  }
  document.put(first_value + dials.values);
  for (const std::int64_t pair : distinct(asked(dials, pairs), pairs, rng)) put(pair, true);
  document.nats +=
      log_arrangements(pairs, dials.updates) + log_arrangements(pairs, asked(dials, pairs));
}

}  // namespace

TaskSpec associative_recall_task() {
  return {.name = "associative_recall",
          .summary = "pairs of a key and a value, then keys again: which value followed each?",
          .source = "Arora et al. 2023, arXiv:2312.04927, section 3",
          .difficulty = {"pairs", "test_pairs", {4}, {}, 1, 1024, "pairs of a document"},
          .dials = {integer("keys", 32, 1, 16384, "words that keys are made of"),
                    integer("values", 32, 1, 16384, "words that are values"),
                    integer("parts", 1, 1, 2,
                            "words in a key; 2: the keys of a document are all combinations of "
                            "some first and some second words"),
                    integer("updates", 0, 0, 1024,
                            "keys that come again with a new value, which is then the answer"),
                    integer("queries", 0, 0, 1024, "keys that are asked about; 0: all")},
          .refusal = refusal,
          .words = words,
          .length = length,
          .chance = chance,
          .draw = draw};
}

}  // namespace ablate::data
