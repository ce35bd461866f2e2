// Fuzzes what a nightly gate reads: a suite; and of a night's folder night.json, gate.json, bench.jsonl and
// started.json, the list of pins and a calibration.

#include "harness/base/files.h"
#include "harness/base/json/checksummed.h"
#include "harness/base/json/parse.h"
#include "harness/nightly/gate.h"
#include "harness/nightly/history.h"
#include "harness/nightly/measure/calibration.h"
#include "harness/nightly/measure/night_file.h"
#include "harness/nightly/measure/timing.h"
#include "harness/nightly/programs/suite.h"
#include "harness/nightly/series_csv.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/law.h"
#include "tests/temporary_folder.h"

namespace ablate::fuzz {
namespace {

namespace fs = std::filesystem;

/// Documents and lines with the checksums that make readers believe them.
std::string repaired(std::string input) {
  Json document = parse_or_discard(input);
  if (document.is_object() && !document.contains("previous")) return checksummed_text(document);
  std::string text;
  LineChain chain;
  for (std::size_t first = 0, end; (end = input.find('\n', first)) != input.npos; first = end + 1) {
    Json line = parse_or_discard(std::string_view(input).substr(first, end - first));
    if (!line.is_object()) return input;
    line.erase("sum");
    line.erase("previous");
    text += chain.next(std::move(line)) + '\n';
  }
  return text;
}

/// Reads the input in the place of each file.
void read_as_everything(const fs::path& home, const std::string& input) {
  const fs::path night = home / "nights/n";
  const auto in_place_of = [&](const fs::path& file, const auto& read) {
    const std::string kept = fs::exists(file) ? read_file(file) : std::string();
    write_file(file, input);
    accept_or_refuse(read);
    kept.empty() ? void(fs::remove(file)) : write_file(file, kept);
  };
  const nightly::Home folder(home);
  in_place_of(home / "suite.json", [&] { json_of(nightly::read_suite(home / "suite.json")); });
  in_place_of(home / "c.json", [&] { held_margins(nightly::read_calibration(home / "c.json")); });
  in_place_of(home / "b.jsonl", [&] {
    nightly::read_times(home / "b.jsonl");
    nightly::read_machines(home / "b.jsonl");
  });
  in_place_of(home / "baselines/main/pins.jsonl",
              [&] { sink = static_cast<double>(folder.pins("main").size()); });
  in_place_of(night / "started.json", [&] { nightly::read_started(night); });
  in_place_of(night / "gate.json", [&] { nightly::read_history(folder); });
  in_place_of(night / "night.json", [&] { json_of(nightly::judge(night)); });
}

/// A home with one finished night.
void make_home(const fs::path& home) {
  nightly::Night night = {
      .folder = home / "nights/n", .identity = {.date = "2026-11-23"}, .machine = Json::object()};
  fs::create_directories(night.folder);
  fs::create_directories(home / "baselines/main");
  nightly::write_night(night);
}

}  // namespace
}  // namespace ablate::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ablate;
  static const TemporaryFolder home;
  static const bool made = (fuzz::make_home(home.path()), true);
  const std::string input = fuzz::input_of(
      data, size, [](std::string bytes) { return fuzz::repaired(std::move(bytes)); });
  if (made) fuzz::read_as_everything(home.path(), input);
  fuzz::accept_or_refuse(
      [&] { nightly::import_csv(nightly::Home(home.path() / "imported"), input, "table"); });
  return 0;
}
