#include "harness/probes/representation/compared_texts.h"

#include <algorithm>

#include "harness/base/error.h"
#include "harness/probes/classification/labelled_for.h"
#include "harness/probes/documents.h"
#include "harness/probes/representation/halves.h"
#include "harness/probes/representation/scored_pairs_spec.h"

namespace ablate::probes {

Labelled compared_documents(const Subject& subject, const plan::ResolvedProbe& probe) {
  const SplitCounts asked{.development = probe.params.integer("development_documents"),
                          .test = probe.params.integer("test_documents")};
  if (by_name(probe.params))
    return name_documents(*subject.language, asked, subject.phase.context, subject.seed);
  if (subject.language || probe.settings.contains("labelled"))
    return labelled_for(subject, probe, asked);
  Labelled halves =
      half_documents(subject.corpus.held_out(), asked, subject.phase.context, subject.seed);
  if (halves.counts.development < 4 || halves.counts.test < 4)
    reject(
        "{}: {} held-out documents have 4 tokens of text or more, and there must be two to choose "
        "a layer on and two to measure on; hold out more documents (corpus.held_out)",
        probe.spec->name, halves.labels.size() / 2);
  return halves;
}

ScoredTexts scored_texts_of(const Subject& subject, const plan::ResolvedProbe& probe) {
  ScoredTexts scored;
  if (!probe.params.has("pairs")) return scored;
  const data::Corpus corpus =
      data::Corpus::open(subject.cache / (probe.params.text("pairs") + ".corpus"));
  scored.scores = corpus.about().at("scores").get<std::vector<double>>();
  for (const auto document : documents_of(corpus.training(), SIZE_MAX)) {
    const std::size_t kept =
        std::min(document.size(), static_cast<std::size_t>(subject.phase.context));
    scored.texts.emplace_back(document.begin(),
                              document.begin() + static_cast<std::ptrdiff_t>(kept));
  }
  if (scored.texts.size() != 2 * scored.scores.size())
    damaged("a corpus of scored pairs has {} texts for {} scores; delete it and run again",
            scored.texts.size(), scored.scores.size());
  return scored;
}

}  // namespace ablate::probes
