// Fuzzes the journal of a trial, and the state that is computed from it.

#include <fmt/core.h>

#include <optional>

#include "harness/store/index/curve_text.h"
#include "harness/store/index/trial_state.h"
#include "harness/store/journal/journal.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/law.h"

namespace ablate::fuzz {
namespace {

constexpr std::string_view kPrevious = R"("previous":")", kSum = R"("sum":")";
constexpr std::size_t kDigits = 16;

/// Puts `value` in place of the string that follows `key`.
void set_text(std::string& line, std::string_view key, std::string_view value) {
  const std::size_t at = line.find(key);
  if (at == line.npos) return;
  const std::size_t first = at + key.size();
  line.replace(first, std::min(line.find('"', first), line.size()) - first, value);
}

/// Gives a line the checksum of its bytes and the sum of the line before. Works on bytes, as the
/// journal does when it verifies them, so that lines that are not JSON get through, too.
void repair(std::string& line, std::string& previous) {
  set_text(line, kPrevious, previous);
  set_text(line, kSum, std::string(kDigits, '0'));
  const std::size_t at = line.find(kSum);
  if (at == line.npos || at + kSum.size() + kDigits + 1 >= line.size()) return;
  const std::size_t end = at + kSum.size() + kDigits + 1;  // past the sum's closing quote
  std::string rest = line;
  if (line[end] == ',')
    rest.erase(at, end + 1 - at);
  else if (at > 0)
    rest.erase(at - 1, end - at + 1);
  previous = sha256(rest).substr(0, kDigits);
  set_text(line, kSum, previous);
}

std::string repaired(std::string_view journal, std::string previous) {
  std::string all;
  while (!journal.empty()) {
    const std::size_t end = std::min(journal.find('\n'), journal.size());
    std::string line(journal.substr(0, end));
    repair(line, previous);
    all += line;
    if (end < journal.size()) all += '\n';
    journal.remove_prefix(std::min(end + 1, journal.size()));
  }
  return all;
}

/// Points as text, each number in its shortest spelling.
std::string spelled(const std::vector<store::CurvePoint>& points) {
  store::CurveText curve;
  for (const store::CurvePoint& point : points) curve.add(point);
  return curve.text();
}

/// The curve of the state that `read` returns; nothing where it refuses.
template <class Read>
std::optional<std::string> curve_of(Read read) {
  std::optional<std::string> curve;
  accept_or_refuse([&] {
    const store::TrialState state = read();
    state.seconds();
    curve = spelled(state.curve.points());
  });
  return curve;
}

}  // namespace
}  // namespace ablate::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ablate;
  const std::string trial = "t0";
  const std::string journal = fuzz::input_of(
      data, size, [&](const std::string& bytes) { return fuzz::repaired(bytes, trial); });
  const std::filesystem::path file =
      "trials/" + trial.substr(0, 2) + "/" + trial + "/journal.jsonl";
  // Points of curves are read in a way of their own: it accepts what the general one accepts, and
  // finds the same.
  const auto own = fuzz::curve_of([&] { return store::trial_state(journal, file); });
  const auto general = fuzz::curve_of(
      [&] { return store::trial_state(store::journal_events(journal, file), file); });
  if (own != general) {
    fmt::print(stderr, "the two readings of a curve differ\n");
    std::abort();
  }
  return 0;
}
