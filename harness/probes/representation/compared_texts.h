// The texts whose vectors are compared.

#pragma once

#include <vector>

#include "harness/probes/classification/labelled.h"
#include "harness/probes/probe.h"

namespace ablate::probes {

/// The documents of the subject and which of them belong together; none is for training. Throws
/// std::invalid_argument where there are too few.
Labelled compared_documents(const Subject& subject, const plan::ResolvedProbe& probe);

/// Texts with scores of how alike each two are.
struct ScoredTexts {
  std::vector<std::vector<Token>> texts;  // two for each score, cut to the context
  std::vector<double> scores;
};

/// The scored texts of the probe's file of pairs; none where it has no such file. Throws DamagedFile where
/// texts and scores differ in number.
ScoredTexts scored_texts_of(const Subject& subject, const plan::ResolvedProbe& probe);

}  // namespace ablate::probes
