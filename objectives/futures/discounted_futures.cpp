// Discounted futures: beside the next token, predict which tokens come soon, the sooner the likelier.
//
// A second head has one distribution over tokens for each state. Its target is the mean of the tokens of
// a window, the first of which is the next token, with weights that fall by a factor e^-discount from one to
// the next: a distribution, of which the cross-entropy is taken. Tokens past the end of the document have no
// weight, so that a place near the end counts less. The first head is causal language modelling.
//
// It is the successor representation of Dayan 1993, "Improving Generalization for Temporal Difference
// Learning", section 2, of tokens, cut off after a window. Token order prediction (token_order) is close to it
// and leaves all occurrences but the first out.

#include <cmath>

#include "objectives/common/futures/with_future.h"

namespace ablate::objectives {
namespace {

constexpr std::string_view kPicture =
    "text     a b c b\n"
    "inputs   (none)\n"
    "targets  a b c b               of head 1, which predicts the next token\n"
    "         a .64, b .27, c .09   of head 2, at the state that predicts a, with a discount of "
    "1;\n"
    "                               the parts of a window of 4 add up to 1\n";

/// The weight of each token of a window; they add up to 1.
std::vector<double> weights_of(std::size_t window, double discount) {
  std::vector<double> weights;
  double sum = 0;
  for (std::size_t j = 0; j < window; ++j) {
    weights.push_back(std::exp(-discount * static_cast<double>(j)));
    sum += weights.back();
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

Objective build(const Params& params, const Context& context) {
  constexpr double kMost = 80;  // a label of less than e^-80 is nothing in float32
  const double last = params.number("discount") * static_cast<double>(params.integer("window") - 1);
  if (last > kMost)
    reject(
        "with discount {:g}, the last of {} tokens weighs e^-{:g} as much as the first, which is "
        "nothing; give a "
        "discount of {:g} or less, or a smaller window",
        params.number("discount"), params.integer("window"), last,
        kMost / static_cast<double>(params.integer("window") - 1));
  const std::vector<double> weights =
      weights_of(static_cast<std::size_t>(params.integer("window")), params.number("discount"));
  return with_future({.of = "discounted",
                      .shares =
                          [weights](std::span<const Token> window) {
                            std::vector<Share> shares;
                            for (std::size_t j = 0; j < window.size(); ++j)
                              shares.push_back({window[j], weights[j]});
                            return shares;
                          },
                      .table =
                          [weights](const Chain& language, std::size_t window) {
                            return weighted_tokens(language, std::span(weights).first(window));
                          },
                      .cost =
                          [](std::span<const std::size_t> tokens, std::span<const double> of_label,
                             std::span<const double> fractions) {
                            double cost = 0;
                            for (std::size_t i = 0; i < tokens.size(); ++i)
                              cost -= of_label[i] * std::log(fractions[tokens[i]]);
                            return cost;
                          }},
                     params, context);
}

std::vector<Param> params() {
  std::vector<Param> rows =
      future_params(8, "tokens that the second head looks ahead, the next one included", 1);
  rows.push_back(number("discount", 1, 0, 20,
                        "a token's weight is e^(-discount * tokens after the next one); 0: all "
                        "tokens of the window count the same"));
  return rows;
}

}  // namespace

ObjectiveSpec discounted_futures_objective() {
  return causal_with_heads(
      {.name = "discounted_futures",
       .summary = "predict every token, and which tokens come soon, the sooner the likelier",
       .picture = kPicture,
       .source = "Dayan 1993, section 2, of tokens",
       .differs = "the source sums up to infinity; here the sum ends with a window; a place whose "
                  "window is "
                  "cut by the end of the text is not scored\n",
       .params = params(),
       .build = build,
       .further_heads = [](const Params& given) {
         return std::vector<HeadNeed>{head_of("discounted", given)};
       }});
}

}  // namespace ablate::objectives
