#include "reports/export/safe_name.h"

#include <fmt/core.h>

#include <algorithm>

#include "harness/base/sha256.h"

namespace ablate::reports {
namespace {

constexpr std::size_t kMaxNameBytes = 100;

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.';
}

}  // namespace

std::string safe_file_name(std::string_view raw, std::string_view also) {
  std::string name(raw.substr(0, kMaxNameBytes));
  for (char& c : name)
    if (!is_plain(c) && also.find(c) == also.npos) c = '_';
  const bool hidden = !name.empty() && (name[0] == '.' || name[0] == '-');
  if (hidden) name[0] = '_';
  return name == raw && !name.empty() ? name : fmt::format("{}-{}", name, sha256(raw).substr(0, 8));
}

std::string file_uri(std::string_view path) {
  std::string uri = "file://";
  for (const char c : path)
    uri += is_plain(c) || c == '/' ? std::string(1, c)
                                   : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return uri;
}

}  // namespace ablate::reports
