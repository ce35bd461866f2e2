#include "harness/probes/generation/drawing/unmasking_source.h"

#include <algorithm>
#include <map>
#include <memory>

#include "harness/base/error.h"
#include "harness/probes/decoding/row_reader.h"
#include "harness/probes/documents.h"

namespace ablate::probes {
namespace {

/// Logits at masks of texts, of which each is read as the objective lays it out.
class MaskPredictor {
 public:
  MaskPredictor(const Subject& subject)
      : subject_(subject), reader_(std::make_shared<RowReader>(subject.network, subject.device)) {}

  std::vector<float> operator()(std::span<const std::span<const Token>> texts,
                                std::span<const Place> places) const {
    std::map<std::size_t, std::vector<std::size_t>> by_text;  // the positions that are asked for
    for (const Place& place : places) by_text[place.document].push_back(place.position);
    std::vector<Example> examples;
    examples.reserve(by_text.size());
    for (auto& [text, positions] : by_text) {
      std::ranges::sort(positions);
      examples.push_back(subject_.phase.objective.unmask(texts[text], positions));
    }
    const data::Batch batch = example_batch(examples, subject_.phase.objective.needs);
    const std::vector<std::int32_t>& scored = batch.primary_scored().positions;
    if (scored.size() != places.size())
      fail("unmask: {} places were asked for, and {} are scored", places.size(), scored.size());
    std::vector<Place> own;  // of the batch, for each place
    own.reserve(places.size());
    std::map<std::size_t, std::size_t> first;  // of the scored ones, by text
    std::size_t count = 0;
    for (const auto& [text, positions] : by_text) {
      first[text] = count;
      count += positions.size();
    }
    for (const Place& place : places) {
      const auto& positions = by_text[place.document];
      const auto rank = static_cast<std::size_t>(
          std::ranges::lower_bound(positions, place.position) - positions.begin());
      const std::int32_t at = scored[first[place.document] + rank];
      own.push_back(
          {static_cast<std::size_t>(at / batch.time), static_cast<std::size_t>(at % batch.time)});
    }
    return reader_->logits(batch, own);
  }

 private:
  Subject subject_;
  std::shared_ptr<RowReader> reader_;  // of all copies
};

}  // namespace

TokenSource unmasking_source(const Subject& subject, const Sampler& sampler) {
  return {.predict = MaskPredictor(subject.with(sampler.network)),
          .vocabulary = sampler.vocabulary,
          .temperature = sampler.temperature,
          .rng = sampler.rng,
          .filter = sampler.filter,
          .block = static_cast<std::size_t>(subject.phase.objective.block)};
}

}  // namespace ablate::probes
