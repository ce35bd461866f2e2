// Every probe, on a model of five blocks with initial weights: on the small language of the probes'
// tests, or on texts of bytes where a probe asks about files; with the probe's default settings where
// nothing else is said.
//
//   probe/PROBE/OBJECTIVE

#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "harness/plan/resolve/pair.h"
#include "harness/probes/specs.h"
#include "harness/train/network/device.h"
#include "harness/train/network/tensor_memory.h"
#include "models/registry.h"
#include "models/specs/head_specs.h"
#include "models/specs/transformer_spec.h"
#include "tests/bench/probe_files.h"
#include "tests/harness/probes/byte_tokenizer.h"
#include "tests/harness/probes/fixture.h"

namespace ablate::bench {
namespace {

namespace small = probes::testing;

constexpr std::int64_t kProbeContext = 24;  // as the fixture has it
constexpr std::int64_t kTextContext = 64;   // of bytes
constexpr std::int64_t kWidth = 64;
constexpr std::int64_t kDepth = 5;

/// `experts`: whether its feed-forward layers have them.
Params transformer_params(std::int64_t width, std::int64_t depth, std::int64_t context,
                          bool experts) {
  return Params(models::transformer_spec().params,
                {{"depth", depth},
                 {"width", width},
                 {"heads", 2},
                 {"context", context},
                 {"feed_forwards", {experts ? "experts" : "dense"}}});
}

/// `pictures`: whether its documents have them.
const small::SmallWorld& small_world(bool pictures) {
  static const small::SmallWorld plain(Json{{"held_out_tokens", 8000}}),
      pictured(Json{
          {"held_out_tokens", 8000}, {"names", 4}, {"states", 9}, {"picture", Json::object()}});
  return pictures ? pictured : plain;
}

/// What is asked of whom.
struct ProbeCase {
  const char* objective;
  Json probe;
  bool text = false;  // else the language
  bool phases = false;
};

/// What a probe is given.
class Measured {
 public:
  explicit Measured(const ProbeCase& given)
      : text_(given.text),
        experts_(given.probe.at("type") == "routing"),
        world_(small_world(given.probe.at("type") == "zero_shot")),
        context_(given.text ? kTextContext : kProbeContext),
        trial_(small::trial_of({{"type", given.objective}}, "isolated", context_)),
        corpus_(corpus_of(given)),
        backbone_(models::transformer_spec()),
        model_{&backbone_, transformer_params(kWidth, kDepth, context_, experts_), vocabulary(),
               models::head_specs()},
        phase_(small::phase_of(trial_, model_)),
        probe_(small::probe_of(prepared(given.probe))),
        network_(initial()) {
    network_->parameters_changed();
    if (given.phases)
      for (const char* name : {"first", "second"}) {
        phases_.push_back({phase_, corpus_, language(), [this] { return initial(); }});
        phases_.back().phase.name = name;
      }
  }
  ~Measured() { std::filesystem::remove_all(cache_); }

  probes::Measurement measure() {
    const probes::Subject subject{
        .seed = 1,
        .model = model_,
        .phase = phase_,
        .corpus = corpus_,
        // Text is judged by another model, which the language does not need.
        .language = probe_.spec->name == "text_quality" ? nullptr : language().get(),
        .network = *network_,
        .untrained = [this] { return initial(); },
        .cache = cache_,
        .phases = phases_,
        .bank =
            [this](std::int64_t lanes) {
              return built(lanes, kWidth, kDepth, context_, phase_.objective.needs);
            },
        .reference =
            [this](std::int64_t width, std::int64_t depth, std::int64_t context) {
              return probes::ReferenceModel{
                  small::objective_named("causal_lm").build({}, {vocabulary(), context}),
                  built(1, width, depth, context, {})};
            },
    };
    return probes::measure(subject, probe_, {});
  }

 private:
  Vocabulary vocabulary() const { return {.ordinary = corpus_.ordinary(), .sentinels = 24}; }

  data::Corpus corpus_of(const ProbeCase& given) const {
    if (given.probe.at("type") != "answers")
      return given.text ? small::stored(byte_texts()) : world_.corpus;
    return small::task_corpus({{"associative_recall", {{"pairs", {4}}}}});
  }

  /// The small language, which outlives everything here; none of texts.
  std::shared_ptr<const data::Language> language() const {
    return corpus_.hash() != world_.corpus.hash()
               ? nullptr
               : std::shared_ptr<const data::Language>(std::shared_ptr<void>(), &world_.language);
  }

  /// The settings as the planner stores them.
  Json prepared(const Json& probe) const {
    Json settings = probe;
    settings.erase("type");
    const ProbeSpec& spec =
        Catalog{.probes = probes::probe_specs()}.probe(probe.at("type").get<std::string>());
    if (!text_ || spec.prepare == nullptr) return probe;
    for (const auto& [name, lines] : probe_files()) std::ofstream(cache_ / name) << lines;
    Json stored =
        spec.prepare(Params(spec.params, settings),
                     {.folder_of = [this](const std::string&) { return cache_; },
                      .cache = cache_,
                      .corpus = data::write_corpus(cache_, byte_texts()),
                      .tokenizer = [] { return std::make_shared<const small::ByteTokenizer>(); }});
    stored["type"] = probe.at("type");
    return stored;
  }

