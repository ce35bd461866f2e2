// What a model writes without fine-tuning, after demonstrated pairs or none.

#pragma once

#include <string>

#include "harness/probes/seq2seq/written.h"

namespace ablate::probes {

/// Adds what the model writes in the format of its objective after each number of demonstrations in
/// the settings, under names from `of` on. Requires: the objective has a format.
void add_prompted(const Subject& subject, const plan::ResolvedProbe& probe, const AskedPairs& asked,
                  const std::string& of, Measurement& measurement);

}  // namespace ablate::probes
