// Banks of many lanes on a CUDA device, as the trainer runs them: packed on the host, recorded once
// and repeated, read at the end.
//
//   bank/SIZE/OBJECTIVE/PRECISION/lanes:N    tokens/s of all lanes, bytes that the device held
//
// The model is that of tests/bench/versus/peer.py.

#include <ATen/Context.h>
#include <benchmark/benchmark.h>
#include <c10/util/Exception.h>
#include <fmt/core.h>

#include "harness/train/calibrate.h"
#include "models/registry.h"
#include "models/specs/transformer_spec.h"
#include "tests/bench/sizes.h"

namespace ablate::bench {
namespace {

/// Random text; every position sees its past where the scoring is causal, else everything.
data::Batch random_lane(const Size& size, const Scoring& scoring, std::int64_t step) {
  Rng rng(1, Stream::probes, static_cast<std::uint64_t>(step));
  data::Batch batch;
  batch.rows = size.batch;
  batch.time = size.context;
  batch.scored.emplace_back();
  data::Scored& scored = batch.scored[0];
  for (std::int64_t i = 0; i < size.batch * size.context; ++i) {
    const std::int64_t t = i % size.context;
    batch.tokens.push_back(static_cast<Token>(rng.below(size.vocabulary)));
    batch.positions.push_back(static_cast<std::int32_t>(t));
    batch.visible_from.push_back(0);
    batch.visible_until.push_back(static_cast<std::int32_t>(scoring.causal ? t + 1 : size.context));
    if (!rng.probability(scoring.share)) continue;
    scored.positions.push_back(static_cast<std::int32_t>(i));
    scored.targets.push_back(static_cast<Token>(rng.below(size.vocabulary)));
    scored.weights.push_back(1);
  }
  return batch;
}

train::BankSubject subject_of(const Size& size, const Scoring& scoring, bool bfloat16) {
  train::NetworkSettings settings;
  settings.model = Params(models::transformer_spec().params, {{"depth", size.depth},
                                                              {"width", size.width},
                                                              {"heads", size.heads},
                                                              {"context", size.context},
                                                              {"positions", "learned"},
                                                              {"head", "tied"}});
  settings.hosting.vocabulary = {.ordinary = static_cast<Token>(size.vocabulary - special_count)};
  settings.bfloat16 = bfloat16;
  settings.device = "cuda:0";
  train::BankSubject subject;
  subject.device = settings.device;
  subject.build = [settings](std::int64_t lanes) {
    train::NetworkSettings own = settings;
    own.lanes = lanes;
    return models::build_network("transformer", own);
  };
  subject.batch = [=](std::int64_t step) { return random_lane(size, scoring, step); };
  return subject;
}

void bank(benchmark::State& state, const train::BankSubject& subject, double tokens,
          std::size_t lanes) {
  if (!at::hasCUDA()) return state.SkipWithError("this LibTorch sees no CUDA device");
  try {
    run::LanePoint point;
    for (auto _ : state) {
      point = train::measure_bank(subject, lanes);
      state.SetIterationTime(point.seconds);
    }
    state.counters["tokens/s"] = tokens * static_cast<double>(lanes) / point.seconds;
    state.counters["bytes"] = static_cast<double>(point.bytes);
  } catch (const c10::Error& error) {
    state.SkipWithError(error.what_without_backtrace());
  }
}

const bool added_gpu = [] {
  for (const Size& size : kTableSizes)
    for (const Scoring& scoring : kScorings)
      for (const bool bfloat16 : {false, true})
        for (std::size_t lanes = 1; lanes <= 1024; lanes *= 2) {
          const std::string name = fmt::format("bank/{}/{}/{}/lanes:{}", size.name, scoring.name,
                                               bfloat16 ? "bfloat16" : "float32", lanes);
          benchmark::RegisterBenchmark(name.c_str(), bank, subject_of(size, scoring, bfloat16),
                                       static_cast<double>(size.batch * size.context), lanes)
              ->Unit(benchmark::kMillisecond)
              ->UseManualTime()
              ->Iterations(1);
        }
  return true;
}();

}  // namespace
}  // namespace ablate::bench
