#include "harness/probes/generation/drawing/sampling.h"

#include <memory>

#include "harness/probes/decoding/logits.h"
#include "harness/probes/decoding/row_reader.h"
#include "harness/probes/documents.h"

namespace ablate::probes {
namespace {

/// Logits of texts of which each position sees what is before it: what a text has grown by is read.
Predict causal_logits(train::Network& network, const std::string& device) {
  return [reader = std::make_shared<RowReader>(network, device)](
             std::span<const std::span<const Token>> texts, std::span<const Place> places) {
    return reader->logits(document_batch(texts, Attention::causal), places);
  };
}

}  // namespace

TokenSource Sampler::source(Attention attention) const {
  TokenSource made = source_of_whole_texts(attention);
  if (attention == Attention::causal) made.predict = causal_logits(network, device);
  return made;
}

TokenSource Sampler::source_of_whole_texts(Attention attention) const {
  return {.predict =
              [&model = network, attention, on = device](
                  std::span<const std::span<const Token>> texts, std::span<const Place> places) {
                return logits_at(model, texts, attention, places, on);
              },
          .vocabulary = vocabulary,
          .temperature = temperature,
          .rng = rng,
          .filter = filter};
}

}  // namespace ablate::probes
