#include "harness/probes/generation/drawing/sampling.h"

#include "harness/probes/classification/states.h"

namespace ablate::probes {

TokenSource Sampler::source(Attention attention) const {
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
