// Classifies pictures by the nearest text of a class's name.
//
// Source: Radford et al. 2021, "CLIP", arXiv:2103.00020, section 3.1.2; without prompts of several wordings.
// States are compared as they leave the trunk, before what the head makes of them for training.

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "harness/base/error.h"
#include "harness/base/shuffle.h"
#include "harness/probes/documents.h"
#include "harness/probes/measuring.h"
#include "harness/train/step/feed.h"

namespace ablate::probes {
namespace {

using TokenList = std::vector<Token>;

/// Pictures, and the texts of the classes that they are of.
struct PictureTask {
  std::vector<TokenList> classes;
  std::vector<TokenList> pictures;
  std::vector<std::size_t> labels;  // of each picture, a number of a class
};

/// The stream that pictures are drawn by. It knows no arm, so the arms of a seed share pictures.
Rng drawing_pictures(std::int64_t seed) {
  return Rng(static_cast<std::uint64_t>(seed), Stream::probes).fork("zero_shot");
}

PictureTask drawn_pictures(const data::Language& language, std::int64_t count, std::int64_t seed) {
  PictureTask task;
  for (const Token name : language.names()) task.classes.push_back({name});
  const Rng rng = drawing_pictures(seed);
  for (std::int64_t i = 0; i < count; ++i) {
    const data::Language::Document document =
        language.document(rng.fork(static_cast<std::uint64_t>(i)));
    const auto first = document.tokens.begin() + 1;  // after the begin token
    task.pictures.emplace_back(first, first + language.chain().patches);
    task.labels.push_back(static_cast<std::size_t>(document.name));
  }
  return task;
}

/// The tokens of a document between its begin and its end.
TokenList without_ends(std::span<const Token> document) {
  const std::span<const Token> within = document.subspan(1, document.size() - 2);
  return {within.begin(), within.end()};
}

PictureTask stored_pictures(const data::Corpus& corpus, std::int64_t count, std::int64_t seed) {
  PictureTask task;
  for (const auto text : documents_of(corpus.training(), SIZE_MAX))
    task.classes.push_back(without_ends(text));
  const auto pictures = documents_of(corpus.held_out(), SIZE_MAX);
  const Json& labels = corpus.about().at("labels");
  if (labels.size() != pictures.size())
    damaged("a corpus of pictures has {} labels for {}; delete it and run again", labels.size(),
            pictures.size());
  std::vector<std::size_t> drawn = random_order(pictures.size(), drawing_pictures(seed));
  drawn.resize(std::min(drawn.size(), static_cast<std::size_t>(count)));
  for (const std::size_t i : drawn) {
    task.pictures.push_back(without_ends(pictures[i]));
    task.labels.push_back(labels[i].get<std::size_t>());
    if (task.labels.back() >= task.classes.size())
      damaged("a corpus of pictures has a label that no class has; delete it and run again");
  }
  return task;
}

PictureTask task_of(const Subject& subject, const plan::ResolvedProbe& probe) {
  const std::int64_t count = probe.params.integer("test_pictures");
  if (subject.language) return drawn_pictures(*subject.language, count, subject.seed);
  const std::string file = probe.settings.at("pictures").get<std::string>() + ".corpus";
  const data::Corpus corpus = data::Corpus::open(subject.cache / file);
  if (corpus.ordinary() != subject.vocabulary().ordinary)
    reject("{}: the pictures have {} ordinary ids and the model {}; plan the experiment again",
           probe.spec->name, corpus.ordinary(), subject.vocabulary().ordinary);
  return stored_pictures(corpus, count, subject.seed);
}

/// Passages as the objective reads them, each behind a place for its state.
std::vector<Example> read_alone(std::span<const TokenList> passages, std::int64_t context) {
  std::vector<Example> examples;
  for (const TokenList& passage : passages) {
    Example& example = examples.emplace_back();
    example.inputs.push_back(classify_token);
    const std::size_t kept = std::min(passage.size(), static_cast<std::size_t>(context - 1));
    example.inputs.insert(example.inputs.end(), passage.begin(),
                          passage.begin() + static_cast<std::ptrdiff_t>(kept));
  }
  return examples;
}

/// The states of passages, of length 1: [passage, width].
at::Tensor first_states(train::Network& network, const Subject& subject,
                        std::span<const TokenList> passages) {
  constexpr std::size_t kAtOnce = 100;
  const std::vector<Example> examples = read_alone(passages, subject.phase.context);
  std::vector<at::Tensor> states;
  for (std::size_t first = 0; first < examples.size(); first += kAtOnce) {
    const auto some =
        std::span(examples).subspan(first, std::min(kAtOnce, examples.size() - first));
    const data::Batch batch = example_batch(some, subject.phase.objective.needs);
    const at::Tensor hidden = network.hidden(train::to_inputs({&batch, 1}, subject.device));
    states.push_back(hidden.select(0, 0).select(1, 0).to(at::kDouble).cpu());
  }
  const at::Tensor all = at::cat(states);
  return all / all.norm(2, {-1}, true).clamp_min(1e-12);
}

/// By picture: 1 where the nearest class is its own, else 0.
std::vector<double> right_by_picture(train::Network& network, const Subject& subject,
                                     const PictureTask& task) {
  const at::Tensor cosines = first_states(network, subject, task.pictures)
                                 .mm(first_states(network, subject, task.classes).t());
  const at::Tensor nearest = cosines.argmax(-1).contiguous();
  std::vector<double> right;
  for (std::size_t i = 0; i < task.labels.size(); ++i) {
    const auto named = static_cast<std::size_t>(nearest.data_ptr<std::int64_t>()[i]);
    right.push_back(named == task.labels[i] ? 1 : 0);
  }
  return right;
}

double fraction_right(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// The fraction of pictures whose name is the most probable one given the picture.
double bayes_of(const Chain& chain, const PictureTask& task) {
  double right = 0;
  for (std::size_t i = 0; i < task.pictures.size(); ++i) {
    const std::vector<double> likelihood = picture_likelihood(chain, task.pictures[i]);
    std::vector<double> posterior(task.classes.size(), 0.0);
    for (std::size_t block = 0; block < likelihood.size(); ++block)
      posterior[static_cast<std::size_t>(chain.blocks[block].name)] +=
          chain.blocks[block].probability * likelihood[block];
    const auto named = std::ranges::max_element(posterior) - posterior.begin();
    right += static_cast<std::size_t>(named) == task.labels[i] ? 1 : 0;
  }
  return right / static_cast<double>(task.pictures.size());
}

}  // namespace

Measurement measure_zero_shot(const Subject& subject, const plan::ResolvedProbe& probe,
                              const ProgressSink& progress) {
  const PictureTask task = task_of(subject, probe);
  Measurement measurement;
  auto& metrics = measurement.metrics;
  measurement.items["zero_shot.accuracy"] = right_by_picture(subject.network, subject, task);
  metrics["zero_shot.accuracy"] = fraction_right(measurement.items.at("zero_shot.accuracy"));
  progress(0.5);
  metrics["zero_shot.untrained"] =
      fraction_right(right_by_picture(*subject.untrained(), subject, task));
  metrics["zero_shot.chance"] = 1 / static_cast<double>(task.classes.size());
  if (subject.language) metrics["zero_shot.bayes"] = bayes_of(subject.language->chain(), task);
  measurement.details = {{"classes", task.classes.size()}, {"pictures", task.pictures.size()}};
  return measurement;
}

}  // namespace ablate::probes
