// Transformers with restricted attention: the same network with different offers. The batch decides
// what each position sees, so they share one builder.

#include "models/specs/one_stack_spec.h"

#include "models/specs/transformer_spec.h"

namespace ablate::models {
namespace {

BackboneSpec offering(std::string_view name, std::string_view summary, const Offer& offer) {
  BackboneSpec spec = transformer_spec();
  spec.name = name;
  spec.summary = summary;
  spec.offer = offer;
  return spec;
}

/// As of a transformer: whatever the needs may show, inputs see the past alone.
std::string cannot_host_causally(const Params& model, const Needs& needs) {
  Needs causal = needs;
  causal.attention = Attention::causal;
  return transformer_spec().cannot_host(model, causal);
}

}  // namespace

BackboneSpec decoder_spec() {
  BackboneSpec spec = offering("decoder", "a transformer whose positions see only the past",
                               {.bidirectional = false, .in_place = false});
  spec.cannot_host = cannot_host_causally;
  return spec;
}

BackboneSpec encoder_spec() {
  return offering("encoder", "a transformer that reads in both directions and predicts in place",
                  {.continuation = false});
}

BackboneSpec prefix_decoder_spec() {
  return offering("prefix_decoder",
                  "a transformer whose inputs see each other; what follows them sees the past",
                  {.in_place = false});
}

}  // namespace ablate::models
