#include "reports/nightly/annotations.h"

#include <fmt/core.h>

#include <map>
#include <string_view>

namespace ablate::reports {
namespace {

using nightly::Verdict;

constexpr std::size_t kShown = 10;  // that GitHub shows of a kind in a step

std::string_view kind_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::regression:
    case Verdict::no_data:
      return "error";
    case Verdict::inconclusive:
      return "warning";
    case Verdict::changed:
    case Verdict::improvement:
      return "notice";
    case Verdict::pass:
      break;
  }
  return "";
}

// What would end a command, or a property of one, is written as GitHub's runner reads it.
std::string escaped(std::string_view text, bool property) {
  std::string out;
  for (const char c : text) {
    const bool is_special =
        c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','));
    if (is_special)
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out;
}

std::string line_of(std::string_view kind, std::string_view title, std::string_view message) {
  return fmt::format("::{} title={}::{}\n", kind, escaped(title, true), escaped(message, false));
}

}  // namespace

std::string github_annotations(const nightly::Judged& judged) {
  std::map<std::string_view, std::size_t> totals, shown;
  for (const nightly::Finding& finding : judged.findings) ++totals[kind_of(finding.verdict)];
  std::string text;
  for (const nightly::Finding& finding : judged.findings) {
    const std::string_view kind = kind_of(finding.verdict);
    if (kind.empty()) continue;
    const std::size_t place = ++shown[kind];
    if (place < kShown || totals[kind] == kShown)
      text += line_of(kind, finding.series,
                      fmt::format("{}: {}", name_of(finding.verdict), finding.reason));
    else if (place == kShown)
      text +=
          line_of(kind, "ablate nightly",
                  fmt::format("and {} more; the night's page has all", totals[kind] - kShown + 1));
  }
  return text;
}

}  // namespace ablate::reports
