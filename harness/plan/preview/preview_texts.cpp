// Reads texts from the corpus, from plain text or from ids.

#include "harness/plan/preview/preview_texts.h"

#include <algorithm>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/data/prepare.h"
#include "harness/data/tokenizer/tokenizer.h"

namespace ablate::plan {
namespace {

namespace fs = std::filesystem;
using Ids = std::vector<std::vector<Token>>;

PreviewTexts from_corpus(const data::Corpus& corpus, const Needs& needs, data::Packing packing,
                         std::int64_t context, std::int64_t count) {
  const data::Part& part = corpus.held_out();
  if (std::ssize(part.tokens) < context)
    reject(
        "the held-out part has {} tokens and a text needs {}; hold out more text, or give texts "
        "with --tokens",
        part.tokens.size(), context);
  const auto all = std::make_shared<const data::Texts>(part, needs, packing, context);
  PreviewTexts made{.owner = all};
  for (std::int64_t text = 0; text < all->count() && std::ssize(made.texts) < count; ++text)
    for (const data::Piece& piece : all->fragments(text)) made.texts.push_back(all->text_of(piece));
  return made;
}

Ids read_ids(const fs::path& file, const Vocabulary& vocabulary) {
  const auto shallow = [&](int depth, Json::parse_event_t, Json&) {
    if (depth > 2) reject("--tokens {}: is nested; give an array of arrays of ids", file.string());
    return true;
  };
  const Json given = Json::parse(read_file(file, 1u << 28), shallow, false);
  if (!given.is_array() || given.empty())
    reject("--tokens {}: is not a JSON array of arrays of ids, such as [[17, 20, 16]]",
           file.string());
  Ids all;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!given[i].is_array() || given[i].empty())
      reject("--tokens {}: text {} is not an array of at least one id", file.string(), i);
    auto& ids = all.emplace_back();
    for (const Json& id : given[i]) {
      if (!id.is_number_integer() || id < 0 || id >= vocabulary.end_ordinary())
        reject("--tokens {}: text {}: {} is not an id of text; they are 0 to {}", file.string(), i,
               canonical(id).substr(0, 40), vocabulary.end_ordinary() - 1);
      ids.push_back(id.get<Token>());
    }
  }
  return all;
}

Ids read_text(const fs::path& file, const data::Corpus& corpus, std::int64_t context) {
  const std::string text = read_file(file, 1u << 28);
  if (corpus.about().value("kind", "") == "language")
    reject("--text {}: the built-in language has ids and no letters; give ids with --tokens",
           file.string());
  std::vector<Token> ids = {begin_token};
  data::tokenizer_of(corpus.about(), data::cache_folder())->encode(text, ids);
  ids.push_back(end_token);
  Ids windows;
  for (auto left = std::span<const Token>(ids); !left.empty();) {
    const auto window = left.first(std::min(static_cast<std::size_t>(context), left.size()));
    windows.emplace_back(window.begin(), window.end());
    left = left.subspan(window.size());
  }
  return windows;
}

/// Texts made of these ids. `by_document`: the objective is given one document at a time.
PreviewTexts from_ids(Ids ids, bool by_document) {
  const auto owned = std::make_shared<const Ids>(std::move(ids));
  const auto pieces = std::make_shared<std::vector<std::span<const Token>>>();
  for (const std::span<const Token> tokens : *owned)
    for (std::size_t first = 0; first < tokens.size();) {
      const std::size_t end = by_document ? data::document_end(tokens, first) : tokens.size();
      pieces->push_back(tokens.subspan(first, end - first));
      first = end;
    }
  PreviewTexts made{.owner = owned};
  for (const std::span<const Token> tokens : *pieces) {
    Text text{.tokens = tokens, .document = std::ssize(made.texts)};
    text.documents = std::ssize(*pieces);
    text.other_document = [pieces](std::int64_t number) {
      return Passage{pieces->at(static_cast<std::size_t>(number)), {}};
    };
    made.texts.push_back(std::move(text));
  }
  return made;
}

}  // namespace

PreviewTexts preview_texts(const PreviewRequest& request, const Prepared& prepared,
                           const Needs& needs, data::Packing packing, std::int64_t context) {
  const bool by_document =
      needs.unit == Unit::document ||
      (packing == data::Packing::isolated && needs.alignment == Alignment::continuation);
  if (request.tokens) return from_ids(read_ids(*request.tokens, prepared.vocabulary), by_document);
  if (request.text)
    return from_ids(read_text(*request.text, prepared.corpus, context), by_document);
  return from_corpus(prepared.corpus, needs, packing, context, request.count);
}

}  // namespace ablate::plan
