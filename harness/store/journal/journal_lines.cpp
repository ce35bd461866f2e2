#include "harness/store/journal/journal_lines.h"

#include <fmt/core.h>
#include <string.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "harness/base/error.h"
#include "harness/base/json/checksummed.h"
#include "harness/base/json/json_scanner.h"
#include "harness/base/json/parse.h"
#include "harness/base/sha256.h"

namespace ablate::store {
namespace {

constexpr std::string_view kSumKey = R"("sum":")";

/// Where `key` is in a line, from `from` on; npos where it is not. string_view::find() stops at every
/// quote, of which lines are full.
std::size_t find_key(std::string_view line, std::string_view key, std::size_t from = 0) {
  const void* const found =
      ::memmem(line.data() + from, line.size() - from, key.data(), key.size());
  return found == nullptr ? line.npos
                          : static_cast<std::size_t>(static_cast<const char*>(found) - line.data());
}

/// Whether the bytes of a line, less its "sum" at `at`, hash to that sum: they are then what
/// Journal::write() hashed, and need not be made from the event once more.
bool sums_up(std::string_view line, std::size_t at) {
  const std::size_t digits = at + kSumKey.size(), end = digits + kSumDigits + 1;  // past its quote
  if (at == 0 || end >= line.size() || line[end - 1] != '"') return false;
  const bool last = line[end] == '}';
  if (!last && line[end] != ',') return false;
  if (last && line[at - 1] != ',') return false;
  thread_local Sha256 hash;
  hash.add(line.substr(0, last ? at - 1 : at));
  hash.add(line.substr(last ? end : end + 1));
  const auto digest = hash.digest();
  return is_hex_of(line.substr(digits, kSumDigits), std::span(digest).first(kSumDigits / 2));
}

/// Whether one of a line's "sum" values is that of all its other bytes. Nested objects may have a
/// "sum", too.
bool has_its_checksum(std::string_view line) {
  for (std::size_t at = find_key(line, kSumKey); at != line.npos;
       at = find_key(line, kSumKey, at + 1))
    if (sums_up(line, at)) return true;
  return false;
}

/// A line that verifies.
struct Line {
  std::variant<Json, CurveEvent> event;      // JSON still has "sum" and "previous"
  std::string_view sum;                      // its checksum
  std::optional<std::string_view> previous;  // that of the line before it; none in an older version
};

/// Takes a number as Journal::write() writes nearly all of a curve's. Others can be too large for a
/// double, or are -0, an integer without a sign.
bool takes_plain(JsonScanner& scan, std::string_view& number) {
  constexpr std::size_t kLongest = 24, kExponent = 4;  // "e-05"
  std::string_view exponent;
  return scan.takes_number(number, exponent) && number.size() <= kLongest &&
         !number.starts_with("-0") &&
         (exponent.empty() || (exponent.size() == kExponent && exponent.starts_with("e-0")));
}

/// A line of a curve as Journal::write() writes it, numbers alone. Nothing where a byte differs, or the
/// checksum: the line is then read as any other.
std::optional<Line> curve_line(std::string_view text) {
  CurveEvent event;
  std::string_view phase, previous, seconds, sum;
  JsonScanner scan(text);
  const bool before_sum =
      scan.takes(R"({"attempt":)") && scan.takes_number(event.attempt) &&
      scan.takes(R"(,"event":"curve","gradient_norm":)") &&
      takes_plain(scan, event.gradient_norm) && scan.takes(R"(,"learning_rate":)") &&
      takes_plain(scan, event.learning_rate) && scan.takes(R"(,"loss":)") &&
      takes_plain(scan, event.loss) && (!scan.takes(R"(,"phase":)") || takes_plain(scan, phase)) &&
      scan.takes(R"(,"previous":)") && scan.takes_text(previous) &&
      (!scan.takes(R"(,"seconds":)") || takes_plain(scan, seconds)) && scan.takes(R"(,"spike":)") &&
      scan.takes_bool(event.spike) && scan.takes(R"(,"step":)") && scan.takes_number(event.step) &&
      scan.takes(",");
  if (!before_sum) return std::nullopt;
  const std::size_t sum_at = scan.position();
  const bool whole = scan.takes(R"("sum":)") && scan.takes_text(sum) &&
                     scan.takes(R"(,"text_tokens":)") && takes_plain(scan, event.text_tokens) &&
                     scan.takes(R"(,"time":)") && scan.takes_text(event.time) && scan.takes("}") &&
                     scan.done();
  if (!whole || !sums_up(text, sum_at)) return std::nullopt;
  return Line{event, sum, previous};
}

/// The text under `key`, which stays in the event; nothing where it is not a text.
std::optional<std::string_view> text_in(const Json& event, const char* key) {
  const auto found = event.find(key);
  if (found == event.end() || !found->is_string()) return std::nullopt;
  return found->get_ref<const std::string&>();
}

/// A line whose checksum is that of its bytes. `curves`: whether curves are wanted as such.
std::optional<Line> verified(std::string_view text, bool curves) {
  if (curves)
    if (auto curve = curve_line(text)) return curve;
  if (!has_its_checksum(text)) return std::nullopt;
  try {
    Json event = parse_stored(text, "");
    if (!event.is_object()) return std::nullopt;
    const auto sum = text_in(event, "sum");
    if (!sum || !text_in(event, "event")) return std::nullopt;
    integer_in(event.at("attempt"));
    const auto previous = text_in(event, "previous");
    return Line{std::move(event), *sum, previous};  // moving leaves an object's texts in place
  } catch (const DamagedFile&) {
    return std::nullopt;
  } catch (const Json::exception&) {  // no attempt, or one that is no integer
    return std::nullopt;
  }
}

/// What is wrong with a line that verifies by itself; empty where it continues what was read.
/// `chained`: whether the line before it has named the one before.
std::string break_before(const Line& line, const JournalEnd& read, bool chained) {
  if (!line.previous && !chained) return "";
  if (line.previous == read.last_sum) return "";
  if (read.events == 0)
    return fmt::format(
        "belongs to trial {}, but this is the folder of trial {}: files were moved or copied from "
        "one trial to another",
        line.previous.value_or(""), read.last_sum);
  return "does not follow the line before it: a line was removed, or lines were moved";
}

void hand_over(Line line, const EventTaker& take) {
  if (const auto* const curve = std::get_if<CurveEvent>(&line.event)) return take.curve(*curve);
  Json& event = std::get<Json>(line.event);
  event.erase("sum");
  if (line.previous) event.erase("previous");
  take.event(std::move(event));
}

}  // namespace

