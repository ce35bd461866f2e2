// What all heads of a network share: the final norm and the table of tokens.

#pragma once

#include <optional>
#include <string>

#include "models/layers/embeddings.h"

namespace ablate::models {

/// The final norm and the output table of tokens.
class Output {
 public:
  /// Adds the norm and, if a head predicts tokens, the table; a tied one is the table of the
  /// embeddings. Requires: the bank outlives this object.
  /// Names begin with `prefix`.
  Output(Bank& bank, const Embeddings& embeddings, const Shape& shape,
         const std::string& prefix = {});

  /// The complete stream and its final norm, both float32 [lane, batch, time, width].
  Normed last(const ResidualStream& residual) const;

  /// As train::Network::losses. Throws std::invalid_argument unless every lane has targets.
  at::Tensor losses(const at::Tensor& hidden, const train::HeadTargets& targets) const;

  /// As train::Network::logits: float32 [chosen, vocabulary].
  at::Tensor logits(const at::Tensor& hidden, std::int64_t lane, const at::Tensor& positions) const;

  /// The same of several lanes, from `first` on, at positions [lanes, chosen]: [lanes, chosen,
  /// vocabulary].
  at::Tensor logits_of_lanes(const at::Tensor& hidden, std::int64_t first,
                             const at::Tensor& positions) const;

  /// The logits of states [lanes, chosen, width] of the lanes from `first` on, by a table that gets no gradient:
  /// [lanes, chosen, vocabulary].
  at::Tensor frozen_logits(const at::Tensor& states, std::int64_t first) const;

 private:
  /// The index of the table. Throws std::logic_error where there is none.
  std::size_t table() const;

  /// The table in the type of the bank's products.
  OutputHead output_head() const;

  const Bank& bank_;
  Norm kind_;
  double scale_ = 1;  // of the logits
  std::size_t norm_ = 0;
  std::optional<std::size_t> table_;
};

/// Initial standard deviation of what makes logits of hidden states: they then start with the loss of
/// a uniform prediction.
constexpr double kHeadDeviation = 0.02;

/// Hidden states [chosen, width] of one lane at positions row * time + t.
at::Tensor chosen(const at::Tensor& hidden, std::int64_t lane, const at::Tensor& positions);

}  // namespace ablate::models
