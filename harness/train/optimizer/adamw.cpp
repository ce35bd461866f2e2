// AdamW on the CPU: the norms of all lanes, then one pass over parameters, moments and gradient.

#include "harness/train/optimizer/adamw.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/lerp.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <cmath>

namespace ablate::train {
namespace {

/// Elements; changing it changes the order in which norms are summed.
constexpr std::int64_t kChunk = 1 << 16;

AdamWFactors factors_of(const AdamWSettings& lane, std::int64_t step, double learning_rate) {
  const auto updates = static_cast<double>(step + 1);
  AdamWFactors factors;
  factors.beta1 = static_cast<float>(lane.beta1);
  factors.beta2 = static_cast<float>(lane.beta2);
  factors.epsilon = static_cast<float>(lane.epsilon);
  factors.step_size = static_cast<float>(learning_rate / (1 - std::pow(lane.beta1, updates)));
  factors.unbiased = static_cast<float>(1 / std::sqrt(1 - std::pow(lane.beta2, updates)));
  factors.decay = static_cast<float>(learning_rate * lane.weight_decay);
  return factors;
}

}  // namespace

AdamWSettings adamw_settings_of(const Params& train) {
  return {train.number("beta1"), train.number("beta2"), train.number("epsilon"),
          train.number("weight_decay"), train.number("clip")};
}

AdamW::AdamW(FlatParameters& parameters, std::vector<AdamWSettings> lanes, bool fused)
    : parameters_(parameters),
      fused_(fused && parameters.values().is_cpu()),
      lanes_(std::move(lanes)),
      mean_(at::zeros_like(parameters.values())),
      square_(at::zeros_like(parameters.values())) {
  for (const FlatParameters::Piece& piece : parameters.pieces())
    for (std::int64_t lane = 0; lane < parameters.lanes(); ++lane)
      for (std::int64_t at = 0; at < piece.size; at += kChunk)
        chunks_.push_back({lane * parameters.lane_size() + piece.first + at,
                           std::min(kChunk, piece.size - at), lane, piece.decayed,
                           static_cast<float>(piece.rate)});
}

std::vector<AdamWFactors> AdamW::factors(std::int64_t step,
                                         const std::vector<double>& learning_rates) const {
  std::vector<AdamWFactors> factors;
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane)
    factors.push_back(factors_of(lanes_[lane], step, learning_rates[lane]));
  return factors;
}

void AdamW::hold_limits() const {
  for (const FlatParameters::Piece& piece : parameters_.pieces())
    if (std::isfinite(piece.at_most)) values_of(piece).clamp_max_(piece.at_most);
}

at::Tensor AdamW::values_of(const FlatParameters::Piece& piece) const {
  return parameters_.values().narrow(1, piece.first, piece.size);
}

at::Tensor AdamW::step(std::int64_t step, const std::vector<double>& learning_rates) {
  if (fused_) {
    at::Tensor norms = step_fused(factors(step, learning_rates), learning_rates);
    hold_limits();
    return norms;
  }
  const at::Tensor table = at::empty({kFactors, parameters_.lanes()}, at::kFloat);
  write_table(step, learning_rates, table.data_ptr<float>());
  return step_by_table(table.to(parameters_.values().device()));
}

void AdamW::write_table(std::int64_t step, const std::vector<double>& learning_rates,
                        float* table) const {
  std::vector<double> clips;
  for (const AdamWSettings& lane : lanes_) clips.push_back(lane.clip);
  write_factors(factors(step, learning_rates), clips, learning_rates, table);
}

at::Tensor AdamW::step_by_table(const at::Tensor& table) {
  // The kernels know one rate for a lane. The change of a parameter that has another one is scaled by it.
  std::vector<at::Tensor> before;
  for (const FlatParameters::Piece& piece : parameters_.pieces())
    if (piece.rate != 1) before.push_back(values_of(piece).clone());
  at::Tensor norms = update_by_table(parameters_, mean_, square_, table);
  auto from = before.begin();
  for (const FlatParameters::Piece& piece : parameters_.pieces())
    if (piece.rate != 1) values_of(piece).copy_(at::lerp(*from++, values_of(piece), piece.rate));
  hold_limits();
  return norms;
}

at::Tensor AdamW::step_fused(const std::vector<AdamWFactors>& factors,
                             const std::vector<double>& learning_rates) {
  float* const values = parameters_.values().data_ptr<float>();
  float* const gradient = parameters_.gradient().data_ptr<float>();
  float* const mean = mean_.data_ptr<float>();
  float* const square = square_.data_ptr<float>();
  std::vector<double> sums(chunks_.size());
  for (std::size_t i = 0; i < chunks_.size(); ++i)
    sums[i] = sum_of_squares(gradient + chunks_[i].first, chunks_[i].size);
  const at::Tensor norms = at::zeros({parameters_.lanes()}, at::kDouble);
  double* const norm = norms.data_ptr<double>();
  for (std::size_t i = 0; i < chunks_.size(); ++i) norm[chunks_[i].lane] += sums[i];
  std::vector<AdamWFactors> clipped = factors;
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    norm[lane] = std::sqrt(norm[lane]);
    const double clip = lanes_[lane].clip;
    if (clip > 0 && norm[lane] > clip) clipped[lane].clip = static_cast<float>(clip / norm[lane]);
  }
  for (const auto& [first, size, lane, decayed, rate] : chunks_) {
    const auto l = static_cast<std::size_t>(lane);
    if (learning_rates[l] < 0 || !std::isfinite(norm[lane])) {
      std::fill_n(gradient + first, size, 0.0f);
      continue;
    }
    AdamWFactors own = clipped[l];
    own.step_size *= rate;
    own.decay = decayed ? own.decay * rate : 0;
    adamw_update(values + first, gradient + first, mean + first, square + first, size, own);
  }
  return norms;
}

}  // namespace ablate::train
