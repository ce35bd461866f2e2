// Asks a model for the marked answers of documents that are drawn apart from training text.

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "harness/probes/answers/answer_questions_spec.h"
#include "harness/probes/answers/difficulties_spec.h"
#include "harness/probes/cloze/costs.h"
#include "harness/probes/measuring.h"
#include "harness/probes/tally.h"

namespace ablate::probes {
namespace {

constexpr std::size_t kUntrainedAsked = 50;  // of each difficulty

/// A document with its answers as questions, which refer to it.
struct AskedDocument {
  data::TaskDocument document;
  std::vector<Cloze> questions;
};

/// Sums over answers.
struct Marks {
  double tokens = 0, right = 0, nats = 0, answers = 0, first = 0, documents = 0, exact = 0;

  Marks& operator+=(const Marks& other) {
    tokens += other.tokens;
    right += other.right;
    nats += other.nats;
    answers += other.answers;
    first += other.first;
    documents += other.documents;
    exact += other.exact;
    return *this;
  }
};

Marks marks_of(std::span<const AnswerScores> answers) {
  Marks marks{.documents = 1};
  for (const AnswerScores& answer : answers) {
    marks.tokens += static_cast<double>(answer.right.size());
    marks.right += static_cast<double>(std::ranges::count(answer.right, 1));
    marks.nats += std::accumulate(answer.costs.begin(), answer.costs.end(), 0.0);
    marks.answers += 1;
    marks.first += answer.right.front();
  }
  marks.exact = marks.right == marks.tokens ? 1 : 0;
  return marks;
}

/// The documents of one difficulty and what a model makes of each.
class Difficult {
 public:
  Difficult(const data::TaskText& text, std::int64_t difficulty, std::uint64_t first,
            const Params& params) {
    for (std::int64_t i = 0; i < params.integer("documents"); ++i) {
      asked_.push_back({text.document(data::TaskPart::questions,
                                      first + static_cast<std::uint64_t>(i), difficulty),
                        {}});
    }
    for (AskedDocument& each : asked_) each.questions = questions_about(each.document, params);
  }

  /// The marks of the first `count` documents.
  std::vector<Marks> marks(const Subject& subject, std::size_t count = SIZE_MAX) const {
    const auto documents = std::span(asked_).first(std::min(count, asked_.size()));
    std::vector<Cloze> questions;
    for (const AskedDocument& each : documents)
      questions.insert(questions.end(), each.questions.begin(), each.questions.end());
    const std::vector<AnswerScores> scores = answer_scores(subject, questions);
    for (std::size_t i = 0; i < questions.size(); ++i)
      if (scores[i].right.size() != questions[i].target.size())
        throw std::logic_error(fmt::format("answers: a format scores {} of {} tokens",
                                           scores[i].right.size(), questions[i].target.size()));
    std::vector<Marks> made;
    std::size_t from = 0;
    for (const AskedDocument& each : documents) {
      // A document without an answer, such as a stream in which no key comes again, tells nothing.
      if (!each.questions.empty())
        made.push_back(marks_of(std::span(scores).subspan(from, each.questions.size())));
      from += each.questions.size();
    }
    return made;
  }

 private:
  std::vector<AskedDocument> asked_;
};

Marks sum_of(std::span<const Marks> marks) {
  return std::accumulate(marks.begin(), marks.end(), Marks(),
                         [](Marks sum, const Marks& each) { return sum += each; });
}

/// Nats per token of documents of the corpus, whose begin token is given.
double text_optimum(const data::TaskText& text, std::uint64_t first, std::int64_t documents) {
  double nats = 0, tokens = 0;
  for (std::int64_t i = 0; i < documents; ++i) {
    const data::TaskDocument document =
        text.document(data::TaskPart::questions, first + static_cast<std::uint64_t>(i));
    nats += document.nats;
    tokens += static_cast<double>(document.tokens.size() - 1);
  }
  return nats / tokens;
}

/// What a model makes of all documents that the metrics without a difficulty are of.
struct AllAnswers {
  std::vector<Marks> marks;  // by document
  Marks untrained;           // of the first documents, with initial weights
};

/// Asks about every difficulty, and adds the metrics of those that have some of their own.
AllAnswers asked(const Subject& subject, const data::TaskText& text, std::uint64_t first,
                 const Params& params, const ProgressSink& progress,
                 std::map<std::string, double>& metrics) {
  const std::unique_ptr<train::Network> initial = subject.untrained();
  const Subject untrained = subject.with(*initial);
  const std::vector<std::int64_t> common = common_difficulties(text);
  const bool listed = !listed_difficulties(text).empty();
  AllAnswers all;
  double done = 0;
  for (const std::int64_t difficulty : text.test_difficulties()) {
    const Difficult difficult(text, difficulty, first, params);
    const std::vector<Marks> marks = difficult.marks(subject);
    if (const Marks own = sum_of(marks); listed && own.tokens > 0) {
      const std::string name = name_of_difficulty(text, difficulty);
      metrics[fmt::format("answers.accuracy_{}", name)] = own.right / own.tokens;
      metrics[fmt::format("answers.exact_{}", name)] = own.exact / own.documents;
    }
    if (std::ranges::count(common, difficulty) > 0) {
      all.marks.insert(all.marks.end(), marks.begin(), marks.end());
      all.untrained += sum_of(difficult.marks(untrained, kUntrainedAsked));
    }
    progress(++done / static_cast<double>(text.test_difficulties().size()));
  }
  return all;
}

/// What each document contributes to the metrics of all.
void add_items(std::span<const Marks> marks, Measurement& measurement) {
  std::vector<double> right, tokens;
  for (const Marks& each : marks) {
    right.push_back(each.right);
    tokens.push_back(each.tokens);
    measurement.items["answers.exact"].push_back(each.exact);
  }
  measurement.items["answers.accuracy"] = contributions(right, tokens);
}

}  // namespace

Measurement measure_answers(const Subject& subject, const plan::ResolvedProbe& probe,
                            const ProgressSink& progress) {
  if (cloze_format_of(subject.objective(), subject.phase.params) == ClozeFormat::none)
    return no_measurement("answers", kNoFormat);
  const data::TaskText text{subject.corpus.about().at("params")};
  const std::int64_t documents = probe.params.integer("documents");
  // Seeds are asked about documents of their own; arms of a seed about the same.
  const std::uint64_t first = static_cast<std::uint64_t>(subject.seed) << 32;
  Measurement measurement{.details = {{"documents", documents}}};
  auto& metrics = measurement.metrics;
  const AllAnswers all = asked(subject, text, first, probe.params, progress, metrics);
  const Marks sum = sum_of(all.marks);
  if (sum.tokens == 0)
    return no_measurement("answers", "none of the drawn documents has an answer");
  add_items(all.marks, measurement);
  metrics["answers.accuracy"] = sum.right / sum.tokens;
  metrics["answers.chance"] = text.spec().chance(text.dials());
  metrics["answers.first"] = sum.first / sum.answers;
  metrics["answers.exact"] = sum.exact / sum.documents;
  metrics["answers.loss"] = sum.nats / sum.tokens;
  metrics["answers.optimum"] = 0;
  metrics["answers.text_optimum"] = text_optimum(text, first, documents);
  if (all.untrained.tokens > 0) {
    metrics["answers.untrained"] = all.untrained.right / all.untrained.tokens;
    metrics["answers.untrained_loss"] = all.untrained.nats / all.untrained.tokens;
  }
  return measurement;
}

}  // namespace ablate::probes
