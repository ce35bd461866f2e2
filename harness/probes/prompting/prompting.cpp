// Measures which labels a model names after demonstrations, scored in the arm's own format.
//
// Source: Brown et al. 2020, arXiv:2005.14165, section 2; of the calibration Zhao et al. 2021,
// arXiv:2102.09690, section 4; of demonstrations with other labels Min et al. 2022, arXiv:2202.12837,
// section 4. Differs: each test document has demonstrations of its own, so that the result depends less
// on which ones are drawn; calibrated costs have one empty text, where Zhao et al. average three.

#include <algorithm>

#include "harness/base/shuffle.h"
#include "harness/probes/classification/labelled_for.h"
#include "harness/probes/cloze/costs.h"
#include "harness/probes/measuring.h"
#include "harness/probes/prompting/verbalisers_spec.h"
#include "harness/probes/prompts/lowest_costs.h"

namespace ablate::probes {
namespace {

using Shares = std::vector<std::vector<double>>;  // [item][label]

/// The text of a document: without its begin and end tokens.
std::span<const Token> inside(std::span<const Token> document) {
  std::span<const Token> text = document.subspan(1);
  return !text.empty() && text.back() == end_token ? text.first(text.size() - 1) : text;
}

/// Labelled documents, and how they are written in prompts.
struct Shown {
  Labelled labelled;
  PromptFormat format;
  std::int64_t room = 0;  // tokens of a prompt with a verbaliser
  std::uint64_t seed = 0;

  std::size_t first_test() const {
    return labelled.documents.size() - static_cast<std::size_t>(labelled.counts.test);
  }
  std::span<const std::int32_t> test_labels() const {
    return std::span(labelled.labels).subspan(first_test());
  }

