#include "harness/probes/compression/baselines_spec.h"

#include <fmt/core.h>

#include <cmath>

#include "harness/base/error.h"
#include "harness/base/json/kept_json.h"
#include "harness/base/sha256.h"
#include "harness/probes/compression/byte_codes_spec.h"
#include "harness/probes/compression/coded_text_spec.h"
#include "harness/probes/compression/kneser_ney_spec.h"

namespace ablate::probes {
namespace {

constexpr int kVersion = 1;  // raised when the numbers change
constexpr std::size_t kOrder = 5;
constexpr std::int64_t kBitsPerByte = 8;

/// The first tokens of the training text, `maximum` or all.
std::span<const Token> training_text(const data::Corpus& corpus, std::int64_t maximum) {
  const std::span<const Token> all = corpus.training().tokens;
  return maximum == 0 ? all : all.first(std::min(all.size(), static_cast<std::size_t>(maximum)));
}

/// The orders whose discounts are not estimated.
Json assumed_discounts(const KneserNey& model) {
  Json orders = Json::array();
  const std::vector<Discounts> discounts = model.discounts();
  for (std::size_t i = 0; i < discounts.size(); ++i)
    if (!discounts[i].estimated) orders.push_back(i + 1);
  return orders;
}

}  // namespace

CodingLimits CodingLimits::of(const Params& params) {
  return {params.integer("tokens"), params.integer("training_tokens")};
}

Json coding_baselines(const data::Corpus& corpus, const CodingLimits& limits) {
  const CodedText text = coded_text(corpus, limits.coded);
  if (text.tokens == 0)
    reject(
        "compression: no held-out document has text; hold out more documents (corpus.held_out), or "
        "leave 'compression' out of the probes");
  std::string bytes;
  for (const std::span<const Token> document : text.documents) bytes += bytes_of(corpus, document);
  const std::span<const Token> training = training_text(corpus, limits.training);
  const std::string known = bytes_of(corpus, training);
  const KneserNey model(training, kOrder, std::int64_t{corpus.ordinary()} + 1);
  return {{"tokens", text.tokens},
          {"bytes", bytes.size()},
          {"xz", kBitsPerByte * xz_size(bytes)},
          {"zstd", kBitsPerByte * zstd_size(bytes)},
          {"xz_after_training", kBitsPerByte * (xz_size(known + bytes) - xz_size(known))},
          {"kneser_ney", std::llround(code_length(model, text.documents))},
          {"assumed_discounts", assumed_discounts(model)}};
}

Json prepare_baselines(const Params& settings, const Preparation& preparation) {
  const data::Corpus corpus = data::Corpus::open(preparation.corpus);
  const CodingLimits limits = CodingLimits::of(settings);
  const Json identity = {{"corpus", corpus.hash()},
                         {"coded", limits.coded},
                         {"training", limits.training},
                         {"order", kOrder},
                         {"compressors", byte_codes_version()},
                         {"version", kVersion}};
  const std::filesystem::path file =
      preparation.cache / fmt::format("compression-{}.json", sha256(identity.dump()).substr(0, 16));
  Json prepared = settings.json();
  Json& baselines = prepared["baselines"] = kept_json(file, identity);
  if (baselines.is_null()) {
    baselines = coding_baselines(corpus, limits);
    keep_json(file, identity, baselines);
  }
  return prepared;
}

}  // namespace ablate::probes
