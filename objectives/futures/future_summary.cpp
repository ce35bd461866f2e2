// Future summaries: beside the next token, predict which tokens occur in a window after it.
//
// A second head answers one question for each token of the vocabulary: does it occur among the
// tokens of the window, which begins after the next token and ends with the document? Its loss is the sum
// of the binary cross-entropies. Order and number of occurrences do not count. The first head is causal language
// modelling.
//
// Source: Mahajan et al. 2025, "Beyond Multi-Token Prediction: Pretraining LLMs with Future Summaries",
// arXiv:2510.14751, section 3 (the hand-crafted summary).

#include <algorithm>
#include <cmath>

#include "objectives/common/futures/with_future.h"

namespace ablate::objectives {
namespace {

constexpr std::string_view kPicture =
    "text     a b c b\n"
    "inputs   (none)\n"
    "targets  a b c b       of head 1, which predicts the next token\n"
    "         b and c, yes  of head 2, at the state that predicts a: what comes after a;\n"
    "         others, no    it is asked about every token of the vocabulary\n";

constexpr std::string_view kDiffers =
    "the source weighs each token by tf-idf; here all tokens weigh the same, and the coefficient "
    "is .1, "
    "because the sum grows with the vocabulary: for a large one give a smaller coefficient\n"
    "the window ends with the document, because nothing is known of the next one; a place whose "
    "window is cut by "
    "the end of the text is not scored\n";

double binary_cost(double probability, bool occurs) {
  if (!occurs && probability >= 1) return 0;  // rounding: it occurs almost surely
  return occurs ? -std::log(probability) : -std::log1p(-probability);
}

/// The binary entropies of all tokens, of which those of the labels occur.
double cost_of(std::span<const std::size_t> tokens, std::span<const double> probabilities) {
  double cost = 0;
  for (std::size_t token = 0; token < probabilities.size(); ++token)
    cost += binary_cost(probabilities[token], std::ranges::find(tokens, token) != tokens.end());
  return cost;
}

Objective build(const Params& params, const Context& context) {
  return with_future(
      {.of = "summary",
       .first = 1,
       .shares =
           [](std::span<const Token> window) {
             std::vector<Share> shares;
             for (const Token token : window)
               shares.push_back({token, 1 / static_cast<double>(window.size())});
             return shares;
           },
       .table = present_tokens,
       .cost = [](std::span<const std::size_t> tokens, std::span<const double>,
                  std::span<const double> fractions) { return cost_of(tokens, fractions); }},
      params, context);
}

}  // namespace

ObjectiveSpec future_summary_objective() {
  return causal_with_heads(
      {.name = "future_summary",
       .summary = "predict every token, and which tokens occur in a window after it",
       .picture = kPicture,
       .source = "Mahajan et al. 2025, arXiv:2510.14751, section 3",
       .differs = kDiffers,
       .params = future_params(
           8, "tokens that the second head looks ahead, beginning after the next one", 0.1),
       .build = build,
       .further_heads = [](const Params& given) {
         return std::vector<HeadNeed>{head_of("summary", given)};
       }});
}

}  // namespace ablate::objectives
