// Facts that are told in one direction and asked in the other.
//
//   f2 a3 b1 is c0 d5      f1 c4 d2 names a0 b7      what follows "is" or "names" is the answer
//
// 45 % of the entities are told forward alone, 45 % backward alone, and 10 % both ways. A document of
// `unseen` 1 asks an entity in the direction in which no document tells it.
//
// Source: Berglund et al. 2023, "The Reversal Curse", arXiv:2309.12288; Allen-Zhu and Li 2023,
// arXiv:2309.14402.

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <numbers>

#include "harness/data/tasks/task.h"

namespace ablate::data {
namespace {

constexpr double kForwardOnly = 0.45, kBackwardOnly = 0.45;  // of the entities
constexpr std::int64_t kMostFiller = 3;                      // words before a fact

struct Dials {
  std::int64_t side, parts, filler;

  std::int64_t entities() const {
    return std::llround(std::pow(static_cast<double>(side), static_cast<double>(parts)));
  }

  // Entities are numbered in a random order; those with the first numbers are told forward alone.
  std::int64_t forward_only() const {
    return std::llround(kForwardOnly * static_cast<double>(entities()));
  }
  std::int64_t backward_only() const {
    return std::llround(kBackwardOnly * static_cast<double>(entities()));
  }

  // Numbers of words: those of names from 0, by place, then these.
  std::int64_t first_value() const { return side * parts; }
  std::int64_t first_filler() const { return 2 * side * parts; }
  std::int64_t forward() const { return first_filler() + filler; }
};

Dials dials_of(const Params& dials) {
  return {dials.integer("side"), dials.integer("parts"), dials.integer("filler")};
}

std::string refusal(const Params& params, std::int64_t unseen) {
  const Dials dials = dials_of(params);
  if (unseen != 0 && unseen != 1) return "a direction is seen (0) or unseen (1)";
  const std::int64_t entities = dials.entities();
  if (entities > 65536)
    return fmt::format("{} entities are more than 65536; give a smaller side", entities);
  if (dials.forward_only() < 1 || dials.backward_only() < 1)
    return "there are too few entities for both directions; give a greater side";
  return {};
}

std::vector<std::string> words(const Params& params) {
  const Dials dials = dials_of(params);
  std::vector<std::string> all;
  for (const char side : {'a', 'c'})
    for (std::int64_t part = 0; part < dials.parts; ++part)
      add_words(all, fmt::format("{}{}.", side, part), dials.side);
  add_words(all, "f", dials.filler);
  all.insert(all.end(), {"is", "names"});
  return all;
}

std::int64_t length(const Params& params, std::int64_t) {
  return 3 + kMostFiller + 2 * params.integer("parts");
}

double chance(const Params& params) { return 1 / static_cast<double>(params.integer("side")); }

/// Which code a name has, and which entity stands at a place of the random order: two bijections.
struct Book {
  std::vector<std::int64_t> order, code;
};

/// The book of a corpus. It is the same for all its documents, so the last one is kept.
const Book& book_of(std::uint64_t seed, std::int64_t entities) {
  struct Kept {
    std::uint64_t seed = 0;
    Book book = {};
  };
  thread_local Kept kept;
  if (kept.seed != seed || std::ssize(kept.book.order) != entities) {
    const Rng all = Rng(seed, Stream::language).fork("facts");
    Rng order = all.fork("order"), code = all.fork("code");
    kept = {seed, {distinct(entities, entities, order), distinct(entities, entities, code)}};
  }
  return kept.book;
}

/// Writes a number of an entity or of a code by its places.
void put_places(const Dials& dials, std::int64_t first, std::int64_t number, bool answer,
                TaskDocument& document) {
  for (std::int64_t part = 0; part < dials.parts; ++part) {
    document.put(first + part * dials.side + number % dials.side, answer);
    number /= dials.side;
  }
}

void draw(const TaskDraw& with, Rng& rng, TaskDocument& document) {
  const Dials dials = dials_of(with.dials);
  const std::int64_t entities = dials.entities(), before = rng.below(kMostFiller + 1);
  const Book& book = book_of(with.seed, entities);
  for (std::int64_t i = 0; i < before; ++i)
    document.put(dials.first_filler() + rng.below(dials.filler));
  const bool forward = rng.below(2) == 0;
  // Places in the order: forward alone, backward alone, both ways.
  const std::int64_t middle = dials.forward_only(), last = middle + dials.backward_only();
  std::int64_t place = 0, count = 0;
  if (with.difficulty == 1) {
    count = forward ? last - middle : middle;
    place = rng.below(count) + (forward ? middle : 0);
  } else {
    const std::int64_t alone = forward ? middle : last - middle;
    count = alone + entities - last;
    place = rng.below(count);
    place = place < alone ? place + (forward ? 0 : middle) : last + place - alone;
  }
  const std::int64_t name = book.order[static_cast<std::size_t>(place)];
  const std::int64_t value = book.code[static_cast<std::size_t>(name)];
  const std::array<std::int64_t, 2> first = {0, dials.first_value()}, number = {name, value};
  const std::size_t given = forward ? 0 : 1;
  put_places(dials, first[given], number[given], false, document);
  document.put(dials.forward() + (forward ? 0 : 1));
  put_places(dials, first[1 - given], number[1 - given], true, document);
  document.nats = std::log(static_cast<double>(kMostFiller + 1)) + std::numbers::ln2 +
                  static_cast<double>(before) * std::log(static_cast<double>(dials.filler)) +
                  std::log(static_cast<double>(count));
}

}  // namespace

TaskSpec facts_task() {
  return {.name = "facts",
          .summary = "entities with a name and a code, told in one direction, asked in the other",
          .source = "Berglund et al. 2023, arXiv:2309.12288",
          .difficulty = {"unseen",
                         "test_unseen",
                         {0},
                         {0, 1},
                         0,
                         1,
                         "0: the directions that training text tells; 1: the others, which no "
                         "training text tells"},
          .dials = {integer("side", 16, 2, 65536, "choices for each word of a name or a code"),
                    integer("parts", 2, 1, 8,
                            "words in a name and in a code; there are side ^ parts entities"),
                    integer("filler", 8, 1, 16384, "words that may stand before a fact")},
          .refusal = refusal,
          .words = words,
          .length = length,
          .chance = chance,
          .draw = draw};
}

}  // namespace ablate::data
