#include "experiments/worker/answer.h"

#include <ATen/core/grad_mode.h>
#include <c10/util/Exception.h>

#include "experiments/catalog.h"
#include "experiments/worker/process/events.h"
#include "experiments/worker/trial_run.h"
#include "harness/base/error.h"
#include "harness/probes/cloze/orders.h"
#include "harness/probes/prompts/answers.h"
#include "harness/store/journal/trial_folders.h"
#include "harness/store/journal/trial_weights.h"

namespace ablate::worker {
namespace {

/// What one trained trial makes of the prompt.
Json answer_to(const plan::Trial& trial, const run::Job& job, const Corpora& corpora,
               const Computing& computing) {
  const plan::ResolvedTrial resolved = plan::resolve(trial, catalog());
  const std::filesystem::path weights =
      store::trial_folder(job.results, trial.id) / "weights.safetensors";
  if (!std::filesystem::exists(weights)) return {{"note", "it is not trained"}};
  const auto network = network_of(resolved, 1, computing);
  train::load_weights(*network, store::read_weights_of_trial(weights));
  const auto language = language_of(resolved.own.corpora.front());
  const probes::Subject subject{.seed = trial.seed,
                                .model = resolved.model,
                                .phase = resolved.own,
                                .corpus = corpora.main(),
                                .language = language.get(),
                                .network = *network,
                                .device = computing.device,
                                .cache = corpora.cache()};
  const plan::ResolvedPhase asked = probes::asked_in(resolved.own, probes::part_orders(subject));
  const probes::Answer answer = probes::answer_of(subject.with(asked), job.prompt);
  Json told = {{"format", probes::reading_of(answer.format)},
               {"greedy", answer.greedy},
               {"samples", answer.samples},
               {"top", answer.top}};
  if (!answer.exact.empty()) told["exact"] = answer.exact;
  return told;
}

}  // namespace

void answer(const run::Job& job, const std::string& device) {
  const at::NoGradGuard no_gradients;
  const Corpora corpora(job.corpus);
  for (const plan::Trial& trial : job.trials) {
    Json answer;
    try {
      answer = answer_to(trial, job, corpora, {.device = device});  // in float32
    } catch (const c10::Error& error) {
      answer = {{"note", error.what_without_backtrace()}};
    } catch (const DamagedFile& error) {
      answer = {{"note", error.what()}, {"damaged", true}};
    } catch (const std::runtime_error& error) {
      answer = {{"note", error.what()}};
    } catch (const std::invalid_argument& error) {
      answer = {{"note", error.what()}};
    }
    WorkerEvents().answer(trial, std::move(answer));
  }
}

}  // namespace ablate::worker
