// The labelled documents that a subject is probed with.

#pragma once

#include "harness/probes/classification/labelled.h"
#include "harness/probes/linear/linear_probe.h"
#include "harness/probes/probe.h"

namespace ablate::probes {

/// The labelled documents of a probe: drawn from the language, or from the corpus that the plan
/// prepared. The same for all probes and arms of a seed that ask for as many. Throws
/// std::invalid_argument where a split that it asks for is empty, or where the labelled corpus is not
/// the model's.
Labelled labelled_for(const Subject& subject, const plan::ResolvedProbe& probe);

/// The same with counts of the caller's; a split that none are asked for stays empty.
Labelled labelled_for(const Subject& subject, const plan::ResolvedProbe& probe,
                      const SplitCounts& asked);

/// The labels of the three splits.
SplitLabels labels_of(const Labelled& labelled);

/// P(topic | the tokens that the model reads) of each document from number `first` on, one after the
/// other, [document, topic].
std::vector<double> topic_posteriors(const Chain& chain, const Labelled& labelled,
                                     std::int64_t first);

/// The same of the names, [document, name].
std::vector<double> name_posteriors(const Chain& chain, const Labelled& labelled,
                                    std::int64_t first);

/// The fraction of test documents whose topic the exact posterior names, given the tokens that the
/// model reads: the ceiling.
double bayes_accuracy(const Chain& chain, const Labelled& labelled);

}  // namespace ablate::probes
