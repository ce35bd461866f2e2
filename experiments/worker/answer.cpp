#include "experiments/worker/answer.h"

#include <ATen/core/grad_mode.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <numeric>

#include "experiments/catalog.h"
#include "experiments/worker/events.h"
#include "experiments/worker/trial_run.h"
#include "harness/base/error.h"
#include "harness/probes/cloze/filling.h"
#include "harness/probes/cloze/questions.h"
#include "harness/store/journal/checkpoint.h"

namespace ablate::worker {
namespace {

constexpr std::string_view kFormats[] = {"none", "what is left of the blank", "both sides",
                                         "both sides, and the number of tokens"};

/// The most probable ids, with their probabilities; -1 stands for the special ones, which come last
/// in a distribution of [ordinary + 1].
Json top_of(const std::vector<double>& distribution, std::int64_t ordinary, std::int64_t count) {
  std::vector<std::size_t> order(distribution.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return distribution[a] > distribution[b]; });
  order.resize(std::min(order.size(), static_cast<std::size_t>(count)));
  Json top = Json::array();
  for (const std::size_t i : order) {
    const auto token = static_cast<std::int64_t>(i);
    top.push_back({token < ordinary ? token + special_count : -1, distribution[i]});
  }
  return top;
}

void check_ids(const std::vector<Token>& ids, const Vocabulary& vocabulary) {
  for (const Token id : ids)
    if (!vocabulary.is_ordinary(id))
      reject("the question: {} is not an id of text; they are {} to {}", id,
             vocabulary.first_ordinary(), vocabulary.end_ordinary() - 1);
}

/// What one trained trial makes of the question.
Json answer_of(const plan::Trial& trial, const run::Job& job, const Corpora& corpora,
               const Computing& computing) {
  const run::BlankQuestion& question = job.question;
  const plan::ResolvedTrial resolved = plan::resolve(trial, catalog());
  for (const std::vector<Token>* ids : {&question.left, &question.right})
    check_ids(*ids, resolved.model.vocabulary);
  const ClozeFormat format = cloze_format_of(*resolved.own.spec, resolved.own.params);
  if (format == ClozeFormat::none)
    return {{"note", "the objective has no format for a text with a blank"}};
  const std::filesystem::path weights =
      run::trial_folder(job.results, trial.id) / "weights.safetensors";
  if (!std::filesystem::exists(weights)) return {{"note", "it is not trained"}};
  const auto network = network_of(resolved, 1, computing);
  train::load_weights(*network, store::Checkpoint::read(weights));
  const auto language = language_of(resolved.own.corpora.front());
  const probes::Subject subject{.seed = trial.seed,
                                .model = resolved.model,
                                .phase = resolved.own,
                                .corpus = corpora.main(),
                                .language = language.get(),
                                .network = *network,
                                .device = computing.device,
                                .cache = corpora.cache()};
  std::vector<Token> left = question.left;
  left.insert(left.begin(), Token{begin_token});
  const probes::Blank blank{left, question.right, static_cast<std::size_t>(question.tokens)};
  const Rng rng(static_cast<std::uint64_t>(trial.seed), Stream::probes);
  const std::int64_t ordinary = resolved.model.vocabulary.ordinary;
  Json samples = Json::array();
  for (std::int64_t i = 0; i < question.samples; ++i)
    samples.push_back(probes::filled(subject, blank, question.temperature,
                                     rng.fork("answer").fork(static_cast<std::uint64_t>(i))));
  Json answer = {
      {"format", kFormats[static_cast<std::size_t>(format)]},
      {"greedy", probes::filled(subject, blank, 0, rng)},
      {"samples", std::move(samples)},
      {"top", top_of(probes::blank_distribution(subject, blank, {}), ordinary, question.top)}};
  const std::vector<double> exact =
      language ? probes::exact_first(language->chain(), left, blank.tokens, blank.right, format)
               : std::vector<double>();
  if (!exact.empty()) answer["exact"] = top_of(exact, ordinary, question.top);
  return answer;
}

}  // namespace

void answer(const run::Job& job, const std::string& device) {
  const at::NoGradGuard no_gradients;
  const Corpora corpora(job.corpus);
  if (job.question.tokens < 1) reject("the question: its blank has no token");
  for (const plan::Trial& trial : job.trials) {
    Json answer;
    try {
      answer = answer_of(trial, job, corpora, {.device = device});  // in float32
    } catch (const c10::Error& error) {
      answer = {{"note", error.what_without_backtrace()}};
    } catch (const std::runtime_error& error) {
      answer = {{"note", error.what()}};
    } catch (const std::invalid_argument& error) {
      answer = {{"note", error.what()}};
    }
    WorkerEvents().answer(trial, std::move(answer));
  }
}

}  // namespace ablate::worker