  std::unique_ptr<train::Network> initial() const {
    auto made = built(1, kWidth, kDepth, context_, phase_.objective.needs);
    train::initialise(*made, {1});
    return made;
  }

  std::unique_ptr<train::Network> built(std::int64_t lanes, std::int64_t width, std::int64_t depth,
                                        std::int64_t context, const Needs& needs) const {
    train::NetworkSettings settings;
    settings.model = transformer_params(width, depth, context, experts_);
    settings.hosting = {vocabulary(), needs, phase_.shape};
    settings.lanes = lanes;
    return models::build_network("transformer", settings);
  }

  bool text_, experts_;
  const small::SmallWorld& world_;
  std::int64_t context_;
  std::filesystem::path cache_ = small::scratch_folder("bench");
  plan::Trial trial_;
  data::Corpus corpus_;
  BackboneSpec backbone_;
  plan::ResolvedModel model_;
  plan::ResolvedPhase phase_;
  plan::ResolvedProbe probe_;
  std::unique_ptr<train::Network> network_;
  std::vector<probes::SubjectPhase> phases_;
};

void run_probe(benchmark::State& state, const ProbeCase& given) {
  train::keep_tensor_memory();
  train::use_threads(1);
  Measured measured(given);
  for (auto _ : state) benchmark::DoNotOptimize(measured.measure());
}

// Where the default takes a minute, less is asked for.
std::vector<ProbeCase> probe_cases() {
  return {
      {"causal_lm", {{"type", "held_out"}}},
      {"masked_lm", {{"type", "held_out"}}},
      {"causal_lm", {{"type", "cloze"}}},
      {"causal_lm", {{"type", "answers"}}},
      {"masked_lm", {{"type", "cloze"}}},
      {"causal_lm", {{"type", "classification"}}},
      {"causal_lm", {{"type", "hidden_state"}}},
      {"causal_lm", {{"type", "belief"}}},
      {"causal_lm", {{"type", "generation"}}},
      {"masked_lm", {{"type", "generation"}}},
      {"causal_lm", {{"type", "representation"}}},
      {"causal_lm", {{"type", "routing"}}},
      {"causal_lm",
       {{"type", "fine_tuning"},
        {"training_documents", 100},
        {"development_documents", 50},
        {"test_documents", 100},
        {"epochs", 1}}},
      {"causal_lm",
       {{"type", "seq2seq"},
        {"tokens", 6},
        {"training_pairs", 200},
        {"development_pairs", 50},
        {"test_pairs", 100},
        {"epochs", 1}}},
      {"causal_lm",
       {{"type", "prompting"}, {"test_documents", 100}, {"shots", {0, 1}}, {"longest", 24}}},
      {"causal_lm", {{"type", "forgetting"}}, false, true},
      {"multi_token_prediction", {{"type", "speculative_decoding"}, {"prompts", 16}}},
      {"causal_lm",
       {{"type", "text_quality"}, {"samples", 40}, {"judge_tokens", 20000}, {"judge_width", 128}}},
      {"causal_lm", {{"type", "compression"}, {"tokens", 4000}}, true},
      {"masked_diffusion", {{"type", "bounds"}, {"documents", 8}, {"draws", 4}}},
      {"causal_lm", {{"type", "infilling"}, {"path", "blanks.jsonl"}}, true},
      {"fill_in_the_middle", {{"type", "infilling"}, {"path", "blanks.jsonl"}}, true},
      {"causal_lm", {{"type", "minimal_pairs"}, {"path", "pairs.jsonl"}}, true},
      {"masked_lm", {{"type", "minimal_pairs"}, {"path", "pairs.jsonl"}}, true},
      {"causal_lm", {{"type", "ratings"}, {"path", "rated.jsonl"}}, true},
      {"causal_lm", {{"type", "reading_times"}, {"path", "timed.jsonl"}}, true},
      {"causal_lm",
       {{"type", "tagging"}, {"train", "tagged.conll"}, {"test", "tagged.conll"}},
       true},
      {"causal_lm", {{"type", "prompts"}, {"texts", {"the ___ of the"}}}, true},
      {"causal_lm", {{"type", "verbatim"}, {"prompt", 8}, {"length", 8}}},
      {"contrastive", {{"type", "zero_shot"}}}};
}

const bool added_probes = [] {
  for (const ProbeCase& each : probe_cases())
    benchmark::RegisterBenchmark(
        fmt::format("probe/{}/{}", each.probe.at("type").get<std::string>(), each.objective)
            .c_str(),
        run_probe, each)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  return true;
}();

}  // namespace
}  // namespace ablate::bench
