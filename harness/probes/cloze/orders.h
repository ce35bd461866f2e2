// In which order of its parts an arm is asked for a middle, where its models have seen several.

#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "harness/probes/probe.h"

namespace ablate::probes {

/// The orders of an objective's format, and the one in which its models are asked.
struct PartOrders {
  std::vector<std::string_view> names;  // the objective's `cloze_orders`; empty: there is one alone
  std::size_t chosen = 0;               // number of the one that is asked
  std::vector<double> losses;           // by order, on the development questions, in nats/token
};

/// The orders of the subject's objective. Of several, the one whose loss on the development questions is
/// the lowest is chosen; of equal ones, and without questions, the first, which is that of
/// Objective::cloze.
PartOrders part_orders(const Subject& subject, std::span<const Cloze> development);

/// As cloze_costs(), in one of the orders.
std::vector<double> costs_in(const Subject& subject, const PartOrders& orders, std::size_t order,
                             std::span<const Cloze> questions);

/// As stop_costs(), in the order that was chosen. Requires: in every order the target comes last, as in
/// fill-in-the-middle, or there is one order alone; every question has a stop token.
std::vector<double> stop_costs_in(const Subject& subject, const PartOrders& orders,
                                  std::span<const Cloze> questions);

}  // namespace ablate::probes
