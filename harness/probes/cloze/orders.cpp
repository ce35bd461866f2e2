#include "harness/probes/cloze/orders.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "harness/probes/cloze/costs.h"

namespace ablate::probes {
namespace {

double loss_in(const Subject& subject, const PartOrders& orders, std::size_t order,
               std::span<const Cloze> questions) {
  const std::vector<double> costs = costs_in(subject, orders, order, questions);
  double tokens = 0;
  for (const Cloze& cloze : questions) tokens += static_cast<double>(cloze.target.size());
  return std::accumulate(costs.begin(), costs.end(), 0.0) / tokens;
}

}  // namespace

PartOrders part_orders(const Subject& subject, std::span<const Cloze> development) {
  PartOrders orders;
  if (const auto names = subject.objective().cloze_orders)
    orders.names = names(subject.phase.params);
  if (orders.names.size() < 2 || development.empty()) return orders;
  for (std::size_t order = 0; order < orders.names.size(); ++order)
    orders.losses.push_back(loss_in(subject, orders, order, development));
  orders.chosen =
      static_cast<std::size_t>(std::ranges::min_element(orders.losses) - orders.losses.begin());
  return orders;
}

std::vector<double> costs_in(const Subject& subject, const PartOrders& orders, std::size_t order,
                             std::span<const Cloze> questions) {
  return orders.names.empty() ? cloze_costs(subject, questions)
                              : order_costs(subject, order, questions);
}

std::vector<double> stop_costs_in(const Subject& subject, const PartOrders& orders,
                                  std::span<const Cloze> questions) {
  if (orders.names.empty()) return stop_costs(subject, questions);
  const Objective& objective = subject.phase.objective;
  std::vector<std::vector<Example>> asked;
  asked.reserve(questions.size());
  for (const Cloze& question : questions) {
    Example example = std::move(objective.cloze_orders.at(orders.chosen)(question).front());
    std::ranges::fill(example.weights, 0.0f);
    example.targets.push_back(objective.cloze_stop(question).front().targets.back());
    example.weights.push_back(1);
    asked.push_back({std::move(example)});
  }
  return example_costs(subject, std::move(asked));
}

}  // namespace ablate::probes
