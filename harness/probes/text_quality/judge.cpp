#include "harness/probes/text_quality/judge.h"

#include <ATen/core/Tensor.h>
#include <c10/core/GradMode.h>
#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "harness/base/error.h"
#include "harness/base/sha256.h"
#include "harness/base/time/time_spent.h"
#include "harness/data/batches/batches.h"
#include "harness/probes/documents.h"
#include "harness/probes/scoring.h"
#include "harness/probes/text_quality/judge_text.h"
#include "harness/store/journal/checkpoint.h"
#include "harness/train/checkpoint/checkpoints.h"
#include "harness/train/small_trainer.h"
#include "harness/train/step/feed.h"

namespace ablate::probes {
namespace {

constexpr std::int64_t kJudgeVersion = 2;  // raised when it, its training or its text changes
constexpr std::int64_t kJudgeBatch = 16;   // texts of a step
constexpr std::size_t kJudgedAtOnce = 32;  // texts
constexpr std::uint64_t kJudgeSeed = 1;    // of its initial weights and the order of texts

/// Documents cut to the context.
std::vector<std::vector<Token>> cut_to(std::int64_t context,
                                       std::vector<std::vector<Token>> documents) {
  for (std::vector<Token>& document : documents)
    document.resize(std::min(document.size(), static_cast<std::size_t>(context)));
  return documents;
}

void train_judge(const ReferenceModel& model, const data::Part& part, const JudgeSettings& settings,
                 const std::string& device, const ProgressSink& progress) {
  train::Network& network = *model.network;
  train::initialise(network, {kJudgeSeed});
  const data::Batches batches(
      part, model.objective,
      {.rows = kJudgeBatch, .context = settings.context, .seed = kJudgeSeed});
  const std::int64_t steps =
      std::max<std::int64_t>(1, settings.tokens / (kJudgeBatch * settings.context));
  const train::SmallRecipe recipe{
      .schedule = {.peak = 3e-3, .shape = train::Decay::cosine, .warmup = 0.05, .final_rate = 0.1}};
  const auto losses = [&](std::int64_t step) {
    const data::Batch batch = batches.step(step).batch;
    return train::mean_losses(network, {&batch, 1}, device);
  };
  train::SmallTrainer(network, network.parameters()).train({recipe}, steps, losses, progress);
}

void write_judge(const std::filesystem::path& file, train::Network& network) {
  std::vector<at::Tensor> kept;
  std::vector<store::StoredTensor> tensors;
  for (const train::Parameter& parameter : network.parameters()) {
    kept.push_back(parameter.value.detach().cpu().contiguous());
    tensors.push_back(
        {parameter.name,
         kept.back().sizes().slice(1).vec(),
         {kept.back().data_ptr<float>(), static_cast<std::size_t>(kept.back().numel())}});
  }
  store::write_checkpoint(file, tensors, {});
}

/// The texts as the objective reads them; what it draws is the same for every text.
data::Batch read_batch(const Objective& objective, std::span<const JudgedText> texts) {
  std::vector<Example> examples;
  for (const JudgedText text : texts)
    std::ranges::move(objective.transform({.tokens = text}, Rng(kJudgeSeed)),
                      std::back_inserter(examples));
  return example_batch(examples, objective.needs);
}

/// Calls `take` with runs of texts.
template <class Take>
void in_runs(std::span<const JudgedText> texts, const Take& take) {
  const Spending passes(Activity::passes);
  for (std::size_t first = 0; first < texts.size(); first += kJudgedAtOnce)
    take(texts.subspan(first, std::min(kJudgedAtOnce, texts.size() - first)));
}

}  // namespace

Judge Judge::of(const Subject& subject, const JudgeSettings& settings,
                const ProgressSink& progress) {
  if (!subject.reference) throw std::logic_error("judge: the subject has no reference model");
  const JudgeText text(subject.corpus.held_out());
  if (text.trained().documents < 1 || text.references().size() < 2)
    reject(
        "the judge: {} documents are held out, and it needs text to be trained on and to compare "
        "with; hold out more documents (corpus.held_out)",
        subject.corpus.held_out().documents);
  const Json identity = {{"corpus", subject.corpus.hash()}, {"width", settings.width},
                         {"depth", settings.depth},         {"context", settings.context},
                         {"tokens", settings.tokens},       {"version", kJudgeVersion}};
  const std::filesystem::path file =
      subject.cache / fmt::format("judge-{}.safetensors", sha256(identity.dump()).substr(0, 16));
  Judge judge;
  judge.device_ = subject.device;
  judge.width_ = static_cast<std::size_t>(settings.width);
  judge.model_ = subject.reference(settings.width, settings.depth, settings.context);
  if (!std::filesystem::exists(file)) {
    train_judge(judge.model_, text.trained(), settings, subject.device, progress);
    write_judge(file, *judge.model_.network);
  }
  // Read back even where it was just trained: every worker judges by the same bytes.
  const store::Checkpoint weights = store::Checkpoint::read(file);
  judge.model_ = subject.reference(settings.width, settings.depth, settings.context);
  train::load_weights(*judge.model_.network, weights);
  judge.hash_ = weights.sha256();
  judge.references_ = cut_to(settings.context, text.references());
  return judge;
}

double Judge::loss(std::span<const JudgedText> texts) const {
  double total = 0, tokens = 0;
  in_runs(texts, [&](std::span<const JudgedText> run) {
    const std::vector<double> costs =
        score_targets(*model_.network, read_batch(model_.objective, run), device_).front().costs;
    total += std::accumulate(costs.begin(), costs.end(), 0.0);
    tokens += static_cast<double>(costs.size());
  });
  return total / tokens;
}

std::vector<float> Judge::features(std::span<const JudgedText> texts) const {
  std::vector<float> features;
  in_runs(texts, [&](std::span<const JudgedText> run) {
    const data::Batch batch = document_batch(run, model_.objective.needs.reading());
    const at::Tensor states = model_.network->hidden(train::to_inputs({&batch, 1}, device_))
                                  .to(at::kFloat)
                                  .cpu()
                                  .contiguous();  // [1, text, time, width]
    const auto width = states.size(3);
    for (std::size_t i = 0; i < run.size(); ++i) {
      const bool ends = run[i].size() > 1 && run[i].back() == end_token;
      const auto last = static_cast<std::int64_t>(run[i].size()) - (ends ? 2 : 1);
      const float* const row =
          states.data_ptr<float>() + (static_cast<std::int64_t>(i) * batch.time + last) * width;
      features.insert(features.end(), row, row + width);
    }
  });
  return features;
}

}  // namespace ablate::probes
