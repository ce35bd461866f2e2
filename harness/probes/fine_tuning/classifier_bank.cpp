#include "harness/probes/fine_tuning/classifier_bank.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Reduction.h>
#include <c10/core/GradMode.h>

#include <algorithm>

#include "harness/base/error.h"
#include "harness/probes/documents.h"
#include "harness/train/network/flat.h"
#include "harness/train/optimizer/adamw.h"
#include "harness/train/step/feed.h"

namespace ablate::probes {
namespace {

constexpr double kInitialDeviation = 0.02;     // of a classifier's weights
constexpr std::size_t kClassifiedAtOnce = 50;  // documents

using Indices = std::vector<std::size_t>;
using Documents = std::span<const std::vector<Token>>;

/// The documents that each lane reads in one step, and how their positions are pooled.
struct Reading {
  train::Inputs inputs;
  at::Tensor pooling;  // [lane, batch, 1, time]: factors of a document's positions
};

Reading reading_of(Documents documents, const std::vector<Indices>& lanes,
                   const FineTuneSettings& settings) {
  std::size_t time = 1;
  for (const Indices& chosen : lanes)
    for (const std::size_t i : chosen) time = std::max(time, documents[i].size());
  const auto count = static_cast<std::int64_t>(lanes.size());
  const auto rows = static_cast<std::int64_t>(lanes.front().size());
  const at::Tensor pooling =
      at::zeros({count, rows, 1, static_cast<std::int64_t>(time)}, at::kFloat);
  float* factors = pooling.data_ptr<float>();
  std::vector<data::Batch> batches;
  for (const Indices& chosen : lanes) {
    std::vector<std::span<const Token>> texts;
    for (const std::size_t i : chosen) {
      const std::size_t length = documents[i].size();
      texts.emplace_back(documents[i]);
      if (settings.mean)
        std::fill_n(factors, length, 1.0f / static_cast<float>(length));
      else
        factors[length - 1] = 1;
      factors += time;
    }
    batches.push_back(document_batch(texts, settings.attention, time));
  }
  return {train::to_inputs(batches, settings.device), pooling.to(at::Device(settings.device))};
}

/// The classes of the documents that each lane reads, [lane * batch].
at::Tensor classes_of(std::span<const std::int32_t> labels, const std::vector<Indices>& lanes,
                      const std::string& device) {
  std::vector<std::int64_t> classes;
  for (const Indices& chosen : lanes)
    for (const std::size_t i : chosen) classes.push_back(labels[i]);
  return at::tensor(classes, at::kLong).to(at::Device(device));
}

/// The classifiers of all lanes: weights [lane, classes, width] and intercepts [lane, classes].
std::vector<train::Parameter> classifiers(const FineTuneSettings& settings, std::int64_t width) {
  const auto lanes = static_cast<std::int64_t>(settings.lanes.size());
  const std::int64_t size = settings.classes * width;
  const at::Tensor weights = at::empty({lanes, settings.classes, width}, at::kFloat);
  float* value = weights.data_ptr<float>();
  for (const TuningLane& lane : settings.lanes) {
    Rng rng = Rng(lane.seed, Stream::probes).fork("classifier");
    for (std::int64_t i = 0; i < size; ++i)
      *value++ = static_cast<float>(kInitialDeviation * rng.normal());
  }
  const at::Device device(settings.device);
  const auto leaf = [&](const at::Tensor& tensor) {
    return tensor.to(device).requires_grad_(true);
  };
  return {{"classifier.weight", leaf(weights), kInitialDeviation},
          {"classifier.intercept", leaf(at::zeros({lanes, settings.classes}, at::kFloat)), 0, 0,
           false}};
}

}  // namespace

struct ClassifierBank::State {
  State(std::unique_ptr<train::Network> given, FineTuneSettings chosen)
      : settings(std::move(chosen)), network(std::move(given)) {
    parameters = network->parameters();
    head = classifiers(settings, width());
    parameters.insert(parameters.end(), head.begin(), head.end());
    flat = std::make_unique<train::FlatParameters>(parameters);
    optimizer = std::make_unique<train::AdamW>(*flat, tuning_optimizer(settings.lanes.size()));
    network->parameters_changed();
  }

  /// The width of the hidden states, as a short document's have.
  std::int64_t width() const {
    const std::vector<Token> document = {begin_token};
    const std::vector<Indices> each(settings.lanes.size(), Indices{0});
    const c10::NoGradGuard no_gradients;
    return network->document_states(reading_of({&document, 1}, each, settings).inputs).size(-1);
  }

