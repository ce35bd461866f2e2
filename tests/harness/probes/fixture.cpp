#include "tests/harness/probes/fixture.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "harness/data/tasks/task_text.h"
#include "harness/probes/specs.h"
#include "models/specs/head_specs.h"
#include "objectives/common/pairs/neighbours.h"
#include "objectives/registry.h"

namespace ablate::probes::testing {
namespace {

Params dialled(const Json& dials) {
  Json given = {{"topics", 2},
                {"states", 5},
                {"vocabulary", 12},
                {"tokens", 3000},
                {"held_out_tokens", 3000},
                {"document_length", 16},
                {"sentence_length", 6},
                {"topic_contrast", 1.0}};
  given.update(dials);
  return Params(data::language_params(), given);
}

std::vector<double> logs_of(std::vector<double> distribution) {
  for (double& x : distribution) x = std::log(std::max(x, 1e-300));
  return distribution;
}

/// Visible tokens without the begin token, and whether it was there.
struct Piece {
  std::span<const Token> tokens;
  bool starts = false;
  std::size_t at = 0;
};

Piece piece_of(const Seen& seen) {
  const bool starts = !seen.visible.empty() && seen.visible[0] == begin_token;
  return {seen.visible.subspan(starts), starts, seen.at - starts};
}

std::vector<double> vocabulary_law(const Chain& chain) {
  return std::vector<double>(static_cast<std::size_t>(special_count + chain.ordinary), 0.0);
}

/// The distribution of the token after all visible tokens; of the one `further` tokens on, where
/// the document has not ended before it.
std::vector<double> filtered(const Chain& chain, const Seen& seen, std::size_t further = 0) {
  const Piece piece = piece_of(seen);
  Evidence evidence = emission_likelihood(chain, piece.tokens);
  const auto size = static_cast<std::size_t>(chain.composite_states());
  evidence.resize(evidence.size() + size, 1.0);
  const auto count = piece.tokens.size();
  const auto distributions =
      predicted(chain, static_cast<std::int64_t>(count) + 1, evidence, piece.starts);
  std::vector<double> states(distributions.end() - static_cast<std::ptrdiff_t>(size),
                             distributions.end());
  for (std::size_t step = 0; step < further; ++step) states = transition_step(chain, states);
  std::vector<double> distribution = vocabulary_law(chain);
  for (std::size_t z = 0; z < size; ++z) {
    const double probability = states[z];
    if (z % static_cast<std::size_t>(chain.states) + 1 == static_cast<std::size_t>(chain.states))
      distribution[end_token] += probability;
    for (Token v = 0; v < chain.ordinary; ++v)
      distribution[static_cast<std::size_t>(special_count + v)] +=
          probability *
          chain
              .emission[z * static_cast<std::size_t>(chain.ordinary) + static_cast<std::size_t>(v)];
  }
  return distribution;
}

/// The distribution of the token before all visible ones, which were read from the last to the first.
std::vector<double> read_from_the_end(const Chain& chain, std::span<const Token> visible) {
  std::vector<double> law = vocabulary_law(chain);
  if (visible.empty() || visible.back() == begin_token) return law;  // of nothing that is scored
  std::vector<Token> text(visible.rbegin(), visible.rend());
  const auto read = [&] {
    return from_the_right(chain, std::ssize(text), emission_likelihood(chain, text));
  };
  const FromTheRight known = read();
  law[begin_token] = std::exp(known.log_start - known.log_evidence[0]);
  text.insert(text.begin(), special_count);
  for (Token v = 0; v < chain.ordinary; ++v) {
    text.front() = special_count + v;
    law[static_cast<std::size_t>(text.front())] =
        std::exp(read().log_evidence[0] - known.log_evidence[0]);
  }
  return law;
}

at::Tensor tensor_of(const std::vector<float>& values, at::IntArrayRef sizes) {
  const at::Tensor tensor = at::empty(sizes, at::kFloat);
  std::copy(values.begin(), values.end(), tensor.data_ptr<float>());
  return tensor;
}

struct Channel {
  double rate, mask, random;
  double keep() const { return 1 - mask - random; }

