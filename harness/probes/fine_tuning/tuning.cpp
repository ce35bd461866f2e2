#include "harness/probes/fine_tuning/tuning.h"

#include <c10/core/GradMode.h>

#include <algorithm>
#include <stdexcept>

#include "harness/base/error.h"
#include "harness/base/shuffle.h"

namespace ablate::probes {
namespace {

/// The network's parameters, then those added. Throws where the network has another number of lanes.
std::vector<train::Parameter> tuned_parameters(train::Network& network, std::size_t lanes,
                                               const std::vector<train::Parameter>& added) {
  if (network.lanes() != static_cast<std::int64_t>(lanes))
    reject("fine-tuning: a bank of {} lanes cannot hold {} copies", network.lanes(), lanes);
  std::vector<train::Parameter> all = network.parameters();
  all.insert(all.end(), added.begin(), added.end());
  return all;
}

/// Of a copy: as it is trained by everyone who fine-tunes; see TunedBank.
train::SmallRecipe recipe_of_copy(const TuningLane& lane) {
  return {.schedule = {.peak = lane.learning_rate,
                       .shape = train::Decay::cosine,
                       .warmup = 0.06,
                       .final_rate = 0.1},
          .optimizer = {.beta2 = 0.999}};
}

}  // namespace

TunedBank::TunedBank(std::unique_ptr<train::Network> network, std::vector<TuningLane> lanes,
                     const std::vector<train::Parameter>& added)
    : network_(std::move(network)),
      lanes_(std::move(lanes)),
      parameters_(tuned_parameters(*network_, lanes_.size(), added)),
      trainer_(*network_, parameters_) {}

void TunedBank::fine_tune(std::size_t count, std::int64_t epochs, std::int64_t batch,
                          const std::function<at::Tensor(const TuningStep&)>& losses,
                          const ProgressSink& progress) {
  const auto size = static_cast<std::size_t>(batch);
  const auto per_epoch = static_cast<std::int64_t>((count + size - 1) / size);
  std::vector<train::SmallRecipe> recipes;
  recipes.reserve(lanes_.size());
  for (const TuningLane& lane : lanes_) recipes.push_back(recipe_of_copy(lane));
  std::vector<std::vector<std::size_t>> orders(lanes_.size());
  const auto losses_at = [&](std::int64_t number) {
    const auto first = static_cast<std::size_t>(number % per_epoch) * size;
    TuningStep step{.number = number};
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
      const Rng rng = Rng(lanes_[lane].seed, Stream::probes).fork("order");
      if (first == 0)
        orders[lane] = random_order(count, rng.fork(static_cast<std::uint64_t>(number)));
      const auto begin = orders[lane].begin() + static_cast<std::ptrdiff_t>(first);
      step.chosen.emplace_back(begin,
                               begin + static_cast<std::ptrdiff_t>(std::min(size, count - first)));
    }
    return losses(step);
  };
  trainer_.train(recipes, per_epoch * epochs, losses_at, progress);
}

std::vector<TuningLane> TunedBank::lanes_from(std::size_t first, std::int64_t count) const {
  const std::size_t end = first + static_cast<std::size_t>(count);
  if (end > lanes_.size()) reject("fine-tuning: lanes {} to {} of {}", first, end, lanes_.size());
  return {lanes_.begin() + static_cast<std::ptrdiff_t>(first),
          lanes_.begin() + static_cast<std::ptrdiff_t>(end)};
}

void TunedBank::copy_from(const TunedBank& whole, std::size_t first) {
  const c10::NoGradGuard no_gradients;
  for (std::size_t i = 0; i < parameters_.size(); ++i)
    parameters_[i].value.copy_(whole.parameters_[i].value.narrow(
        0, static_cast<std::int64_t>(first), static_cast<std::int64_t>(lanes_.size())));
  network_->parameters_changed();
}

std::unique_ptr<train::Network> copies_of(const Subject& subject, train::Network& network,
                                          std::size_t lanes) {
  if (!subject.bank) throw std::logic_error("fine-tuning: the subject cannot build a bank");
  std::unique_ptr<train::Network> bank = subject.bank(static_cast<std::int64_t>(lanes));
  const std::vector<train::Parameter>& from = network.parameters();
  for (std::size_t i = 0; i < from.size(); ++i)
    bank->parameters()[i].value.copy_(from[i].value.expand_as(bank->parameters()[i].value));
  bank->parameters_changed();
  return bank;
}

}  // namespace ablate::probes
