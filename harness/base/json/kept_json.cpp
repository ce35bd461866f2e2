#include "harness/base/json/kept_json.h"

#include <exception>

#include "harness/base/files.h"
#include "harness/base/json/parse.h"
#include "harness/base/sha256.h"

namespace ablate {

Json kept_json(const std::filesystem::path& file, const Json& identity) try {
  if (!std::filesystem::exists(file)) return {};
  const Json record = parse_or_discard(read_file(file));
  const bool whole = record.is_object() && record.contains("value") &&
                     record.value("identity", Json()) == identity &&
                     record.value("sum", Json()) == sha256(record.at("value").dump());
  return whole ? record.at("value") : Json();
} catch (const std::exception&) {
  return {};  // such as a folder of that name
}

void keep_json(const std::filesystem::path& file, const Json& identity, const Json& value) {
  const Json record = {{"identity", identity}, {"value", value}, {"sum", sha256(value.dump())}};
  write_file(file, record.dump(2) + "\n");
}

}  // namespace ablate
