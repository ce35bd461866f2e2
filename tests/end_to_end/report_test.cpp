// `ablate report` as a user runs it: for a terminal, as PDF, of several folders.

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <set>

#include "harness/base/exit_code.h"
#include "harness/base/files.h"
#include "harness/base/posix/program.h"
#include "tests/end_to_end/program.h"
#include "tests/paths.h"
#include "tests/reports/unzipped.h"

namespace ablate {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing_support::Finished;
using testing_support::Workplace;

namespace fs = std::filesystem;

/// An environment variable of the programs that are run while this lives.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before, was_set_ = true;
    ::setenv(name, value, 1);
  }
  ~Variable() { was_set_ ? ::setenv(name_, before_.c_str(), 1) : ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::string before_;
  bool was_set_ = false;
};

/// Two small experiments on the same text, trained once for all tests.
class ReportCommand : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    place = std::make_unique<Workplace>();
    for (const auto& [name, rate] : {std::pair("one", "3e-3"), std::pair("two", "1e-3")}) {
      const Finished finished = place->ablate(
          {"run", (project_root() / "experiments/quickstart.json").string(), "--results",
           results(name), "--progress", "none", "--set", "seeds=2", "--set",
           "train.budget={\"positions\":8192}", "--set", "corpus.tokens=30000", "--set",
           "corpus.held_out_tokens=4000", "--set", "probes=[{\"type\":\"held_out\",\"texts\":20}]",
           "--set", std::string("train.learning_rate=") + rate});
      ASSERT_EQ(finished.exit_code, exit_ok) << finished.errors;
    }
  }
  static void TearDownTestSuite() { place.reset(); }

  static std::string results(const std::string& name) { return (place->folder() / name).string(); }

  static inline std::unique_ptr<Workplace> place;
};

/// Runs a shipped experiment with `flags`, and once more from what its report.zip holds, in a folder where nothing else is.
void expect_repeats_from_its_archive(const std::string& name, const std::string& flags) {
  const Workplace place, empty;
  const std::string program = (programs_folder() / "ablate").string();
  const auto shell = [&](const Workplace& where, const std::string& script) {
    where.write("script", "cd '" + where.folder().string() + "' && " + script);
    return std::system(("sh " + (where.folder() / "script").string() + " > /dev/null").c_str());
  };
  ASSERT_EQ(shell(place, program + " run " + name + " --results first --progress none " + flags +
                             " && " + program + " report first --format zip"),
            0);
  const auto files = reports::unzipped(read_file(place.folder() / "first/report/report.zip"));
  for (const auto& [path, bytes] : files) {
    fs::create_directories((empty.folder() / path).parent_path());
    write_file(empty.folder() / path, bytes);
  }
  ASSERT_EQ(shell(empty, program + " run experiment.json --results again --progress none " + flags),
            0);
  const auto trials = [](const std::string& plan) {
    std::map<std::string, std::string> ids;  // with the settings of each
    const Json parsed = Json::parse(plan);
    for (const Json& trial : parsed.at("trials")) ids[trial.at("id")] = trial.dump();
    return ids;
  };
  const auto once = trials(files.at("plan.json")),
             again = trials(read_file(empty.folder() / "again/plan.json"));
  EXPECT_FALSE(once.empty());
  EXPECT_EQ(once, again) << name;
}

TEST(ReportArchiveAlone, RepeatsAnExperimentThatExtendsAnotherAndReadsAShippedText) {
  expect_repeats_from_its_archive(
      "lecture/masking",
      "--set seeds=1 --set train.budget.tokens=4000 --set 'probes=[\"held_out\"]'"
      " --set analysis.primary=held_out.loss");
}

TEST(ReportArchiveAlone, RepeatsAnExperimentOnTheLanguage) {
  expect_repeats_from_its_archive(
      "mtp_heads",
      "--set seeds=1 --set train.budget.tokens=4000 --set corpus.tokens=20000"
      " --set 'probes=[\"held_out\"]'");
}

