// Members of the catalogue are found by name.

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

TEST_F(CatalogOfTwo, ListsTheClosestNameAndAllNamesIfThereIsNone) {
  EXPECT_THAT([&] { catalog_.objective("maskd_lm"); },
              ThrowsMessage<std::invalid_argument>(
                  "no objective is named 'maskd_lm'; the closest is 'masked_lm'; "
                  "there are: causal_lm, masked_lm"));
  EXPECT_THAT(
      [&] { catalog_.backbone("mamba"); },
      ThrowsMessage<std::invalid_argument>("no backbone is named 'mamba'; there are: transformer"));
  EXPECT_THAT([&] { catalog_.probe(""); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("no probe is named ''")));
}

}  // namespace
}  // namespace ablate