  /// P(o | token v), at a position that is hidden with probability `hidden`.
  double of(Token o, Token v, double hidden, double ordinary) const {
    if (v < special_count) return o == v;
    if (o == mask_token) return hidden * mask;
    if (o < special_count) return 0;
    return hidden * random / ordinary + (o == v ? 1 - hidden + hidden * keep() : 0);
  }
};

double emitted(const Chain& chain, std::size_t z, Token v) {
  const bool ending =
      z % static_cast<std::size_t>(chain.states) + 1 == static_cast<std::size_t>(chain.states);
  if (v == end_token) return ending;
  return ending ? 0
                : chain.emission[z * static_cast<std::size_t>(chain.ordinary) +
                                 static_cast<std::size_t>(v - special_count)];
}

/// The distribution of the true token at a position that is scored and was hidden with probability
/// `hidden`, given everything that is visible.
std::vector<double> smoothed(const Chain& chain, const Channel& channel, const Seen& seen,
                             double hidden = 1) {
  const Piece piece = piece_of(seen);
  const auto size = static_cast<std::size_t>(chain.composite_states());
  std::vector<Token> ids = {end_token};
  for (Token v = 0; v < chain.ordinary; ++v) ids.push_back(special_count + v);
  Evidence evidence(piece.tokens.size() * size);
  for (std::size_t t = 0; t < piece.tokens.size(); ++t)
    for (std::size_t z = 0; z < size; ++z)
      for (const Token v : ids)
        evidence[t * size + z] +=
            emitted(chain, z, v) * channel.of(piece.tokens[t], v, channel.rate, chain.ordinary);
  const auto u = leave_one_out_smoothing(chain, static_cast<std::int64_t>(piece.tokens.size()),
                                         evidence, piece.starts);
  std::vector<double> distribution = vocabulary_law(chain);
  for (const Token v : ids) {
    if (v == end_token) continue;
    for (std::size_t z = 0; z < size; ++z)
      distribution[static_cast<std::size_t>(v)] +=
          u[piece.at * size + z] * emitted(chain, z, v) *
          channel.of(piece.tokens[piece.at], v, hidden, chain.ordinary);
  }
  return distribution;
}

}  // namespace

SmallWorld::SmallWorld(const Json& dials)
    : language(dialled(dials)), corpus(stored(data::draw_corpus(language, dialled(dials)))) {}

plan::Trial trial_of(const Json& objective, const std::string& packing, std::int64_t context) {
  plan::Trial trial;
  trial.id = "0123456789abcdef";
  trial.arm = "arm";
  trial.seed = 1;
  trial.config = Json{{"objective", objective},
                      {"model", {{"context", context}}},
                      {"train", {{"packing", packing}}}};
  return trial;
}

plan::ResolvedModel any_model(const Vocabulary& vocabulary) {
  static const BackboneSpec backbone{.name = "any"};
  return {&backbone, {}, vocabulary, models::head_specs()};
}

plan::ResolvedPhase phase_of(const plan::Trial& trial, const plan::ResolvedModel& model) {
  const Catalog catalog{.objectives = objectives::objective_specs()};
  plan::ResolvedPhase phase =
      plan::resolve_phase(catalog, model,
                          {.objective = trial.config.at("objective"),
                           .train = trial.config.at("train"),
                           .context = trial.config.at("model").at("context")});
  phase.shape = trial.shape;
  return phase;
}

plan::ResolvedProbe probe_of(const Json& settings) {
  const ProbeSpec& spec =
      Catalog{.probes = probe_specs()}.probe(settings.at("type").get<std::string>());
  return {"m", &spec, plan::probe_params(spec, settings), settings};
}

at::Tensor Oracle::hidden(const train::Inputs& inputs) {
  rows_ = inputs.tokens.size(1);
  time_ = inputs.tokens.size(2);
  const auto copy = [](const at::Tensor& tensor) {
    const auto* values = tensor.data_ptr<std::int64_t>();
    return std::vector<std::int64_t>(values, values + tensor.numel());
  };
  const auto ids = copy(inputs.tokens);
  tokens_.assign(ids.begin(), ids.end());
  from_ = copy(inputs.visible_from);
  until_ = copy(inputs.visible_until);
  positions_ = copy(inputs.positions);
  also_from_.clear();
  also_until_.clear();
  if (inputs.also_from.defined()) {
    also_from_ = copy(inputs.also_from);
    also_until_ = copy(inputs.also_until);
  }
  source_.clear();
  if (inputs.source.tokens.defined()) {
    const auto source = copy(inputs.source.tokens);
    source_.assign(source.begin(), source.end());
    seen_from_ = copy(inputs.source.seen_from);
    seen_until_ = copy(inputs.source.seen_until);
  }
  at::Tensor states = at::zeros({1, rows_, time_, 2});  // the head, and the number of the position
  states.select(-1, 1).copy_(at::arange(rows_ * time_).view({1, rows_, time_}));
  return states;
}

at::Tensor Oracle::head_hidden(std::size_t head, const train::Inputs& inputs, train::HeadStreams&) {
  at::Tensor states = hidden(inputs);
  states.select(-1, 0).fill_(static_cast<double>(head));
  return states;
}

train::TargetCosts Oracle::costs(std::size_t, const at::Tensor& hidden, std::int64_t lane,
                                 const train::LaneTargets& targets) {
  if (comparison_) {
    std::vector<Seen> partners;
    const std::int64_t count = targets.positions.size(0);
    for (std::int64_t i = 0; i < count; ++i)
      partners.push_back(seen(targets.targets.data_ptr<std::int64_t>()[i]));
    const at::Tensor compared = at::empty({count, count}, at::kDouble);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::vector<double> row =
          comparison_(seen(targets.positions.data_ptr<std::int64_t>()[i]), partners);
      std::copy(row.begin(), row.end(), compared.data_ptr<double>() + i * count);
    }
    return train::costs_under(compared, at::arange(count, at::kLong));
  }
  return train::costs_under(logits(hidden, lane, targets.positions), targets.targets);
}

