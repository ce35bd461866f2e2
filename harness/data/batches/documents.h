// Where a text's documents begin and end.

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ablate::data {

/// Whether a line holds nothing but white space (ASCII: space, \t, \n, \v, \f, \r).
bool is_blank(std::string_view line);

/// Cuts a text into documents by a rule:
///   "files"        all of it is one document
///   "blank_lines"  blank lines stand between documents
///   "lines"        every line that is not blank is a document
///   "pattern"      a document starts at every line in which the pattern is found
///
/// A document has no blank lines at its ends and no newline after its last line; what is blank
/// altogether is no document.
class DocumentRule {
 public:
  /// Lines longer than this start no document by pattern, so that the search is bounded.
  static constexpr std::size_t kLongestHeading = 1000;  // bytes

  /// `pattern`: an ECMAScript regular expression over bytes, without look-ahead and
  /// back-references, so that a line is searched in time linear in its length. Throws
  /// std::invalid_argument for another rule, a pattern that is missing, unused or malformed.
  DocumentRule(const std::string& rule, const std::string& pattern);
  ~DocumentRule();
  DocumentRule(DocumentRule&&) noexcept;

  /// The documents of `text`, in order, as stretches of it.
  std::vector<std::string_view> split(std::string_view text) const;

 private:
  struct Heading;
  enum class By { files, blank_lines, lines, pattern };

  bool starts(std::string_view line, bool after_blank) const;

  By by_;
  std::unique_ptr<Heading> heading_;  // where by pattern
};

}  // namespace ablate::data
