// The cost of a passage under a model of any objective, in the format that the model was trained on:
// the scale on which objectives can be compared.

#pragma once

#include <span>
#include <vector>

#include "harness/base/rng.h"
#include "harness/contract/objective.h"
#include "harness/probes/probe.h"

namespace ablate::probes {

/// -log P(target | what the format shows) of each question under the subject's network, in nats.
/// Requires: the subject's objective has a format, and its network the positions that it takes.
std::vector<double> cloze_costs(const Subject& subject, std::span<const Cloze> questions);

/// How a model answers a question, in the order in which the format scores the tokens.
struct AnswerScores {
  std::vector<double> costs;  // -log P(token | what is shown, the answer's tokens before it), nats
  std::vector<std::uint8_t> right;  // 1 where the token is the model's first choice
};

/// The scores of each token of the questions' targets, each given the true tokens before it. Requires: as
/// for cloze_costs().
std::vector<AnswerScores> answer_scores(const Subject& subject, std::span<const Cloze> questions);

/// -log P(the target ends | what the format shows, and the target), in nats: what the format's stop
/// token costs. 0 where the format has none. Requires: the subject's objective has `cloze_stop`.
std::vector<double> stop_costs(const Subject& subject, std::span<const Cloze> questions);

/// As cloze_costs(), in the order of the parts with this number. Requires: it is one of the
/// objective's `cloze_orders`.
std::vector<double> order_costs(const Subject& subject, std::size_t order,
                                std::span<const Cloze> questions);

/// An upper bound on -log P(target | both sides, the number of tokens), in nats, where the target may
/// be revealed in every order:
///   sum over k = 1..m of 1 / k times the expected cost of k random tokens of m, all hidden at once
/// It is the mean over orders of the chain's cost, which by Jensen's inequality is at least the cost
/// under the mean of their probabilities. One random set for each k, as stratified_sets() draws
/// them. Requires: the subject's objective has `cloze_hidden`.
/// Source: Uria et al. 2014, "A Deep and Tractable Density Estimator", arXiv:1310.1757;
/// the bound of masked diffusion has the same expectation (Ou et al. 2024, arXiv:2406.03736).
std::vector<double> bound_costs(const Subject& subject, std::span<const Cloze> questions, Rng rng);

/// The cost of the scored targets of each list of examples, in nats. Requires as above.
std::vector<double> example_costs(const Subject& subject,
                                  std::vector<std::vector<Example>> questions);

}  // namespace ablate::probes
