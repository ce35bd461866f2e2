#include "harness/store/journal/journal.h"

#include <fmt/core.h>

#include <cmath>
#include <limits>
#include <optional>

#include "harness/base/clock.h"
#include "harness/base/error.h"
#include "harness/base/json/parse.h"
#include "harness/base/sha256.h"

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

/// A line that verifies.
struct Line {
  Json event;                           // without "sum" and "previous"
  std::string sum;                      // its checksum
  std::optional<std::string> previous;  // that of the line before it; none in an older version
};

/// The text under `key`, which is removed from the event; nothing where it is not a text.
std::optional<std::string> take_text(Json& event, const char* key) {
  const auto found = event.find(key);
  if (found == event.end() || !found->is_string()) return std::nullopt;
  std::string text = found->get<std::string>();
  event.erase(found);
  return text;
}

/// A line whose checksum is that of its bytes.
std::optional<Line> verified(std::string_view text) {
  if (!has_its_checksum(text)) return std::nullopt;
  try {
    Json event = parse_stored(text, "");
    if (!event.is_object()) return std::nullopt;
    const auto sum = take_text(event, "sum");
    if (!sum || !event.value("event", Json()).is_string()) return std::nullopt;
    integer_in(event.at("attempt"));
    auto previous = take_text(event, "previous");
    return Line{std::move(event), *sum, std::move(previous)};
  } catch (const DamagedFile&) {
    return std::nullopt;
  } catch (const Json::exception&) {  // no attempt, or one that is no integer
    return std::nullopt;
  }
}

/// The bytes of a journal, as far as they verify.
struct Contents {
  std::vector<Json> events;
  std::string last_sum;            // of the last event; before the first, the folder's name
  bool chained = false;            // whether a line has named the one before it
  std::string unterminated;        // a last line, among the events, that lacks only its newline
  std::size_t complete_bytes = 0;  // bytes of the lines that have a newline
  std::size_t size = 0;            // bytes of the file
  std::string damage;              // what is wrong with the next line; empty where nothing is
};

/// What is wrong with a line that verifies by itself; empty where it continues `contents`.
std::string break_before(const Line& line, const Contents& contents) {
  if (!line.previous && !contents.chained) return "";
  if (line.previous == contents.last_sum) return "";
  if (contents.events.empty())
    return fmt::format(
        "belongs to trial {}, but this is the folder of trial {}: files were moved or copied from "
        "one trial to another",
        line.previous.value_or(""), contents.last_sum);
  return "does not follow the line before it: a line was removed, or lines were moved";
}

/// Reads the lines up to the first that does not verify. A last line is torn where writing it was
/// interrupted: it has no newline. It is kept where only the newline is missing. A complete event
/// followed by another byte is damage: that byte was the newline.
Contents contents_of(std::string_view bytes, const std::filesystem::path& file) {
  Contents contents;
  contents.size = bytes.size();
  contents.last_sum = file.parent_path().filename().string();
  while (contents.complete_bytes < bytes.size()) {
    const std::size_t end = bytes.find('\n', contents.complete_bytes);
    const bool torn = end == std::string::npos;
    const auto text =
        bytes.substr(contents.complete_bytes, torn ? end : end - contents.complete_bytes);
    std::optional<Line> line = verified(text);
    if (line)
      contents.damage = break_before(*line, contents);
    else if (!torn || verified(text.substr(0, text.size() - 1)))
      contents.damage = "does not match its checksum: a byte was changed, or lines were merged";
    if (!contents.damage.empty()) break;
    if (line) {
      contents.chained = line->previous.has_value();
      contents.last_sum = std::move(line->sum);
      contents.events.push_back(std::move(line->event));
      if (torn) contents.unterminated = text;
    }
    if (torn) break;
    contents.complete_bytes += text.size() + 1;
  }
  return contents;
}

/// As contents_of(), but throws DamagedFile where a line does not verify.
Contents sound_contents_of(std::string_view bytes, const std::filesystem::path& file) {
  Contents contents = contents_of(bytes, file);
  if (contents.damage.empty()) return contents;
  const std::string advice =
      contents.events.empty()
          ? "put it back in its place or restore it from a copy, or remove its folder to run the "
            "trial again"
          : fmt::format(
                "restore this journal from a copy, or keep what is before this line with `ablate "
                "doctor {} --rebuild`: the trial goes on from there",
                file.parent_path().parent_path().parent_path().string());
  damaged("{}:{}: {}; {}", file.string(), contents.events.size() + 1, contents.damage, advice);
}

/// `value`, with every number that JSON cannot represent replaced by its name.
Json storable(Json value) {
  if (value.is_number_float()) return number_to_json(value);
  if (value.is_structured())
    for (auto& member : value) member = storable(std::move(member));
  return value;
}

}  // namespace

Journal::Journal(const std::filesystem::path& file) : path_(file), file_(file) {
  read_and_repair();
}

void Journal::read_and_repair() {
  Contents contents = sound_contents_of(read_file(path_), path_);
  if (contents.complete_bytes < contents.size)
    std::filesystem::resize_file(path_, contents.complete_bytes);
  if (!contents.unterminated.empty()) file_.append(contents.unterminated);
  events_ = std::move(contents.events);
  last_sum_ = std::move(contents.last_sum);
  for (const Json& event : events_) attempt_ = std::max(attempt_, integer_in(event.at("attempt")));
}

void Journal::write(std::string_view event, Json fields, Durable durable) {
  if (event == "attempt") ++attempt_;
  fields = storable(std::move(fields));
  fields["event"] = event;
  fields["attempt"] = attempt_;
  fields["time"] = utc_now();
  fields["previous"] = last_sum_;
  fields.erase("sum");
  // Invalid UTF-8 is replaced before hashing, so that the hash is that of the bytes in the file.
  fields = Json::parse(canonical(fields));
  Json line = fields;
  line["sum"] = checksum(fields);
  const auto size = std::filesystem::file_size(path_);
  try {
    file_.append(canonical(line), durable);
  } catch (...) {
    // An incomplete line must not stay: the next one would be appended to it.
    std::error_code ignored;
    std::filesystem::resize_file(path_, size, ignored);
    throw;
  }
  last_sum_ = line.at("sum");
  fields.erase("previous");
  events_.push_back(std::move(fields));
}

std::vector<Json> read_journal(const std::filesystem::path& file) {
  return journal_events(read_file(file), file);
}

std::vector<Json> journal_events(std::string_view bytes, const std::filesystem::path& file) {
  return std::move(sound_contents_of(bytes, file).events);
}

std::filesystem::path salvage_journal(const std::filesystem::path& file) {
  const std::string bytes = read_file(file);
  const Contents contents = contents_of(bytes, file);
  if (contents.damage.empty() || contents.events.empty()) return {};
  std::filesystem::path aside = file.string() + ".damaged";
  for (int copy = 2; std::filesystem::exists(aside); ++copy)
    aside = fmt::format("{}.damaged.{}", file.string(), copy);
  write_file(aside, bytes);  // before the journal is shortened: nothing is lost in between
  write_file(file, std::string_view(bytes).substr(0, contents.complete_bytes));
  return aside;
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
