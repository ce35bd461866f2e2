// Reads texts from the corpus, from plain text or from ids.

#include "harness/plan/preview/preview_texts.h"

#include <algorithm>
#include <set>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/json/parse.h"
#include "harness/data/prepare.h"
#include "harness/data/text/text_files.h"
#include "harness/data/text_corpus.h"

namespace ablate::plan {
namespace {

namespace fs = std::filesystem;

/// Texts of the request. Marks are empty where only ids are given.
struct Given {
  std::vector<Token> tokens;
  std::vector<std::uint8_t> marks = {};
};

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

/// The texts of training documents, in the order of the text.
PreviewTexts from_documents(const data::Corpus& corpus, const Needs& needs, data::Packing packing,
                            std::int64_t context, const std::vector<std::int64_t>& documents) {
  const auto all = std::make_shared<const data::Texts>(corpus.training(), needs, packing, context);
  PreviewTexts made{.owner = all};
  std::set<std::int64_t> without(documents.begin(), documents.end());
  for (std::int64_t text = 0; text < all->count(); ++text)
    for (const data::Piece& piece : all->fragments(text)) {
      Text one = all->text_of(piece);
      if (std::ranges::find(documents, one.document) == documents.end()) continue;
      without.erase(one.document);
      made.texts.push_back(std::move(one));
    }
  if (!without.empty())
    reject(
        "--documents {}: no training text begins in it; the training part has {} documents, "
        "numbered from 0",
        *without.begin(), corpus.training().documents);
  return made;
}

std::vector<Given> read_ids(const fs::path& file, const Vocabulary& vocabulary) {
  const std::string text = read_file(file, 1u << 28);
  if (is_nested_deeper(text, 2))
    reject("--tokens {}: is nested; give an array of arrays of ids", file.string());
  const Json given = parse_or_discard(text);
  if (!given.is_array() || given.empty())
    reject("--tokens {}: is not a JSON array of arrays of ids, such as [[17, 20, 16]]",
           file.string());
  std::vector<Given> all;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!given[i].is_array() || given[i].empty())
      reject("--tokens {}: text {} is not an array of at least one id", file.string(), i);
    std::vector<Token>& ids = all.emplace_back().tokens;
    for (const Json& id : given[i]) {
      if (!id.is_number_integer() || id < 0 || id >= vocabulary.end_ordinary())
        reject("--tokens {}: text {}: {} is not an id of text; they are 0 to {}", file.string(), i,
               canonical(id).substr(0, 40), vocabulary.end_ordinary() - 1);
      ids.push_back(id.get<Token>());
    }
  }
  return all;
}

/// The windows of a file that is read as a corpus would read it, as one document. Adds to `warnings`
/// what its user should know.
std::vector<Given> read_text(const fs::path& file, const data::Corpus& corpus, std::int64_t context,
                             std::vector<std::string>& warnings) {
  if (corpus.has_words())
    reject("--text {}: this corpus consists of ids, not letters; give ids with --tokens",
           file.string());
  Given all;
  const auto tokenizer = data::tokenizer_of(corpus.about(), data::cache_folder());
  data::Treatment treatment;
  const data::TextFormat one_document{.rule = {"files", ""}};
  const data::CutText text = data::cut(data::read_raw({file}), one_document, treatment);
  if (treatment.invalid_bytes > 0)
    warnings.push_back(fmt::format(
        "--text {}: bytes that are not UTF-8 are read as U+FFFD: {} in all; convert the file with "
        "iconv -f ENCODING -t UTF-8 FILE > NEW_FILE",
        file.string(), treatment.invalid_bytes));
  if (text.documents.empty()) reject("--text {}: holds no text", file.string());
  const std::string_view document = text.documents.front();
  data::DocumentMarker marker(data::ascii_rule_covers(document) ? data::mark_rule_of(corpus.about())
                                                                : data::MarkRule::unicode);
  data::add_document(document, *tokenizer, marker, all.tokens, all.marks);
  std::vector<Given> windows;
  for (std::int64_t first = 0; first < std::ssize(all.tokens); first += context) {
    const std::int64_t end = std::min(first + context, std::ssize(all.tokens));
    windows.push_back({{all.tokens.begin() + first, all.tokens.begin() + end},
                       {all.marks.begin() + first, all.marks.begin() + end}});
  }
  return windows;
}

/// The texts as an objective is given them. `by_document`: one document at a time.
PreviewTexts from_request(std::vector<Given> given, bool by_document, std::int64_t context) {
  const auto owned = std::make_shared<const std::vector<Given>>(std::move(given));
  const auto pieces = std::make_shared<std::vector<Passage>>();
  std::vector<std::int64_t> rooms;  // of the pieces
  for (const Given& one : *owned) {
    const std::span<const Token> tokens = one.tokens;
    const std::span<const std::uint8_t> marks = one.marks;
    for (std::size_t first = 0; first < tokens.size();) {
      const std::size_t end = by_document ? document_end(tokens, first) : tokens.size();
      pieces->push_back({tokens.subspan(first, end - first),
                         marks.empty() ? marks : marks.subspan(first, end - first)});
      rooms.push_back(std::max(context, std::ssize(tokens)) - static_cast<std::int64_t>(first));
      first = end;
    }
  }
  PreviewTexts made{.owner = owned};
  for (const Passage& piece : *pieces) {
    Text text{.tokens = piece.tokens, .marks = piece.marks, .document = std::ssize(made.texts)};
    text.room = rooms[made.texts.size()];
    text.documents = std::ssize(*pieces);
    text.other_document = [pieces](std::int64_t number) {
      return pieces->at(static_cast<std::size_t>(number));
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
  if (request.tokens)
    return from_request(read_ids(*request.tokens, prepared.vocabulary), by_document, context);
  if (request.text) {
    std::vector<std::string> warnings;
    PreviewTexts made = from_request(read_text(*request.text, prepared.corpus, context, warnings),
                                     by_document, context);
    made.warnings = std::move(warnings);
    return made;
  }
  if (!request.documents.empty())
    return from_documents(prepared.corpus, needs, packing, context, request.documents);
  return from_corpus(prepared.corpus, needs, packing, context, request.count.value_or(1));
}

}  // namespace ablate::plan
