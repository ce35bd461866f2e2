// Where extended files may be.

#include "harness/plan/file/sources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "harness/plan/file/shipped.h"
#include "tests/paths.h"
#include "tests/temporary_folder.h"

namespace ablate::plan {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

/// The experiment after merging, or the error message as a string.
Json merged_or_message(const fs::path& file) {
  Faults faults;
  const Sources sources(file, faults);
  try {
    faults.throw_if_any();
    return sources.merged();
  } catch (const ExperimentRefused& refused) {
    return refused.what();
  }
}

class Project : public testing::Test {
 protected:
  Project() {
    folder.write("base.json", R"({"seeds": 3})");
    file = folder.write("deep/down/x.json", R"({"extends": ["../../base.json"]})");
  }
  ~Project() override { ::unsetenv("ABLATE_EXPERIMENTS"); }

  TemporaryFolder folder;
  fs::path file;
};

TEST_F(Project, IsTheNearestFolderWithAMark) {
  for (const char* mark : {".git", ".ablate"}) {
    const fs::path made = folder.write(mark, "");
    EXPECT_EQ(merged_or_message(file).value("seeds", 0), 3) << mark;
    fs::remove(made);
  }
}

TEST_F(Project, IsOfAFileAndNeitherOfAPipeNorOfALinkToNothing) {
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(merged_or_message(folder / "pipe").get<std::string>(),
              AllOf(HasSubstr("this is a pipe or a device"), HasSubstr("write it to a file")));
  fs::create_symlink("gone.json", folder / "link.json");
  EXPECT_THAT(merged_or_message(folder / "link.json").get<std::string>(),
              HasSubstr("is a link to 'gone.json', which does not exist"));
}

TEST_F(Project, IsNotLeft) {
  const std::string below = fs::canonical(folder.path() / "deep").string();
  EXPECT_THAT(merged_or_message(file).get<std::string>(),
              HasSubstr("\"../../base.json\" leaves the project, " + below + "/down"));
  folder.write("deep/.ablate", "");
  const std::string message = merged_or_message(file);
  EXPECT_THAT(message, HasSubstr("\"../../base.json\" leaves the project, " + below + "\n"));
  EXPECT_THAT(message, HasSubstr("nearest folder that has .git or .ablate"));
  fs::create_symlink(folder.path() / "base.json", folder.path() / "deep/link.json");
  EXPECT_THAT(merged_or_message(folder.write("deep/y.json", R"({"extends": ["link.json"]})"))
                  .get<std::string>(),
              HasSubstr("\"link.json\" leaves the project"));
}

TEST_F(Project, MayExtendWhatIsShipped) {
  const auto extending = [&](const std::string& name) {
    return merged_or_message(folder.write("z.json", R"({"extends": [")" + name + R"("]})"));
  };
  EXPECT_EQ(fs::canonical(ablate::project_root() / "experiments"), shipped_experiments());
  EXPECT_TRUE(extending("ablate:base/small.json").contains("corpus"));
  EXPECT_TRUE(extending("ablate:masking_rate.json").contains("corpus")) << "which has a base";
  EXPECT_THAT(extending("ablate:../README.md").get<std::string>(),
              HasSubstr("\"ablate:../README.md\" leaves the shipped experiments, "));
  EXPECT_THAT(extending("ablate:").get<std::string>(), HasSubstr("must be named by a path"));
  ::setenv("ABLATE_EXPERIMENTS", folder.path().c_str(), 1);
  EXPECT_EQ(extending("ablate:base.json").value("seeds", 0), 3);
  ::setenv("ABLATE_EXPERIMENTS", "/nowhere", 1);
  EXPECT_THAT(extending("ablate:base.json").get<std::string>(),
              HasSubstr("ABLATE_EXPERIMENTS is /nowhere, which is not a folder"));
}

TEST_F(Project, AddsWhatIsMissingWhereTheExperimentFileIs) {
  folder.write(".ablate", "");
  folder.write("base.json", R"({"analysis": {"alpha": 0.1}, "match": {"tolerance": 0}})");
  file = folder.write("x.json", R"({"extends": ["base.json"], "match": {"on": []}})");
  Faults faults;
  const Sources sources(file, faults);
  EXPECT_THAT(sources.value_at("/analysis").source->name(), testing::EndsWith("base.json"));
  EXPECT_THAT(sources.addition_to("/analysis").source->name(), testing::EndsWith("x.json"));
  EXPECT_EQ(sources.addition_to("/analysis").where.first, 0u);
  EXPECT_GT(sources.addition_to("/match").where.first, 0u) << "the file has this section";
}

}  // namespace
}  // namespace ablate::plan
