#include "harness/store/journal/journal.h"

#include <fmt/core.h>

#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>
#include <optional>

#include "harness/base/error.h"
#include "harness/base/posix/sync_folder.h"
#include "harness/base/sha256.h"
#include "harness/store/journal/parse.h"

namespace ablate::store {
namespace {

constexpr std::size_t kSumDigits = 16;
constexpr std::string_view kSumKey = R"("sum":")";

std::string checksum(const Json& event) { return sha256(canonical(event)).substr(0, kSumDigits); }

/// Whether the bytes of a line, less its "sum" at `at`, hash to that sum: they are then what
/// write() hashed, and need not be made from the event once more.
bool sums_up(std::string_view line, std::size_t at) {
  const std::size_t digits = at + kSumKey.size(), end = digits + kSumDigits + 1;  // past its quote
  if (at == 0 || end >= line.size() || line[end - 1] != '"') return false;
  const bool last = line[end] == '}';
  if (!last && line[end] != ',') return false;
  if (last && line[at - 1] != ',') return false;
  Sha256 hash;
  hash.add(line.substr(0, last ? at - 1 : at));
  hash.add(line.substr(last ? end : end + 1));
  return std::string_view(hash.hex()).substr(0, kSumDigits) == line.substr(digits, kSumDigits);
}

/// Whether one of a line's "sum" values is that of all its other bytes. Nested objects may have a
/// "sum", too.
bool has_its_checksum(std::string_view line) {
  for (std::size_t at = line.find(kSumKey); at != line.npos; at = line.find(kSumKey, at + 1))
    if (sums_up(line, at)) return true;
  return false;
}

/// The event of a line, where the line's checksum is that of its bytes.
std::optional<Json> verified(std::string_view line) {
  if (!has_its_checksum(line)) return std::nullopt;
  try {
    Json event = parse_stored(line, "");
    if (!event.is_object() || event.erase("sum") != 1) return std::nullopt;
    if (!event.value("event", Json()).is_string() ||
        !event.value("attempt", Json()).is_number_integer())
      return std::nullopt;
    return event;
  } catch (const DamagedFile&) {
    return std::nullopt;
  }
}

struct Contents {
  std::vector<Json> events;
  std::string unterminated;        // a last line, among the events, that lacks only its newline
  std::size_t complete_bytes = 0;  // bytes of the lines that have a newline
  std::size_t size = 0;            // bytes of the file
};

[[noreturn]] void changed_line(const std::filesystem::path& file, std::size_t line) {
  damaged(
      "{}:{}: does not match its checksum: a byte was changed, or lines were merged; "
      "restore this journal from a copy, or remove its folder to run the trial again",
      file.string(), line);
}

/// A last line is torn where writing it was interrupted: it has no newline. It is kept where only
/// the newline is missing. A complete event followed by another byte is damage: that byte was the
/// newline.
Contents contents_of(std::string_view bytes, const std::filesystem::path& file) {
  Contents contents;
  contents.size = bytes.size();
  while (contents.complete_bytes < bytes.size()) {
    const std::size_t end = bytes.find('\n', contents.complete_bytes);
    const bool torn = end == std::string::npos;
    const auto line =
        bytes.substr(contents.complete_bytes, torn ? end : end - contents.complete_bytes);
    std::optional<Json> event = verified(line);
    if (!event && (!torn || verified(line.substr(0, line.size() - 1))))
      changed_line(file, contents.events.size() + 1);
    if (event) contents.events.push_back(std::move(*event));
    if (event && torn) contents.unterminated = line;
    if (torn) break;
    contents.complete_bytes += line.size() + 1;
  }
  return contents;
}

/// Creates the folders of `path` durably and returns `path`. Throws std::runtime_error where they
/// cannot be created.
const std::filesystem::path& with_folders(const std::filesystem::path& path) {
  const auto folder = path.parent_path();
  if (folder.empty() || std::filesystem::exists(folder)) return path;
  std::filesystem::create_directories(folder);
  for (const auto& made : {folder, folder.parent_path()}) sync_folder(made);
  return path;
}

/// UTC to the millisecond, as "2024-03-01T12:00:00.000Z".
std::string now() {
  const auto time = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  const auto millis =
      std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count() % 1000;
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char text[32];
  const std::size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S.", &parts);
  const std::string digits = std::to_string(1000 + millis).substr(1);
  return std::string(text, length) + digits + "Z";
}

/// `value`, with every number that JSON cannot represent replaced by its name.
Json storable(Json value) {
  if (value.is_number_float()) return number_to_json(value);
  if (value.is_structured())
    for (auto& member : value) member = storable(std::move(member));
  return value;
}

}  // namespace

Journal::Journal(const std::filesystem::path& file) : path_(file), file_(with_folders(file)) {
  read_and_repair();
}

void Journal::read_and_repair() {
  Contents contents = contents_of(read_file(path_), path_);
  if (contents.complete_bytes < contents.size)
    std::filesystem::resize_file(path_, contents.complete_bytes);
  if (!contents.unterminated.empty()) file_.append(contents.unterminated);
  events_ = std::move(contents.events);
  for (const Json& event : events_)
    attempt_ = std::max(attempt_, event.at("attempt").get<std::int64_t>());
}

void Journal::write(std::string_view event, Json fields) {
  if (event == "attempt") ++attempt_;
  fields = storable(std::move(fields));
  fields["event"] = event;
  fields["attempt"] = attempt_;
  fields["time"] = now();
  fields.erase("sum");
  // Invalid UTF-8 is replaced before hashing, so that the hash is that of the bytes in the file.
  fields = Json::parse(canonical(fields));
  Json line = fields;
  line["sum"] = checksum(fields);
  const auto size = std::filesystem::file_size(path_);
  try {
    file_.append(canonical(line));
  } catch (...) {
    // An incomplete line must not stay: the next one would be appended to it.
    std::error_code ignored;
    std::filesystem::resize_file(path_, size, ignored);
    throw;
  }
  events_.push_back(std::move(fields));
}

std::vector<Json> read_journal(const std::filesystem::path& file) {
  return journal_events(read_file(file), file);
}

std::vector<Json> journal_events(std::string_view bytes, const std::filesystem::path& file) {
  return std::move(contents_of(bytes, file).events);
}

Json number_to_json(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

double number_from_json(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (value == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (value == "inf") return std::numeric_limits<double>::infinity();
  if (value == "-inf") return -std::numeric_limits<double>::infinity();
  damaged("{} is not a number; numbers are stored as themselves or as \"nan\", \"inf\", \"-inf\"",
          canonical(value));
}

}  // namespace ablate::store
