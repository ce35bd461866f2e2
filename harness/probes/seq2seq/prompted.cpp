#include "harness/probes/seq2seq/prompted.h"

#include <algorithm>
#include <numeric>

#include "harness/base/error.h"
#include "harness/base/shuffle.h"
#include "harness/probes/cloze/costs.h"
#include "harness/probes/cloze/filling.h"
#include "harness/probes/cloze/questions.h"
#include "harness/probes/seq2seq/pair_files_spec.h"

namespace ablate::probes {
namespace {

/// Random training pairs to demonstrate, the same for all arms of a seed.
std::vector<const TokenPair*> demonstrations(const AskedPairs& asked, const Rng& rng,
                                             std::int64_t count) {
  std::vector<const TokenPair*> drawn;
  for (const std::size_t i : random_order(asked.pairs.training.size(), rng)) {
    if (std::ssize(drawn) == count) break;
    drawn.push_back(&asked.pairs.training[i]);
  }
  return drawn;
}

/// Test inputs with what a model reads before their outputs.
struct Prompts {
  std::vector<std::vector<Token>> lefts;  // by test pair
  double shown = 0;                       // demonstrations of a prompt; the mean
};

/// The prompts of so many demonstrations, or of as many as fit.
Prompts prompts_of(const Subject& subject, const plan::ResolvedProbe& probe,
                   const AskedPairs& asked, std::int64_t shots) {
  const PairPrompt format = prompt_form(subject, probe);
  const std::int64_t longest = probe.params.integer("longest");
  const auto room =
      static_cast<std::size_t>((longest > 0 ? longest : subject.phase.context) - kRoomForMarks);
  const Rng rng =
      Rng(static_cast<std::uint64_t>(subject.seed), Stream::probes).fork("seq2seq").fork("shown");
  Prompts prompts;
  for (std::size_t i = 0; i < asked.pairs.test.size(); ++i) {
    const TokenPair& pair = asked.pairs.test[i];
    ShownPairs made = pair_prompt(format, demonstrations(asked, rng.fork(i), shots), pair.input,
                                  room - pair.outputs.front().size());
    prompts.lefts.push_back(std::move(made.prompt));
    prompts.shown += static_cast<double>(made.shown) / static_cast<double>(asked.pairs.test.size());
  }
  return prompts;
}

/// What the model writes after its prompts in the format of its objective, as many tokens as the
/// first output has at most.
Written prompted(const Subject& subject, const AskedPairs& asked, const Prompts& prompts) {
  std::vector<Blank> blanks;
  std::vector<Cloze> questions;
  double tokens = 0;
  for (std::size_t i = 0; i < asked.pairs.test.size(); ++i) {
    const std::vector<Token>& output = asked.pairs.test[i].outputs.front();
    blanks.push_back({prompts.lefts[i], {}, output.size()});
    questions.push_back({prompts.lefts[i], output, {}});
    tokens += static_cast<double>(output.size());
  }
  Written result;
  const std::vector<double> costs = cloze_costs(subject, questions);
  result.loss = std::accumulate(costs.begin(), costs.end(), 0.0) / tokens;
  add_seed(asked, filled_together(subject, blanks), 1, result);
  return result;
}

}  // namespace

void add_prompted(const Subject& subject, const plan::ResolvedProbe& probe, const AskedPairs& asked,
                  const std::string& of, Measurement& measurement) {
  for (const std::int64_t shots : pair_shots(probe.params)) {
    if (shots > std::ssize(asked.pairs.training))
      reject(
          "{}: there are {} training pairs for {} demonstrations; give more pairs, or fewer shots",
          probe.spec->name, asked.pairs.training.size(), shots);
    const Prompts prompts = prompts_of(subject, probe, asked, shots);
    add_quality(prompted(subject, asked, prompts), of + "prompted_", after_shots(shots),
                subject.language != nullptr, measurement);
    measurement.details["shown"][std::to_string(shots)] = prompts.shown;
  }
}

}  // namespace ablate::probes
