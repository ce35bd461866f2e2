// Writes the papers of synthetic records, for compile_papers.py: `ablate_papers FOLDER`.
//
// One folder for each case: small, a sweep, one whose every name is hostile, one with many scripts,
// one with many arms and failures, one as wide as the widest experiment that is shipped, a tuned
// one, one whose ranking depends on the budget, one with several tasks,
// and the small one on the pages of each kind of venue.

#include <cmath>
#include <filesystem>
#include <iostream>
#include <map>

#include "harness/base/files.h"
#include "reports/report.h"
#include "tests/reports/budget_sweeps.h"
#include "tests/reports/files.h"
#include "tests/reports/hostile.h"
#include "tests/reports/sweeps.h"
#include "tests/reports/task_records.h"
#include "tests/reports/tuned_records.h"
#include "tests/reports/wide_records.h"

namespace ablate::reports {
namespace {

namespace fs = std::filesystem;

/// Labels in several scripts, and every character of ASCII.
store::Records in_many_scripts() {
  store::Records records = small_records();
  std::string ascii;
  for (int c = 1; c < 128; ++c) ascii += static_cast<char>(c);
  records.plan["arms"][0]["label"] = "Größe ångström Łódź ğış ½ € ✓ 学习 λ=Ω 𝔸 é";
  records.plan["arms"][1]["label"] = ascii + "\xff";
  records.plan["question"] = "Ist “α ≤ β” – oder ‘γ → ∞’… ? " + ascii;
  return records;
}

void write(const fs::path& folder, const store::Records& records, const Venue& venue) {
  for (const ReportFile& file : make_report(records, {"tex", "json"}, venue)) {
    fs::create_directories((folder / file.name).parent_path());
    write_file(folder / file.name, file.bytes);
  }
}

int write_all(const fs::path& folder) {
  write(folder / "small", small_records(), {});
  write(folder / "sweep", with_sweep("mlm", {.15, .3, .5, 1.6}), {});
  write(folder / "hostile", hostile_records(), {});
  write(folder / "scripts", in_many_scripts(), {});
  write(folder / "many", with_many_arms(60), {});
  write(folder / "wide", wide_records(), {});
  write(folder / "tuned", tuned_records(), {});
  write(folder / "budgets", flipping(), {});
  write(folder / "tasks", with_tasks(8, {.3, .5, .4, .41, .42, .2}), {});
  for (const char* venue : {"neurips", "icml", "acl", "eccv"})
    write(folder / venue, with_sweep("mlm", {.15, .3, .5}), venue_named(venue));
  write(folder / "wide-icml", wide_records(), venue_named("icml"));
  return 0;
}

}  // namespace
}  // namespace ablate::reports

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "ablate_papers FOLDER\n";
    return 2;
  }
  return ablate::reports::write_all(arguments[1]);
}
