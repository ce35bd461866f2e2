#include "harness/store/journal/journal_lines.h"

#include <fmt/core.h>
#include <simdjson.h>
#include <string.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <variant>

#include "harness/base/error.h"
#include "harness/base/json/parse.h"
#include "harness/base/sha256.h"

namespace ablate::store {
namespace {

constexpr std::size_t kSumDigits = 16;
constexpr std::string_view kSumKey = R"("sum":")";
constexpr std::string_view kCurve = R"("event":"curve")";

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
  return hex(std::span(digest).first(kSumDigits / 2)) == line.substr(digits, kSumDigits);
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
  std::variant<Json, CurveEvent> event;
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

/// The fields of a line of a curve, as they come.
class CurveFields {
 public:
  CurveFields() = default;
  CurveFields(const CurveFields&) = delete;  // `members_` points into it
  CurveFields& operator=(const CurveFields&) = delete;

  /// Takes a field. Returns whether it is one of them, of its type, and comes for the first time.
  bool take(std::string_view key, const simdjson::dom::element& value) {
    for (std::size_t tried = 0; tried < std::size(members_); ++tried) {
      Member& member = members_[next_];
      next_ = (next_ + 1) % std::size(members_);
      if (member.name == key)
        return !std::exchange(member.seen, true) &&
               std::visit([&](auto* place) { return value.get(*place) == simdjson::SUCCESS; },
                          member.place);
    }
    return false;
  }

  /// The line; nothing where a field lacks that every curve has.
  std::optional<Line> line() const {
    const auto there = [](const Member& member) { return member.seen || member.optional; };
    if (!std::all_of(std::begin(members_), std::end(members_), there) || kind_ != "curve")
      return std::nullopt;
    CurveEvent event = event_;
    event.time = time_;
    return Line{event, std::string(sum_), std::string(previous_)};
  }

 private:
  CurveEvent event_;
  std::string_view kind_, previous_, sum_, time_;
  double seconds_ = 0;
  std::int64_t phase_ = 0;

  struct Member {
    std::string_view name;
    std::variant<double*, std::int64_t*, bool*, std::string_view*> place;
    bool optional = false;
    bool seen = false;
  };
  CurvePoint& point_ = event_.point;
  Member members_[13] = {{"attempt", &event_.attempt},
                         {"event", &kind_},
                         {"gradient_norm", &point_.gradient_norm},
                         {"learning_rate", &point_.learning_rate},
                         {"loss", &point_.loss},
                         {"phase", &phase_, true},
                         {"previous", &previous_},
                         {"seconds", &seconds_, true},
                         {"spike", &point_.spike},
                         {"step", &point_.step},
                         {"sum", &sum_},
                         {"text_tokens", &point_.text_tokens},
                         {"time", &time_}};
  std::size_t next_ = 0;  // the member that most likely comes next: fields are mostly in order
};

/// A line of a curve that has what Journal::write() writes, numbers alone; nothing where it differs,
/// and must be read as any other.
std::optional<Line> curve_line(std::string_view text) {
  if (find_key(text, kCurve) == text.npos) return std::nullopt;
  thread_local simdjson::dom::parser parser;
  simdjson::dom::object object;
  if (parser.parse(text.data(), text.size()).get(object) != simdjson::SUCCESS) return std::nullopt;
  CurveFields fields;
  for (const auto& [key, value] : object)
    if (!fields.take(key, value)) return std::nullopt;
  return fields.line();
}

/// A line whose checksum is that of its bytes. `curves`: whether curves are wanted as such.
std::optional<Line> verified(std::string_view text, bool curves) {
  if (!has_its_checksum(text)) return std::nullopt;
  if (curves)
    if (auto curve = curve_line(text)) return curve;
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

void hand_over(Line& line, const EventTaker& take) {
  if (auto* const curve = std::get_if<CurveEvent>(&line.event))
    take.curve(*curve);
  else
    take.event(std::move(std::get<Json>(line.event)));
}

}  // namespace

std::string checksum(const Json& event) { return sha256(canonical(event)).substr(0, kSumDigits); }

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
      read.last_sum = std::move(line->sum);
      ++read.events;
      hand_over(*line, take);
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
                "doctor {} --rebuild`: the trial goes on from there",
                file.parent_path().parent_path().parent_path().string());
  damaged("{}:{}: {}; {}", file.string(), read.events + 1, read.damage, advice);
}

}  // namespace ablate::store