train::Totals Oracle::accumulate(const train::Inputs&, const std::vector<train::HeadTargets>&,
                                 const at::Tensor&) {
  throw std::logic_error("an oracle is not trained");
}

at::Tensor Oracle::losses(const at::Tensor&, const train::HeadTargets&) {
  throw std::logic_error("probes read logits");
}

Seen Oracle::seen(std::int64_t index) const {
  const auto i = static_cast<std::size_t>(index);
  const std::int64_t row = index / time_, place = index % time_;
  const auto all = std::span(tokens_).subspan(static_cast<std::size_t>(row * time_),
                                              static_cast<std::size_t>(time_));
  const auto from = static_cast<std::size_t>(from_[i]);
  const auto until = std::max(from, static_cast<std::size_t>(until_[i]));
  Seen seen{.visible = all.subspan(from, until - from),
            .at = static_cast<std::size_t>(place) - from,
            .row = all,
            .place = static_cast<std::size_t>(place),
            .position = positions_[i]};
  const auto of_row =
      std::span(positions_)
          .subspan(static_cast<std::size_t>(row * time_), static_cast<std::size_t>(time_));
  seen.positions = of_row.subspan(from, until - from);
  if (!also_from_.empty()) {
    const auto second = static_cast<std::size_t>(also_from_[i]);
    const auto count = static_cast<std::size_t>(also_until_[i]) - second;
    seen.also = all.subspan(second, count);
    seen.also_positions = of_row.subspan(second, count);
  }
  if (source_.empty()) return seen;
  const std::size_t length = source_.size() / static_cast<std::size_t>(rows_);
  const auto first = static_cast<std::size_t>(seen_from_[i]);
  seen.source = std::span(source_).subspan(static_cast<std::size_t>(row) * length + first,
                                           static_cast<std::size_t>(seen_until_[i]) - first);
  return seen;
}

at::Tensor Oracle::logits(const at::Tensor& hidden, std::int64_t, const at::Tensor& at) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < at.size(0); ++i) {
    const float* const state = hidden.data_ptr<float>() + 2 * at.data_ptr<std::int64_t>()[i];
    Seen here = seen(static_cast<std::int64_t>(state[1]));
    here.head = static_cast<std::size_t>(state[0]);
    const std::vector<double> logits = rule_(here);
    values.insert(values.end(), logits.begin(), logits.end());
  }
  const at::Tensor all = at::empty({std::ssize(values)}, at::kDouble);
  std::copy(values.begin(), values.end(), all.data_ptr<double>());
  return all.view({at.size(0), -1}).to(double_ ? at::kDouble : at::kFloat);
}

std::vector<double> Oracle::known(std::int64_t index) const {
  const Seen here = seen(index);
  if (!chain_) {
    std::vector<double> one(512, 0.0);
    one[static_cast<std::size_t>(here.row[here.place])] = 1;
    return one;
  }
  const bool starts = !here.visible.empty() && here.visible[0] == begin_token;
  return logs_of(topic_posterior(*chain_, here.visible.subspan(starts), starts));
}

std::vector<at::Tensor> Oracle::layers(const train::Inputs& inputs) {
  hidden(inputs);
  std::vector<float> values;
  for (std::int64_t i = 0; i < rows_ * time_; ++i)
    for (const double x : known(i)) values.push_back(static_cast<float>(x));
  const auto width = static_cast<std::int64_t>(values.size()) / (rows_ * time_);
  return {at::ones({1, rows_, time_, width}), tensor_of(values, {1, rows_, time_, width})};
}

