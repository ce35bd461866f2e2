#include "harness/probes/seq2seq/pair_tasks.h"

#include <algorithm>

#include "harness/base/error.h"

namespace ablate::probes {
namespace {

constexpr std::uint64_t kAttempts = 1000;  // to draw a document that is long enough

data::Language::Document long_document(const data::Language& language, std::size_t tokens,
                                       const Rng& rng) {
  for (std::uint64_t attempt = 0; attempt < kAttempts; ++attempt) {
    data::Language::Document document = language.document(rng.fork(attempt));
    if (document.tokens.size() >= tokens + 2) return document;  // begin and end token
  }
  reject("seq2seq: tokens = {} is more than documents of the language have; give fewer", tokens);
}

/// The first composite state of the document's topic and name.
std::size_t first_state(const Chain& chain, const data::Language::Document& document) {
  const auto block = std::find_if(chain.blocks.begin(), chain.blocks.end(), [&](const auto& one) {
    return one.topic == document.topic && one.name == document.name;
  });
  return static_cast<std::size_t>(block - chain.blocks.begin()) *
         static_cast<std::size_t>(chain.states);
}

Token emitted_by(const Chain& chain, std::size_t state, Rng rng) {
  const auto ordinary = static_cast<std::size_t>(chain.ordinary);
  const auto law = std::span(chain.emission).subspan(state * ordinary, ordinary);
  double left = rng.uniform();
  std::size_t token = 0;
  while (token + 1 < ordinary && (left -= law[token]) >= 0) ++token;
  return special_count + static_cast<Token>(token);
}

}  // namespace

TokenPair drawn_pair(const data::Language& language, PairTask task, std::int64_t tokens, Rng rng) {
  const std::int64_t fewest = (tokens + 1) / 2;
  const auto length = static_cast<std::size_t>(fewest + rng.below(tokens - fewest + 1));
  const data::Language::Document document = long_document(language, length, rng.fork("document"));
  const auto first = document.tokens.begin() + 1;  // after the begin token
  TokenPair pair{.input = {first, first + static_cast<std::ptrdiff_t>(length)}};
  std::vector<Token>& output = pair.outputs.emplace_back(pair.input);
  if (task == PairTask::reverse) std::reverse(output.begin(), output.end());
  if (task == PairTask::paraphrase) {
    const Chain& chain = language.chain();
    const std::size_t block = first_state(chain, document);
    const Rng emission = rng.fork("output");
    for (std::size_t i = 0; i < length; ++i)
      output[i] =
          emitted_by(chain, block + static_cast<std::size_t>(document.states[i]), emission.fork(i));
  }
  return pair;
}

double pair_optimum(const Chain& chain, PairTask task, const TokenPair& pair) {
  if (task != PairTask::paraphrase) return 0;
  const Evidence input = emission_likelihood(chain, pair.input);
  Evidence both = emission_likelihood(chain, pair.outputs.front());
  for (std::size_t i = 0; i < both.size(); ++i) both[i] *= input[i];
  const std::int64_t time = std::ssize(pair.input);
  return log_probability(chain, time, input, true) - log_probability(chain, time, both, true);
}

}  // namespace ablate::probes
