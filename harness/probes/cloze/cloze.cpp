// Measures the cost of passages of held-out documents in the format of the objective: the one loss
// that can be compared between arms, since it is of the same tokens.

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include "harness/base/error.h"
#include "harness/probes/cloze/costs.h"
#include "harness/probes/cloze/drawn_documents.h"
#include "harness/probes/cloze/orders.h"
#include "harness/probes/cloze/questions.h"
#include "harness/probes/measuring.h"
#include "harness/probes/tally.h"
#include "harness/probes/unigram.h"

namespace ablate::probes {
namespace {

constexpr std::size_t kDocumentsUntrained = 20;  // documents

constexpr std::array kQuestions = {Question::continuation, Question::infill,
                                   Question::infill_from_left};
constexpr std::array<std::string_view, 3> kNames = {"continuation", "infill", "infill_from_left"};

using Document = std::span<const Token>;

/// One question about all documents.
struct AskedPassages {
  Question question;
  std::string_view name;              // part of metric names
  std::vector<Cloze> questions = {};  // by document
  std::vector<std::uint8_t> end =
      {};                          // by document: 1 where the document says that the target ends
  std::vector<double> costs = {};  // by document, in nats
};

/// A continuation ends its target where the document is not cut; a middle always does.
AskedPassages asked_of(std::size_t number, std::span<const Document> documents,
                       std::size_t longest) {
  AskedPassages asked{.question = kQuestions[number], .name = kNames[number]};
  for (const Document document : documents) {
    asked.questions.push_back(cloze_of(asked.question, document, longest));
    const bool whole = document.size() <= longest && document.back() == end_token;
    asked.end.push_back(asked.question != Question::continuation || whole ? 1 : 0);
  }
  return asked;
}

double tokens_of(std::span<const Cloze> questions) {
  double tokens = 0;
  for (const Cloze& cloze : questions) tokens += static_cast<double>(cloze.target.size());
  return tokens;
}

/// The mean over tokens of costs by question.
double per_token(std::span<const double> costs, std::span<const Cloze> questions) {
  return std::accumulate(costs.begin(), costs.end(), 0.0) / tokens_of(questions);
}

/// What each document contributes to the loss.
std::vector<double> contributions_of(const AskedPassages& asked) {
  std::vector<double> tokens;
  tokens.reserve(asked.questions.size());
  for (const Cloze& cloze : asked.questions)
    tokens.push_back(static_cast<double>(cloze.target.size()));
  return contributions(asked.costs, tokens);
}

/// Adds the loss of a question in the arm's format, and what it is read against.
void add_loss(const Subject& subject, const AskedPassages& asked, ClozeFormat format,
              std::span<const double> unigram, Measurement& measurement) {
  auto& metrics = measurement.metrics;
  double bytes = 0, context_free = 0, optimum = 0;
  for (const Cloze& cloze : asked.questions) {
    for (const Token token : cloze.target)
      bytes += static_cast<double>(subject.corpus.bytes_of(token));
    context_free += context_free_cost(unigram, cloze.target);
    if (subject.language) optimum += exact_cost(subject.language->chain(), cloze, format);
  }
  const double tokens = tokens_of(asked.questions), loss = per_token(asked.costs, asked.questions);
  metrics[fmt::format("cloze.loss_{}", asked.name)] = loss;
  measurement.items[fmt::format("cloze.loss_{}", asked.name)] = contributions_of(asked);
  metrics[fmt::format("cloze.context_free_{}", asked.name)] = context_free / tokens;
  if (subject.language)
    metrics[fmt::format("cloze.optimum_{}", asked.name)] = optimum / tokens;
  else if (bytes > 0)
    metrics[fmt::format("cloze.bits_per_byte_{}", asked.name)] =
        loss * tokens / std::log(2.0) / bytes;
  if (asked.question == Question::continuation && !is_told_length(format))
    metrics["cloze.perplexity_continuation"] = std::exp(loss);
}

/// The loss of targets that a token ends.
struct EndedLoss {
  std::size_t documents = 0;
  double without_stop = 0, with_stop = 0;  // nats per token of the targets
};

/// The loss with the token that ends each target; nothing where the format has none for any of them.
std::optional<EndedLoss> ended_loss(const Subject& subject, const AskedPassages& asked) {
  const Objective& objective = subject.phase.objective;
  if (!objective.cloze_stop || asked.question == Question::infill_from_left) return std::nullopt;
  std::vector<Cloze> ended;
  std::vector<double> costs;
  for (std::size_t i = 0; i < asked.questions.size(); ++i) {
    if (asked.end[i] == 0 || objective.cloze_stop(asked.questions[i]).empty()) continue;
    ended.push_back(asked.questions[i]);
    costs.push_back(asked.costs[i]);
  }
  if (ended.empty()) return std::nullopt;
  const double without = per_token(costs, ended);
  return EndedLoss{.documents = ended.size(),
                   .without_stop = without,
                   .with_stop = without + per_token(stop_costs(subject, ended), ended)};
}

/// Adds the losses of the model with its initial weights, of the first documents.
void add_untrained(const Subject& subject, train::Network& initial, AskedPassages asked,
                   std::map<std::string, double>& metrics) {
  const Subject untrained = subject.with(initial);
  asked.questions.resize(std::min(kDocumentsUntrained, asked.questions.size()));
  asked.costs = cloze_costs(untrained, asked.questions);
  metrics[fmt::format("cloze.untrained_{}", asked.name)] = per_token(asked.costs, asked.questions);
  if (const auto ended = ended_loss(untrained, asked))
    metrics[fmt::format("cloze.untrained_with_stop_{}", asked.name)] = ended->with_stop;
}

/// Adds the loss with the token that ends each target, where the format has one.
void add_stop(const Subject& subject, const AskedPassages& asked, Measurement& measurement) {
  const auto ended = ended_loss(subject, asked);
  if (!ended) return;
  measurement.metrics[fmt::format("cloze.with_stop_{}", asked.name)] = ended->with_stop;
  measurement.details["stop"][std::string(asked.name)] = {{"documents", ended->documents},
                                                          {"without_stop", ended->without_stop}};
}

/// Adds the loss of the middles in each order of the parts; that of the chosen one is known.
void add_orders(const Subject& subject, const PartOrders& orders, const AskedPassages& asked,
                Measurement& measurement) {
  for (std::size_t i = 0; i < orders.names.size(); ++i)
    measurement.metrics[fmt::format("cloze.{}_infill", orders.names[i])] =
        per_token(i == orders.chosen ? asked.costs : order_costs(subject, i, asked.questions),
                  asked.questions);
}

/// Adds the metrics of one question that only some arms have.
void add_further(const Subject& subject, const PartOrders& orders, const AskedPassages& asked,
                 Measurement& measurement) {
  if (asked.question == Question::infill_from_left) return;
  add_stop(subject, asked, measurement);
  if (subject.phase.objective.cloze_hidden)
    measurement.metrics[fmt::format("cloze.bound_{}", asked.name)] = per_token(
        bound_costs(subject, asked.questions, asking_rng(subject).fork("bound").fork(asked.name)),
        asked.questions);
  if (asked.question == Question::infill) add_orders(subject, orders, asked, measurement);
}

}  // namespace

Measurement measure_cloze(const Subject& subject, const plan::ResolvedProbe& probe,
                          const ProgressSink& progress) {
  const ClozeFormat format = cloze_format_of(subject.objective(), subject.phase.params);
  if (format == ClozeFormat::none) return no_measurement("cloze", kNoFormat);
  const std::int64_t given = probe.params.integer("longest");
  const auto longest = static_cast<std::size_t>(
      std::max<std::int64_t>(0, given > 0 ? given : subject.phase.context - kRoomForMarks));
  const auto wanted = static_cast<std::size_t>(probe.params.integer("documents"));
  const std::vector<Document> drawn =
      drawn_documents(subject, wanted + kDocumentsDevelopment, longest);
  if (drawn.empty())
    fail(
        "cloze: no held-out document has 6 tokens of text and no special ones within {}; use a "
        "longer context, or leave 'cloze' out of the probes",
        longest);
  const auto documents = std::span(drawn).first(std::min(wanted, drawn.size()));
  const std::vector<double> unigram = unigram_of(subject);  // reads all training text
  const std::unique_ptr<train::Network> initial = subject.untrained();
  Measurement measurement{.details = {{"documents", documents.size()}}};
  auto& metrics = measurement.metrics;
  const PartOrders orders =
      part_orders(subject, std::span(drawn).subspan(documents.size()), longest);
  if (!orders.names.empty()) measurement.details["order"] = orders.json();
  const plan::ResolvedPhase phase = asked_in(subject.phase, orders);
  const Subject asking = subject.with(phase);
  for (std::size_t i = 0; i < kQuestions.size(); ++i) {
    AskedPassages asked = asked_of(i, documents, longest);
    asked.costs = cloze_costs(asking, asked.questions);
    add_loss(asking, asked, format, unigram, measurement);
    add_untrained(asking, *initial, asked, metrics);
    add_further(asking, orders, asked, measurement);
    progress(static_cast<double>(i + 1) / static_cast<double>(kQuestions.size()));
  }
  metrics["cloze.gain_of_right"] =
      metrics.at("cloze.loss_infill_from_left") - metrics.at("cloze.loss_infill");
  return measurement;
}

}  // namespace ablate::probes