TEST_F(ReportCommand, IsTheEndOfARunThatAsksForIt) {
  const Workplace fresh;
  const std::string folder = fresh.folder().string();
  fresh.write("script", "cd '" + folder + "' && '" + (programs_folder() / "ablate").string() +
                            "' run quickstart --report --progress none --set seeds=1"
                            " --set train.budget.tokens=4000 --set corpus.tokens=20000"
                            " --set 'probes=[\"held_out\"]'");
  const int status =
      testing_support::run_shell("ABLATE_CACHE='" + folder + "/cache'",
                                 "sh '" + folder + "/script' >'" + folder + "/output' 2>&1");
  const std::string output = read_file(fresh.folder() / "output");
  EXPECT_EQ(status, exit_ok) << output;
  EXPECT_THAT(output, HasSubstr("Report: results/quickstart/report"));
  EXPECT_TRUE(fs::exists(fresh.folder() / "results/quickstart/report/report.md"));
}

/// The names of all that is in a folder, and below it.
std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    names.insert(entry.path().lexically_relative(folder));
  return names;
}

TEST_F(ReportCommand, ArchivesTheFormatsAskedForOrAllFormats) {
  const fs::path some = place->folder() / "some", all = place->folder() / "all";
  ASSERT_EQ(place->ablate({"report", results("one"), "--out", some.string(), "--format", "md,zip"})
                .exit_code,
            exit_ok);
  EXPECT_EQ(names_in(some), (std::set<std::string>{"report.md", "report.zip"}));
  const auto of_some = reports::unzipped(read_file(some / "report.zip"));
  EXPECT_EQ(of_some.at("report/report.md"), read_file(some / "report.md"));
  EXPECT_FALSE(of_some.contains("report/report.json"));
  ASSERT_EQ(
      place->ablate({"report", results("one"), "--out", all.string(), "--format", "zip"}).exit_code,
      exit_ok);
  EXPECT_EQ(names_in(all), std::set<std::string>{"report.zip"});
  const std::string bytes = read_file(all / "report.zip");
  const auto of_all = reports::unzipped(bytes);
  for (const char* name : {"report.md", "report.html", "report.json", "paper/paper.tex"})
    EXPECT_TRUE(of_all.contains(std::string("report/") + name)) << name;
  place->ablate({"report", results("one"), "--out", all.string(), "--format", "zip"});
  EXPECT_EQ(read_file(all / "report.zip"), bytes);
}

TEST_F(ReportCommand, RemovesWhatReportsThatWereKilledHaveLeft) {
  const fs::path out = place->folder() / "left";
  const std::uint32_t machine = host_number();
  const pid_t ended = ::fork();
  if (ended == 0) ::_exit(0);
  ASSERT_EQ(::waitpid(ended, nullptr, 0), ended);
  const std::string dead = fmt::format("report.tmp.{:x}.{}", machine, ended),
                    running = fmt::format("report.tmp.{:x}.{}", machine, ::getpid()),
                    elsewhere = fmt::format("report.tmp.{:x}.{}", machine + 1, ended),
                    other = fmt::format("report.tmp.{:x}.{}x", machine, ended);
  for (const std::string& name : {dead, running, elsewhere, other}) {
    fs::create_directories(out / name);
    write_file(out / name / "report.md", "not all of it");
  }
  ASSERT_EQ(
      place->ablate({"report", results("one"), "--out", out.string(), "--format", "md"}).exit_code,
      exit_ok);
  EXPECT_FALSE(fs::exists(out / dead));
  for (const std::string& name : {running, elsewhere, other})
    EXPECT_TRUE(fs::exists(out / name / "report.md")) << name;
}

TEST_F(ReportCommand, ReplacesAnEarlierReportAllAtOnceOrNotAtAll) {
  const fs::path out = place->folder() / "replaced";
  const auto report = [&](const std::string& formats) {
    return place->ablate({"report", results("one"), "--out", out.string(), "--format", formats})
        .exit_code;
  };
  ASSERT_EQ(report("md,svg"), exit_ok);
  const std::set<std::string> before = names_in(out);
  write_file(out / "report.md", "of an earlier report");
  fs::create_directories(out / "report.json/in the way");
  EXPECT_NE(report("md,json"), exit_ok);
  EXPECT_EQ(read_file(out / "report.md"), "of an earlier report");
  fs::remove_all(out / "report.json");
  EXPECT_EQ(names_in(out), before) << "nothing of the failed report is left";
  EXPECT_EQ(report("md"), exit_ok);
  EXPECT_NE(read_file(out / "report.md"), "of an earlier report");
}

