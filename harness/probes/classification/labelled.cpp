// Makes the three splits of the classification probe.

#include "harness/probes/classification/labelled.h"

#include <fmt/core.h>

#include <algorithm>

#include "harness/base/error.h"
#include "harness/base/shuffle.h"
#include "harness/probes/documents.h"
#include "harness/probes/file_notes_spec.h"

namespace ablate::probes {
namespace {

/// The stream that documents are drawn by. It knows no arm, so the arms of a seed share documents.
Rng drawing(std::int64_t seed) {
  return Rng(static_cast<std::uint64_t>(seed), Stream::probes).fork("classification");
}

/// The first `context` tokens of a document; of a pair, whose separator is kept, the longer part is
/// cut first.
std::vector<Token> cut(std::span<const Token> document, std::int64_t context) {
  std::vector<Token> kept(document.begin(), document.end());
  const auto maximum = static_cast<std::size_t>(context);
  auto separator = std::find(kept.begin(), kept.end(), Token{separator_token});
  if (separator != kept.end()) {
    while (kept.size() > maximum && separator != kept.begin()) {
      const bool first = separator - kept.begin() > kept.end() - separator;
      if (first)
        separator = kept.erase(separator - 1);
      else
        kept.pop_back();
    }
  }
  kept.resize(std::min(kept.size(), maximum));
  return kept;
}

/// Appends up to `maximum` random documents of a part with their labels; returns the number
/// appended.
std::int64_t append(const data::Part& part, const Json& labels, std::int64_t maximum,
                    std::int64_t context, Rng rng, Labelled& to) {
  const auto documents = documents_of(part, SIZE_MAX);
  if (!labels.is_array() || labels.size() < documents.size())
    damaged("a labelled corpus has fewer labels than documents; delete it and run again");
  std::vector<std::size_t> drawn = random_order(documents.size(), rng);
  drawn.resize(std::min(drawn.size(), static_cast<std::size_t>(maximum)));
  for (const std::size_t i : drawn) {
    const auto label = integer_in(labels[i]);
    if (label < 0 || label >= static_cast<std::int64_t>(to.names.size()))
      damaged("a labelled corpus has label {} of {}; delete it and run again", label,
              to.names.size());
    to.counts.cut += std::ssize(documents[i]) > context ? 1 : 0;
    to.documents.push_back(cut(documents[i], context));
    to.labels.push_back(static_cast<std::int32_t>(label));
  }
  return std::ssize(drawn);
}

/// Documents drawn from the language, labelled by one of the values that they were drawn with, which has
/// `classes` values.
Labelled drawn_documents(const data::Language& language, std::int64_t classes,
                         std::int32_t data::Language::Document::*label, const SplitCounts& counts,
                         std::int64_t context, std::int64_t seed) {
  Labelled labelled{.counts = counts};
  for (std::int64_t value = 0; value < classes; ++value)
    labelled.names.push_back(std::to_string(value));
  const Rng rng = drawing(seed);
  for (std::int64_t i = 0; i < counts.total(); ++i) {
    const data::Language::Document document =
        language.document(rng.fork(static_cast<std::uint64_t>(i)));
    labelled.documents.push_back(cut(document.tokens, context));
    labelled.labels.push_back(document.*label);
  }
  return labelled;
}

}  // namespace

SplitCounts SplitCounts::of(const Params& params) {
  return {params.integer("training_documents"),
          params.has("development_documents") ? params.integer("development_documents") : 0,
          params.integer("test_documents")};
}

Json SplitCounts::json() const {
  Json counts = {{"training", training}, {"test", test}};
  if (development > 0) counts["development"] = development;
  if (cut > 0) counts["cut"] = cut;
  return counts;
}

Labelled topic_documents(const data::Language& language, const SplitCounts& counts,
                         std::int64_t context, std::int64_t seed) {
  return drawn_documents(language, language.topics(), &data::Language::Document::topic, counts,
                         context, seed);
}

Labelled name_documents(const data::Language& language, const SplitCounts& counts,
                        std::int64_t context, std::int64_t seed) {
  return drawn_documents(language, std::ssize(language.names()), &data::Language::Document::name,
                         counts, context, seed);
}

Labelled corpus_documents(const data::Corpus& corpus, const SplitCounts& counts,
                          std::int64_t context, std::int64_t seed) {
  const Rng rng = drawing(seed);
  const Json& about = corpus.about();
  Labelled labelled{.counts = counts};
  labelled.names = about.at("names").get<std::vector<std::string>>();
  const std::int64_t asked = counts.training + counts.development;
  const std::int64_t found =
      append(corpus.training(), about.at("training"), asked, context, rng.fork("fitted"), labelled);
  const SplitTrain split = split_train(found, counts.training, counts.development);
  labelled.counts.training = split.training;
  labelled.counts.development = split.development;
  labelled.counts.test = append(corpus.held_out(), about.at("held_out"), counts.test, context,
                                rng.fork("test"), labelled);
  return labelled;
}

}  // namespace ablate::probes
