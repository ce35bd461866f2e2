// Reads LaTeX, for the tests of papers.

#pragma once

#include <algorithm>
#include <cctype>
#include <regex>
#include <string>
#include <utility>
#include <vector>

namespace ablate::reports {

/// Reads LaTeX as TeX's scanner does, as far as to find what would end a compilation: groups,
/// environments and formulas that do not nest, special characters outside their place, rows with
/// too many or too few cells.
class TexScanner {
 public:
  explicit TexScanner(const std::string& tex) : tex_(tex) {}

  /// The first fault with the text that follows it; empty where there is none.
  std::string fault() {
    while (at_ < tex_.size()) {
      const std::size_t begin = at_;
      if (const std::string wrong = step(); !wrong.empty())
        return wrong + " at: " + tex_.substr(begin, 60);
    }
    return open_.empty() ? "" : "not closed: " + open_.back().what;
  }

 private:
  /// A group, a formula or an environment.
  struct Open {
    std::string what;
    std::ptrdiff_t columns = 0;  // of a tabular
    std::ptrdiff_t cells = 1;    // of its row so far
  };

  std::string step() {
    const char c = tex_[at_++];
    if (c == '\\') return command();
    if (c == '%') at_ = std::min(tex_.find('\n', at_), tex_.size() - 1) + 1;  // a comment
    if (c == '{') open_.push_back({"{"});
    if (c == '}') return close("{");
    if (c == '$' && !within("$")) return open_.push_back({"$"}), "";
    if (c == '$') return close("$");
    if (c == '&') return within("tabular") ? (++open_.back().cells, "") : "& outside a row";
    const bool formula =
        within("$") || (within("{") && open_.size() > 1 && open_[open_.size() - 2].what == "$");
    if ((c == '_' || c == '^') && !formula) return "outside a formula";
    if (c == '#' && (tex_[at_] < '1' || tex_[at_] > '2')) return "no parameter";
    if (c == '~') return "not escaped";
    if (c == '\n' && tex_[at_] == '\n' && within("{")) return "a paragraph ends in an argument";
    return "";
  }

  std::string command() {
    const std::size_t begin = at_;
    while (at_ < tex_.size() && std::isalpha(static_cast<unsigned char>(tex_[at_]))) ++at_;
    const std::string name = tex_.substr(begin, at_ - begin);
    if (name.empty()) return tex_[at_++] == '\\' ? end_row() : "";  // an escaped character
    if (name == "multicolumn")  // "{3}": two more cells than one
      innermost_table().cells += std::stol(tex_.substr(at_ + 1)) - 1;
    if (name != "begin" && name != "end") return "";
    const std::size_t brace = tex_.find('}', at_);
    const std::string environment = tex_.substr(at_ + 1, brace - at_ - 1);
    at_ = brace + 1;
    if (name == "end") return close(environment);
    open_.push_back({environment});
    if (environment != "tabular") return "";
    const std::size_t first = tex_.find("{@{}", at_) + 4, last = tex_.find("@{}}", at_);
    const std::regex other(R"(@\{\}|\{[^}]*\})");  // "{@{}lr@{}lp{3cm}@{}}" has four columns
    open_.back().columns =
        std::ssize(std::regex_replace(tex_.substr(first, last - first), other, ""));
    at_ = last + 4;
    return "";
  }

  std::string end_row() {
    if (!within("tabular")) return "a row outside a table";
    const std::ptrdiff_t cells = std::exchange(open_.back().cells, 1);
    return cells == open_.back().columns ? "" : "a row of other cells than its columns";
  }

  Open& innermost_table() {
    return *std::find_if(open_.rbegin(), open_.rend(),
                         [](const Open& open) { return open.what == "tabular"; });
  }

  bool within(const std::string& what) const { return !open_.empty() && open_.back().what == what; }

  std::string close(const std::string& what) {
    if (!within(what)) return "closes " + what + ", which is not open";
    open_.pop_back();
    return "";
  }

  const std::string& tex_;
  std::size_t at_ = 0;
  std::vector<Open> open_;  // the innermost last
};

}  // namespace ablate::reports