TEST_F(ReportCommand, DrawsAsPdfWhatIsDrawnForPapers) {
  const fs::path figures = fs::path(results("one")) / "report/paper/figures";
  const Finished finished = place->ablate({"report", results("one")});
  ASSERT_EQ(finished.exit_code, exit_ok) << finished.errors;
  if (finished.errors.find("rsvg-convert was not found") != std::string::npos)
    GTEST_SKIP() << finished.errors;
  for (const char* name : {"forest", "seeds", "curves-1"}) {
    const std::string pdf = read_file(figures / (std::string(name) + ".pdf"));
    EXPECT_TRUE(pdf.starts_with("%PDF-")) << name;
    place->ablate({"report", results("one")});
    EXPECT_EQ(read_file(figures / (std::string(name) + ".pdf")), pdf) << "has another date";
  }
}

TEST_F(ReportCommand, SaysThatThereIsNoPdfAndLeavesNoOldOne) {
  const fs::path pdf = fs::path(results("one")) / "report/paper/figures/forest.pdf";
  fs::create_directories(pdf.parent_path());
  write_file(pdf, "of an earlier report");
  const Variable path("PATH", "/nowhere");
  const Finished finished = place->ablate({"report", results("one")});
  EXPECT_EQ(finished.exit_code, exit_ok);
  EXPECT_EQ(finished.errors,
            "ablate: the figures in paper/ have no PDFs, because rsvg-convert was not found; "
            "install librsvg2-bin, or use the .tex files\n");
  EXPECT_FALSE(fs::exists(pdf));
  EXPECT_TRUE(fs::exists(pdf.parent_path() / "forest.svg"));
}

TEST_F(ReportCommand, WritesNoPdfWithoutBytes) {
  const fs::path program = place->folder() / "silent/rsvg-convert";
  fs::create_directories(program.parent_path());
  write_file(program, "#!/bin/sh\n");
  fs::permissions(program, fs::perms::owner_all);
  const std::string paths = program.parent_path().string() + ":" + std::getenv("PATH");
  const Variable path("PATH", paths.c_str());
  const Finished finished = place->ablate({"report", results("one")});
  EXPECT_THAT(finished.errors, HasSubstr("could not be made, because rsvg-convert ended with 0"));
  EXPECT_FALSE(fs::exists(fs::path(results("one")) / "report/paper/figures/forest.pdf"));
}

TEST_F(ReportCommand, HasColoursOnlyWhereTheyAreWanted) {
  const auto printed = [&] { return place->ablate({"report", results("one")}).output; };
  EXPECT_THAT(printed(), HasSubstr("| **held-out loss above the optimum ↓**"));  // Markdown
  const Variable force("CLICOLOR_FORCE", "1");
  EXPECT_THAT(printed(), HasSubstr("\x1b[1mheld-out loss above the optimum ↓\x1b[0m"));
  const Variable none("NO_COLOR", "1");
  EXPECT_THAT(printed(), HasSubstr("\nheld-out loss above the optimum ↓ "));
  EXPECT_THAT(printed(), Not(HasSubstr("\x1b")));
}

TEST_F(ReportCommand, PutsFoldersSideBySide) {
  const std::string out = (place->folder() / "both").string();
  const Finished finished = place->ablate(
      {"report", results("one"), results("two"), "--out", out, "--format", "md,json"});
  ASSERT_EQ(finished.exit_code, exit_ok) << finished.errors;
  EXPECT_THAT(finished.output, HasSubstr("two: mlm"));
  const Json report = Json::parse(read_file(fs::path(out) / "report.json"));
  EXPECT_EQ(report.at("arms").size(), 4u);
  for (const Json& difference : report.at("differences"))
    if (difference.at("metric") == "held_out.excess") {
      EXPECT_EQ(difference.at("n"), 2) << difference.at("arm");
    }
}

TEST_F(ReportCommand, RefusesFoldersThatHaveNoPlaceForTheirReport) {
  Finished finished = place->ablate({"report", results("one"), results("two")});
  EXPECT_EQ(finished.exit_code, exit_usage);
  EXPECT_EQ(finished.errors,
            "ablate: --out: a report of several results folders belongs to none of them; give it a "
            "folder\n");
  finished = place->ablate({"report", results("one"), results("one") + "/", "--out",
                            (place->folder() / "same").string()});
  EXPECT_EQ(finished.exit_code, exit_usage);
  EXPECT_THAT(finished.errors, HasSubstr("was given twice; give each results folder once"));
}

}  // namespace
}  // namespace ablate
