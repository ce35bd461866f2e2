#include "harness/probes/fine_tuning/tuning.h"

#include <algorithm>
#include <stdexcept>

#include "harness/base/shuffle.h"
#include "harness/train/optimizer/schedule.h"

namespace ablate::probes {

void each_tuning_step(std::span<const TuningLane> lanes, std::size_t count, std::int64_t epochs,
                      std::int64_t batch, const std::function<void(const TuningStep&)>& take,
                      const ProgressSink& progress) {
  const auto size = static_cast<std::size_t>(batch);
  const auto per_epoch = static_cast<std::int64_t>((count + size - 1) / size);
  const std::int64_t steps = per_epoch * epochs;
  std::vector<std::vector<std::size_t>> orders(lanes.size());
  for (std::int64_t number = 0; number < steps; ++number) {
    const auto first = static_cast<std::size_t>(number % per_epoch) * size;
    const double at = (static_cast<double>(number) + 0.5) / static_cast<double>(steps);
    TuningStep step{.number = number};
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      const TuningLane& own = lanes[lane];
      if (first == 0)
        orders[lane] = random_order(
            count,
            Rng(own.seed, Stream::probes).fork("order").fork(static_cast<std::uint64_t>(number)));
      const auto begin = orders[lane].begin() + static_cast<std::ptrdiff_t>(first);
      step.chosen.emplace_back(begin,
                               begin + static_cast<std::ptrdiff_t>(std::min(size, count - first)));
      step.learning_rates.push_back(train::Schedule{.peak = own.learning_rate,
                                                    .shape = train::Decay::cosine,
                                                    .warmup = 0.06,
                                                    .final_rate = 0.1}
                                        .learning_rate(at));
    }
    take(step);
    progress(static_cast<double>(number + 1) / static_cast<double>(steps));
  }
}

std::vector<train::AdamWSettings> tuning_optimizer(std::size_t lanes) {
  return std::vector<train::AdamWSettings>(lanes, {.beta2 = 0.999});
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
