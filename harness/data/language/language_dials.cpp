// Checks that dials are consistent, and computes probabilities from mean lengths.

#include "harness/data/language/language_dials.h"

#include <algorithm>

#include "harness/base/error.h"

namespace ablate::data {
namespace {

constexpr std::int64_t kMaxEntries = 1 << 23;  // of all transitions, and of all emissions
constexpr std::int64_t kMaxEliminations = 1 << 28;

void check(const Dials& dials) {
  if (dials.has_sentences() && dials.sentence_length < 2)
    reject(
        "sentence_length = {:g} leaves no room for a word and the sentence's end; accepted: 0 (no "
        "sentences), or 2 and more",
        dials.sentence_length);
  if (dials.has_sentences() && dials.document_length < dials.sentence_length + 1)
    reject(
        "document_length = {:g} is shorter than one sentence of {:g} tokens and the document's "
        "end; lengthen documents, or shorten sentences (0: no sentences)",
        dials.document_length, dials.sentence_length);
  if (dials.stages > 1 && !dials.has_sentences())
    reject(
        "stages = {} advance at sentence ends, and sentence_length = 0 means that there are none; "
        "give sentences a length, or set stages to 1",
        dials.stages);
  const std::int64_t needed = dials.slots() + 1 + (dials.has_sentences() ? 1 : 0);
  if (dials.states < needed)
    reject(
        "states = {} are too few; with these names and sentences at least {} are needed: one for "
        "names, one for sentence ends, one for words",
        dials.states, needed);
  if (dials.words() < dials.regular() - dials.slots())
    reject(
        "vocabulary = {} leaves {} words, besides names and the sentence end, for {} states that "
        "emit words; each needs at least one word: raise vocabulary, or lower states or names",
        dials.vocabulary, std::max<std::int64_t>(0, dials.words()),
        dials.regular() - dials.slots());
  const std::int64_t blocks = dials.topics * dials.names, n = dials.block_states();
  if (blocks * n * std::max(n, dials.ordinary()) > kMaxEntries ||
      dials.topics * n * n * n > kMaxEliminations)
    reject(
        "the language is too large: {} pairs of topic and name with {} states and {} ids; pairs "
        "x states x the larger of states and ids may be at most {}, topics x states^3 at most "
        "{}; lower one of them",
        blocks, n, dials.ordinary(), kMaxEntries, kMaxEliminations);
}

}  // namespace

std::int64_t Dials::slots() const {
  return has_names() ? std::max<std::int64_t>(1, regular() / 6) : 0;
}

std::int64_t Dials::words() const {
  return vocabulary - (has_names() ? names : 0) - (has_sentences() ? 1 : 0);
}

double Dials::ends_after_sentence() const { return sentence_length / (document_length - 1); }
double Dials::ends_after_token() const { return has_sentences() ? 0 : 1 / (document_length - 1); }
double Dials::sentence_ends() const { return has_sentences() ? 1 / (sentence_length - 1) : 0; }

double Dials::advances() const {
  return std::min(1.0, static_cast<double>(stages) * ends_after_sentence());
}

Dials dials_of(const Params& params) {
  Dials dials;
  dials.topics = params.integer("topics");
  dials.names = params.integer("names");
  dials.stages = params.integer("stages");
  dials.states = params.integer("states");
  dials.vocabulary = params.integer("vocabulary");
  dials.sharpness = params.number("sharpness");
  dials.memory = params.number("memory");
  dials.ambiguity = params.number("ambiguity");
  dials.topic_contrast = params.number("topic_contrast");
  dials.floor = params.number("floor");
  dials.topics_differ_in_words = params.text("topic_signal") == "words";
  dials.document_length = params.number("document_length");
  dials.sentence_length = params.number("sentence_length");
  dials.seed = static_cast<std::uint64_t>(params.integer("seed"));
  if (params.has("picture")) {
    const Json& picture = params.section("picture");
    dials.patches = picture.at("patches").get<std::int64_t>();
    dials.patch_values = picture.at("values").get<std::int64_t>();
    dials.patch_noise = picture.at("noise").get<double>();
  }
  check(dials);
  return dials;
}

}  // namespace ablate::data
