#include "harness/store/parse.h"

#include "harness/base/error.h"
#include "harness/base/files.h"

namespace ablate {
namespace {

constexpr int kDeepest = 64;

}  // namespace

Json parse_stored(std::string_view text, std::string_view where) {
  const auto shallow = [where](int depth, Json::parse_event_t, Json&) {
    if (depth > kDeepest)
      throw DamagedFile(join(where, ": is nested more than ", kDeepest, " deep"));
    return true;
  };
  try {
    return Json::parse(text, shallow);
  } catch (const Json::exception&) {
    throw DamagedFile(join(where, ": is not JSON; the file was changed or cut off"));
  }
}

Json read_json_file(const std::filesystem::path& file) {
  return parse_stored(read_file(file), file.string());
}

}  // namespace ablate
