// Draws or splits off a development part.

#include "harness/data/development.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "harness/base/error.h"
#include "harness/base/rng.h"
#include "harness/data/batches/packing.h"
#include "harness/data/corpus/corpus_cache.h"
#include "harness/data/language/language.h"
#include "harness/data/tasks/task_text.h"
#include "harness/data/tokenizer/tokenizer.h"

namespace ablate::data {
namespace {

using PartContent = CorpusContent::PartContent;

/// Of the documents drawn from the language; each_document() draws the training part from 0 and the
/// held-out part from 1.
constexpr std::uint64_t kDevelopmentStream = 2;

/// Appends the document in [first, end) of a part.
void append_document(const Corpus& corpus, const Part& part, std::size_t first, std::size_t end,
                     PartContent& content) {
  const auto from = static_cast<std::ptrdiff_t>(first), to = static_cast<std::ptrdiff_t>(end);
  content.tokens.insert(content.tokens.end(), part.tokens.begin() + from, part.tokens.begin() + to);
  if (!part.marks.empty())
    content.marks.insert(content.marks.end(), part.marks.begin() + from, part.marks.begin() + to);
  ++content.documents;
  for (std::size_t i = first; i < end; ++i) content.bytes += corpus.bytes_of(part.tokens[i]);
}

PartContent drawn_development(const Params& params) {
  const Language language(params);
  const auto seed = static_cast<std::uint64_t>(params.integer("seed"));
  PartContent content;
  std::uint64_t number = 0;
  for (std::int64_t drawn = 0; drawn < params.integer("held_out_tokens");) {
    const Language::Document document =
        language.document(Rng(seed, Stream::corpus, kDevelopmentStream, number++));
    content.tokens.insert(content.tokens.end(), document.tokens.begin(), document.tokens.end());
    content.marks.insert(content.marks.end(), document.marks.begin(), document.marks.end());
    ++content.documents;
    drawn += std::ssize(document.states);
  }
  return content;
}

/// A document of a part, and its draw from [0, 1), which is the same for equal documents.
struct DrawnDocument {
  std::size_t first = 0;
  std::size_t end = 0;
  double draw = 0;
};

std::vector<DrawnDocument> drawn_documents(const Part& part) {
  std::vector<DrawnDocument> documents;
  for (std::size_t first = 0; first < part.tokens.size();) {
    const std::size_t end = document_end(part.tokens, first);
    const std::span<const Token> tokens = part.tokens.subspan(first, end - first);
    const std::string_view bytes(reinterpret_cast<const char*>(tokens.data()), tokens.size_bytes());
    documents.push_back(
        {first, end, Rng(0, Stream::split).fork("development").fork(bytes).uniform()});
    first = end;
  }
  return documents;
}

void split_documents(const Corpus& corpus, double fraction, CorpusContent& content) {
  const Part& part = corpus.training();
  const std::vector<DrawnDocument> documents = drawn_documents(part);
  const auto less = [](const DrawnDocument& a, const DrawnDocument& b) { return a.draw < b.draw; };
  const auto [minimum, maximum] = std::minmax_element(documents.begin(), documents.end(), less);
  if (documents.empty() || minimum->draw == maximum->draw)
    reject(
        "corpus: its training part has {} document{} and no two differ, so there is no development "
        "part to tune on; split it into more documents (corpus.documents)",
        documents.size(), documents.size() == 1 ? "" : "s");
  const double limit = std::clamp(fraction, std::nextafter(minimum->draw, 1.0), maximum->draw);
  for (const auto& [first, end, draw] : documents)
    append_document(corpus, part, first, end, draw < limit ? content.held_out : content.training);
}

CorpusContent development_content(const Corpus& corpus, double fraction,
                                  const std::filesystem::path& cache) {
  CorpusContent content;
  content.ordinary = corpus.ordinary();
  content.about = corpus.about();
  content.about["development_of"] = corpus.hash();
  if (content.about.contains("provenance"))
    content.about["provenance"].erase("copies");  // its parts are others
  const std::string kind = corpus.about().at("kind");
  if (kind == "text") {
    content.pieces = tokenizer_of(corpus.about(), cache)->pieces();
    split_documents(corpus, fraction, content);
    return content;
  }
  const Part& training = corpus.training();
  content.training.tokens.assign(training.tokens.begin(), training.tokens.end());
  content.training.marks.assign(training.marks.begin(), training.marks.end());
  content.training.documents = training.documents;
  const Json& params = corpus.about().at("params");
  if (kind == "task") {
    const TaskText text{params};
    content.pieces = text.spec().words(text.dials());
    content.held_out = text.drawn(TaskPart::development, integer_in(params.at("held_out_tokens")));
  } else {
    content.held_out = drawn_development(Params(language_params(), params));
  }
  return content;
}

}  // namespace

std::filesystem::path development_corpus(const Corpus& corpus, double fraction,
                                         const std::filesystem::path& cache) {
  const Json identity = {{"development_of", corpus.hash()}, {"fraction", fraction}, {"version", 1}};
  return made_or_found(identity, cache,
                       [&] { return development_content(corpus, fraction, cache); });
}

}  // namespace ablate::data
