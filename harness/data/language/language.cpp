// The built-in language: its parameters, and text drawn from it.

#include "harness/data/language/language.h"

#include <algorithm>

#include "harness/contract/example.h"
#include "harness/data/language/language_chain.h"

namespace ablate::data {
namespace {

using Size = std::size_t;

/// Cumulative sums along rows of `width`. From the last entry above 0 on they are exactly 1, so
/// that rounding cannot let a draw fall beyond it.
std::vector<double> summed(std::vector<double> rows, Size width) {
  for (Size first = 0; first < rows.size(); first += width) {
    double* row = rows.data() + first;
    Size last = width;
    while (last > 0 && !(row[last - 1] > 0)) --last;
    for (Size i = 1; i < width; ++i) row[i] += row[i - 1];
    if (last > 0) std::fill(row + last - 1, row + width, 1.0);
  }
  return rows;
}

/// Draws an index from a row's distribution: the first whose cumulative sum is above the draw.
Size draw(const std::vector<double>& sums, Size row, Size width, Rng& rng) {
  const double* first = sums.data() + row * width;
  return static_cast<Size>(std::upper_bound(first, first + width, rng.uniform()) - first);
}

CorpusContent::PartContent draw_part(const Language& language, const Params& params,
                                     CorpusPart part, std::int64_t wanted) {
  CorpusContent::PartContent content;
  content.tokens.reserve(static_cast<Size>(wanted + wanted / 16));
  content.marks.reserve(content.tokens.capacity());
  each_document(language, params, part, [&](const Language::Document& document) {
    content.tokens.insert(content.tokens.end(), document.tokens.begin(), document.tokens.end());
    content.marks.insert(content.marks.end(), document.marks.begin(), document.marks.end());
    ++content.documents;
  });
  return content;
}

std::int64_t wanted_of(const Params& params, CorpusPart part) {
  return params.integer(part == CorpusPart::training ? "tokens" : "held_out_tokens");
}

}  // namespace

std::span<const Param> language_params() {
  static const std::vector<Param> rows = {
      integer("topics", 4, 1, 64, "number of topics; a document has one"),
      integer("names", 1, 1, 1024,
              "number of names; a document has one, which its name slots show; 1: no slots"),
      integer("stages", 1, 1, 16,
              "stages that a document goes through; sentence ends advance them"),
      integer("states", 12, 2, 256,
              "hidden states of a stage, including name slots and the sentence end"),
      integer("vocabulary", 64, 2, 65536,
              "ids that states emit, including names and the sentence end"),
      number("sharpness", 3.5, 0, 5,
             "spread of the log weights that transitions and emissions are made from; 0: uniform"),
      number("memory", 0, 0, 0.95, "probability that a state stays where it would move on"),
      number("ambiguity", 0.4, 0, 1, "fraction of the words that two states emit instead of one"),
      choice("topic_signal", "order", {"order", "words"},
             "what topics differ in: only the order of states (a bag of tokens shows nothing of "
             "it), or words"),
      number("topic_contrast", 0.5, 0, 1,
             "fraction of that signal's variance that is specific to each topic; the rest is "
             "common to all"),
      number("floor", 1e-3, 0, 0.5, "fraction of the tokens drawn uniformly, whatever the state"),
      number("document_length", 60, 3, 100000,
             "mean number of tokens in a document, with its end token but without its picture"),
      number("sentence_length", 12, 0, 10000,
             "mean number of tokens in a sentence, including its end; 0: no sentences"),
      integer("seed", 1, 0, 0x1p53, "seed of the language and of the text drawn from it"),
      integer("tokens", 1000000, 1000, 200000000,
              "tokens drawn to train on, and a few more to complete the last document"),
      integer("held_out_tokens", 65536, 1000, 20000000,
              "tokens drawn that no trial trains on; the last document is completed"),
      optional(
          section("picture",
                  {integer("patches", 8, 1, 64,
                           "patches of a picture; even places show the "
                           "document's topic, odd ones its name, where there are names"),
                   integer("values", 32, 2, 65536, "values that a patch may have, each an id"),
                   number("noise", 0.3, 0, 1, "fraction of the patches whose value is random")},
                  "a picture before the text of each document; absent: none")),
  };
  return rows;
}

Language::Language(const Params& params) {
  const Dials dials = dials_of(params);
  chain_ = make_chain(dials);
  topics_ = dials.topics;
  if (dials.has_names())
    for (std::int64_t name = 0; name < dials.names; ++name)
      names_.push_back(special_count + static_cast<Token>(dials.word_of_name(name)));
  const auto n = static_cast<Size>(chain_.states);
  start_ = summed(chain_.start, n);
  transition_ = summed(chain_.transition, n);
  emission_ = summed(chain_.emission, static_cast<Size>(chain_.ordinary));
}

Language::Document Language::document(Rng rng) const {
  const auto n = static_cast<Size>(chain_.states);
  const auto ordinary = static_cast<Size>(chain_.ordinary);
  // Blocks are equally likely.
  const auto block = static_cast<Size>(rng.below(std::ssize(chain_.blocks)));
  Document document;
  document.topic = chain_.blocks[block].topic;
  document.name = chain_.blocks[block].name;
  document.tokens.push_back(begin_token);
  document.marks.push_back(special_mark);
  bool sentence_starts = true;
  const auto first_patch = static_cast<Size>(chain_.first_patch());
  for (Size state = draw(start_, block, n, rng); state + 1 < n;
       state = draw(transition_, block * n + state, n, rng)) {
    const Size word = draw(emission_, block * n + state, ordinary, rng);
    document.tokens.push_back(special_count + static_cast<Token>(word));
    document.states.push_back(static_cast<std::int32_t>(state));
    if (state >= first_patch) {
      document.marks.push_back(word_mark | patch_mark);
      continue;
    }
    document.marks.push_back(sentence_starts ? word_mark | sentence_mark : word_mark);
    sentence_starts = chain_.ends_sentence(state);
  }
  document.tokens.push_back(end_token);
  document.marks.push_back(special_mark);
  document.states.push_back(static_cast<std::int32_t>(n - 1));
  return document;
}

void each_document(const Language& language, const Params& params, CorpusPart part,
                   const std::function<void(const Language::Document& document)>& take) {
  const auto seed = static_cast<std::uint64_t>(params.integer("seed"));
  const std::uint64_t stream = part == CorpusPart::training ? 0 : 1;
  std::uint64_t number = 0;
  for (std::int64_t drawn = 0; drawn < wanted_of(params, part);) {
    const Language::Document document =
        language.document(Rng(seed, Stream::corpus, stream, number++));
    take(document);
    drawn += std::ssize(document.states);
  }
}

CorpusContent draw_corpus(const Language& language, const Params& params) {
  CorpusContent content;
  content.ordinary = language.chain().ordinary;
  for (const CorpusPart part : {CorpusPart::training, CorpusPart::held_out})
    (part == CorpusPart::training ? content.training : content.held_out) =
        draw_part(language, params, part, wanted_of(params, part));
  content.about = {
      {"kind", "language"}, {"params", params.json()}, {"semantics", kLanguageVersion}};
  return content;
}

std::filesystem::path prepare_language(const CorpusRequest& request) {
  const Params& params = request.params;
  const Json identity = {
      {"kind", "language"}, {"semantics", kLanguageVersion}, {"params", params.json()}};
  return made_or_found(identity, request.cache,
                       [&] { return draw_corpus(Language(params), params); });
}

}  // namespace ablate::data
