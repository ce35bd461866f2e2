// Templates: what is put into them cannot become markup.

#include "reports/web/template.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "harness/base/sha256.h"
#include "reports/assets/assets.h"
#include "tests/source_tree.h"

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

/// Mustache renders a name that nothing gives as nothing.
TEST(Template, AsksForNoNameThatThePageDoesNotGive) {
  std::string writer;
  for (const char* file : {"html", "table_data", "preview_page"})
    writer += source_tree::read(std::string("reports/web/") + file + ".cpp");
  const std::regex tag(R"re(\{\{\{?[#^/]?([a-z_]+)\}\}?\})re");
  int names = 0;
  for (const Asset& each : assets()) {
    if (!each.name.ends_with(".mustache")) continue;
    const std::string text(each.text);
    for (std::sregex_iterator at(text.begin(), text.end(), tag), end; at != end; ++at, ++names)
      EXPECT_THAT(writer, testing::HasSubstr("\"" + at->str(1) + "\"")) << each.name;
  }
  EXPECT_GT(names, 30);
}

TEST(Template, HoldsNoTextOfOthersUnescapedButWhatWasEscapedBefore) {
  const std::regex raw(R"re(\{\{(\{|&)\s*([a-z_.]+))re");
  std::vector<std::string> found;
  for (const Asset& each : assets()) {
    const std::string text(each.name.ends_with(".mustache") ? each.text : "");
    for (std::sregex_iterator at(text.begin(), text.end(), raw), end; at != end; ++at)
      found.push_back(at->str(2));
  }
  EXPECT_THAT(found, testing::UnorderedElementsAre(".", ".", ".", ".", ".", ".", ".", "lines"))
      << "styles, scripts, drawings, the numbers of charts, courses in tables; the lines of "
         "texts; styles and drawings of previews";
}

TEST(Assets, OfOthersAreAsTheyWerePublished) {
  std::istringstream sums(source_tree::read("reports/assets/vendor/SHA256SUMS"));
  std::string sum, name;
  int files = 0;
  for (; sums >> sum >> name; ++files) {
    EXPECT_EQ(sha256(source_tree::read("reports/assets/vendor/" + name)), sum) << name;
    EXPECT_EQ(sha256(asset("vendor/" + name)), sum) << name << " in the program";
  }
  EXPECT_EQ(files, 3);
}

TEST(Assets, AScriptCannotEndItsElement) {
  for (const Asset& each : assets())
    if (each.name.ends_with(".js")) {
      EXPECT_THAT(std::string(each.text), testing::Not(testing::HasSubstr("</script")))
          << each.name;
      EXPECT_THAT(std::string(each.text), testing::Not(testing::HasSubstr("<!--"))) << each.name;
    }
}

}  // namespace
}  // namespace ablate::reports
