#include "harness/base/json/json_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ablate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// What the first fault of a text prints, or nothing.
std::string fault_of(const std::string& text) {
  const JsonSource source("f", text);
  if (source.faults().empty()) return "";
  const SourceFault& fault = source.faults().front();
  return source.explain(fault.where, fault.message, fault.hint);
}

std::string stretch_of(const std::string& text, std::optional<Stretch> where) {
  return where ? text.substr(where->first, where->count) : "absent";
}

TEST(JsonSource, KnowsWhereEveryKeyAndValueStands) {
  const std::string text = R"(// a comment with "quotes", {braces} and commas
{ "a" : /* one */ 1.50, "b\"c": [ true , null, {"d": "e\\" } ],
  "f": -2e3 }
)";
  const JsonSource source("f", text);
  ASSERT_TRUE(source.faults().empty());
  EXPECT_EQ(source.value(), Json::parse(text, nullptr, true, true));
  EXPECT_EQ(stretch_of(text, source.key_at("/a")), "\"a\"");
  EXPECT_EQ(stretch_of(text, source.value_at("/a")), "1.50");
  EXPECT_EQ(stretch_of(text, source.key_at("/b\"c")), "\"b\\\"c\"");
  EXPECT_EQ(stretch_of(text, source.value_at("/b\"c/0")), "true");
  EXPECT_EQ(stretch_of(text, source.value_at("/b\"c/1")), "null");
  EXPECT_EQ(stretch_of(text, source.value_at("/b\"c/2")), "{\"d\": \"e\\\\\" }");
  EXPECT_EQ(stretch_of(text, source.value_at("/b\"c/2/d")), "\"e\\\\\"");
  EXPECT_EQ(stretch_of(text, source.value_at("/f")), "-2e3");
  for (const char* absent : {"/g", "/b\"c/3", "/b\"c/x", "/a/0", "/f/"})
    EXPECT_FALSE(source.value_at(absent)) << absent;
}

TEST(JsonSource, KeepsTheOrderOfKeys) {
  const JsonSource source("f", R"({"z": {"b": 1, "a": {"x": 0, "w": 0}, "c": 3}})");
  EXPECT_THAT(source.keys("/z"), ElementsAre("b", "a", "c"));
  EXPECT_THAT(source.keys("/none"), ElementsAre());
}

TEST(JsonSource, AcceptsAByteOrderMark) {
  const JsonSource source("f", "\xEF\xBB\xBF{\"a\": }");
  ASSERT_EQ(source.faults().size(), 1u);
  EXPECT_THAT(source.explain(source.faults()[0].where, "m", ""), HasSubstr("f:1:7: error: m"));
  EXPECT_TRUE(JsonSource("f", "\xEF\xBB\xBF{}").faults().empty());
}

TEST(JsonSource, PointsAtWhatIsWrong) {
  EXPECT_EQ(fault_of("{\"a\": 1,\n \"a\": 2}"),
            "f:2:2: error: key \"a\" is given twice in one object\n"
            "    2 |  \"a\": 2}\n"
            "      |  ^~~ keep one of the two");
  EXPECT_EQ(fault_of("{\"a\": [1, 2, ]}"),
            "f:1:12: error: trailing comma\n"
            "    1 | {\"a\": [1, 2, ]}\n"
            "      |            ^ remove it: JSON has none");
  EXPECT_EQ(fault_of("{\"a\": -Infinity}"),
            "f:1:7: error: -Infinity is not a JSON number\n"
            "    1 | {\"a\": -Infinity}\n"
            "      |       ^~~~~~~~~ give a finite number");
  EXPECT_EQ(fault_of("{\"a\": NaN}"),
            "f:1:7: error: NaN is not a JSON number\n"
            "    1 | {\"a\": NaN}\n"
            "      |       ^~~ give a finite number");
  EXPECT_EQ(fault_of("{\"a\": 1e400}"),
            "f:1:7: error: the number 1e400 is out of range\n"
            "    1 | {\"a\": 1e400}\n"
            "      |       ^~~~~ give one below 1.8e308");
}

