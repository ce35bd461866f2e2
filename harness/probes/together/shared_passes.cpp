#include "harness/probes/together/shared_passes.h"

#include <ATen/Functions.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <exception>

#include "harness/base/time/stopwatch.h"
#include "harness/base/time/time_spent.h"

namespace ablate::probes {
namespace {

constexpr std::size_t kBanksKept = 4;               // such as of trained and of initial weights
constexpr std::int64_t kPositionsAtOnce = 1 << 17;  // of a bank's pass, over all of its lanes

bool alike(const at::Tensor& a, const at::Tensor& b) {
  if (!a.defined() || !b.defined()) return a.defined() == b.defined();
  return a.sizes() == b.sizes() && a.dtype() == b.dtype();
}

/// Whether two passes can be lanes of one pass.
bool alike(const Pass& a, const Pass& b) {
  bool same = a.kind == b.kind && a.head == b.head &&
              a.inputs->visibility == b.inputs->visibility &&
              alike(a.streams.trunk, b.streams.trunk) && alike(a.streams.last, b.streams.last);
  train::each_tensor([&](const auto& of) { same = same && alike(of(*a.inputs), of(*b.inputs)); });
  return same;
}

at::Tensor over_lanes(const std::vector<at::Tensor>& lanes) {
  return lanes.front().defined() ? at::cat(lanes, 0) : at::Tensor();
}

/// The inputs of all passes, one lane each.
train::Inputs joined_inputs(std::span<Pass* const> passes) {
  train::Inputs all;
  all.visibility = passes.front()->inputs->visibility;
  train::each_tensor([&](const auto& of) {
    std::vector<at::Tensor> lanes;
    lanes.reserve(passes.size());
    for (const Pass* pass : passes) lanes.push_back(of(*pass->inputs));
    of(all) = over_lanes(lanes);
  });
  return all;
}

/// What a network makes of a pass; for a bank, of all lanes. A head leaves its streams, too.
std::vector<at::Tensor> made_by(train::Network& network, Pass::Kind kind, std::size_t head,
                                train::HeadStreams streams, const train::Inputs& inputs) {
  switch (kind) {
    case Pass::Kind::hidden:
      return {network.hidden(inputs)};
    case Pass::Kind::document_states:
      return {network.document_states(inputs)};
    case Pass::Kind::layers:
      return network.layers(inputs);
    case Pass::Kind::head:
      break;
  }
  const at::Tensor hidden = network.head_hidden(head, inputs, streams);
  return {hidden, streams.trunk, streams.last};
}

/// How often the parameters were written to.
std::int64_t times_written(train::Network& network) {
  std::int64_t writes = 0;
  for (const train::Parameter& parameter : network.parameters())
    writes += static_cast<std::int64_t>(parameter.value._version());
  return writes;
}

/// A network of one lane that shares its forward passes.
class SharingNetwork final : public train::Network {
 public:
  SharingNetwork(std::unique_ptr<train::Network> alone, SharedPasses& passes, std::int64_t number)
      : alone_(std::move(alone)), passes_(passes), number_(number) {}

  std::vector<train::Parameter>& parameters() override { return alone_->parameters(); }
  std::int64_t lanes() const override { return alone_->lanes(); }
  void parameters_changed() override { alone_->parameters_changed(); }

  train::Totals accumulate(const train::Inputs& inputs,
                           const std::vector<train::HeadTargets>& targets,
                           const at::Tensor& scales) override {
    return alone_->accumulate(inputs, targets, scales);
  }
  train::Filled filled(const train::Inputs& inputs,
                       std::vector<train::HeadTargets> targets) override {
    return alone_->filled(inputs, std::move(targets));
  }
  train::TargetCosts costs(std::size_t head, const at::Tensor& hidden, std::int64_t lane,
                           const train::LaneTargets& targets) override {
    const Spending passes(Activity::passes);
    return alone_->costs(head, hidden, lane, targets);
  }
  at::Tensor losses(const at::Tensor& hidden, const train::HeadTargets& targets) override {
    const Spending passes(Activity::passes);
    return alone_->losses(hidden, targets);
  }
  at::Tensor logits(const at::Tensor& hidden, std::int64_t lane,
                    const at::Tensor& positions) override {
    const Spending passes(Activity::passes);
    return alone_->logits(hidden, lane, positions);
  }

  /// Whole rows of many models are one pass of a bank; else each model reads step by step.
  std::optional<train::DecodingState> decoding(std::int64_t rows) const override {
    return of_bank() ? std::nullopt : alone_->decoding(rows);
  }
  at::Tensor step(train::DecodingState& state, const train::Inputs& inputs,
                  const std::vector<std::int64_t>& counts) override {
    const Spending passes(Activity::passes);
    return alone_->step(state, inputs, counts);
  }

  at::Tensor hidden(const train::Inputs& inputs) override {
    return made(Pass::Kind::hidden, inputs).front();
  }
  at::Tensor document_states(const train::Inputs& inputs) override {
    return made(Pass::Kind::document_states, inputs).front();
  }
  /// Of whole rows where a bank makes them in one pass.
  at::Tensor hidden_at(const train::Inputs& inputs, const at::Tensor& positions) override {
    if (of_bank()) return Network::hidden_at(inputs, positions);
    const Spending passes(Activity::passes);
    return alone_->hidden_at(inputs, positions);
  }
  std::vector<at::Tensor> layers(const train::Inputs& inputs) override {
    return made(Pass::Kind::layers, inputs);
  }
  std::vector<train::ChosenExperts> routes(const train::Inputs& inputs) override {
    const Spending passes(Activity::passes);
    return alone_->routes(inputs);
  }
  at::Tensor head_hidden(std::size_t head, const train::Inputs& inputs,
                         train::HeadStreams& streams) override {
    const std::vector<at::Tensor> all = made(Pass::Kind::head, inputs, head, streams);
    streams = {all.at(1), all.at(2)};
    return all.at(0);
  }

