#include "reports/nightly/series_text.h"

#include <fmt/core.h>

#include "harness/base/number_text.h"
#include "harness/base/sha256.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

using nightly::Kind;
using nightly::NightLine;
using nightly::SeriesHistory;
using nightly::Step;

constexpr std::size_t kMaxName = 120;  // of a file, without the hash and the machine

std::string seconds_text(double seconds) {
  if (seconds < 1e-6) return significant(seconds * 1e9) + " ns";
  if (seconds < 1e-3) return significant(seconds * 1e6) + " µs";
  if (seconds < 1) return significant(seconds * 1e3) + " ms";
  return significant(seconds) + " s";
}

}  // namespace

std::string value_text(const SeriesHistory& series, double value) {
  if (series.kind == Kind::speed) return seconds_text(value);
  return series.unit.empty() ? significant(value) : significant(value) + ' ' + series.unit;
}

std::string change_text(const SeriesHistory& series, const Step& step) {
  std::string text = value_text(series, step.before) + " to " + value_text(series, step.after);
  if (series.kind == Kind::speed) text += fmt::format(", {:+.1f} %", 100 * (step.ratio() - 1));
  return text;
}

Tone step_tone(const SeriesHistory& series, const Step& step) {
  return (step.after > step.before) == (series.better == Better::lower) ? Tone::bad : Tone::good;
}

std::string commits_text(const NightLine& before, const NightLine& after) {
  return before.commit == after.commit ? after.commit : before.commit + ".." + after.commit;
}

std::string flakiness_text(const nightly::Flakiness& flakiness) {
  const auto count = [](std::size_t number) { return static_cast<std::int64_t>(number); };
  std::string text = fmt::format("{} in {}", counted(count(flakiness.alarms), "alarm"),
                                 counted(count(flakiness.nights), "night"));
  if (flakiness.gone > 0)
    text += fmt::format(
        "; {} gone the next night against the same pin, {} of them by the same programs",
        flakiness.gone, flakiness.unchanged);
  if (flakiness.unconfirmed > 0)
    text += fmt::format("; {} not confirmed by a second measurement", flakiness.unconfirmed);
  return text;
}

Cell night_cell(const NightLine& night, const std::string& up) {
  if (night.verdict == "not judged") return text_cell(night.name);
  return link_cell(night.name, up + "nights/" + night.name + "/index.html");
}

// The name is for people, the hash keeps "a/b", "a-b" and "a_b" apart.
std::string series_file(const std::string& series, const std::string& fingerprint) {
  std::string name;
  for (const char c : series.substr(0, kMaxName)) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    name += plain ? c : '-';
  }
  return fmt::format("series/{}-{}.{}.html", name, sha256(series).substr(0, 12), fingerprint);
}

}  // namespace ablate::reports
