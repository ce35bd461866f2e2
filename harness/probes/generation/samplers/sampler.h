// What a sampler is: a way of making texts from a model's predictions. Without LibTorch.

#pragma once

#include <string_view>
#include <vector>

#include "harness/contract/objective.h"
#include "harness/contract/param.h"
#include "harness/probes/generation/samplers/common/drawing.h"

namespace ablate::probes {

/// One row of the table of samplers.
struct SamplerSpec {
  std::string_view name;          // as written in experiment files, and the end of metric names
  std::string_view summary;       // one line
  std::string_view source;        // the paper that defines it, with its section
  std::string_view differs = {};  // how and why it differs from the source, one line each

  /// The models that it draws from: those that continue texts (ancestral) or fill masks (unmasking).
  Generation generation = Generation::ancestral;

  /// Of masks: whether it fills those of one block after the other, too.
  bool in_blocks = false;

  /// Whether it looks for a probable text instead of drawing one: the same text whatever the seed,
  /// the temperature and the filters of tokens.
  bool deterministic = false;

  std::string_view caveat = {};  // what a reader must know about its numbers; may be empty
  std::vector<Param> params = {};

  /// The texts of the task, each finished. Requires: `task.options` are of `params`.
  std::vector<Sample> (*draw)(const TokenSource& source, const DrawTask& task) = nullptr;

  /// Whether it draws from models that generate so.
  bool draws(Generation by) const {
    return generation == by ||
           (by == Generation::blocks && generation == Generation::unmasking && in_blocks);
  }
};

}  // namespace ablate::probes
