#include "harness/probes/cloze/blanks.h"

#include <algorithm>

#include "harness/base/error.h"
#include "harness/probes/decoding/logits.h"
#include "harness/probes/documents.h"
#include "harness/train/step/feed.h"

namespace ablate::probes {
namespace {

/// The positions that each stack of the model has: those of a text at least, however few of them its
/// training rows take.
RowShape room_of(const Subject& subject) {
  RowShape room = subject.phase.shape;
  room.time = std::max(room.time, subject.phase.context);
  if (room.source_time > 0) room.source_time = std::max(room.source_time, subject.phase.context);
  return room;
}

}  // namespace

Example next_of_blank(const Subject& subject, const Blank& blank, std::span<const Token> filled) {
  std::vector<Token> target(filled.begin(), filled.end());
  target.resize(std::max(blank.tokens, filled.size() + 1), subject.vocabulary().first_ordinary());
  const std::size_t at = filled.size();
  std::vector<Example> examples = subject.phase.objective.cloze({blank.left, target, blank.right});
  const bool one_each = examples.size() > 1;
  Example example = std::move(examples[one_each ? at : 0]);
  std::size_t seen = one_each ? at : 0;  // scored targets so far
  for (float& weight : example.weights)
    if (weight > 0 && seen++ != at) weight = 0;
  if (!fits(subject, example)) drop_after_scored(example, subject.phase.objective.needs);
  return example;
}

void drop_after_scored(Example& example, const Needs& needs) {
  // Where places see what follows them, what is scored depends on it.
  if (needs.alignment != Alignment::continuation || !example.sees.empty()) return;
  const auto scored = std::ranges::find_if(example.weights, [](float w) { return w > 0; });
  const auto kept = static_cast<std::size_t>(scored - example.weights.begin()) + 1;
  example.targets.resize(std::min(kept, example.targets.size()));
  example.weights.resize(example.targets.size());
}

bool fits(const Subject& subject, const Example& example) {
  const RowShape row = own_row(example, subject.phase.objective.needs), room = room_of(subject);
  return row.time <= room.time && row.source_time <= room.source_time;
}

bool has_room(const Subject& subject, const Blank& blank, std::span<const Token> filled) {
  return subject.phase.objective.needs.alignment == Alignment::in_place ||
         fits(subject, next_of_blank(subject, blank, filled));
}

void check_room(const Subject& subject, const Blank& blank, const Example& example) {
  if (fits(subject, example)) return;
  const RowShape row = own_row(example, subject.phase.objective.needs), room = room_of(subject);
  const bool in_encoder = row.source_time > room.source_time;
  reject(
      "a text of {} tokens and a blank of {}, with the begin token and the marks of their format, "
      "take {} positions and do not fit into the {} that the {} has",
      blank.left.size() - 1 + blank.right.size(), blank.tokens,
      in_encoder ? row.source_time : row.time, in_encoder ? room.source_time : room.time,
      room.source_time == 0 ? "model"
      : in_encoder          ? "encoder"
                            : "decoder");
}

std::vector<float> logits_of(const Subject& subject, RowReader& reader,
                             const std::vector<Example>& examples) {
  const data::Batch batch = example_batch(examples, subject.phase.objective.needs);
  std::vector<Place> places;
  places.reserve(examples.size());
  for (const std::int32_t position : batch.scored.front().positions)  // one of each row
    places.push_back({static_cast<std::size_t>(position / batch.time),
                      static_cast<std::size_t>(position % batch.time)});
  if (subject.phase.objective.needs.alignment == Alignment::continuation)
    return reader.logits(batch, places);
  // Where all places see each other, nothing is the same when one of them has been filled.
  return batch_logits(subject.network, batch, places, subject.device);
}

}  // namespace ablate::probes
