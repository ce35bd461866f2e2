// In which order of its parts an arm is asked for a middle, where its models have seen several.

#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "harness/probes/cloze/orders_spec.h"
#include "harness/probes/probe.h"

namespace ablate::probes {

/// The orders of an objective's format, and the one in which its models are asked.
struct PartOrders {
  std::vector<std::string_view> names;  // the objective's `cloze_orders`; empty: there is one alone
  std::size_t chosen = 0;               // number of the one that is asked
  std::size_t documents = 0;            // by which it was chosen
  std::vector<double> losses;           // by order, on these documents, in nats/token

  /// {"chosen", "development_documents", "development_losses"}, for details. Requires: there are names.
  Json json() const;
};

/// The orders of the subject's objective. Of several, the one with the lowest loss on the middles of the
/// documents is chosen; of equal ones, and without documents, the first, which is that of
/// Objective::cloze. Requires: cloze_fits() each document.
PartOrders part_orders(const Subject& subject, std::span<const std::span<const Token>> development,
                       std::size_t longest);

/// The same by held-out documents that the trial's seed draws: for probes that score none of them.
PartOrders part_orders(const Subject& subject);

/// The phase with an objective whose middles are asked for, and ended, in the order that was chosen.
plan::ResolvedPhase asked_in(const plan::ResolvedPhase& phase, const PartOrders& orders);

}  // namespace ablate::probes
