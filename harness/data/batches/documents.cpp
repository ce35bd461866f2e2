#include "harness/data/batches/documents.h"

#include <algorithm>
#include <regex>

#include "harness/base/error.h"

namespace ablate::data {
namespace {

constexpr std::size_t kLongestPattern = 200;  // bytes; the parser of patterns is recursive

std::regex compiled(const std::string& pattern) {
  if (pattern.empty())
    reject(
        "corpus.pattern is missing; documents = \"pattern\" needs the expression that a document's "
        "first line matches, such as \"^ = [^=]\"");
  if (pattern.size() > kLongestPattern)
    reject("corpus.pattern has {} bytes; at most {} are accepted", pattern.size(), kLongestPattern);
  for (std::size_t at = pattern.find("(?"); at != std::string::npos;
       at = pattern.find("(?", at + 1))
    if (pattern.compare(at, 3, "(?:") != 0)
      reject("corpus.pattern = '{}': look-ahead is not accepted; write it without '(?'", pattern);
  auto flags = std::regex::ECMAScript | std::regex::nosubs | std::regex::optimize;
#ifdef __GLIBCXX__
  // Without this flag libstdc++ recurses for every character and may take exponential time.
  flags |= std::regex_constants::__polynomial;
#endif
  try {
    // Refuses patterns that only the group below makes valid, such as "a)(b".
    const std::regex alone(pattern, flags);
    // Searching from each place in turn takes quadratic time; one match with a free start does not.
    return std::regex("[\\s\\S]*?(?:" + pattern + ")", flags);
  } catch (const std::regex_error& error) {
    reject(
        "corpus.pattern = '{}' is not accepted as a regular expression ({}); use ECMAScript syntax "
        "without back-references and look-ahead",
        pattern, error.what());
  }
}

/// The lines of a document so far, without blank lines at its start and end.
struct Open {
  std::size_t first = std::string_view::npos;
  std::size_t last = 0;  // the end of its last line, without the newline

  void close(std::string_view text, std::vector<std::string_view>& documents) {
    if (first != std::string_view::npos) documents.push_back(text.substr(first, last - first));
    *this = Open();
  }
};

}  // namespace

struct DocumentRule::Heading {
  std::regex pattern;
};

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\n\v\f\r") == std::string_view::npos;
}

DocumentRule::DocumentRule(const std::string& rule, const std::string& pattern) {
  if (rule == "files")
    by_ = By::files;
  else if (rule == "blank_lines")
    by_ = By::blank_lines;
  else if (rule == "lines")
    by_ = By::lines;
  else if (rule == "pattern")
    by_ = By::pattern;
  else
    reject("corpus.documents = '{}' is not known; accepted: files, blank_lines, lines, pattern",
           rule);
  if (by_ == By::pattern)
    heading_ = std::make_unique<Heading>(Heading{compiled(pattern)});
  else if (!pattern.empty())
    reject(
        "corpus.pattern = '{}' is not used with documents = \"{}\"; set documents = \"pattern\", "
        "or leave the pattern out",
        pattern, rule);
}

DocumentRule::~DocumentRule() = default;
DocumentRule::DocumentRule(DocumentRule&&) noexcept = default;

bool DocumentRule::starts(std::string_view line, bool after_blank) const {
  switch (by_) {
    case By::files:
      return false;
    case By::blank_lines:
      return after_blank;
    case By::lines:
      return true;
    case By::pattern:
      break;
  }
  return line.size() <= kLongestHeading &&
         std::regex_search(line.begin(), line.end(), heading_->pattern,
                           std::regex_constants::match_continuous);
}

std::vector<std::string_view> DocumentRule::split(std::string_view text) const {
  std::vector<std::string_view> documents;
  Open open;
  bool after_blank = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const bool blank = is_blank(line);
    if (!blank) {
      if (starts(line, after_blank)) open.close(text, documents);
      open.first = std::min(open.first, at);
      open.last = end;
    }
    after_blank = blank;
    at = end + 1;
  }
  open.close(text, documents);
  return documents;
}

}  // namespace ablate::data
