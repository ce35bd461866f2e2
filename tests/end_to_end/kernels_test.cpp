// Fused kernels and plain operations train equally well: over 200 steps their curves stay closer to
// each other than those of two seeds.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <vector>

#include "harness/base/exit_code.h"
#include "harness/store/journal/trial_folders.h"
#include "tests/end_to_end/program.h"

namespace ablate {
namespace {

using testing_support::Finished;
using testing_support::Workplace;

constexpr const char* kKernelsExperiment = R"({
  "name": "kernels",
  "corpus": {"kind": "language", "topics": 2, "states": 6, "vocabulary": 16,
             "tokens": 40000, "held_out_tokens": 4096},
  "model": {"depth": 2, "width": 32, "heads": 2, "context": 32},
  "train": {"budget": {"steps": 200}, "batch": 8},
  "arms": [
    {"name": "clm", "set": {"objective": {"type": "causal_lm"}},
     "grid": {"train.kernels": ["plain", "fused"]}},
    {"name": "mlm", "set": {"objective": {"type": "masked_lm"}},
     "grid": {"train.kernels": ["plain", "fused"]}}
  ],
  "baseline": "clm[kernels=plain]",
  "seeds": 4,
  "probes": [{"type": "held_out", "texts": 20}],
  "analysis": {"primary": "held_out.loss"}
})";

using Curve = std::vector<double>;
using Curves = std::map<std::string, std::map<int, Curve>>;  // by arm and seed

/// The loss curves in the journals of a results folder.
Curves curves_of(const std::filesystem::path& results) {
  Curves curves;
  for (const auto& [id, folder] : store::listed_trials(results)) {
    std::ifstream journal(folder / "journal.jsonl");
    std::string arm;
    int seed = 0;
    for (std::string line; std::getline(journal, line);) {
      const Json event = Json::parse(line);
      if (event.at("event") == "attempt") {
        arm = event.at("trial").at("arm");
        seed = event.at("trial").at("seed");
      }
      if (event.at("event") == "curve") curves[arm][seed].push_back(event.at("loss"));
    }
  }
  return curves;
}

double mean_distance(const Curve& a, const Curve& b) {
  EXPECT_EQ(a.size(), b.size());
  double sum = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) sum += std::abs(a[i] - b[i]);
  return sum / static_cast<double>(a.size());
}

class Kernels : public testing::TestWithParam<const char*> {};

TEST_P(Kernels, PlainAndFusedTrainCloserThanTwoSeeds) {
  const Workplace place;
  const auto results = place.folder() / "results";
  const Finished finished =
      place.ablate({"run", place.write("kernels.json", kKernelsExperiment).string(), "--results",
                    results.string(), "--set", std::string("train.precision=") + GetParam(),
                    "--progress", "none"});
  if (finished.exit_code == exit_usage && finished.errors.find("AVX512-BF16") != std::string::npos)
    GTEST_SKIP() << finished.errors;
  ASSERT_EQ(finished.exit_code, exit_ok) << finished.errors;
  const Curves curves = curves_of(results);
  for (const std::string arm : {"clm", "mlm"}) {
    const auto& plain = curves.at(arm + "[kernels=plain]");
    const auto& fused = curves.at(arm + "[kernels=fused]");
    std::vector<double> between_kernels;  // by seed
    double between_seeds = 0;
    for (int seed = 1; seed <= 4; ++seed) {
      ASSERT_GE(plain.at(seed).size(), 50u);
      between_kernels.push_back(mean_distance(plain.at(seed), fused.at(seed)));
      between_seeds += mean_distance(plain.at(seed), plain.at(seed % 4 + 1)) / 4;
    }
    EXPECT_NE(between_kernels, std::vector<double>(4, 0)) << arm << ": the switch does nothing";
    for (const double distance : between_kernels) EXPECT_LT(distance, 0.5 * between_seeds) << arm;
    EXPECT_LT(plain.at(1).back(), plain.at(1).front() - 0.3) << arm << ": it learns";
  }
}

INSTANTIATE_TEST_SUITE_P(Precisions, Kernels, testing::Values("float32", "bfloat16"),
                         [](const auto& with) { return std::string(with.param); });

}  // namespace
}  // namespace ablate