JournalEnd read_lines(std::string_view bytes, const std::filesystem::path& file,
                      const EventTaker& take) {
  JournalEnd read;
  read.last_sum = file.parent_path().filename().string();
  bool chained = false;
  while (read.complete_bytes < bytes.size()) {
    const std::size_t begin = read.complete_bytes, end = bytes.find('\n', begin);
    const bool torn = end == std::string::npos;
    const auto text = bytes.substr(begin, torn ? end : end - begin);
    std::optional<Line> line = verified(text, take.curve != nullptr);
    if (line)
      read.damage = break_before(*line, read, chained);
    else if (!torn || verified(text.substr(0, text.size() - 1), false))
      read.damage = "does not match its checksum: a byte was changed, or lines were merged";
    if (!read.damage.empty()) break;
    if (line) {
      chained = line->previous.has_value();
      read.last_sum = line->sum;
      ++read.events;
      hand_over(*std::move(line), take);
      if (torn) read.unterminated = text;
    }
    if (torn) break;
    read.complete_bytes += text.size() + 1;
  }
  return read;
}

JournalEnd read_sound_lines(std::string_view bytes, const std::filesystem::path& file,
                            const EventTaker& take) {
  JournalEnd read = read_lines(bytes, file, take);
  if (read.damage.empty()) return read;
  const std::string advice =
      read.events == 0
          ? "put it back in its place or restore it from a copy, or remove its folder to run the "
            "trial again"
          : fmt::format(
                "restore this journal from a copy, or keep what is before this line with `ablate "
                "doctor {} --rebuild`: the trial continues from there",
                file.parent_path().parent_path().parent_path().string());
  damaged("{}:{}: {}; {}", file.string(), read.events + 1, read.damage, advice);
}

}  // namespace ablate::store
