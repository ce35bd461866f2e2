// Models with blocks of one mixer, of nearly as many parameters at width 64.

#pragma once

#include <string>
#include <vector>

#include "harness/base/json/json.h"

namespace ablate::bench {

struct MixerModel {
  std::string name;
  Json model;  // settings of its layers
};

/// In squares of the width: two blocks of attention have 24, four of Mamba-2 27.
inline std::vector<MixerModel> mixer_models() {
  const auto of = [](const Json& mixers, int depth, const char* feed_forward) {
    return MixerModel{mixers[0],
                      {{"layers", mixers}, {"depth", depth}, {"feed_forwards", {feed_forward}}}};
  };
  MixerModel rwkv7 = of({"rwkv7", "rwkv7_channels"}, 4, "none");
  rwkv7.model["feed_forward"] = 2.5;  // 24 squares in two pairs of blocks
  MixerModel experts = of({"attention"}, 2, "experts");
  experts.name = "experts";  // of which as many weights read a position as of the dense layer
  return {of({"attention"}, 2, "dense"),
          experts,
          of({"linear_attention"}, 2, "dense"),
          of({"sliding_window"}, 2, "dense"),
          of({"gated_delta"}, 2, "dense"),  // 26
          of({"mamba2"}, 4, "none"),
          rwkv7};
}

}  // namespace ablate::bench
