#include "harness/probes/cloze/orders.h"

#include <algorithm>
#include <numeric>

#include "harness/probes/cloze/costs.h"
#include "harness/probes/cloze/drawn_documents.h"
#include "harness/probes/cloze/questions.h"

namespace ablate::probes {
namespace {

double loss_in(const Subject& subject, std::size_t order, std::span<const Cloze> questions) {
  const std::vector<double> costs = order_costs(subject, order, questions);
  double tokens = 0;
  for (const Cloze& cloze : questions) tokens += static_cast<double>(cloze.target.size());
  return std::accumulate(costs.begin(), costs.end(), 0.0) / tokens;
}

}  // namespace

Json PartOrders::json() const {
  Json json = {{"chosen", names[chosen]}, {"development_documents", documents}};
  for (std::size_t i = 0; i < losses.size(); ++i)
    json["development_losses"][std::string(names[i])] = losses[i];
  return json;
}

PartOrders part_orders(const Subject& subject, std::span<const std::span<const Token>> development,
                       std::size_t longest) {
  PartOrders orders{.names = cloze_orders_of(subject.objective(), subject.phase.params)};
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
  if (subject.phase.objective.cloze_orders.size() < 2) return part_orders(subject, {}, 0);
  const auto longest =
      static_cast<std::size_t>(std::max<std::int64_t>(0, subject.phase.context - kRoomForMarks));
  return part_orders(subject, drawn_documents(subject, kDocumentsDevelopment, longest), longest);
}

plan::ResolvedPhase asked_in(const plan::ResolvedPhase& phase, const PartOrders& orders) {
  plan::ResolvedPhase asked = phase;
  Objective& objective = asked.objective;
  if (objective.cloze_orders.empty()) return asked;
  const Objective::Order& order = objective.cloze_orders.at(orders.chosen);
  objective.cloze = order.cloze;
  objective.cloze_stop = order.cloze_stop;
  return asked;
}

}  // namespace ablate::probes