namespace {

/// The document of a place whose visible tokens stand in any order, with masks where nothing is seen:
/// up to its end, the separator that closes it, or the last position that is seen.
std::vector<Token> document_in_order(const Seen& seen) {
  std::vector<Token> document;
  const auto add = [&](std::span<const Token> tokens, std::span<const std::int64_t> positions) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const auto at = static_cast<std::size_t>(positions[i]);
      if (document.size() <= at) document.resize(at + 1, mask_token);
      if (tokens[i] != mask_token) document[at] = tokens[i];
    }
  };
  add(seen.visible, seen.positions);
  add(seen.also, seen.also_positions);
  if (!document.empty() && document.back() == separator_token) document.pop_back();
  return document;
}

/// The exact predictor of a place whose document is put in order.
Oracle::Rule rule_in_order(const Chain& chain, bool past_alone) {
  return [&chain, past_alone](const Seen& seen) {
    std::vector<Token> document = document_in_order(seen);
    const auto at = static_cast<std::size_t>(seen.position);
    if (past_alone) {
      document.resize(std::min(document.size(), at));
      return logs_of(filtered(chain, {.visible = document, .at = at}));
    }
    if (at >= document.size()) return vocabulary_law(chain);  // of nothing that is scored
    return logs_of(smoothed(chain, {0.5, 1, 0}, {.visible = document, .at = at}));
  };
}

/// The exact predictor of causal LM and of its window ahead, step by step.
Oracle::Rule future_window_rule(const Chain& chain, const Params& params) {
  const auto window = static_cast<std::size_t>(params.integer("window"));
  return [&chain, window,
          discount = params.has("discount") ? params.number("discount") : 0](const Seen& seen) {
    if (seen.head == 0) return logs_of(filtered(chain, seen));
    std::vector<double> sum = vocabulary_law(chain);
    for (std::size_t j = 0; j < window; ++j) {
      const std::vector<double> law = filtered(chain, seen, j);
      for (std::size_t id = 0; id < law.size(); ++id)
        sum[id] += std::exp(-discount * static_cast<double>(j)) * law[id];
    }
    return logs_of(sum);
  };
}

}  // namespace

Oracle::Rule exact_rule(const Chain& chain, const ObjectiveSpec& spec, const Params& params) {
  if (spec.name == "permutation_lm") return rule_in_order(chain, params.text("order") == "text");
  if (spec.name == "block_diffusion") return rule_in_order(chain, false);
  if (spec.name == "masked_diffusion")  // at any rate: which tokens are masked says nothing of them
    return [&chain](const Seen& seen) { return logs_of(smoothed(chain, {0.5, 1, 0}, seen)); };
  if (spec.name == "causal_lm" || spec.name == "prefix_lm" || spec.name == "fill_in_the_middle" ||
      spec.name == "next_latent")
    return [&chain](const Seen& seen) { return logs_of(filtered(chain, seen)); };
  if (spec.name == "right_to_left_lm")
    return [&chain](const Seen& seen) { return logs_of(read_from_the_end(chain, seen.visible)); };
  if (spec.name == "multi_token_prediction")
    return [&chain](const Seen& seen) { return logs_of(filtered(chain, seen, seen.head)); };
  if (spec.further_heads && spec.further_heads(params).size() == 1 &&
      spec.further_heads(params).front().kind == "future_window")
    return future_window_rule(chain, params);
  if (spec.name == "replaced_token_detection")
    return [&chain, rate = params.number("rate")](const Seen& seen) {
      const std::vector<double> law = smoothed(chain, {rate, 0, 1}, seen, rate);
      const double as_it_was = law[static_cast<std::size_t>(seen.row[seen.place])];
      return logs_of({as_it_was, std::accumulate(law.begin(), law.end(), -as_it_was)});
    };
  if (spec.name == "replaced_token_prediction") {
    // Where all places are predicted, a token may be what is shown because it was not replaced.
    const double rate = params.number("rate"), own = params.text("predict") == "all" ? rate : 1;
    return [&chain, rate, own](const Seen& seen) {
      return logs_of(smoothed(chain, {rate, 0, 1}, seen, own));
    };
  }
  if (spec.name == "mixture") {
    const auto rule = [&](std::size_t member) {
      Json own = params.list("members")[member];
      const ObjectiveSpec& of = objective_named(own.at("type").get<std::string>());
      own.erase("type");
      return exact_rule(chain, of, Params(of.params, own));
    };
    if (params.list("members").size() == 1) return rule(0);
    // The default: what a place sees says which member made its row.
    return [past = rule(0), both = rule(1)](const Seen& seen) {
      return seen.at + 1 == seen.visible.size() ? past(seen) : both(seen);
    };
  }
  if (spec.name != "masked_lm")
    throw std::logic_error("the replay test knows no exact predictor of " + std::string(spec.name));
  const Channel channel{params.number("rate"), params.number("mask_share"),
                        params.number("random_share")};
  const bool next = params.has("readout") && params.text("readout") == "next";
  return [&chain, channel, next](const Seen& seen) {
    Seen read = seen;  // of the place whose token is read out here
    read.at += next ? 1 : 0;
    if (read.at == read.visible.size()) return vocabulary_law(chain);  // of nothing that is scored
    return logs_of(smoothed(chain, channel, read));
  };
}

