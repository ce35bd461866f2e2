// Measures the length of held-out text in the code that a model is.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "harness/base/error.h"
#include "harness/probes/cloze/costs.h"
#include "harness/probes/cloze/questions.h"
#include "harness/probes/compression/baselines_spec.h"
#include "harness/probes/compression/coded_text_spec.h"
#include "harness/probes/compression/prequential.h"
#include "harness/probes/measuring.h"
#include "harness/probes/unigram.h"

namespace ablate::probes {
namespace {

constexpr std::size_t kPiecesAtOnce = 256;
constexpr std::size_t kCodedUntrained = 20;  // documents

const double kNatsPerBit = std::log(2.0);

/// A piece of a document, and what a model is shown of the tokens before it.
struct CodedPiece {
  std::vector<Token> left;  // from a begin token on
  std::span<const Token> target;
};

/// A document, from its begin token on, as pieces of `size` tokens. A piece and what is left of it
/// take up to `room` tokens.
void append_pieces(std::span<const Token> document, std::size_t size, std::size_t room,
                   std::vector<CodedPiece>& pieces) {
  for (std::size_t first = 1; first < document.size(); first += size) {
    const auto target = document.subspan(first, std::min(size, document.size() - first));
    const std::size_t before = std::min(first - 1, room - 1 - target.size());
    CodedPiece piece{.left = {begin_token}, .target = target};
    const auto seen = document.subspan(first - before, before);
    piece.left.insert(piece.left.end(), seen.begin(), seen.end());
    pieces.push_back(std::move(piece));
  }
}

double model_bits(const Subject& subject, const std::vector<CodedPiece>& pieces,
                  const ProgressSink& progress) {
  double nats = 0;
  for (std::size_t first = 0; first < pieces.size(); first += kPiecesAtOnce) {
    const auto run =
        std::span(pieces).subspan(first, std::min(kPiecesAtOnce, pieces.size() - first));
    std::vector<Cloze> questions;
    questions.reserve(run.size());
    for (const CodedPiece& piece : run) questions.push_back({piece.left, piece.target, {}});
    const std::vector<double> costs = cloze_costs(subject, questions);
    nats = std::accumulate(costs.begin(), costs.end(), nats);
    progress(static_cast<double>(first + run.size()) / static_cast<double>(pieces.size()));
  }
  return nats / kNatsPerBit;
}

std::vector<CodedPiece> pieces_of(std::span<const std::span<const Token>> documents,
                                  std::size_t size, std::size_t room) {
  std::vector<CodedPiece> pieces;
  for (const std::span<const Token> document : documents)
    append_pieces(document, size, room, pieces);
  return pieces;
}

/// What code lengths are counted in: tokens where these stand for no text, or bytes.
std::string_view name_of_lengths(const Subject& subject) {
  return subject.corpus.has_words() ? "compression.bits_per_token" : "compression.bits_per_byte";
}

/// How many of these documents have.
double units_of(const Subject& subject, std::span<const std::span<const Token>> documents) {
  std::int64_t units = 0;
  for (const std::span<const Token> document : documents)
    for (const Token token : document.subspan(1))
      units += subject.corpus.has_words() ? 1 : subject.corpus.bytes_of(token);
  return static_cast<double>(units);
}

double unigram_bits(const Subject& subject, const CodedText& text) {
  const std::vector<double> unigram = unigram_of(subject);
  double bits = 0;
  for (const std::span<const Token> document : text.documents)
    for (const Token token : document.subspan(1))
      bits -= std::log2(unigram[static_cast<std::size_t>(token - special_count)]);
  return bits;
}

double optimum_bits(const Chain& chain, const CodedText& text) {
  double nats = 0;
  for (const std::span<const Token> document : text.documents)
    nats += exact_cost(chain, {document.first(1), document.subspan(1), {}}, ClozeFormat::left);
  return nats / kNatsPerBit;
}

/// What the plan computed of the same text.
const Json& baselines_of(const plan::ResolvedProbe& probe, const CodedText& text) {
  const auto found = probe.settings.find("baselines");
  if (found == probe.settings.end() || found->at("tokens") != text.tokens)
    reject("{}: the settings have no code lengths of this text; plan the experiment again",
           probe.spec->name);
  return *found;
}

}  // namespace

Measurement measure_compression(const Subject& subject, const plan::ResolvedProbe& probe,
                                const ProgressSink& progress) {
  const CodedText text = coded_text(subject.corpus, CodingLimits::of(probe.params).coded);
  const Json& baselines = baselines_of(probe, text);
  const auto units = static_cast<double>(subject.corpus.has_words() ? text.tokens : text.bytes);
  Measurement measurement;
  auto& metrics = measurement.metrics;
  for (const char* name : {"xz", "zstd", "xz_after_training", "kneser_ney"})
    metrics[fmt::format("compression.{}", name)] = baselines.at(name).get<double>() / units;
  metrics["compression.unigram"] = unigram_bits(subject, text) / units;
  if (subject.language)
    metrics["compression.optimum"] = optimum_bits(subject.language->chain(), text) / units;
  measurement.details = {{"tokens", text.tokens},
                         {"bytes", baselines.at("bytes")},
                         {"documents", text.documents.size()},
                         {"assumed_discounts", baselines.at("assumed_discounts")}};

  const ClozeFormat format = cloze_format_of(subject.objective(), subject.phase.params);
  if (format == ClozeFormat::none) {
    measurement.details["absent"] = {{std::string(name_of_lengths(subject)), kNoFormat}};
    return measurement;
  }
  const auto size = static_cast<std::size_t>(probe.params.integer("piece"));
  const auto room = static_cast<std::size_t>(subject.phase.context - kRoomForMarks);
  metrics[std::string(name_of_lengths(subject))] =
      model_bits(subject, pieces_of(text.documents, size, room), progress) / units;
  const std::unique_ptr<train::Network> initial = subject.untrained();
  const auto some =
      std::span(text.documents).first(std::min(kCodedUntrained, text.documents.size()));
  metrics["compression.untrained"] =
      model_bits(subject.with(*initial), pieces_of(some, size, room), [](double) {}) /
      units_of(subject, some);

  const data::Part& training = subject.corpus.training();
  if (!is_text_likelihood(subject.objective(), subject.phase.params) || format != ClozeFormat::left)
    return measurement;
  const auto code = prequential_code(subject.course, subject.corpus.ordinary() + 1);
  if (!code) return measurement;
  const double tokens = static_cast<double>(
      std::ranges::count_if(training.tokens, [](Token token) { return token != begin_token; }));
  const double per_unit =
      subject.corpus.has_words() ? 1 : static_cast<double>(training.bytes) / tokens;
  metrics["compression.prequential"] = code->bits_per_token / per_unit;
  measurement.details["prequential"] = {{"steps", code->steps}, {"tokens", code->tokens}};
  return measurement;
}

}  // namespace ablate::probes
