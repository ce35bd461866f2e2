#include "harness/probes/classification/control_task.h"

namespace ablate::probes {
namespace {

/// The label of a token, drawn from `labels` by the token alone.
template <class Label>
std::int32_t label_of(Token token, std::size_t count, const Rng& rng, const Label& label) {
  Rng own = rng.fork(static_cast<std::uint64_t>(token));
  return label(static_cast<std::size_t>(own.below(static_cast<std::int64_t>(count))));
}

}  // namespace

std::vector<std::int32_t> control_labels(std::span<const std::vector<Token>> documents,
                                         std::span<const std::int32_t> labels, const Rng& rng) {
  std::vector<std::int32_t> control;
  for (const std::vector<Token>& document : documents) {
    const Token first = document.size() > 1 ? document[1] : end_token;
    control.push_back(
        label_of(first, labels.size(), rng, [&](std::size_t i) { return labels[i]; }));
  }
  return control;
}

TokenItems with_control_labels(TokenItems tokens, const TokenItems& training, const Rng& rng) {
  const std::vector<TokenItems::Item>& drawn = training.items;
  for (TokenItems::Item& item : tokens.items)
    item.label = label_of(tokens.documents[item.document][item.position], drawn.size(), rng,
                          [&](std::size_t i) { return drawn[i].label; });
  return tokens;
}

}  // namespace ablate::probes
