// The code length of the training text, from the losses of training.

#pragma once

#include <optional>

#include "harness/probes/probe.h"

namespace ablate::probes {

/// What the text cost while a model learned it.
struct PrequentialCode {
  double bits_per_token = 0;
  double tokens = 0;       // of text
  std::int64_t steps = 0;  // that it is the code of
};

/// The prequential code of the text of the first pass (Dawid 1984; Blier & Ollivier 2018, section
/// 2): every step's tokens cost their loss before the step is taken. Of the steps between two points
/// of the curve the mean loss is known, unless none of them scored a token. The tokens that are never scored, such as the first of a
/// window that continues a document, cost log2 `vocabulary`. Nothing where the course is not known,
/// or no point of it lies within the first pass. Requires: a loss of each token given those before.
std::optional<PrequentialCode> prequential_code(const TrainingCourse& course,
                                                std::int64_t vocabulary);

}  // namespace ablate::probes
