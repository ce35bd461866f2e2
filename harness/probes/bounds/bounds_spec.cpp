// What the probe of bounds measures. Without LibTorch.

#include <fmt/core.h>

#include <algorithm>

#include "harness/probes/bounds/ways_spec.h"
#include "harness/probes/cloze/questions.h"
#include "harness/probes/members.h"

namespace ablate::probes {
namespace {

constexpr std::string_view kNats = "nats/token";

class BoundList {
 public:
  explicit BoundList(bool language) : language_(language) {}

  void add(std::string_view name, std::string_view label, Better better, std::string description) {
    Metric& metric =
        added(list_, {fmt::format("bounds.{}", name), fmt::format("document NLL ({})", label),
                      kNats, better, Comparable::all_arms, std::move(description)});
    if (better == Better::lower)
      metric.read_against(
          {only_if(language_, Bound::ceiling("exact")), Bound::untrained("untrained")});
  }

  /// An estimate, and how much it varies from draw to draw.
  void add_drawn(std::string_view name, std::string_view label, std::string description,
                 std::string_view draw) {
    add(name, label, Better::lower, std::move(description));
    add(fmt::format("{}_spread", name), fmt::format("{}, standard deviation", label),
        Better::neither,
        fmt::format("standard deviation of the estimate of one document from {} to {}: how many it "
                    "takes",
                    draw, draw));
  }

  std::vector<Metric> take() { return std::move(list_); }

 private:
  bool language_ = false;  // so that the exact value is known
  std::vector<Metric> list_;
};

std::vector<Metric> metrics(const Params& params, const ProbedArm& arm) {
  BoundList list(arm.language);
  const BoundWays ways = bound_ways(arm.objective, arm.params);
  if (ways.none()) return {};
  if (arm.language)
    list.add(
        "exact", "optimum", Better::neither,
        "-log P of the documents in the language, given what the arm is told: no bound is below "
        "it, but for what is drawn");
  if (ways.own)
    list.add_drawn(
        "own", "training loss",
        "the loss of training over whole documents, read at all times: -log p, or a bound "
        "on it",
        "draw");
  if (ways.chain)
    list.add("left_to_right", "left to right", Better::lower,
             "-log p token by token from left to right: exact for a model that is asked so");
  if (ways.orders) {
    list.add_drawn("random_order", "random orders",
                   "the mean of the same in random orders: an upper bound, of which the loss over "
                   "all times is another estimate",
                   "order");
    list.add(
        "mixture_of_orders", "mixture of orders", Better::lower,
        fmt::format("-log of the mean of p over {} random orders: a tighter bound, and the more "
                    "so the more orders",
                    params.integer("draws")));
    list.add_drawn(
        "by_count", "hidden-token count",
        "sum over k of 1 / k times the cost of k random tokens, hidden at once: the bound "
        "over all times without drawing the times",
        "draw");
    list.add("half_of_times", "upper half of diffusion times", Better::neither,
             "the loss if times are drawn only from the upper half: no bound");
  }
  list.add("untrained", "untrained model", Better::neither,
           fmt::format("bounds.{} of the model with its initial weights: the floor",
                       ways.own ? "own" : "left_to_right"));
  return list.take();
}

std::string refusal(const Params&, const ProbedArm& arm) {
  if (arm.context == 0 || arm.fewest_context - kRoomForMarks >= kFewestTokens) return {};
  return fmt::format(
      "it needs a context of {} tokens, and an arm has {}; give a longer context, or leave "
      "'bounds' "
      "out of the probes",
      kFewestTokens + kRoomForMarks, arm.fewest_context);
}

/// A document is read once for each of its tokens in each order, and some more.
double tokens(const Params& params, const ProbedArm& arm) {
  const BoundWays ways = bound_ways(arm.objective, arm.params);
  const auto context = static_cast<double>(arm.context);
  const auto draws = static_cast<double>(params.integer("draws"));
  double rows = 0;
  if (ways.own) rows += draws;
  if (ways.chain) rows += is_told_length(cloze_format_of(arm.objective, arm.params)) ? context : 1;
  if (ways.orders) rows += 2 * draws * context;
  return static_cast<double>(params.integer("documents")) * context * rows;
}

}  // namespace

ProbeSpec bounds_spec() {
  return {
      .name = "bounds",
      .summary =
          "every bound and estimate of -log p of held-out documents, next to the exact value",
      .subject = "Bounds on the likelihood",
      .params =
          {integer("documents", 24, 1, 1e5, "held-out documents to ask about"),
           integer("draws", 8, 2, 1e4,
                   "number of draws of times, orders and sets of hidden tokens for each document")},
      .metrics = metrics,
      .refusal = refusal,
      .tokens = tokens};
}

}  // namespace ablate::probes
