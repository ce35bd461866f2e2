#include "harness/contract/catalog.h"

#include <gmock/gmock.h>

namespace ablate {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

class CatalogOfTwo : public testing::Test {
 protected:
  std::vector<ObjectiveSpec> objectives_ = {{.name = "causal_lm"}, {.name = "masked_lm"}};
  std::vector<BackboneSpec> backbones_ = {{.name = "transformer"}};
  std::vector<ProbeSpec> probes_ = {{.name = "held_out"}};
  Catalog catalog_{.objectives = objectives_, .backbones = backbones_, .probes = probes_};
};

TEST_F(CatalogOfTwo, FindsMembersByName) {
  EXPECT_EQ(&catalog_.objective("masked_lm"), &objectives_[1]);
  EXPECT_EQ(&catalog_.backbone("transformer"), &backbones_[0]);
  EXPECT_EQ(&catalog_.probe("held_out"), &probes_[0]);
}

TEST_F(CatalogOfTwo, NamesTheNearestAndAllWhereThereIsNone) {
  EXPECT_THAT([&] { catalog_.objective("maskd_lm"); },
              ThrowsMessage<std::invalid_argument>(
                  "no objective is named 'maskd_lm'; the nearest is 'masked_lm'; "
                  "there are: causal_lm, masked_lm"));
  EXPECT_THAT(
      [&] { catalog_.backbone("mamba"); },
      ThrowsMessage<std::invalid_argument>("no backbone is named 'mamba'; there are: transformer"));
  EXPECT_THAT([&] { catalog_.probe(""); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("no probe is named ''")));
}

/// Lists "floor", and "optimum" where the objective's defaults say that one is known.
std::vector<Metric> metrics(const ObjectiveSpec& objective, bool) {
  std::vector<Metric> list = {{.name = "floor"}};
  if (objective.optimum_kind(Params(objective.params, Json::object())) != OptimumKind::none)
    list.push_back({.name = "optimum"});
  return list;
}

TEST(MetricsOfAnArm, AreThoseKnownAtTheDefaultsOrAtItsSettings) {
  const ProbeSpec probe{.name = "held_out", .metrics = metrics};
  const auto names = [&](const char* fallback, const char* law) {
    const ObjectiveSpec spec{.name = "sometimes_known",
                             .params = {choice("law", fallback, {"exact", "other"}, "law")},
                             .optimum_kind = [](const Params& params) {
                               return params.text("law") == "exact" ? OptimumKind::exact
                                                                    : OptimumKind::none;
                             }};
    std::vector<std::string_view> list;
    for (const Metric& metric :
         metrics_of_arm(probe, spec, {{"type", "sometimes_known"}, {"law", law}}, true))
      list.push_back(metric.name);
    return list;
  };
  EXPECT_THAT(names("other", "other"), testing::ElementsAre("floor"));
  EXPECT_THAT(names("other", "exact"), testing::ElementsAre("floor", "optimum"));
  EXPECT_THAT(names("exact", "other"), testing::ElementsAre("floor", "optimum"));
}

}  // namespace
}  // namespace ablate
