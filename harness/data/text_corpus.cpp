#include "harness/data/text_corpus.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/base/error.h"
#include "harness/base/sha256.h"
#include "harness/data/corpus/split.h"
#include "harness/data/text/pictures.h"
#include "harness/data/text/plain_text.h"
#include "harness/data/text/text_files.h"
#include "harness/data/tokenizer/tokenizer.h"
#include "harness/data/tokenizer/tokenizer_lines.h"

namespace ablate::data {
namespace {

namespace fs = std::filesystem;

constexpr double kMaxPaths = 10'000;

Param paths_row(std::string_view description) {
  return list("paths", nullptr, {text("", nullptr, "")}, kMaxPaths, description);
}

std::vector<fs::path> all_files(const Json& paths, const std::string& glob, const fs::path& base,
                                LinksLeftOut& left_out) {
  std::vector<fs::path> files;
  for (const Json& path : paths)
    for (fs::path& file : files_of(base / path.get<std::string>(), glob, left_out))
      files.push_back(std::move(file));
  return files;
}

/// Refuses empty paths. Experiments on a user's text leave them empty, so the message says how to
/// give them.
void refuse_no_paths(const Params& params) {
  std::string names, flags;
  const auto check = [&](const Json& paths, const std::string& name) {
    if (!paths.empty()) return;
    names += (names.empty() ? "" : " and ") + name;
    flags += fmt::format(" --set {}='[\"FILE\"]'", name);
  };
  check(params.list("paths"), "corpus.paths");
  const Json& held_out = params.section("held_out");
  if (held_out.contains("paths")) check(held_out["paths"], "corpus.held_out.paths");
  if (!names.empty())
    reject("{}{} no file; give yours:{}", names, names.find(' ') == names.npos ? " names" : " name",
           flags);
}

void refuse_shared(const std::vector<fs::path>& training, const std::vector<fs::path>& held_out) {
  std::set<fs::path> seen;
  for (const fs::path& file : training) seen.insert(fs::canonical(file));
  for (const fs::path& file : held_out)
    if (seen.contains(fs::canonical(file)))
      reject(
          "corpus.held_out.paths: '{}' is also among corpus.paths; what is held out must not be "
          "trained on",
          file.string());
}

/// The files of both parts.
struct ListedFiles {
  std::vector<fs::path> training, held_out;
  LinksLeftOut left_out;
};

bool is_plain(const Params& params) { return params.text("format") == "plain"; }

ListedFiles list_files(const Params& params, const fs::path& base) {
  refuse_no_paths(params);
  const Json held_out = params.section("held_out").value("paths", Json::array());
  ListedFiles files;
  if (is_plain(params))
    for (const Json& paths : {params.list("paths"), held_out})
      for (const Json& path : paths) refuse_json_name(base / path.get<std::string>());
  files.training = all_files(params.list("paths"), params.text("glob"), base, files.left_out);
  files.held_out = all_files(held_out, params.text("glob"), base, files.left_out);
  refuse_shared(files.training, files.held_out);
  return files;
}

TextFormat format_of(const Params& params) {
  TextFormat format{.json_lines = params.text("format") == "jsonl",
                    .field = params.text("field"),
                    .rule = DocumentRule(params.text("documents"), params.text("pattern"))};
  if (!params.has("picture")) return format;
  if (!format.json_lines || params.text("documents") != "files")
    reject(
        "corpus.picture belongs to a record of JSON Lines, which is then one document; set format "
        "to \"jsonl\" and documents to \"files\", or leave picture out");
  format.picture = params.section("picture").at("field").get<std::string>();
  format.patch_values = params.section("picture").at("values").get<std::int64_t>();
  return format;
}

/// The settings that affect the corpus, given the contents of the files: without paths.
Json deciding(const Params& params) {
  Json settings = params.json();
  settings.erase("paths");
  settings.erase("glob");
  settings["held_out"].erase("paths");
  if (params.section("held_out").contains("paths")) settings["held_out"].erase("share");
  if (is_plain(params)) settings.erase("field");
  if (settings["tokenizer"]["kind"] == "bytes") settings["tokenizer"].erase("vocabulary");
  return settings;
}

/// One checksum of a part's files, in order.
Json checksum_of(const RawText& text) {
  std::string all;
  for (const std::string& checksum : text.checksums) all += checksum;
  return {{"files", text.files.size()}, {"bytes", text.size}, {"sha256", sha256(all)}};
}

/// A sentence about lines that SentencePiece cannot spell by its pieces; empty where there are none.
std::string lines_with_space_sign(const RawText& text) {
  std::int64_t marked = 0, lines = 0;
  for (const std::string& bytes : text.bytes) {
    lines += std::count(bytes.begin(), bytes.end(), '\n') + !bytes.ends_with('\n');
    for (std::size_t at = bytes.find(kSpaceSign); at != bytes.npos;
         at = bytes.find(kSpaceSign, at)) {
      ++marked;
      at = std::min(bytes.find('\n', at), bytes.size());
    }
  }
  if (marked == 0) return {};
  return fmt::format(
      "{} of {} lines have the character U+2581 ({}), which SentencePiece writes for a space; such "
      "a "
      "line is spelled in single bytes: replace it, as with sed 's/{}/ /g' FILE > NEW_FILE",
      marked, lines, kSpaceSign, kSpaceSign);
}

/// A sentence about held-out files that are training files of another name; empty where there are
/// none.
std::string copied_files(const RawText& training, const RawText& held_out) {
  std::map<std::string_view, std::size_t> known;  // by checksum
  for (std::size_t i = 0; i < training.files.size(); ++i)
    if (!training.bytes[i].empty()) known.emplace(training.checksums[i], i);
  std::size_t copies = 0;
  std::string first;
  for (std::size_t i = 0; i < held_out.files.size(); ++i) {
    const auto found = known.find(held_out.checksums[i]);
    if (found == known.end() || copies++ > 0) continue;
    first = fmt::format("'{}' is byte for byte '{}'", held_out.files[i].string(),
                        training.files[found->second].string());
  }
  if (copies == 0) return {};
  return fmt::format(
      "{} of {} held-out files {} among corpus.paths: {}; what is held out is not trained on, so "
      "name "
      "other files in one of them",
      copies, held_out.files.size(), copies == 1 ? "is a copy of one" : "are copies of some",
      first);
}

/// The text of a document without its picture. `pictures`: whether documents have them.
std::string_view text_without_picture(std::string_view document, bool pictures) {
  return pictures ? pictured(document).text : document;
}

/// The tokenizer of a corpus that is cut and split, with ids for patches where it has pictures. `about`
/// receives its description.
std::unique_ptr<Tokenizer> tokenizer_for(const Split& split, const TextFormat& format,
                                         const Json& section, const fs::path& cache, Json& about) {
  if (format.picture.empty()) return make_tokenizer(section, split.training, cache, about);
  std::vector<std::string_view> texts;
  for (const std::string_view document : split.training)
    texts.push_back(text_without_picture(document, true));
  auto tokenizer = make_tokenizer(section, texts, cache, about);
  about["patches"] = format.patch_values;
  tokenizer->reserve_patches(format.patch_values);
  return tokenizer;
}

/// Whether text that is made of these files may not be covered by the rule of ASCII.
bool may_be_uncovered(const RawText& text, const TextFormat& format) {
  return std::any_of(text.bytes.begin(), text.bytes.end(), [&](const std::string& bytes) {
    return may_need_unicode_rule(bytes, format.json_lines);
  });
}

/// The rule by which all documents of both parts are marked.
MarkRule mark_rule_for(const Split& split) {
  for (const auto* documents : {&split.training, &split.held_out})
    if (!std::all_of(documents->begin(), documents->end(), ascii_rule_covers))
      return MarkRule::unicode;
  return MarkRule::ascii;
}

CorpusContent::PartContent tokenised(const std::vector<std::string_view>& documents, bool pictures,
                                     const Tokenizer& tokenizer, MarkRule rule) {
  CorpusContent::PartContent part;
  std::size_t bytes = 0, longest = 1;
  for (const std::string_view document : documents)
    bytes += text_without_picture(document, pictures).size();
  for (const std::string& piece : tokenizer.pieces()) longest = std::max(longest, piece.size());
  // The fewest tokens that there can be; single bytes are exactly as many. Vectors that grow would
  // take up to three times the memory.
  part.tokens.reserve(bytes / longest + 2 * documents.size());
  part.marks.reserve(part.tokens.capacity());
  DocumentMarker marker(rule);
  for (const std::string_view document : documents) {
    if (!pictures) {
      add_document(document, tokenizer, marker, part.tokens, part.marks);
      continue;
    }
    Pictured parts = pictured(document);
    for (Token& patch : parts.patches) patch += tokenizer.first_patch();
    add_document(parts.text, tokenizer, marker, part.tokens, part.marks, parts.patches);
  }
  part.bytes = static_cast<std::int64_t>(bytes);
  part.documents = static_cast<std::int64_t>(documents.size());
  return part;
}

}  // namespace

MarkRule mark_rule_of(const Json& about) {
  return about.contains("marks") ? MarkRule::unicode : MarkRule::ascii;
}

void add_document(std::string_view text, const Tokenizer& tokenizer, DocumentMarker& marker,
                  std::vector<Token>& tokens, std::vector<std::uint8_t>& marks,
                  std::span<const Token> picture) {
  tokens.push_back(begin_token);
  marks.push_back(special_mark);
  tokens.insert(tokens.end(), picture.begin(), picture.end());
  marks.insert(marks.end(), picture.size(), word_mark | patch_mark);
  tokenizer.encode(text, tokens);
  marker.mark(text, std::span(tokens).subspan(marks.size()), tokenizer.pieces(), marks);
  tokens.push_back(end_token);
  marks.push_back(special_mark);
}

std::span<const Param> text_params() {
  static const std::vector<Param> rows = {
      paths_row("files and folders of text, relative to the file that gives them; by --set, to the "
                "current folder"),
      text("glob", "*", "names of the files to read in folders, such as \"*.md\""),
      choice("format", "plain", {"plain", "jsonl"},
             "plain text, or JSON Lines: one object per line"),
      text("field", "text", "the field of a JSON Lines record that holds its text"),
      choice("documents", "files", {"files", "blank_lines", "lines", "pattern"},
             "what a document is: a file (or record), a block between blank lines, a line, or a "
             "block that starts at a line that matches `pattern`"),
      text("pattern", "", "regular expression (ECMAScript) that a document's first line matches"),
      section("held_out",
              {optional(paths_row("files to hold out instead of a fraction of `paths`")),
               number("share", 0.1, 1e-6, 0.9, "fraction of the documents that is held out")},
              "the part that no trial trains on"),
      section("tokenizer",
              {choice("kind", "bytes", {"bytes", "unigram", "bpe", "words"},
                      "what ids stand for: single bytes, the pieces of a SentencePiece model "
                      "trained on the training part, or that part's most frequent words, each with "
                      "the space before it"),
               integer("vocabulary", 1024, 257, 1 << 20,
                       "number of SentencePiece pieces, or maximum number of words, including the "
                       "256 single bytes")},
              "how text becomes ids"),
      optional(section("picture",
                       {text("field", "patches",
                             "the field of a record that holds its picture: a list of patches"),
                        integer("values", 512, 2, 1 << 20,
                                "values that a patch may have, from 0 on; each is an id")},
                       "for JSON Lines: a picture before the text of each record; absent: none")),
  };
  return rows;
}

struct TextCorpus::State {
  Params params;
  TextFormat format;
  RawText training, held_out;
  LinksLeftOut left_out;
  Json identity;
};

TextCorpus::TextCorpus(const Params& params, const fs::path& base, const Json& tokenizer) {
  ListedFiles files = list_files(params, base);
  auto state = std::make_unique<State>(State{params,
                                             format_of(params),
                                             read_raw(std::move(files.training)),
                                             read_raw(std::move(files.held_out)),
                                             std::move(files.left_out),
                                             {}});
  if (is_plain(params)) {
    refuse_json_lines(state->training);
    refuse_json_lines(state->held_out);
  }
  state->identity = {{"kind", "text"},
                     {"semantics", kTextVersion},
                     {"settings", deciding(params)},
                     {"text", checksum_of(state->training)},
                     {"held_out_text", checksum_of(state->held_out)}};
  // A corpus that was made before there was this rule is not to be found for it.
  if (may_be_uncovered(state->training, state->format) ||
      may_be_uncovered(state->held_out, state->format))
    state->identity["marks"] = unicode_marks();
  if (!tokenizer.is_null()) {
    state->identity["settings"].erase("tokenizer");
    state->identity["tokenizer"] = tokenizer;
  }
  state_ = std::move(state);
}

TextCorpus::~TextCorpus() = default;
TextCorpus::TextCorpus(TextCorpus&&) noexcept = default;

const Json& TextCorpus::identity() const { return state_->identity; }

std::vector<std::string> TextCorpus::warnings() const {
  std::vector<std::string> warnings = state_->left_out.sentences();
  const std::string kind = state_->params.section("tokenizer").at("kind");
  if (kind == "unigram" || kind == "bpe")
    if (std::string marked = lines_with_space_sign(state_->training); !marked.empty())
      warnings.push_back(std::move(marked));
  if (std::string copies = copied_files(state_->training, state_->held_out); !copies.empty())
    warnings.push_back(std::move(copies));
  return warnings;
}

CorpusContent TextCorpus::content(const fs::path& cache) && {
  const Params& params = state_->params;
  const Json& held_out = params.section("held_out");
  Treatment treatment{.symlinks_skipped = state_->left_out.count()};
  const std::size_t files = state_->training.files.size();
  const CutText text = cut(std::move(state_->training), state_->format, treatment);
  const CutText held_out_text = cut(std::move(state_->held_out), state_->format, treatment);
  if (text.documents.empty())
    reject("corpus.paths: there is no document in {} files; they are empty or only white space",
           files);
  const Split split = held_out.contains("paths")
                          ? split_as_given(text.documents, held_out_text.documents)
                          : split_by_fraction(text.documents, held_out.at("share").get<double>(),
                                              params.text("documents"));
  CorpusContent content;
  content.about = state_->identity;
  const auto tokenizer = content.about.contains("tokenizer")
                             ? tokenizer_of(content.about, cache)
                             : tokenizer_for(split, state_->format, params.section("tokenizer"),
                                             cache, content.about["tokenizer"]);
  const MarkRule rule = mark_rule_for(split);
  if (rule == MarkRule::ascii) content.about.erase("marks");  // the corpus is the same without them
  const bool pictures = !state_->format.picture.empty();
  content.training = tokenised(split.training, pictures, *tokenizer, rule);
  content.held_out = tokenised(split.held_out, pictures, *tokenizer, rule);
  content.pieces = tokenizer->pieces();
  content.ordinary = static_cast<Token>(content.pieces.size());
  content.about["treatment"] = treatment.json();
  content.about["documents_left_out"] = text.documents.size() + held_out_text.documents.size() -
                                        split.training.size() - split.held_out.size();
  OddFiles odd = text.odd;
  odd.add(held_out_text.odd);
  content.about["provenance"] = {
      {"paths", params.list("paths")},
      {"held_out_paths", held_out.value("paths", Json::array())},
      {"encodings", odd.json()},
      {"copies",
       {{"training", copies_in(split.training)}, {"held_out", copies_in(split.held_out)}}}};
  return content;
}

void check_text(const Params& params, const fs::path& base) { list_files(params, base); }

fs::path prepare_text(const CorpusRequest& request) {
  TextCorpus text(request.params, request.base, request.tokenizer);
  for (std::string& warning : text.warnings()) request.warn(std::move(warning));
  // A corpus whose tokenizer is lost is made again, tokens included: text that is tokenised later
  // must be tokenised as the corpus was.
  return made_or_found(
      text.identity(), request.cache, [&] { return std::move(text).content(request.cache); },
      [&](const Json& about) { return has_tokenizer(about, request.cache); });
}

}  // namespace ablate::data
