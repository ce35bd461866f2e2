// Templates: what is put into them cannot become markup.

#include "reports/web/template.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/assets/assets.h"

namespace ablate::reports {
namespace {

TEST(Template, EscapesWhatIsPutIntoIt) {
  const std::string made =
      filled("figure.mustache",
             {{"panels", Json::array()}, {"caption", "<b>{{{panels}}}{{>page.mustache}}"}});
  EXPECT_THAT(made, testing::HasSubstr("&lt;b&gt;{{{panels}}}{{&gt;page.mustache}}"));
  EXPECT_THAT(made, testing::Not(testing::HasSubstr("<b>")));
}

TEST(Template, IsAFileOfTheAssets) {
  EXPECT_THAT(
      [] { filled("absent.mustache", Json::object()); },
      testing::ThrowsMessage<std::logic_error>("reports/assets has no file 'absent.mustache'"));
}

TEST(Template, IsWhatTheProgramHoldsOfEveryAsset) {
  EXPECT_GE(assets().size(), 5u);
  for (const Asset& each : assets()) EXPECT_EQ(asset(each.name), each.text);
}

}  // namespace
}  // namespace ablate::reports
