#include "harness/probes/representation/scored_pairs_spec.h"

#include <cmath>

#include "harness/base/error.h"
#include "harness/data/batches/documents.h"
#include "harness/probes/classification/labelled_files_spec.h"
#include "harness/probes/json_lines_spec.h"

namespace ablate::probes {
namespace {

void append(const std::string& text, const data::Tokenizer& tokenizer,
            data::CorpusContent::PartContent& part) {
  part.tokens.push_back(begin_token);
  tokenizer.encode(text, part.tokens);
  part.tokens.push_back(end_token);
  part.bytes += std::ssize(text);
  ++part.documents;
}

/// The settings of the classification probe that has the same labelled files.
Params labelled_settings(const Params& settings) {
  Json given = {{"development_documents", settings.integer("development_documents")},
                {"test_documents", settings.integer("test_documents")}};
  for (const char* key : {"train", "test", "text_field", "label_field"})
    given[key] = settings.text(key);
  return Params(labelled_params(), given);
}

}  // namespace

std::vector<ScoredPair> read_scored_pairs(const std::filesystem::path& file) {
  std::vector<ScoredPair> pairs;
  read_json_lines(file, [&](const Json& record, const std::string& where) {
    ScoredPair pair{text_at(record, "text_a", where), text_at(record, "text_b", where)};
    const auto score = record.find("score");
    if (score == record.end()) fail("{}: has no 'score'", where);
    if (!score->is_number()) fail("{}: 'score' is not a number", where);
    if (data::is_blank(pair.a) || data::is_blank(pair.b)) fail("{}: a text is blank", where);
    pair.score = score->get<double>();
    pairs.push_back(std::move(pair));
  });
  constexpr std::size_t kFewest = 3;
  if (pairs.size() < kFewest)
    fail("{}: contains {} pairs of texts; a correlation needs {}", file.string(), pairs.size(),
         kFewest);
  return pairs;
}

data::CorpusContent scored_content(const std::vector<ScoredPair>& pairs,
                                   const data::Tokenizer& tokenizer) {
  data::CorpusContent content{.pieces = tokenizer.pieces()};
  content.ordinary = static_cast<Token>(content.pieces.size());
  Json scores = Json::array();
  for (const ScoredPair& pair : pairs) {
    append(pair.a, tokenizer, content.training);
    append(pair.b, tokenizer, content.training);
    scores.push_back(pair.score);
  }
  content.about = {{"kind", "scored_pairs"}, {"scores", std::move(scores)}};
  return content;
}

bool by_name(const Params& settings) {
  return settings.has("label") && settings.text("label") == "name";
}

Json prepare_representation(const Params& settings, const Preparation& preparation) {
  Json prepared = settings.json();
  if (by_name(settings) && preparation.section.at("names") < 2)
    reject(
        "documents of this language have no names to belong together by; set corpus.names to 2 or "
        "more, or leave label out");
  if (settings.has("train") && settings.has("test")) {
    const Json labelled = prepare_compared(labelled_settings(settings), preparation);
    prepared["labelled"] = labelled.at("labelled");
    prepared.erase("train");  // where the files lie does not affect the measurement
    prepared.erase("test");
  }
  if (settings.has("pairs")) {
    const data::CorpusContent content =
        scored_content(read_scored_pairs(preparation.folder_of("pairs") / settings.text("pairs")),
                       *preparation.tokenizer());
    prepared["pairs"] = data::write_corpus(preparation.cache, content).stem().string();
  }
  return prepared;
}

}  // namespace ablate::probes