  /// Random training documents, the same for all arms of a seed.
  std::vector<Demonstration> demonstrations(std::size_t item, std::int64_t count) const {
    const Rng rng = Rng(seed, Stream::probes).fork("prompting").fork(item);
    std::vector<Demonstration> drawn;
    for (const std::int64_t i : random_order(labelled.counts.training, rng)) {
      if (std::ssize(drawn) == count) break;
      const auto at = static_cast<std::size_t>(i);
      drawn.push_back(
          {inside(labelled.documents[at]), static_cast<std::size_t>(labelled.labels[at])});
    }
    return drawn;
  }
};

/// The same with the next label of each.
std::vector<Demonstration> permuted(std::vector<Demonstration> demonstrations, std::size_t labels) {
  for (Demonstration& one : demonstrations) one.label = (one.label + 1) % labels;
  return demonstrations;
}

/// What is asked about each test document.
enum class Query { text, empty_text, permuted_labels };

/// No text; of pairs none on either side.
std::span<const Token> nothing(const PromptFormat& format) {
  static constexpr Token kNoPair[] = {separator_token};
  return format.between.empty() ? std::span<const Token>() : kNoPair;
}

/// The cost of every label's verbaliser for each test document: [item * labels].
std::vector<double> costs_of(const Subject& subject, const Shown& shown, std::int64_t shots,
                             Query query) {
  const std::size_t labels = shown.format.verbalisers.size();
  const auto length = static_cast<std::size_t>(shown_tokens(shown.format, shots, shown.room));
  std::vector<std::vector<Token>> prompts;
  for (std::size_t i = shown.first_test(); i < shown.labelled.documents.size(); ++i) {
    std::vector<Demonstration> before = shown.demonstrations(i, shots);
    if (query == Query::permuted_labels) before = permuted(std::move(before), labels);
    const auto text = inside(shown.labelled.documents[i]);
    prompts.push_back(prompt_of(shown.format, before,
                                query == Query::empty_text ? nothing(shown.format) : text, length));
  }
  std::vector<Cloze> questions;
  for (const std::vector<Token>& prompt : prompts)
    for (const std::vector<Token>& verbaliser : shown.format.verbalisers)
      questions.push_back({prompt, verbaliser, {}});
  return cloze_costs(subject, questions);
}

Shares shares_of(std::span<const double> costs, std::size_t labels) {
  Shares shares;
  for (std::size_t first = 0; first < costs.size(); first += labels)
    shares.push_back(lowest_shared(costs.subspan(first, labels)));
  return shares;
}

/// The fraction of test documents whose topic the exact posterior names, given what the prompt shows.
double shown_bayes(const Chain& chain, const Shown& shown, std::size_t length) {
  Shares shares;
  for (std::size_t i = shown.first_test(); i < shown.labelled.documents.size(); ++i) {
    const auto text = inside(shown.labelled.documents[i]);
    std::vector<double> costs =
        topic_posterior(chain, text.first(std::min(length, text.size())), true);
    for (double& cost : costs) cost = -cost;
    shares.push_back(lowest_shared(costs));
  }
  return shared_scores(shares, shown.test_labels()).accuracy;
}

Shown shown_of(const Subject& subject, const plan::ResolvedProbe& probe) {
  Shown shown{.labelled = labelled_for(subject, probe),
              .room = room_of(probe.params, subject.phase.context),
              .seed = static_cast<std::uint64_t>(subject.seed)};
  shown.format = subject.language ? language_format(subject.language->topics())
                                  : format_of(probe.settings.at("prompt"));
  return shown;
}

/// Adds the metrics of one number of demonstrations.
void add_shots(const Subject& subject, const Shown& shown, train::Network& initial,
               std::int64_t shots, const std::string& of, Measurement& measurement) {
  auto& metrics = measurement.metrics;
  const std::string after = "_" + std::to_string(shots);
  const std::span<const std::int32_t> labels = shown.test_labels();
  const std::size_t count = shown.format.verbalisers.size();
  const std::vector<double> costs = costs_of(subject, shown, shots, Query::text);
  const std::vector<double> empty = costs_of(subject, shown, shots, Query::empty_text);
  std::vector<double> differences = costs;
  for (std::size_t i = 0; i < costs.size(); ++i) differences[i] -= empty[i];

  const Shares shares = shares_of(costs, count);
  const LabelScores plain = shared_scores(shares, labels);
  const LabelScores calibrated = shared_scores(shares_of(differences, count), labels);
  metrics[of + "accuracy" + after] = plain.accuracy;
  metrics[of + "macro_f1" + after] = plain.macro_f1;
  metrics[of + "calibrated" + after] = calibrated.accuracy;
  metrics[of + "calibrated_macro_f1" + after] = calibrated.macro_f1;
  const auto scores = [&](const Subject& asked, Query query) {
    return shared_scores(shares_of(costs_of(asked, shown, shots, query), count), labels);
  };
  const LabelScores untrained = scores(subject.with(initial), Query::text);
  metrics[of + "untrained" + after] = untrained.accuracy;
  metrics[of + "untrained_macro_f1" + after] = untrained.macro_f1;
  if (shots > 0)
    metrics[of + "permuted" + after] = scores(subject, Query::permuted_labels).accuracy;
  const std::int64_t length = shown_tokens(shown.format, shots, shown.room);
  if (subject.language)
    metrics[of + "bayes" + after] =
        shown_bayes(subject.language->chain(), shown, static_cast<std::size_t>(length));
  std::vector<double>& credits = measurement.items[of + "accuracy" + after];
  for (std::size_t i = 0; i < labels.size(); ++i)
    credits.push_back(shares[i][static_cast<std::size_t>(labels[i])]);
  measurement.details[std::to_string(shots)] = {{"tokens_of_a_text", length}};
}

/// Says why there are no numbers of so many demonstrations.
void add_absent(const Subject& subject, const plan::ResolvedProbe& probe, std::int64_t shots,
                const std::string& why, Measurement& measurement) {
  const std::vector<Metric> listed = probe.spec->metrics(
      probe.params, {subject.objective(), subject.phase.params, subject.model.backbone->offer,
                     subject.model.heads, subject.language != nullptr});
  for (const std::string& name : names_of_shots(listed, shots))
    measurement.details["absent"][name] = why;
}

}  // namespace

Measurement measure_prompting(const Subject& subject, const plan::ResolvedProbe& probe,
                              const ProgressSink& progress) {
  if (cloze_format_of(subject.objective(), subject.phase.params) == ClozeFormat::none)
    return no_measurement(subject_of(probe.params, "prompting"), kNoFormat);
  const Shown shown = shown_of(subject, probe);
  const std::vector<std::int64_t> all = shots_that_fit(probe.params, shown.room);
  const std::unique_ptr<train::Network> initial = subject.untrained();
  const std::string of = subject_of(probe.params, "prompting") + ".";
  Measurement measurement{
      .details = {{"labels", shown.labelled.names}, {"documents", shown.labelled.counts.json()}}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string why =
        no_demonstrations(shown.format, all[i], shown.room, shown.labelled.counts.training);
    if (why.empty())
      add_shots(subject, shown, *initial, all[i], of, measurement);
    else
      add_absent(subject, probe, all[i], why, measurement);
    progress(static_cast<double>(i + 1) / static_cast<double>(all.size()));
  }
  measurement.metrics[of + "chance"] = 1 / static_cast<double>(shown.format.verbalisers.size());
  measurement.metrics[of + "majority"] = majority_accuracy(labels_of(shown.labelled));
  return measurement;
}

}  // namespace ablate::probes
