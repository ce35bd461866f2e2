#include "harness/store/journal/journal.h"

#include <fmt/core.h>

#include <cerrno>
#include <cmath>
#include <limits>
#include <utility>

#include "harness/base/error.h"
#include "harness/base/json/checksummed.h"
#include "harness/base/json/parse.h"
#include "harness/base/posix/machine_fault.h"
#include "harness/base/time/clock.h"
#include "harness/store/journal/journal_lines.h"

namespace ablate::store {
namespace {

/// Adds events to a list, all as JSON.
EventTaker adding_to(std::vector<Json>& events) {
  return {[&](Json event) { events.push_back(std::move(event)); }, nullptr};
}

/// `value`, with every number that JSON cannot represent replaced by its name.
Json storable(Json value) {
  if (value.is_number_float()) return number_to_json(value);
  if (value.is_structured())
    for (auto& member : value) member = storable(std::move(member));
  return value;
}

}  // namespace

Journal::Journal(const std::filesystem::path& file, LeaseTicket ticket)
    : path_(file), ticket_(std::move(ticket)), file_(file) {
  check_lease();
  read_and_repair();
}

void Journal::check_lease() const {
  if (is_valid(path_.parent_path(), ticket_)) return;
  throw MachineFault(
      fmt::format(
          "{}: the trial was taken over by another program, which heard nothing from this one",
          path_.string()),
      EBUSY);
}

void Journal::read_and_repair() {
  const std::string bytes = read_file(path_);
  JournalEnd read = read_sound_lines(bytes, path_, adding_to(events_));
  if (read.complete_bytes < bytes.size()) std::filesystem::resize_file(path_, read.complete_bytes);
  if (!read.unterminated.empty()) file_.append(read.unterminated);
  last_sum_ = std::move(read.last_sum);
  for (const Json& event : events_) attempt_ = std::max(attempt_, integer_in(event.at("attempt")));
}

void Journal::write(std::string_view event, Json fields, Durable durable) {
  check_lease();
  if (event == "attempt") ++attempt_;
  fields = storable(std::move(fields));
  fields["event"] = event;
  fields["attempt"] = attempt_;
  fields["time"] = utc_now();
  fields["previous"] = last_sum_;
  fields.erase("sum");
  // Invalid UTF-8 is replaced before hashing, so that the hash is that of the bytes in the file.
  fields = parse_json(canonical(fields));
  Json line = fields;
  line["sum"] = line_sum(fields);
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
  std::vector<Json> events;
  read_sound_lines(bytes, file, adding_to(events));
  return events;
}

void check_owner(const Json& trial, const std::filesystem::path& file) {
  if (!trial.is_object() || !trial.contains("id")) return;
  const std::string folder = file.parent_path().filename().string();
  if (trial.at("id") != folder)
    damaged(
        "{}: belongs to trial {}, but this is the folder of trial {}: files were moved or copied "
        "from one trial to another; put them back, or remove the folder to run the trial again",
        file.string(), trial.at("id").dump(), folder);
}

std::filesystem::path salvage_journal(const std::filesystem::path& file) {
  const std::string bytes = read_file(file);
  const JournalEnd read = read_lines(bytes, file, {[](const Json&) {}, nullptr});
  if (read.damage.empty() || read.events == 0) return {};
  std::filesystem::path aside = file.string() + ".damaged";
  for (int copy = 2; std::filesystem::exists(aside); ++copy)
    aside = fmt::format("{}.damaged.{}", file.string(), copy);
  write_file(aside, bytes);  // before the journal is shortened: nothing is lost in between
  write_file(file, std::string_view(bytes).substr(0, read.complete_bytes));
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
