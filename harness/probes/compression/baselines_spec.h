// The code lengths that need no model, which the plan computes: of general compressors, and of an
// n-gram model. Without LibTorch.

#pragma once

#include <cstdint>

#include "harness/contract/probe.h"
#include "harness/data/corpus/corpus.h"

namespace ablate::probes {

/// How much text is coded and counted.
struct CodingLimits {
  std::int64_t coded = 0;     // held-out tokens; 0: all
  std::int64_t training = 0;  // training tokens that the n-gram model and xz know; 0: all

  /// The limits that the probe's parameters ask for.
  static CodingLimits of(const Params& params);
};

/// Bits of the coded text, in whole bits.
///
///   {"tokens", "bytes": of the coded text; bytes are those that the compressors were given,
///    "xz", "zstd", "kneser_ney": bits,
///    "xz_after_training": bits by which the training text's compressed size grows with it,
///    "assumed_discounts": orders of the n-gram model whose counts are too few to tell its discounts}
Json coding_baselines(const data::Corpus& corpus, const CodingLimits& limits);

/// Adds the baselines to the settings, as "baselines". They are computed once and kept in the cache.
Json prepare_baselines(const Params& settings, const Preparation& preparation);

}  // namespace ablate::probes