  /// [lane, batch, classes].
  at::Tensor logits(const Reading& reading) const {
    const at::Tensor states = network->document_states(reading.inputs).to(at::kFloat);
    const at::Tensor pooled = reading.pooling.matmul(states).squeeze(2);  // [lane, batch, width]
    return at::baddbmm(head[1].value.unsqueeze(1), pooled, head[0].value.transpose(1, 2));
  }

  const FineTuneSettings settings;
  std::unique_ptr<train::Network> network;
  std::vector<train::Parameter> head;        // weights and intercepts of the classifiers
  std::vector<train::Parameter> parameters;  // of the network, then the head's
  std::unique_ptr<train::FlatParameters> flat;
  std::unique_ptr<train::AdamW> optimizer;
};

ClassifierBank::ClassifierBank(std::unique_ptr<train::Network> network, FineTuneSettings settings) {
  if (network->lanes() != std::ssize(settings.lanes))
    reject("fine-tuning: a bank of {} lanes cannot hold {} classifiers", network->lanes(),
           settings.lanes.size());
  state_ = std::make_unique<State>(std::move(network), std::move(settings));
}

ClassifierBank::ClassifierBank(ClassifierBank&&) noexcept = default;
ClassifierBank::~ClassifierBank() = default;

std::vector<train::Parameter>& ClassifierBank::parameters() {
  return state_->network->parameters();
}

ClassifierBank ClassifierBank::part(std::size_t first,
                                    std::unique_ptr<train::Network> network) const {
  const std::int64_t count = network->lanes();
  FineTuneSettings settings = state_->settings;
  if (first + static_cast<std::size_t>(count) > settings.lanes.size())
    reject("fine-tuning: lanes {} to {} of {}", first, first + static_cast<std::size_t>(count),
           settings.lanes.size());
  const auto begin = settings.lanes.begin() + static_cast<std::ptrdiff_t>(first);
  settings.lanes = {begin, begin + static_cast<std::ptrdiff_t>(count)};
  ClassifierBank part(std::move(network), std::move(settings));
  const c10::NoGradGuard no_gradients;
  for (std::size_t i = 0; i < state_->parameters.size(); ++i)
    part.state_->parameters[i].value.copy_(
        state_->parameters[i].value.narrow(0, static_cast<std::int64_t>(first), count));
  part.state_->network->parameters_changed();
  return part;
}

void ClassifierBank::fine_tune(const LabelledDocuments& given,
                               const std::function<void(double fraction)>& progress) {
  const c10::AutoGradMode gradients(true);
  const FineTuneSettings& settings = state_->settings;
  const auto take = [&](const TuningStep& step) {
    const auto rows = static_cast<double>(step.chosen.front().size());
    const at::Tensor logits =
        state_->logits(reading_of(given.documents, step.chosen, settings)).flatten(0, 1);
    const at::Tensor costs =
        at::nll_loss(logits.log_softmax(-1), classes_of(given.labels, step.chosen, settings.device),
                     {}, at::Reduction::Sum);
    (costs / rows).backward();  // the mean of each lane's rows; lanes share no parameter
    state_->optimizer->step(step.number, step.learning_rates);
    state_->network->parameters_changed();
  };
  each_tuning_step(settings.lanes, given.documents.size(), settings.epochs, settings.batch, take,
                   progress);
}

std::vector<std::vector<std::int32_t>> ClassifierBank::classify(Documents documents) const {
  const c10::NoGradGuard no_gradients;
  std::vector<std::vector<std::int32_t>> named(state_->settings.lanes.size());
  for (std::size_t first = 0; first < documents.size(); first += kClassifiedAtOnce) {
    Indices chosen(std::min(kClassifiedAtOnce, documents.size() - first));
    for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = first + i;
    const std::vector<Indices> all(named.size(), chosen);
    const at::Tensor classes = state_->logits(reading_of(documents, all, state_->settings))
                                   .argmax(-1)
                                   .cpu()
                                   .contiguous();  // [lane, batch]
    const std::int64_t* next = classes.data_ptr<std::int64_t>();
    for (std::vector<std::int32_t>& lane : named)
      for (std::size_t i = 0; i < chosen.size(); ++i)
        lane.push_back(static_cast<std::int32_t>(*next++));
  }
  return named;
}

}  // namespace ablate::probes
