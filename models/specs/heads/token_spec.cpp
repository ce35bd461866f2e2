// The head of tokens, for planning.

#include "harness/contract/head.h"

namespace ablate::models {
namespace {

HeadTraits traits(const Params& params) {
  const std::int64_t blocks = params.toggle("block") ? 1 : 0;
  return {.blocks = blocks, .taken = blocks};
}

HeadCost cost(const Params& params, const HeadHost& host) {
  if (!params.toggle("block")) return {};
  return {host.block.parameters, host.block.multiply_adds, host.block.bytes};
}

}  // namespace

HeadSpec token_head_spec() {
  return {.name = "token",
          .summary = "the token at the state's own place, or the next one",
          .params = {toggle("block", false,
                            "whether the last block of the depth is the head's own, so that other "
                            "heads start below it")},
          .traits = traits,
          .cost = cost,
          .at_inference = true};
}

}  // namespace ablate::models
