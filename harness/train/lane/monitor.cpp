// Running statistics of a loss. Spikes and divergence follow from a few stored numbers.

#include "harness/train/lane/monitor.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/store/journal/curve_point.h"

namespace ablate::train {
namespace {

constexpr double kHorizon = 50;                 // steps
constexpr double kFastHorizon = 10;             // steps
constexpr std::int64_t kBlock = 50;             // steps
constexpr double kTolerated = 1.05;             // of the initial loss
constexpr double kToleratedNoise = 4;           // standard deviations of the first losses
constexpr double kMostTolerated = 3;            // of the initial loss, whatever the noise
constexpr std::int64_t kFewest = 5;             // steps, for a deviation
constexpr double kSpike = 6;                    // standard deviations
constexpr double kMinDeviation = 1e-3;          // fraction of the mean
constexpr double kMaxDeviation = 3;             // standard deviations
constexpr double kNormal = 0.8862269254527580;  // sqrt(pi) / 2

}  // namespace

void Monitor::add(const Loss& loss, double gradient_norm, bool warm, bool scored) {
  spike_.reset();
  if (!std::isfinite(loss.total) || !std::isfinite(gradient_norm)) {
    divergence_ = fmt::format("the {} is not finite at step {}",
                              std::isfinite(loss.total) ? "gradient" : "loss", seen_ + 1);
    return;
  }
  stretch_.loss += loss;
  stretch_.gradient_norm = std::max(stretch_.gradient_norm, gradient_norm);
  ++seen_;
  const std::optional<double> mean = scored ? loss.mean() : std::nullopt;
  if (!mean) return;
  stretch_.scored = true;
  ++judged_;
  ++phase_judged_;
  if (spiked(*mean)) spike_ = mean;
  stretch_.spike |= spike_.has_value();
  judge(*mean, warm);
}

bool Monitor::spiked(double loss) {
  if (phase_judged_ == 1) mean_ = fast_mean_ = previous_ = loss;
  const double deviation = std::max(kNormal * change_, kMinDeviation * std::abs(mean_));
  const bool settled = phase_judged_ > store::kStepsBeforeSpikes;
  const bool early = phase_judged_ > kFewest && loss > kTolerated * initial_;
  const bool spike = (settled || early) && loss - std::min(mean_, fast_mean_) > kSpike * deviation;
  // A plain mean over the first steps, an exponential average after that. Only what is above is
  // clamped: a falling loss must not be taken for an outlier.
  const double most = settled ? kMaxDeviation * deviation : std::numeric_limits<double>::max();
  const auto steps = static_cast<double>(phase_judged_);
  mean_ += std::min(loss - mean_, most) / std::min(steps, kHorizon);
  fast_mean_ += std::min(loss - fast_mean_, most) / std::min(steps, kFastHorizon);
  if (phase_judged_ > 1) {
    double change = std::abs(loss - previous_);
    if (settled) change = std::min(change, kMaxDeviation / kNormal * deviation);
    change_ += (change - change_) / std::min(steps - 1, kHorizon);
  }
  previous_ = loss;
  return spike;
}

double Monitor::tolerated() const {
  const double margin = std::max((kTolerated - 1) * initial_, kToleratedNoise * noise_);
  return initial_ + std::min(margin, (kMostTolerated - 1) * initial_);
}

void Monitor::judge(double loss, bool warm) {
  if (phase_judged_ == 1) initial_ = judged_ == 1 ? loss : std::max(initial_, loss);
  if (phase_judged_ == store::kStepsBeforeSpikes) noise_ = std::max(noise_, kNormal * change_);
  if (!warm) return;
  block_ += loss;
  if (++block_steps_ < kBlock) return;
  const double mean = block_ / static_cast<double>(kBlock);
  block_ = 0;
  block_steps_ = 0;
  if (mean > tolerated())
    divergence_ = fmt::format(
        "the mean loss of the {} steps up to {} is {:g} nats per target, above the {:g} that an "
        "initial loss of {:g} with its noise allows",
        kBlock, seen_, mean, tolerated(), initial_);
}

void Monitor::begin_phase() {
  phase_judged_ = 0;
  mean_ = fast_mean_ = change_ = previous_ = block_ = 0;
  block_steps_ = 0;
}

Monitor::Stretch Monitor::take() {
  const Stretch taken = stretch_;
  stretch_ = {};
  return taken;
}

Json Monitor::json() const {
  return {{"total", stretch_.loss.total},
          {"weight", stretch_.loss.weight},
          {"gradient_norm", stretch_.gradient_norm},
          {"spike", stretch_.spike},
          {"scored", stretch_.scored},
          {"seen", seen_},
          {"judged", judged_},
          {"phase_judged", phase_judged_},
          {"initial", initial_},
          {"noise", noise_},
          {"mean", mean_},
          {"fast_mean", fast_mean_},
          {"change", change_},
          {"previous", previous_},
          {"block", block_},
          {"block_steps", block_steps_}};
}

Monitor Monitor::from_json(const Json& json) {
  Monitor monitor;
  monitor.stretch_ = {
      {json.at("total"), json.at("weight")}, json.at("gradient_norm"), json.at("spike")};
  // Checkpoints of older versions have only the weight.
  monitor.stretch_.scored = json.value("scored", monitor.stretch_.loss.weight > 0);
  monitor.seen_ = json.at("seen");
  monitor.judged_ = json.at("judged");
  monitor.phase_judged_ = json.value("phase_judged", monitor.judged_);
  monitor.initial_ = json.at("initial");
  monitor.noise_ = json.value("noise", 0.0);  // older checkpoints judge by the initial loss alone
  monitor.mean_ = json.at("mean");
  // Older checkpoints have the mean absolute distance from the mean instead of these three.
  monitor.fast_mean_ = json.value("fast_mean", monitor.mean_);
  monitor.change_ = json.value("change", json.value("deviation", 0.0));
  monitor.previous_ = json.value("previous", monitor.mean_);
  monitor.block_ = json.at("block");
  monitor.block_steps_ = json.at("block_steps");
  return monitor;
}

}  // namespace ablate::train
