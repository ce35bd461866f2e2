// What the routing probe measures: which experts read the positions of held-out documents.

#include <fmt/core.h>

#include "harness/probes/members.h"

namespace ablate::probes {
namespace {

std::vector<Metric> metrics(const Params&, const ProbedArm& arm) {
  std::vector<Metric> list;
  if (!arm.routes) return list;
  const auto add = [&](std::string_view name, std::string_view label, std::string_view unit,
                       Better better, std::string description) {
    list.push_back({fmt::format("routing.{}", name), std::string(label), unit, better,
                    Comparable::all_arms, std::move(description)});
    list.push_back({fmt::format("routing.untrained_{}", name),
                    fmt::format("{}, untrained model", label), unit, Better::neither,
                    Comparable::all_arms, "the same for the model with its initial weights"});
  };
  add("fullest", "load of the fullest expert", "ratio", Better::lower,
      "positions of held-out documents that the fullest expert of a layer reads, over an even "
      "share; mean over layers. 1: all read as many");
  add("unused", "share of experts unused", "fraction", Better::lower,
      "fraction of experts that read less than a tenth of an even share");
  add("by_token", "share of expert choice decided by token", "fraction", Better::neither,
      "mutual information of the expert that is chosen first and the token at the position, over "
      "the entropy of the expert; mean over layers. 1: the token decides alone, 0: it decides "
      "nothing, as where all positions have the same expert; of few positions it is too high, as "
      "the untrained model's shows");
  return list;
}

// Every document under the model and its initial weights.
double tokens(const Params& params, const ProbedArm& arm) {
  return arm.routes ? 2 * static_cast<double>(params.integer("documents") * arm.context) : 0;
}

}  // namespace

ProbeSpec routing_spec() {
  return {
      .name = "routing",
      .summary =
          "how evenly the experts of a sparse model are used, and whether the token decides which",
      .subject = "Routing to experts",
      .params = {integer("documents", 200, 1, 100000,
                         "number of held-out documents to read, from the first on")},
      .metrics = metrics,
      .refusal = nullptr,
      .tokens = tokens};
}

}  // namespace ablate::probes
