// Splits text into documents.

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ablate::data {

/// Whether a line contains only ASCII white space: space, \t, \n, \v, \f, \r.
bool is_blank(std::string_view line);

/// Splits a text into documents by a rule:
///   "files"        all of it is one document
///   "blank_lines"  blank lines stand between documents
///   "lines"        every line that is not blank is a document
///   "pattern"      a document starts at every line in which the pattern is found
///
/// Blank lines at the start and end of a document and the newline after its last line are removed.
/// A document has at least one line that is not blank.
class DocumentRule {
 public:
  /// A longer line starts no document by pattern, so that the search is bounded.
  static constexpr std::size_t kLongestHeading = 1000;  // bytes

  /// `pattern`: an ECMAScript regular expression over bytes, without look-ahead and
  /// back-references, so that a line is searched in linear time. Throws std::invalid_argument for
  /// an unknown rule, or a pattern that is missing, unused or malformed.
  DocumentRule(const std::string& rule, const std::string& pattern);
  ~DocumentRule();
  DocumentRule(DocumentRule&&) noexcept;  // the source may only be destroyed

  /// The documents of `text`, in order, as views of it.
  std::vector<std::string_view> split(std::string_view text) const;

 private:
  struct Heading;
  enum class By { files, blank_lines, lines, pattern };

  /// Whether a line starts a document; `after_blank`: the previous line is blank.
  bool starts(std::string_view line, bool after_blank) const;

  By by_;
  std::unique_ptr<Heading> heading_;  // null unless by pattern
};

}  // namespace ablate::data
