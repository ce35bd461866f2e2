// The published schema is up to date, and the shipped experiments can be read.

#include "harness/plan/describe/schema.h"

#include <gtest/gtest.h>

#include "experiments/catalog.h"
#include "harness/base/files.h"
#include "harness/plan/read/experiment.h"

namespace ablate {
namespace {

namespace fs = std::filesystem;

const fs::path kExperiments = fs::path(PROJECT_ROOT) / "experiments";

TEST(Schema, IsCurrent) {
  EXPECT_EQ(read_file(kExperiments / "experiment.schema.json"),
            plan::experiment_schema(catalog()).dump(2) + "\n")
      << "update it: ablate schema > experiments/experiment.schema.json";
}

TEST(ShippedExperiments, AreRead) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(kExperiments)) {
    if (entry.path().extension() != ".json" || entry.path().filename() == "experiment.schema.json")
      continue;
    ++count;
    const plan::Experiment experiment = plan::read_experiment(catalog(), entry.path(), {});
    EXPECT_EQ(experiment.name, entry.path().stem()) << entry.path();
    EXPECT_NE(experiment.question, "") << entry.path();
    EXPECT_GE(experiment.seeds.size(), 6u) << entry.path();
  }
  EXPECT_GE(count, 5);
}

}  // namespace
}  // namespace ablate
