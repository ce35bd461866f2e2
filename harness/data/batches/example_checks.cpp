// Refuses examples that an objective must not make.

#include "harness/data/batches/example_checks.h"

#include "harness/base/error.h"

namespace ablate::data {
namespace {

/// How many heads the objective asked for.
std::size_t own_heads(const Needs& needs) {
  return needs.parts.empty() ? needs.heads.size() : needs.parts.size();
}

void check_targets(const Example& example, const Needs& needs) {
  if (!needs.target_part() && !example.targets.empty())
    reject("layout: an example has {} targets, and no head takes them", example.targets.size());
  // Of a mixture, some examples are for another head alone.
  const bool of_another_head = example.targets.empty() && own_heads(needs) > 1;
  if (needs.alignment == Alignment::in_place && needs.target_part() && !of_another_head &&
      example.targets.size() != example.inputs.size())
    reject("layout: an in-place example has {} inputs and {} targets; target i belongs to input i",
           example.inputs.size(), example.targets.size());
  if (example.shown.empty()) return;
  if (needs.alignment == Alignment::in_place || example.shown.size() != example.targets.size())
    reject(
        "layout: an example shows {} tokens in place of {} targets; a continuation shows one each",
        example.shown.size(), example.targets.size());
}

void check_sight(const Example& example, const Needs& needs, Packing packing) {
  if (example.sees.empty()) return;
  if (packing == Packing::joined)
    reject(
        "layout: the objective says what each place sees, which joined rows cannot show; set "
        "packing to isolated or padded");
  if (needs.separate_inputs)
    reject("layout: an example says what its places see, and an encoder reads its inputs");
  const auto size = static_cast<std::int32_t>(taken(needs, example).time);
  if (std::ssize(example.sees) != size)
    reject("layout: an example says what {} places see and has {}", example.sees.size(), size);
  for (std::int32_t i = 0; i < size; ++i) {
    const Sight& own = example.sees[static_cast<std::size_t>(i)];
    const std::int32_t last = needs.attention == Attention::causal ? i + 1 : size;
    if (own.from < 0 || own.from > own.until || own.until > last)
      reject("layout: place {} sees [{}, {}); it may see places in [0, {})", i, own.from, own.until,
             last);
    if (own.also_from == 0 && own.also_until == 0) continue;
    if (!needs.two_intervals)
      reject("layout: place {} sees two intervals, which the needs do not say", i);
    if (own.also_from < own.until || own.also_from >= own.also_until || own.also_until > last ||
        own.from == own.until)
      reject(
          "layout: place {} sees [{}, {}) and also [{}, {}); the second interval follows the first "
          "one, neither is empty, and it may see places in [0, {})",
          i, own.from, own.until, own.also_from, own.also_until, last);
  }
}

/// Refuses a place with more or fewer labels than its head takes together.
void check_together(const Example& example, const Needs& needs) {
  for (std::size_t first = 0; first < example.labels.size();) {
    const Label& label = example.labels[first];
    std::size_t end = first + 1;
    const auto same = [&](const Label& next) {
      return next.head == label.head && next.at == label.at &&
             (next.weight > 0) == (label.weight > 0);
    };
    while (end < example.labels.size() && same(example.labels[end])) ++end;
    const std::size_t part = needs.part(static_cast<std::size_t>(label.head));
    const std::int64_t together = needs.heads[part].traits.labels;
    if (const auto count = static_cast<std::int64_t>(end - first);
        together > 1 && count != together)
      reject("layout: place {} has {} labels of head {}, which takes {} of a place together",
             label.at, count, label.head, together);
    first = end;
  }
}

/// Refuses labels of heads that are not there or take the targets, and of places that are not there.
void check_labels(const Example& example, const Needs& needs) {
  const bool in_place = needs.alignment == Alignment::in_place;
  const std::optional<std::size_t> taken_by = needs.target_part();
  for (const Label& label : example.labels) {
    std::size_t read = in_place ? example.inputs.size() : example.targets.size();
    if (label.partner >= 0 && !in_place) read += example.inputs.size();
    const auto places = static_cast<std::int32_t>(read);
    const auto head = static_cast<std::size_t>(label.head);
    if (label.head < 0 || head >= own_heads(needs) || needs.part(head) == taken_by ||
        label.at < 0 || label.at >= places)
      reject("layout: a label of head {} at {}; there are {} heads and {} places", label.head,
             label.at, own_heads(needs), places);
    if (label.partner >= places || (label.partner >= 0 && needs.separate_inputs))
      reject(
          "layout: place {} is the partner of {}; there are {} places, which must be of one stack",
          label.partner, label.at, places);
  }
  check_together(example, needs);
}

}  // namespace

RowShape taken(const Needs& needs, const Example& example) {
  const auto inputs = static_cast<std::int64_t>(example.inputs.size());
  const auto targets = static_cast<std::int64_t>(example.targets.size());
  if (needs.separate_inputs) return {targets, inputs};
  return {needs.alignment == Alignment::in_place ? inputs : inputs + targets, 0};
}

void check_weights(const Example& example) {
  if (example.weights.size() != example.targets.size())
    reject("layout: an example has {} targets and {} weights; each target needs one weight",
           example.targets.size(), example.weights.size());
}

void check_example(const PlacedExample& placed, const Needs& needs, Packing packing,
                   std::int64_t rows) {
  const Example& example = placed.example;
  if (placed.row < 0 || placed.row >= rows)
    reject("layout: row {} of an example is outside [0, {})", placed.row, rows);
  check_weights(example);
  check_targets(example, needs);
  check_sight(example, needs, packing);
  check_labels(example, needs);
  const RowShape length = taken(needs, example);
  if (!example.positions.empty() &&
      static_cast<std::int64_t>(example.positions.size()) < length.time + length.source_time)
    reject("layout: an example has {} tokens and {} positions", length.time + length.source_time,
           example.positions.size());
  if (example.inner.empty()) return;
  if (!needs.inner_positions)
    reject("layout: an example has second positions, which the needs do not say");
  if (std::ssize(example.inner) != length.time)
    reject("layout: an example has {} tokens and {} second positions", length.time,
           example.inner.size());
}

}  // namespace ablate::data