TEST(JsonSource, PassesOnWhatTheParserExpected) {
  EXPECT_THAT(fault_of("{\"a\" 1}"),
              HasSubstr("f:1:6: error: unexpected number; expected ':' after the key"));
  EXPECT_THAT(fault_of("{\"a\": 1"), HasSubstr("error: the text ends too early; expected"));
  EXPECT_THAT(fault_of("{\"a\": 1,,\"b\": 2}"),
              HasSubstr("unexpected ','; expected a key in double quotes"));
  EXPECT_THAT(fault_of("[}"), HasSubstr("unexpected '}'; expected a value"));
  EXPECT_THAT(fault_of(""), HasSubstr("f:1:1: error: the text is empty"));
  EXPECT_THAT(fault_of("{} {}"), HasSubstr("f:1:4: error: unexpected '{'; expected end of input"));
  EXPECT_THAT(fault_of("{\"a\": \"b\n\"}"),
              HasSubstr("f:1:9: error: invalid string: control character U+000A"));
  EXPECT_THAT(fault_of("{\"a\": tru}"), HasSubstr("f:1:7: error: invalid literal"));
  EXPECT_THAT(fault_of("{} /* open"), HasSubstr("invalid comment"));
}

TEST(JsonSource, SaysThatACommaIsMissing) {
  EXPECT_EQ(fault_of("{\"a\": 1\n\"b\": 2}"),
            "f:2:1: error: unexpected text; expected ',' or '}'\n"
            "    2 | \"b\": 2}\n"
            "      | ^~~");
  EXPECT_THAT(fault_of("[1 2]"), HasSubstr("f:1:4: error: unexpected number; expected ',' or ']'"));
}

TEST(JsonSource, PointsIntoANumberWithTwoPoints) {
  EXPECT_THAT(fault_of("{\"a\": 0.0.15\n}"), HasSubstr("f:1:10: error: invalid literal"));
}

TEST(JsonSource, SaysHowTextIsWritten) {
  for (const char* bare : {"'x'", "x", "True"})
    EXPECT_THAT(fault_of("{\"a\": " + std::string(bare) + "}"),
                HasSubstr(" text stands in double quotes"))
        << bare;
}

TEST(JsonSource, CountsColumnsInCharacters) {
  EXPECT_EQ(fault_of("{\"\xC3\xA9\xC3\xA9\": NaN}"),
            "f:1:8: error: NaN is not a JSON number\n"
            "    1 | {\"\xC3\xA9\xC3\xA9\": NaN}\n"
            "      |        ^~~ give a finite number");
}

TEST(JsonSource, RefusesBytesThatAreNoText) {
  for (const char* bad :
       {"\xFF", "\xC3", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82"}) {
    const JsonSource source("f", "{\"a\": \"" + std::string(bad) + "\"}");
    ASSERT_EQ(source.faults().size(), 1u) << bad;
    EXPECT_EQ(source.faults()[0].where.first, 7u);
    EXPECT_EQ(source.faults()[0].message, "a byte that is not UTF-8");
  }
}

TEST(JsonSource, StopsAtSixtyFourLevels) {
  const auto nested = [](int levels) {
    return std::string(static_cast<std::size_t>(levels), '[') +
           std::string(static_cast<std::size_t>(levels), ']');
  };
  EXPECT_EQ(fault_of(nested(64)), "");
  EXPECT_THAT(fault_of(nested(65)), HasSubstr("f:1:65: error: nested deeper than 64 levels"));
  EXPECT_THAT(fault_of(std::string(1'000'000, '[')), HasSubstr("nested deeper than 64 levels"));
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  EXPECT_THAT(fault_of(objects), HasSubstr("nested deeper than 64 levels"));
}

TEST(JsonSource, HasACapOnEverythingThatGrows) {
  EXPECT_EQ(JsonSource("f", std::string(100'000'000, '[')).faults().at(0).message,
            "has 100000000 bytes; at most 1048576 are accepted");
  std::string many = "[0";
  for (int i = 0; i < 200'000; ++i) many += ",0";
  EXPECT_THAT(fault_of(many + "]"), HasSubstr("more than 20000 values"));
  std::string twice = "{\"a\":0";
  for (int i = 0; i < 1000; ++i) twice += ",\"a\":0";
  EXPECT_EQ(JsonSource("f", twice + "}").faults().size(), 20u);
}

TEST(JsonSource, ShowsLongAndHostileLinesShortAndHarmless) {
  const std::string line = "{\"" + std::string(500'000, 'x') + "\": NaN, \"\x7F\x1B[31m" +
                           std::string(1000, 'y') + "\": 0}";
  const std::string shown = fault_of(line);
  EXPECT_LT(shown.size(), 400u);
  EXPECT_THAT(shown, HasSubstr("f:1:500006: error: NaN is not a JSON number"));
  EXPECT_EQ(shown.find('\x1B'), shown.npos);
  EXPECT_EQ(shown.find('\x7F'), shown.npos);
}

}  // namespace
}  // namespace ablate
