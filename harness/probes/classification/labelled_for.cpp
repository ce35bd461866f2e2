#include "harness/probes/classification/labelled_for.h"

#include <algorithm>

#include "harness/base/error.h"

namespace ablate::probes {
namespace {

/// The corpus that the plan prepared.
data::Corpus labelled_corpus(const Subject& subject, const plan::ResolvedProbe& probe) {
  const std::string_view name = probe.spec->name;
  if (!probe.settings.contains("labelled"))
    reject("{}: the settings name no labelled corpus; plan the experiment again", name);
  data::Corpus corpus = data::Corpus::open(
      subject.cache / (probe.settings.at("labelled").get<std::string>() + ".corpus"));
  if (corpus.ordinary() != subject.vocabulary().ordinary)
    reject("{}: the labelled text has {} ordinary ids and the model {}; plan the experiment again",
           name, corpus.ordinary(), subject.vocabulary().ordinary);
  return corpus;
}

}  // namespace

Labelled labelled_for(const Subject& subject, const plan::ResolvedProbe& probe) {
  return labelled_for(subject, probe, SplitCounts::of(probe.params));
}

Labelled labelled_for(const Subject& subject, const plan::ResolvedProbe& probe,
                      const SplitCounts& asked) {
  const std::int64_t context = subject.phase.context;
  Labelled labelled =
      subject.language
          ? topic_documents(*subject.language, asked, context, subject.seed)
          : corpus_documents(labelled_corpus(subject, probe), asked, context, subject.seed);
  const SplitCounts& counts = labelled.counts;
  const auto empty = [](std::int64_t count, std::int64_t wanted) {
    return count < 1 && wanted > 0;
  };
  if (empty(counts.training, asked.training) || empty(counts.development, asked.development) ||
      empty(counts.test, asked.test))
    reject(
        "{}: there are {} training, {} development and {} test documents; each split needs at "
        "least one; give more labelled text",
        probe.spec->name, counts.training, counts.development, counts.test);
  return labelled;
}

SplitLabels labels_of(const Labelled& labelled) {
  const auto training = labelled.labels.begin();
  const auto development = training + labelled.counts.training;
  const auto test = development + labelled.counts.development;
  return {.training = {training, development},
          .development = {development, test},
          .test = {test, labelled.labels.end()},
          .classes = static_cast<std::int32_t>(labelled.names.size())};
}

std::vector<double> topic_posteriors(const Chain& chain, const Labelled& labelled,
                                     std::int64_t first) {
  std::vector<double> posteriors;
  for (auto i = static_cast<std::size_t>(first); i < labelled.documents.size(); ++i) {
    const auto tokens = std::span(labelled.documents[i]).subspan(1);  // after the begin token
    const std::vector<double> posterior = topic_posterior(chain, tokens, true);
    posteriors.insert(posteriors.end(), posterior.begin(), posterior.end());
  }
  return posteriors;
}

std::vector<double> name_posteriors(const Chain& chain, const Labelled& labelled,
                                    std::int64_t first) {
  const std::size_t names = labelled.names.size();
  const auto states = static_cast<std::size_t>(chain.states);
  std::vector<double> posteriors;
  for (auto i = static_cast<std::size_t>(first); i < labelled.documents.size(); ++i) {
    const auto tokens = std::span(labelled.documents[i]).subspan(1);  // after the begin token
    const std::vector<double> likelihood = likelihood_by_state(
        chain, static_cast<std::int64_t>(tokens.size()), emission_likelihood(chain, tokens));
    std::vector<double> posterior(names, 0.0);
    double all = 0;
    for (std::size_t z = 0; z < likelihood.size(); ++z) {
      const Chain::Block& block = chain.blocks[z / states];
      const double joint = block.probability * chain.start[z] * likelihood[z];
      posterior[static_cast<std::size_t>(block.name)] += joint;
      all += joint;
    }
    for (const double joint : posterior) posteriors.push_back(joint / all);
  }
  return posteriors;
}

double bayes_accuracy(const Chain& chain, const Labelled& labelled) {
  const std::int64_t first = labelled.counts.total() - labelled.counts.test;
  const std::vector<double> posteriors = topic_posteriors(chain, labelled, first);
  const auto topics = std::ssize(posteriors) / std::max<std::int64_t>(labelled.counts.test, 1);
  double right = 0;
  for (std::int64_t i = 0; i < labelled.counts.test; ++i) {
    const auto posterior = posteriors.begin() + i * topics;
    const auto named = std::max_element(posterior, posterior + topics) - posterior;
    right += named == labelled.labels[static_cast<std::size_t>(first + i)];
  }
  return right / static_cast<double>(labelled.counts.test);
}

}  // namespace ablate::probes
