// Hiding spans of a text: the work of a loader, once for each text that is read.

#include <benchmark/benchmark.h>

#include "harness/data/language/language.h"
#include "objectives/registry.h"

namespace ablate {
namespace {

Objective build(std::string_view name, const Json& given, Token ordinary, std::int64_t length) {
  for (const ObjectiveSpec& spec : objectives::objective_specs()) {
    if (spec.name != name) continue;
    const Params params(spec.params, given);
    Context context{{.ordinary = ordinary}, length};
    context.vocabulary.sentinels = static_cast<Token>(spec.build(params, context).needs.sentinels);
    return spec.build(params, context);
  }
  reject("no objective is named {}", name);
}

/// Examples made of texts of `length` ordinary tokens.
void transforms(benchmark::State& state, std::string_view name, const Json& given) {
  constexpr Token kOrdinary = 32000;
  const std::int64_t length = state.range(0);
  const Objective objective = build(name, given, kOrdinary, length);
  Rng rng(1);
  std::vector<Token> tokens(static_cast<std::size_t>(length));
  for (Token& token : tokens) token = special_count + static_cast<Token>(rng.below(kOrdinary));
  const std::vector<std::uint8_t> marks(tokens.size(), no_mark);
  const Text text{.tokens = tokens, .marks = marks};
  std::uint64_t index = 0;
  for (auto _ : state) benchmark::DoNotOptimize(objective.transform(text, rng.fork(++index)));
  state.counters["tokens/s"] = benchmark::Counter(static_cast<double>(state.iterations() * length),
                                                  benchmark::Counter::kIsRate);
}

void span_corruption(benchmark::State& state) {
  transforms(state, "span_corruption", Json::object());
}
void span_corruption_poisson(benchmark::State& state) {
  transforms(state, "span_corruption", {{"law", "poisson"}});
}
void prefix_lm(benchmark::State& state) { transforms(state, "prefix_lm", Json::object()); }
void mixture_of_denoisers(benchmark::State& state) {
  transforms(state, "mixture_of_denoisers", Json::object());
}

/// The exact predictor's loss on one text of one document of the default language.
void span_optimum(benchmark::State& state) {
  const data::Language language(Params(data::language_params(), Json::object()));
  std::vector<Token> tokens;
  for (std::uint64_t i = 0; std::ssize(tokens) < state.range(0); ++i)
    for (const Token token : language.document(Rng(1, Stream::corpus, 0, i)).tokens)
      if (token >= special_count) tokens.push_back(token);
  tokens.resize(static_cast<std::size_t>(state.range(0)));
  const Objective objective =
      build("span_corruption", Json::object(), language.chain().ordinary, state.range(0));
  const Text text{.tokens = tokens};
  const Example example = objective.transform(text, Rng(1)).front();
  for (auto _ : state) benchmark::DoNotOptimize(objective.optimum(language.chain(), text, example));
}

BENCHMARK(span_corruption)->Arg(64)->Arg(512);
BENCHMARK(span_corruption_poisson)->Arg(512);
BENCHMARK(prefix_lm)->Arg(512);
BENCHMARK(mixture_of_denoisers)->Arg(512);
BENCHMARK(span_optimum)->Arg(64)->Arg(512)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ablate