 private:
  /// Whether passes of several models run faster as those of a bank: not on the CPU.
  bool of_bank() const { return passes_.shares() && !alone_->parameters().front().value.is_cpu(); }

  std::vector<at::Tensor> made(Pass::Kind kind, const train::Inputs& inputs, std::size_t head = 0,
                               const train::HeadStreams& streams = {}) {
    const Spending passes(Activity::passes);
    if (!at::GradMode::is_enabled() && inputs.dropout == 0) {
      Pass pass{kind, alone_.get(), &inputs, head, streams, number_};
      passes_.ask(pass);
      if (!pass.made.empty()) return std::move(pass.made);
    }
    return made_by(*alone_, kind, head, streams, inputs);
  }

  std::unique_ptr<train::Network> alone_;
  SharedPasses& passes_;
  std::int64_t number_;
};

}  // namespace

SharedPasses::SharedPasses(Build build, Note note)
    : build_(std::move(build)),
      note_(std::move(note)),
      turns_([this](std::span<Pass* const> passes) { serve(passes); }) {}

std::unique_ptr<train::Network> SharedPasses::join(std::unique_ptr<train::Network> network) {
  return std::make_unique<SharingNetwork>(std::move(network), *this, joined_++);
}

void SharedPasses::run(std::span<const std::function<void()>> tasks) {
  tasks_ = tasks.size();
  try {
    turns_.run(tasks);
  } catch (...) {
    tasks_ = 0;
    throw;
  }
  tasks_ = 0;
  banks_.clear();
}

void SharedPasses::ask(Pass& pass) {
  if (!shares()) return;
  Stopwatch waited;
  turns_.ask(pass);
  leave_out_of_time_spent(waited.lap() - pass.seconds);
}

void SharedPasses::serve(std::span<Pass* const> passes) {
  const at::NoGradGuard no_gradients;
  std::vector<Pass*> open(passes.begin(), passes.end());
  while (!open.empty()) {
    std::vector<Pass*> group, others;
    for (Pass* pass : open) (alike(*open.front(), *pass) ? group : others).push_back(pass);
    open = std::move(others);
    const std::int64_t positions = group.front()->inputs->tokens.numel();
    const auto most = static_cast<std::size_t>(
        std::max<std::int64_t>(1, kPositionsAtOnce / std::max<std::int64_t>(1, positions)));
    for (std::size_t first = 0; first < group.size(); first += most) {
      const auto some = std::span(group).subspan(first, std::min(most, group.size() - first));
      if (some.size() == 1) continue;  // it is its task's to answer
      Stopwatch watch;
      run_as_bank(some);
      const double part = watch.lap() / static_cast<double>(some.size());
      for (Pass* pass : some) pass->seconds = part;
    }
  }
}

void SharedPasses::run_as_bank(std::span<Pass* const> passes) try {
  const Pass& one = *passes.front();
  std::vector<at::Tensor> trunks, lasts;
  for (const Pass* pass : passes) {
    trunks.push_back(pass->streams.trunk);
    lasts.push_back(pass->streams.last);
  }
  const std::vector<at::Tensor> all =
      made_by(bank_of(passes), one.kind, one.head, {over_lanes(trunks), over_lanes(lasts)},
              joined_inputs(passes));
  for (std::size_t lane = 0; lane < passes.size(); ++lane)
    for (const at::Tensor& tensor : all)
      passes[lane]->made.push_back(
          tensor.defined() ? tensor.narrow(0, static_cast<std::int64_t>(lane), 1) : tensor);
  shared_ += std::ssize(passes);
} catch (const std::exception& error) {
  for (Pass* pass : passes) pass->made.clear();
  banks_.clear();
  note_("probes: a pass of several models failed and is run model by model: " +
        std::string(error.what()));
}

train::Network& SharedPasses::bank_of(std::span<Pass* const> passes) {
  std::vector<std::pair<std::int64_t, std::int64_t>> members;
  members.reserve(passes.size());
  for (const Pass* pass : passes) members.emplace_back(pass->member, times_written(*pass->network));
  const auto known = std::ranges::find(banks_, members, &Bank::members);
  if (known != banks_.end()) {
    std::rotate(banks_.begin(), known, known + 1);
    return *banks_.front().network;
  }
  if (banks_.size() == kBanksKept) banks_.pop_back();  // before there is another one
  std::unique_ptr<train::Network> network = build_(std::ssize(passes));
  for (std::size_t lane = 0; lane < passes.size(); ++lane) {
    const std::vector<train::Parameter>& from = passes[lane]->network->parameters();
    for (std::size_t i = 0; i < from.size(); ++i)
      network->parameters()
          .at(i)
          .value.select(0, static_cast<std::int64_t>(lane))
          .copy_(from[i].value.select(0, 0));
  }
  network->parameters_changed();
  banks_.push_front({std::move(members), std::move(network)});
  return *banks_.front().network;
}

}  // namespace ablate::probes
