#include "harness/probes/tagging/tagged_lines_spec.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/text/unicode.h"
#include "harness/data/text/json_lines.h"
#include "harness/data/text/text_clean.h"

namespace ablate::probes {
namespace {

constexpr std::string_view kBlanks = " \t\r";

/// A line that is not blank.
struct Line {
  std::size_t number = 0;  // from 1
  bool tabs = false;       // whether tabs separate its columns
  bool hash = false;       // starts with "#" and a blank, as comments do
  std::vector<std::string> columns;
};

using Lines = std::vector<Line>;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

/// The columns of a line: an empty first one where the line starts with a separator.
std::vector<std::string> columns_of(std::string_view line, bool tabs) {
  const std::string_view separators = tabs ? "\t" : " ";
  line = line.substr(0, line.find_last_not_of(kBlanks) + 1);
  std::vector<std::string> columns;
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t end = std::min(line.find_first_of(separators, at), line.size());
    const bool repeated = !tabs && end == at && at > 0;  // of several blanks the first separates
    if (!repeated) columns.emplace_back(trimmed(line.substr(at, end - at)));
    at = end + 1;
  }
  return columns;
}

/// The lines of a file by block; blank lines and "-DOCSTART-" end one.
std::vector<Lines> blocks_of(std::string_view text) {
  std::vector<Lines> blocks(1);
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    ++number;
    const bool tabs = line.find('\t') != line.npos;
    Line made{number, tabs, line.starts_with("# ") || trimmed(line) == "#", {}};
    if (!trimmed(line).empty()) made.columns = columns_of(line, tabs);
    if (!made.columns.empty() && made.columns[0] != "-DOCSTART-")
      blocks.back().push_back(std::move(made));
    else if (!blocks.back().empty())
      blocks.emplace_back();
  }
  if (blocks.back().empty()) blocks.pop_back();
  return blocks;
}

/// Removes comments and returns how many there were. A line that starts with "#" and a blank is the
/// word "#" if it has as many columns as the lines around it, and a tag that others have, too.
std::int64_t remove_comments(std::vector<Lines>& blocks) {
  std::size_t columns = 0;
  std::set<std::string> tags;
  for (const Lines& lines : blocks)
    for (const Line& line : lines) {
      if (line.hash) continue;
      if (tags.empty()) columns = line.columns.size();
      tags.insert(line.columns.back());
    }
  std::int64_t removed = 0;
  for (Lines& lines : blocks)
    removed += static_cast<std::int64_t>(std::erase_if(lines, [&](const Line& line) {
      const bool like_a_word = !line.tabs && line.columns.size() == columns && columns > 1 &&
                               tags.contains(line.columns.back());
      return line.hash && !like_a_word;
    }));
  std::erase_if(blocks, [](const Lines& lines) { return lines.empty(); });
  return removed;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

/// Whether an id stands for no word of its own: a range of words, or one that is not in the text.
bool is_range(const Line& line) {
  const std::string_view id = line.columns[0];
  const std::size_t mark = id.find_first_of("-.");
  return mark != id.npos && is_number(id.substr(0, mark)) && is_number(id.substr(mark + 1));
}

/// Whether the first columns of a sentence count its words from `first` on.
bool counts_from(const Lines& lines, std::size_t first) {
  std::size_t next = first;
  for (const Line& line : lines)
    if (!is_range(line) && line.columns[0] != std::to_string(next++)) return false;
  return next > first;
}

/// Whether the first column of every sentence numbers its words, before a word and a tag.
bool numbers_words(const std::vector<Lines>& blocks) {
  const auto all = [&](const auto& holds) { return std::ranges::all_of(blocks, holds); };
  const bool columns = all([](const Lines& lines) {
    return std::ranges::all_of(lines, [](const Line& line) { return line.columns.size() > 2; });
  });
  const bool several =
      std::ranges::any_of(blocks, [](const Lines& lines) { return lines.size() > 1; });
  return columns && several &&
         (all([](const Lines& lines) { return counts_from(lines, 1); }) ||
          all([](const Lines& lines) { return counts_from(lines, 0); }));
}

TaggedSentence sentence_of(const Lines& lines, bool numbered, const std::filesystem::path& file) {
  TaggedSentence sentence;
  for (const Line& line : lines) {
    const std::string& word = line.columns[numbered ? 1 : 0];
    const std::string where = fmt::format("{}:{}", file.string(), line.number);
    if (is_white(word))
      fail(
          "{}: the word is empty; a line is a word, a tab and its tag: give the word, or remove "
          "the "
          "line",
          where);
    if (line.columns.size() < 2)
      fail("{}: '{}' has no tag; a line is a word, a tab and its tag", where, word);
    sentence.words.push_back(word);
    sentence.tags.push_back(line.columns.back());
    sentence.lines.push_back(line.number);
  }
  return sentence;
}

}  // namespace

std::int64_t TaggedFile::words() const {
  std::int64_t count = 0;
  for (const TaggedSentence& sentence : sentences) count += std::ssize(sentence.words);
  return count;
}

bool TaggedFile::has_entities() const {
  return std::ranges::any_of(sentences, [](const TaggedSentence& sentence) {
    return std::ranges::any_of(sentence.tags, [](const std::string& tag) { return tag != "O"; });
  });
}

TaggedFile read_tagged(const std::filesystem::path& file) {
  data::Treatment treatment;
  const std::string bytes = read_file(file);
  data::refuse_other_forms(file, bytes);
  const std::string text = data::cleaned(bytes, treatment);
  std::vector<Lines> blocks = blocks_of(text);
  TaggedFile read;
  read.comments = remove_comments(blocks);
  read.numbered = numbers_words(blocks);
  for (Lines& lines : blocks) {
    if (read.numbered) std::erase_if(lines, is_range);
    read.sentences.push_back(sentence_of(lines, read.numbered, file));
  }
  if (read.sentences.empty())
    fail("{}: contains no tagged words; a line is a word, a tab and its tag", file.string());
  read.scheme = convert_to_iob2(read.sentences, file);
  return read;
}

}  // namespace ablate::probes
