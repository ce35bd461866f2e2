#include "reports/text/portable.h"

namespace ablate::reports {
namespace {

/// Whether a '/' after this character begins an absolute path: not within a relative one, nor within
/// an address such as https://example.org.
bool begins_path(char before) {
  return std::string_view(" \t\n\"'`=,;([{<>|").find(before) != std::string_view::npos;
}

bool ends_path(char c) {
  return std::string_view("\t\n\"'`,;)]}<>|").find(c) != std::string_view::npos;
}

}  // namespace

std::string without_folders(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const bool path = text[at] == '/' && (at == 0 || begins_path(text[at - 1]));
    if (!path) {
      result += text[at++];
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && !ends_path(text[end]) && text[end] != ' ') ++end;
    std::string_view whole = text.substr(at, end - at);
    while (whole.size() > 1 && whole.ends_with('/')) whole.remove_suffix(1);
    result += whole.size() > 1 ? whole.substr(whole.rfind('/') + 1) : whole;
    at = end;
  }
  return result;
}

}  // namespace ablate::reports
