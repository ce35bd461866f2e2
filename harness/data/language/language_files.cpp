#include "harness/data/language/language_files.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "harness/base/json/json.h"

namespace ablate::data {
namespace {

using Size = std::size_t;

static_assert(std::endian::native == std::endian::little, "arrays are written as they are");

template <class Value>
std::string npy_of(const std::vector<Value>& values, const std::vector<std::int64_t>& shape,
                   std::string_view type) {
  std::string sizes;
  for (const std::int64_t size : shape) sizes += fmt::format("{}, ", size);
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, sizes);
  constexpr Size kMagic = 10;  // bytes before the header, which ends at a multiple of 64
  header.append(64 - (kMagic + header.size() + 1) % 64, ' ');
  header += '\n';
  std::string bytes = "\x93NUMPY";
  bytes += '\x01';
  bytes += '\0';
  bytes += static_cast<char>(header.size() & 0xFF);
  bytes += static_cast<char>(header.size() >> 8);
  bytes += header;
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value));
  return bytes;
}

/// -log of the sum of `weights` where the evidence of position t is 1 for what was seen:
/// -log P(token t | what `weights` are given).
std::vector<double> costs_of(const std::vector<double>& weights, const Evidence& evidence,
                             Size time) {
  const Size states = weights.size() / time;
  std::vector<double> costs;
  for (Size t = 0; t < time; ++t) {
    double seen = 0, all = 0;
    for (Size z = 0; z < states; ++z) {
      seen += weights[t * states + z] * evidence[t * states + z];
      all += weights[t * states + z];
    }
    costs.push_back(-std::log(seen / all));
  }
  return costs;
}

Json line_of(const Language::Document& document) {
  return {{"tokens", document.tokens},
          {"topic", document.topic},
          {"name", document.name},
          {"states", document.states}};
}

/// What the exact predictor makes of a document.
void add_optimum(const Chain& chain, const Language::Document& document, Json& line) {
  const auto tokens = std::span(document.tokens).subspan(1);  // after the begin token
  const auto time = std::ssize(tokens);
  const Evidence evidence = emission_likelihood(chain, tokens);
  line["log_probability"] = log_probability(chain, time, evidence, true);
  line["filtering"] =
      costs_of(predicted(chain, time, evidence, true), evidence, static_cast<Size>(time));
  line["smoothing"] = costs_of(leave_one_out_smoothing(chain, time, evidence, true), evidence,
                               static_cast<Size>(time));
  line["topic_posterior"] = topic_posterior(chain, tokens, true);
}

void add_part(const Language& language, const Params& params, CorpusPart part,
              const std::string& name, std::vector<LanguageFile>& files) {
  std::vector<Token> tokens;
  std::string lines;
  each_document(language, params, part, [&](const Language::Document& document) {
    tokens.insert(tokens.end(), document.tokens.begin(), document.tokens.end());
    Json line = line_of(document);
    if (part == CorpusPart::held_out) add_optimum(language.chain(), document, line);
    lines += line.dump() + "\n";
  });
  files.push_back({name + ".npy", npy(tokens, {std::ssize(tokens)})});
  files.push_back({name + ".jsonl", std::move(lines)});
}

Json description_of(const Language& language, const Params& params) {
  const Chain& chain = language.chain();
  Json blocks = Json::array();
  for (const Chain::Block& block : chain.blocks)
    blocks.push_back({{"topic", block.topic},
                      {"name", block.name},
                      {"probability", block.probability},
                      {"mass", block.mass}});
  return {
      {"params", params.json()},
      {"version", kLanguageVersion},
      {"ordinary", chain.ordinary},
      {"states", chain.states},
      {"topics", language.topics()},
      {"blocks", std::move(blocks)},
      {"ids",
       {{"begin", Token{begin_token}},
        {"end", Token{end_token}},
        {"first_ordinary", Token{special_count}}}},
      {"arrays",
       {{"start.npy", "[block, state]: P(first state | block)"},
        {"stationary.npy", "[block, state]: P(block and state of a token of the corpus)"},
        {"transition.npy", "[block, state, next state]; the last state ends a document"},
        {"emission.npy", "[block, state, ordinary]: P(first_ordinary + i | state)"},
        {"training.npy", "[tokens]: all documents, each from its begin to its end token"},
        {"held_out.npy", "[tokens]: the same for the part that no trial trains on"}}},
      {"lines",
       {{"tokens", "ids of the document, its begin and end tokens included"},
        {"topic", "that it was drawn with"},
        {"name", "that it was drawn with"},
        {"states", "of each token after the begin token"},
        {"log_probability", "of the document, nats"},
        {"filtering", "-log P(token | those before it), nats, of each token after the begin token"},
        {"smoothing", "-log P(token | all others), nats"},
        {"topic_posterior", "P(topic | the document)"}}}};
}

}  // namespace

std::string npy(const std::vector<double>& values, const std::vector<std::int64_t>& shape) {
  return npy_of(values, shape, "<f8");
}

std::string npy(const std::vector<Token>& values, const std::vector<std::int64_t>& shape) {
  return npy_of(values, shape, "<i4");
}

std::vector<LanguageFile> language_files(const Params& params) {
  const Language language(params);
  const Chain& chain = language.chain();
  const auto blocks = std::ssize(chain.blocks);
  std::vector<LanguageFile> files = {
      {"language.json", description_of(language, params).dump(2) + "\n"},
      {"start.npy", npy(chain.start, {blocks, chain.states})},
      {"stationary.npy", npy(chain.stationary, {blocks, chain.states})},
      {"transition.npy", npy(chain.transition, {blocks, chain.states, chain.states})},
      {"emission.npy", npy(chain.emission, {blocks, chain.states, chain.ordinary})}};
  add_part(language, params, CorpusPart::training, "training", files);
  add_part(language, params, CorpusPart::held_out, "held_out", files);
  return files;
}

}  // namespace ablate::data
