// Measures how much of its training text a model can recite, beside text that it has not read.
//
// Source: Hans et al. 2024, "Be like a Goldfish, Don't Memorize!", arXiv:2406.10209, section 4 (exact
// matches and token overlap of continuations); Carlini et al. 2023, arXiv:2202.07646, definition 3.1.

#include <algorithm>

#include "harness/base/shuffle.h"
#include "harness/probes/cloze/costs.h"
#include "harness/probes/documents.h"
#include "harness/probes/measuring.h"

namespace ablate::probes {
namespace {

/// The beginnings of documents that are long enough, in an order that the seed draws.
std::vector<std::span<const Token>> beginnings(const data::Part& part, std::size_t length,
                                               std::size_t maximum, const Rng& rng) {
  const std::vector<std::span<const Token>> documents = documents_of(part, SIZE_MAX);
  std::vector<std::span<const Token>> drawn;
  for (const std::size_t i : random_order(documents.size(), rng)) {
    if (drawn.size() == maximum) break;
    if (documents[i].size() > length + 1)  // before the end token
      drawn.push_back(documents[i].first(length + 1));
  }
  return drawn;
}

/// What a model recalls of passages.
struct Recall {
  double accuracy = 0, exact = 0, loss = 0;
  std::vector<double> by_passage;  // accuracy
};

Recall recall_of(const Subject& subject, std::span<const std::span<const Token>> passages,
                 std::size_t prompt) {
  std::vector<Cloze> questions;
  for (const std::span<const Token> passage : passages)
    questions.push_back({passage.first(1 + prompt), passage.subspan(1 + prompt), {}});
  Recall recall;
  const auto count = static_cast<double>(passages.size());
  for (const AnswerScores& scores : answer_scores(subject, questions)) {
    const auto length = static_cast<double>(scores.right.size());
    const auto right = static_cast<double>(std::ranges::count(scores.right, 1));
    recall.by_passage.push_back(right / length);
    recall.accuracy += right / length / count;
    recall.exact += (right == length ? 1 : 0) / count;
    for (const double cost : scores.costs) recall.loss += cost / length / count;
  }
  return recall;
}

}  // namespace

Measurement measure_verbatim(const Subject& subject, const plan::ResolvedProbe& probe,
                             const ProgressSink& progress) {
  if (cloze_format_of(subject.objective(), subject.phase.params) == ClozeFormat::none)
    return no_measurement("verbatim", kNoFormat);
  const auto prompt = static_cast<std::size_t>(probe.params.integer("prompt"));
  const std::size_t length = prompt + static_cast<std::size_t>(probe.params.integer("length"));
  const auto maximum = static_cast<std::size_t>(probe.params.integer("documents"));
  const Rng rng = Rng(static_cast<std::uint64_t>(subject.seed), Stream::probes).fork("verbatim");
  Measurement measurement;
  double accuracy[2] = {};
  for (const bool fresh : {false, true}) {
    const auto passages = beginnings(fresh ? subject.corpus.held_out() : subject.corpus.training(),
                                     length, maximum, rng.fork(fresh));
    if (passages.empty())
      return no_measurement("verbatim",
                            "no document of the training text or of the held-out text has as many "
                            "tokens as prompt and length ask for");
    const Recall recall = recall_of(subject, passages, prompt);
    const std::string of = fresh ? "_fresh" : "_training";
    measurement.metrics["verbatim.accuracy" + of] = accuracy[fresh] = recall.accuracy;
    measurement.metrics["verbatim.exact" + of] = recall.exact;
    measurement.metrics["verbatim.loss" + of] = recall.loss;
    measurement.items["verbatim.accuracy" + of] = recall.by_passage;
    measurement.details["passages" + of] = passages.size();
    progress(fresh ? 1 : 0.5);
  }
  measurement.metrics["verbatim.gain"] = accuracy[0] - accuracy[1];
  return measurement;
}

}  // namespace ablate::probes
