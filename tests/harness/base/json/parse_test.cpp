// JSON is nested so deep and no deeper, wherever it comes from.

#include "harness/base/json/parse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/error.h"
#include "harness/base/json/checksummed.h"
#include "harness/base/json/kept_json.h"
#include "tests/temporary_folder.h"

namespace ablate {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

std::string nested(std::size_t levels) {
  return std::string(levels, '[') + std::string(levels, ']');
}

constexpr std::size_t kDeep = 100'000;

TEST(ParsedJson, IsNestedSixtyFourLevelsDeepAtMost) {
  EXPECT_EQ(parse_json(nested(64)).dump(), nested(64));
  EXPECT_FALSE(parse_or_discard(nested(64)).is_discarded());
  for (const std::size_t levels : {std::size_t{65}, kDeep}) {
    EXPECT_THAT([&] { parse_json(nested(levels)); },
                ThrowsMessage<Json::exception>(HasSubstr("nested more than 64 deep")));
    EXPECT_TRUE(parse_or_discard(nested(levels)).is_discarded());
    EXPECT_THAT([&] { parse_stored(nested(levels), "x.json"); },
                ThrowsMessage<DamagedFile>("x.json: is nested more than 64 deep"));
  }
}

TEST(ParsedJson, MayHoldAnyNumberOfBracketsInStringsAndSideBySide) {
  const Json brackets = std::string(kDeep, '[') + "\"\\{";
  EXPECT_EQ(parse_json(brackets.dump()), brackets);
  Json lists = Json::array();
  for (int i = 0; i < 1000; ++i) lists.push_back(Json::array());
  EXPECT_EQ(parse_json(lists.dump()), lists);
}

TEST(ParsedJson, OfADocumentWithAChecksumIsNotNestedDeeper) {
  const std::string text = "{\"machine\":" + nested(kDeep) + ",\"sha256\":\"\"}";
  EXPECT_THAT([&] { checked_document(text, "night.json"); },
              ThrowsMessage<DamagedFile>(HasSubstr("night.json: is nested more than 64 deep")));
  EXPECT_THAT([&] { checked_lines(text + "\n", "pins.jsonl"); },
              ThrowsMessage<DamagedFile>(HasSubstr("pins.jsonl:1: is nested more than 64 deep")));
}

TEST(ParsedJson, OfTheCacheIsMadeAgainWhereItIsNestedDeeper) {
  const TemporaryFolder folder;
  const auto file = folder.write("value.json", "{\"value\":" + nested(kDeep) + "}");
  EXPECT_TRUE(kept_json(file, {}).is_null());
}

}  // namespace
}  // namespace ablate
