#include "harness/data/corpus_counts.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "harness/base/number_text.h"
#include "harness/base/utf8.h"
#include "harness/data/batches/packing.h"
#include "harness/data/corpus/split.h"
#include "harness/data/text/text_encoding.h"

namespace ablate::data {
namespace {

// Of the fraction that was asked for: a larger difference is a surprise.
constexpr double kMaxDifference = 1.0 / 3;

Json counts_of_part(const Part& part) {
  return {{"documents", part.documents},
          {"bytes", part.bytes > 0 ? Json(part.bytes) : Json()},
          {"tokens", part.tokens.size()}};
}

/// A value of the corpus's about(); null if it has none.
Json about(const Corpus& corpus, const char* pointer) {
  const Json::json_pointer at(pointer);
  return corpus.about().contains(at) ? corpus.about().at(at) : Json();
}

double held_out_fraction(const Corpus& corpus) {
  const auto held_out = static_cast<double>(corpus.held_out().tokens.size());
  return held_out / (held_out + static_cast<double>(corpus.training().tokens.size()));
}

/// The fraction of the documents that the section asks to be held out; null if it names files.
Json held_out_share(const Corpus& corpus) { return about(corpus, "/settings/held_out/share"); }

/// A document of a part.
struct SizedDocument {
  std::size_t tokens = 0;
  std::span<const Token> start;  // its first tokens
};

/// The start of a document in one line of printable text.
std::string start_of(const Corpus& corpus, const SizedDocument& document) {
  constexpr std::size_t kShown = 24;  // characters
  std::string text = corpus.spelled(document.start);
  std::replace(text.begin(), text.end(), '\n', ' ');
  return clipped(text, kShown);
}

/// "the largest are 95 % of all tokens ('One one ...') and 3 % ('Two ...')".
std::string largest_documents(const Corpus& corpus) {
  constexpr std::size_t kNamed = 2, kStart = 24;  // documents; tokens of each
  std::vector<SizedDocument> documents;
  double all = 0;
  for (const Part& part : {corpus.training(), corpus.held_out()})
    for (std::size_t first = 0; first < part.tokens.size();) {
      const std::size_t end = document_end(part.tokens, first);
      const std::size_t text = first + 1;  // after the begin token
      const std::size_t last = end - (end > text && part.tokens[end - 1] == end_token);
      documents.push_back({end - first, part.tokens.subspan(text, std::min(kStart, last - text))});
      all += static_cast<double>(end - first);
      first = end;
    }
  const std::size_t named = std::min(kNamed, documents.size());
  std::partial_sort(
      documents.begin(), documents.begin() + static_cast<std::ptrdiff_t>(named), documents.end(),
      [](const SizedDocument& a, const SizedDocument& b) { return a.tokens > b.tokens; });
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < named; ++i)
    shown.push_back(fmt::format(
        "{} % ('{} ...')", significant(100 * static_cast<double>(documents[i].tokens) / all, 2),
        start_of(corpus, documents[i])));
  return fmt::format("the largest have {} of all tokens", fmt::join(shown, " and "));
}

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

/// "'a.txt' is" or "3 files, among them 'a.txt', are".
std::string subject_of(const Json& group) {
  const auto files = integer_in(group.at("files"));
  const auto first = group.at("first").get<std::string>();
  return files == 1 ? fmt::format("'{}' is", first)
                    : fmt::format("{} files, among them '{}', are", files, first);
}

/// What a group of files is, and what to do about it.
std::string sentence_of(Encoding encoding, const Json& group) {
  const std::string subject = subject_of(group);
  if (encoding == Encoding::windows_1252)
    return fmt::format(
        "{} probably Windows-1252 (or Latin-1): convert with "
        "iconv -f WINDOWS-1252 -t UTF-8 FILE > NEW_FILE",
        subject);
  if (encoding == Encoding::binary)
    return fmt::format(
        "{} binary, or UTF-16: leave it out (corpus.glob, such as \"*.txt\"), or convert with "
        "iconv -f UTF-16 -t UTF-8 FILE > NEW_FILE",
        subject);
  return fmt::format(
      "{} in an unknown encoding: convert with iconv -f ENCODING -t UTF-8 FILE > NEW_FILE",
      subject);
}

}  // namespace

Json counts_of(const Corpus& corpus) {
  Json counts = {{"hash", corpus.hash()},
                 {"training", counts_of_part(corpus.training())},
                 {"held_out", counts_of_part(corpus.held_out())},
                 {"held_out_fraction", held_out_fraction(corpus)},
                 {"held_out_share", held_out_share(corpus)}};
  const Json copies = about(corpus, "/provenance/copies");
  if (!copies.is_null()) counts["copies"] = copies;
  return counts;
}

std::vector<std::string> warnings_about(const Corpus& corpus, std::string_view name) {
  std::vector<std::string> warnings;
  const double fraction = held_out_fraction(corpus);
  const Json share = held_out_share(corpus);
  const auto held_out = corpus.held_out().documents;
  if (share.is_number() && std::abs(fraction / share.get<double>() - 1) >= kMaxDifference)
    warnings.push_back(fmt::format(
        "{}: {} % of its tokens, {} of {} documents, are held out, but corpus.held_out.share asks "
        "for {} %: each document is drawn independently, and these are few or differ in length; "
        "{}. {}, or name the files to hold out (corpus.held_out.paths)",
        name, significant(100 * fraction, 2), held_out, held_out + corpus.training().documents,
        significant(100 * share.get<double>(), 2), largest_documents(corpus),
        capitalised(more_documents(about(corpus, "/settings/documents").get<std::string>()))));

  const Json left_out = about(corpus, "/documents_left_out");
  if (left_out.is_number_integer() && left_out.get<std::int64_t>() > 0)
    warnings.push_back(fmt::format(
        "{}: {} of {} documents of corpus.paths are held out as well (corpus.held_out.paths); they "
        "are left out of training",
        name, left_out.get<std::int64_t>(),
        left_out.get<std::int64_t>() + corpus.training().documents));

  const Json invalid = about(corpus, "/treatment/invalid_bytes");
  const Json nul = about(corpus, "/treatment/nul_bytes");
  const std::int64_t replaced = (invalid.is_number_integer() ? invalid.get<std::int64_t>() : 0) +
                                (nul.is_number_integer() ? nul.get<std::int64_t>() : 0);
  if (replaced == 0) return warnings;
  std::string files;
  const Json groups = about(corpus, "/provenance/encodings");
  for (const Encoding encoding : {Encoding::windows_1252, Encoding::unknown, Encoding::binary})
    if (groups.is_object() && groups.contains(name_of(encoding)))
      files += "; " + sentence_of(encoding, groups.at(std::string(name_of(encoding))));
  warnings.push_back(
      fmt::format("{}: bytes that are not UTF-8, or are NUL, are read as U+FFFD: {} in all{}", name,
                  replaced, files));
  return warnings;
}

std::int64_t held_out_documents(const Part& training, const Part& held_out) {
  const auto documents_of = [](const Part& part) {
    std::vector<std::string_view> documents;
    for (std::size_t first = 0; first < part.tokens.size();) {
      const std::size_t end = document_end(part.tokens, first);
      const auto bytes = std::as_bytes(part.tokens.subspan(first, end - first));
      documents.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      first = end;
    }
    return documents;
  };
  const std::vector<std::string_view> kept = documents_of(held_out);
  const std::unordered_set<std::string_view> known(kept.begin(), kept.end());
  const std::vector<std::string_view> read = documents_of(training);
  return std::count_if(read.begin(), read.end(),
                       [&](std::string_view document) { return known.contains(document); });
}

}  // namespace ablate::data
