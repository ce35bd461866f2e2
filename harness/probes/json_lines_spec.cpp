#include "harness/probes/json_lines_spec.h"

#include <fmt/core.h>

#include <algorithm>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/sha256.h"
#include "harness/data/batches/documents.h"
#include "harness/data/text/json_lines.h"
#include "harness/data/text/text_clean.h"

namespace ablate::probes {

std::string read_json_lines(
    const std::filesystem::path& file,
    const std::function<void(const Json& record, const std::string& where)>& take) {
  const std::string bytes = read_file(file);
  data::refuse_other_forms(file, bytes);
  std::size_t number = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
    const std::string line = bytes.substr(at, end - at);
    at = end + 1;
    ++number;
    if (data::is_blank(line)) continue;
    const std::string where = fmt::format("{}:{}", file.string(), number);
    take(data::record_in(line, where), where);
  }
  return sha256(bytes);
}

std::string text_at(const Json& record, const std::string& key, const std::string& where) {
  const auto found = record.find(key);
  if (found == record.end()) fail("{}: has no '{}'", where, key);
  if (!found->is_string())
    fail("{}: '{}' is not a string, but {}", where, key, data::kind_of(*found));
  data::Treatment treatment;
  return data::cleaned(found->get_ref<const std::string&>(), treatment);
}

}  // namespace ablate::probes