Oracle::Comparison exact_comparison(const Chain& chain) {
  return [&chain](const Seen& here, std::span<const Seen> partners) {
    const std::span<const Token> first[] = {here.visible.subspan(1)};  // without its own place
    std::vector<std::span<const Token>> second;
    for (const Seen& partner : partners) second.push_back(partner.visible.subspan(1));
    return logs_of(objectives::neighbour_posteriors(chain, first, second));
  };
}

Oracle::Rule uniform_rule(const Vocabulary& vocabulary) {
  return [size = static_cast<std::size_t>(vocabulary.size())](const Seen&) {
    return std::vector<double>(size, 0.5);
  };
}

Measurement measured(const SmallWorld& world, const plan::Trial& trial, train::Network& network,
                     const Json& probe) {
  const plan::ResolvedModel model = any_model(world.vocabulary());
  const bool couples = phase_of(trial, model).objective.needs.couples_rows();
  const auto untrained = [&]() -> std::unique_ptr<train::Network> {
    auto uniform =
        std::make_unique<Oracle>(world.language.chain(), uniform_rule(world.vocabulary()));
    if (couples)
      uniform->compare_by([](const Seen&, std::span<const Seen> partners) {
        return std::vector<double>(partners.size(), 0.0);
      });
    return uniform;
  };
  return measured_on(*model.backbone, world, trial, network, untrained, probe);
}

Measurement measured_on(const BackboneSpec& backbone, const SmallWorld& world,
                        const plan::Trial& trial, train::Network& network,
                        std::function<std::unique_ptr<train::Network>()> untrained,
                        const Json& probe) {
  plan::ResolvedModel model = any_model(world.vocabulary());
  model.backbone = &backbone;
  const plan::ResolvedPhase phase = phase_of(trial, model);
  const Subject subject{.seed = trial.seed,
                        .model = model,
                        .phase = phase,
                        .corpus = world.corpus,
                        .language = &world.language,
                        .network = network,
                        .untrained = std::move(untrained)};
  return measure(subject, probe_of(probe), {});
}

Measurement measured_on_text(const data::Corpus& corpus, const plan::Trial& trial,
                             train::Network& network, const Json& probe,
                             const std::filesystem::path& cache) {
  const Vocabulary vocabulary{.ordinary = corpus.ordinary()};
  const plan::ResolvedModel model = any_model(vocabulary);
  const plan::ResolvedPhase phase = phase_of(trial, model);
  const Subject subject{.seed = trial.seed,
                        .model = model,
                        .phase = phase,
                        .corpus = corpus,
                        .network = network,
                        .untrained = [&]() -> std::unique_ptr<train::Network> {
                          return std::make_unique<Oracle>(uniform_rule(vocabulary));
                        },
                        .cache = cache};
  return measure(subject, probe_of(probe), {});
}

std::filesystem::path scratch_folder(const std::string& name) {
  const auto folder =
      std::filesystem::temp_directory_path() / fmt::format("ablate_probes_{}_{}", ::getpid(), name);
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

data::Corpus task_corpus(const Json& task) {
  Json section = {{"tokens", 2000}, {"held_out_tokens", 1000}};
  section.update(task);
  const std::filesystem::path folder = scratch_folder("task");
  const Params params(data::task_params(), section);
  const Json no_tokenizer;
  const data::Corpus corpus = data::Corpus::open(
      data::prepare_task({params, folder, folder, no_tokenizer, [](const std::string&) {}}));
  std::filesystem::remove_all(folder);
  return corpus;
}

data::Corpus stored(const data::CorpusContent& content) {
  const auto folder = scratch_folder("corpus");
  data::Corpus corpus = data::Corpus::open(data::write_corpus(folder, content));
  std::filesystem::remove_all(folder);  // the mapping outlives the name
  return corpus;
}

const ObjectiveSpec& objective_named(const std::string& name) {
  return Catalog{.objectives = objectives::objective_specs()}.objective(name);
}

}  // namespace ablate::probes::testing
