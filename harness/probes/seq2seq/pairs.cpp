#include "harness/probes/seq2seq/pairs.h"

#include <algorithm>

#include "harness/base/error.h"
#include "harness/base/shuffle.h"
#include "harness/probes/documents.h"

namespace ablate::probes {
namespace {

/// The stream that pairs are drawn by. It knows no arm, so the arms of a seed share pairs.
Rng pair_stream(std::int64_t seed) {
  return Rng(static_cast<std::uint64_t>(seed), Stream::probes).fork("seq2seq");
}

/// The pair of a document: its input, and before each output a separator.
TokenPair pair_of(std::span<const Token> document) {
  const auto end = document.end() - 1;  // the end token
  auto next = std::find(document.begin() + 1, end, Token{separator_token});
  TokenPair pair{.input = {document.begin() + 1, next}};
  while (next != end) {
    const auto first = next + 1;
    next = std::find(first, end, Token{separator_token});
    pair.outputs.emplace_back(first, next);
  }
  const auto empty = [](const std::vector<Token>& output) { return output.empty(); };
  if (pair.input.empty() || pair.outputs.empty() || std::ranges::any_of(pair.outputs, empty))
    damaged("a corpus of pairs has a document without input or output; delete it and run again");
  return pair;
}

/// Up to `maximum` random pairs of a part that fit.
std::vector<TokenPair> drawn_from(const data::Part& part, std::int64_t maximum, std::int64_t room,
                                  const Rng& rng, std::int64_t& too_long) {
  const std::vector<std::span<const Token>> documents = documents_of(part, SIZE_MAX);
  std::vector<TokenPair> pairs;
  for (const std::size_t i : random_order(documents.size(), rng)) {
    if (std::ssize(pairs) == maximum) break;
    TokenPair pair = pair_of(documents[i]);
    if (std::ssize(pair.input) + std::ssize(pair.outputs.front()) + kPairMarks > room)
      ++too_long;
    else
      pairs.push_back(std::move(pair));
  }
  return pairs;
}

}  // namespace

PairTask task_of(const Params& params) {
  if (!params.has("task")) return PairTask::copy;
  const auto* const found = std::ranges::find(kPairTasks, params.text("task"));
  return static_cast<PairTask>(found - std::begin(kPairTasks));
}

PairSplits language_pairs(const data::Language& language, const Params& params, std::int64_t seed) {
  std::uint64_t number = 0;
  const auto draw = [&](const char* count) {
    std::vector<TokenPair> pairs(static_cast<std::size_t>(params.integer(count)));
    for (TokenPair& pair : pairs)
      pair = drawn_pair(language, task_of(params), params.integer("tokens"),
                        pair_stream(seed).fork(number++));
    return pairs;
  };
  PairSplits splits;
  splits.test = draw("test_pairs");
  splits.development = draw("development_pairs");
  splits.training = draw("training_pairs");
  return splits;
}

PairSplits corpus_pairs(const data::Corpus& corpus, const Params& params, std::int64_t room,
                        std::int64_t seed) {
  const std::int64_t training = params.integer("training_pairs"),
                     development = params.integer("development_pairs");
  const Rng rng = pair_stream(seed);
  PairSplits splits;
  std::vector<TokenPair> fitted = drawn_from(corpus.training(), training + development, room,
                                             rng.fork("fitted"), splits.too_long);
  const auto kept = std::ssize(fitted) * training / (training + development);
  splits.development.assign(fitted.begin() + kept, fitted.end());
  fitted.resize(static_cast<std::size_t>(kept));
  splits.training = std::move(fitted);
  splits.test = drawn_from(corpus.held_out(), params.integer("test_pairs"), room, rng.fork("test"),
                           splits.too_long);
  if (splits.training.empty() || splits.development.empty() || splits.test.empty())
    reject(
        "seq2seq: there are {} training, {} development and {} test pairs of at most {} tokens, "
        "and "
        "{} longer ones; each split needs at least one; give more pairs, shorter ones, or a longer "
        "context",
        splits.training.size(), splits.development.size(), splits.test.size(), room,
        splits.too_long);
  return splits;
}

}  // namespace ablate::probes
