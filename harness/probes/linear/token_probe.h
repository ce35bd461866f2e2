// A linear probe on the frozen hidden states of single tokens.

#pragma once

#include <functional>
#include <span>

#include "harness/probes/linear/linear_probe.h"
#include "harness/probes/linear/token_items.h"
#include "harness/probes/probe.h"

namespace ablate::probes {

/// Probes one network for the labels of tokens, with the attention of the subject's objective. Layer
/// and penalty (of `penalties`, from large to small) are chosen on the development tokens, by
/// `quality` or, where that is empty, by accuracy. As many layers are in memory at a time as fit into
/// 256 MiB, at least one. Requires: no split is empty.
LinearProbe probe_tokens(train::Network& network, const Subject& subject, const TokenSplits& splits,
                         std::span<const double> penalties, const ProgressSink& progress,
                         RowQuality quality = {});

/// Calls `take` with the hidden states of each layer at all items, from the first layer to the last, and
/// with the fraction of the layers that are done then. As many layers are in memory at a time as above.
void each_token_layer(train::Network& network, const Subject& subject, const TokenSplits& splits,
                      const std::function<void(const SplitFeatures& layer, double done)>& take);

/// The same probe of one layer, such as the one that another probe has chosen.
LinearProbe probe_tokens_at(train::Network& network, const Subject& subject,
                            const TokenSplits& splits, std::int64_t layer,
                            std::span<const double> penalties);

/// The mean of values of items by document; documents without items are left out.
std::vector<double> mean_by_document(const TokenItems& tokens, std::span<const double> values);

/// The fraction of each document's items whose class is right, as mean_by_document(). `named`: the class
/// that each item is given.
std::vector<double> right_by_document(const TokenItems& tokens,
                                      std::span<const std::int32_t> named);

/// The accuracy of test tokens by layer, for "curves" in the details of a measurement; `metric`: that
/// of the chosen one.
Json layer_curve(const std::string& metric, const LinearProbe& probe);

/// What a probe has chosen, for the details of a measurement.
Json chosen_by(const LinearProbe& probe);

}  // namespace ablate::probes
