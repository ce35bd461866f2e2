// What is kept is what was written, or nothing.

#include "harness/base/json/kept_json.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace ablate {
namespace {

namespace fs = std::filesystem;

class KeptJson : public ::testing::Test {
 protected:
  KeptJson() : folder_(fs::temp_directory_path() / ("ablate_kept_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~KeptJson() override { fs::remove_all(folder_); }

  fs::path folder_;
};

TEST_F(KeptJson, IsWhatWasWrittenUnderItsIdentity) {
  const fs::path file = folder_ / "a.json";
  const Json identity = {{"of", 1}}, value = {{"x", 0.1}, {"y", {1, 2}}};
  EXPECT_TRUE(kept_json(file, identity).is_null());
  keep_json(file, identity, value);
  EXPECT_EQ(kept_json(file, identity), value);
  EXPECT_TRUE(kept_json(file, {{"of", 2}}).is_null());
}

TEST_F(KeptJson, IsNothingWhereTheFileIsDamaged) {
  const fs::path file = folder_ / "a.json";
  const Json identity = {{"of", 1}};
  keep_json(file, identity, 12);
  std::ifstream whole(file);
  std::string text(std::istreambuf_iterator<char>(whole), {});
  std::string changed = text;
  changed.replace(changed.find("12"), 2, "13");
  for (const std::string& torn : {text.substr(0, text.size() / 2), changed, std::string("[]"),
                                  std::string("{\"value\": 12}"), std::string()}) {
    std::ofstream(file) << torn;
    EXPECT_TRUE(kept_json(file, identity).is_null()) << torn;
  }
  fs::remove(file);
  fs::create_directories(file);
  EXPECT_TRUE(kept_json(file, identity).is_null());
}

}  // namespace
}  // namespace ablate
