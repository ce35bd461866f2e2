// What the draws of an estimate come to. Without LibTorch.

#pragma once

#include <vector>

namespace ablate::probes {

/// The estimates of one bound, [document, draw], in nats. Requires, where a spread is asked for: two draws.
using DrawnCosts = std::vector<std::vector<double>>;

/// The mean of a document's draws.
double mean_draw(const std::vector<double>& document);

/// Nats per token: the mean over draws, added up over documents.
double nats_a_token(const DrawnCosts& drawn, double tokens);

/// The root of the mean over documents of the variance from draw to draw, in nats per token.
double spread_of(const DrawnCosts& drawn, double tokens);

/// -log of the mean of p over the draws of each document, added up: nats per token.
double of_mixture(const DrawnCosts& drawn, double tokens);

}  // namespace ablate::probes
