#include "harness/probes/fine_tuning/classifier_bank.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Reduction.h>
#include <c10/core/GradMode.h>

#include <algorithm>

#include "harness/base/time/time_spent.h"
#include "harness/probes/documents.h"
#include "harness/train/step/feed.h"

namespace ablate::probes {
namespace {

constexpr double kInitialDeviation = 0.02;     // of a classifier's weights
constexpr std::size_t kClassifiedAtOnce = 50;  // documents

using Indices = std::vector<std::size_t>;
using Documents = std::span<const std::vector<Token>>;

/// The documents that each lane reads in one step, and how their positions are pooled.
struct DocumentsRead {
  train::Inputs inputs;
  at::Tensor pooling;  // [lane, batch, 1, time]: factors of a document's positions
};

DocumentsRead reading_of(Documents documents, const std::vector<Indices>& lanes,
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
    batches.push_back(document_batch(texts, settings.reading, time));
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

/// The width of the hidden states, as a short document's have.
std::int64_t hidden_width(train::Network& network, const FineTuneSettings& settings) {
  const std::vector<Token> document = {begin_token};
  const std::vector<Indices> each(static_cast<std::size_t>(network.lanes()), Indices{0});
  const c10::NoGradGuard no_gradients;
  return network.document_states(reading_of({&document, 1}, each, settings).inputs).size(-1);
}

/// What classifiers make of the documents: [lane, batch, classes].
at::Tensor class_logits(train::Network& network, const std::vector<train::Parameter>& head,
                        const DocumentsRead& reading) {
  const at::Tensor states = network.document_states(reading.inputs).to(at::kFloat);
  const at::Tensor pooled = reading.pooling.matmul(states).squeeze(2);  // [lane, batch, width]
  return at::baddbmm(head[1].value.unsqueeze(1), pooled, head[0].value.transpose(1, 2));
}

}  // namespace

ClassifierBank::ClassifierBank(std::unique_ptr<train::Network> network, FineTuneSettings settings)
    : settings_(std::move(settings)),
      head_(classifiers(settings_, hidden_width(*network, settings_))),
      bank_(std::move(network), settings_.lanes, head_) {}

ClassifierBank ClassifierBank::part(std::size_t first,
                                    std::unique_ptr<train::Network> network) const {
  FineTuneSettings settings = settings_;
  settings.lanes = bank_.lanes_from(first, network->lanes());
  ClassifierBank part(std::move(network), std::move(settings));
  part.bank_.copy_from(bank_, first);
  return part;
}

void ClassifierBank::fine_tune(const LabelledDocuments& given, const ProgressSink& progress) {
  const auto losses = [&](const TuningStep& step) {
    const auto rows = static_cast<double>(step.chosen.front().size());
    const at::Tensor logits =
        class_logits(bank_.network(), head_, reading_of(given.documents, step.chosen, settings_));
    const at::Tensor costs = at::nll_loss(logits.flatten(0, 1).log_softmax(-1),
                                          classes_of(given.labels, step.chosen, settings_.device),
                                          {}, at::Reduction::Sum);
    return costs / rows;  // the mean of each lane's rows
  };
  bank_.fine_tune(given.documents.size(), settings_.epochs, settings_.batch, losses, progress);
}

std::vector<std::vector<std::int32_t>> ClassifierBank::classify(Documents documents) const {
  const Spending passes(Activity::passes);
  const c10::NoGradGuard no_gradients;
  std::vector<std::vector<std::int32_t>> named(settings_.lanes.size());
  for (std::size_t first = 0; first < documents.size(); first += kClassifiedAtOnce) {
    Indices chosen(std::min(kClassifiedAtOnce, documents.size() - first));
    for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = first + i;
    const std::vector<Indices> all(named.size(), chosen);
    const at::Tensor classes =
        class_logits(bank_.network(), head_, reading_of(documents, all, settings_))
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
