#include "harness/probes/cloze/orders.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "harness/probes/cloze/costs.h"
#include "harness/probes/cloze/drawn_documents.h"
#include "harness/probes/cloze/questions.h"

namespace ablate::probes {
namespace {

std::vector<std::string_view> names_of(const Subject& subject) {
  const auto names = subject.objective().cloze_orders;
  return names == nullptr ? std::vector<std::string_view>() : names(subject.phase.params);
}

double loss_in(const Subject& subject, std::size_t order, std::span<const Cloze> questions) {
  const std::vector<double> costs = order_costs(subject, order, questions);
  double tokens = 0;
  for (const Cloze& cloze : questions) tokens += static_cast<double>(cloze.target.size());
  return std::accumulate(costs.begin(), costs.end(), 0.0) / tokens;
}

}  // namespace

Json PartOrders::json() const {
  if (names.empty()) return {};
  Json json = {{"chosen", names[chosen]}, {"development_documents", documents}};
  for (std::size_t i = 0; i < losses.size(); ++i)
    json["development_losses"][std::string(names[i])] = losses[i];
  return json;
}

PartOrders part_orders(const Subject& subject, std::span<const std::span<const Token>> development,
                       std::size_t longest) {
  PartOrders orders{.names = names_of(subject)};
  if (orders.names.size() < 2 || development.empty()) return orders;
  std::vector<Cloze> questions;
  questions.reserve(development.size());
  for (const auto document : development)
    questions.push_back(cloze_of(Question::infill, document, longest));
  for (std::size_t order = 0; order < orders.names.size(); ++order)
    orders.losses.push_back(loss_in(subject, order, questions));
  orders.documents = questions.size();
  orders.chosen =
      static_cast<std::size_t>(std::ranges::min_element(orders.losses) - orders.losses.begin());
  return orders;
}

PartOrders part_orders(const Subject& subject) {
  if (names_of(subject).size() < 2) return part_orders(subject, {}, 0);
  const auto longest =
      static_cast<std::size_t>(std::max<std::int64_t>(0, subject.phase.context - kRoomForMarks));
  return part_orders(subject, drawn_documents(subject, kDocumentsDevelopment, longest), longest);
}

plan::ResolvedPhase asked_in(const plan::ResolvedPhase& phase, const PartOrders& orders) {
  plan::ResolvedPhase asked = phase;
  if (orders.chosen == 0) return asked;
  Objective& objective = asked.objective;
  objective.cloze = objective.cloze_orders.at(orders.chosen);
  objective.cloze_stop = [ask = objective.cloze, stop = phase.objective.cloze_stop](
                             const Cloze& question) -> std::vector<Example> {
    std::vector<Example> stops = stop(question);
    if (question.right.empty() || stops.empty()) return stops;
    Example example = std::move(ask(question).front());
    std::ranges::fill(example.weights, 0.0f);
    example.targets.push_back(stops.front().targets.back());
    example.weights.push_back(1);
    return {std::move(example)};
  };
  return asked;
}

}  // namespace ablate::probes
