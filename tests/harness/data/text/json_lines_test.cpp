// Why a line is no record: the message names it, and says what to do.

#include "harness/data/text/json_lines.h"

#include <gmock/gmock.h>

#include "harness/base/files.h"
#include "harness/data/text/text_files.h"
#include "tests/harness/data/folder.h"
#include "tests/paths.h"

namespace ablate::data {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

const std::filesystem::path kCases = project_root() / "tests/cases";

std::string refusal_of_line(const std::string& line) {
  return refusal_of([&] { record_in(line, "f:1"); });
}

TEST(RecordIn, IsTheObjectOfALine) {
  EXPECT_EQ(record_in(" {\"a\": [1, \"\\ud83d\\ude00\"]}\r", "f:1").at("a").at(0), 1);
  EXPECT_EQ(record_in("{\"a\": \"NaN\", \"b\": \"\\\"NaN\"}", "f:1").at("a"), "NaN");
}

TEST(RecordIn, NamesWhatIsNoJson) {
  EXPECT_THAT(refusal_of_line("{\"a\": NaN}"),
              StartsWith("f:1: is not JSON: NaN is no number of JSON; write null"));
  EXPECT_THAT(refusal_of_line("{\"a\": \"\\\"\", \"b\": -Infinity}"),
              HasSubstr("Infinity is no number of JSON"));
  EXPECT_THAT(refusal_of_line("{\"a\": 1e400}"),
              HasSubstr("the number 1e400 is larger than a double holds"));
  EXPECT_THAT(refusal_of_line("{\"a\": \"\\ud800\"}"), HasSubstr("half of a surrogate pair"));
  EXPECT_THAT(refusal_of_line("{\"a\": \"\\udc00x\"}"), HasSubstr("half of a surrogate pair"));
  EXPECT_THAT(refusal_of_line("{\"a\": \"\xE9\"}"), HasSubstr("bytes that are not UTF-8"));
  EXPECT_THAT(refusal_of_line("{\"a\": "), HasSubstr("ends early"));
  EXPECT_THAT(refusal_of_line("{'a': 1}"),
              AllOf(HasSubstr("is not JSON: column 2"), HasSubstr("expected string literal")));
  EXPECT_THAT(refusal_of_line(std::string(100'000, '[')), StartsWith("f:1: is not JSON: "));
}

TEST(RecordIn, HasEveryKeyOnce) {
  EXPECT_THAT(refusal_of_line(R"({"label": "a", "text": "b", "label": "c"})"),
              HasSubstr("f:1: has 'label' twice"));
  EXPECT_THAT(refusal_of_line(R"({"a\u0062": 1, "x": {"ab": 2}, "ab": 3})"),
              HasSubstr("has 'ab' twice"));
  EXPECT_EQ(record_in(R"({"a": {"a": [{"a": ":"}]}, "b:\"": "\"a\": 1", "c": ","})", "f:1").size(),
            3u);
}

TEST(RecordIn, IsRefusedByLineWhereItIsNestedDeep) {
  const std::string deep(100'000, '[');
  EXPECT_THAT(refusal_of_line("{\"a\": " + deep + std::string(100'000, ']') + "}"),
              StartsWith("f:1: is nested more than 64 deep"));
}

TEST(RecordIn, NamesWhatIsNoObject) {
  EXPECT_THAT(refusal_of_line("null"), StartsWith("f:1: is not a JSON object, but null"));
  EXPECT_THAT(refusal_of_line("3"), HasSubstr("but a number"));
  EXPECT_THAT(refusal_of_line("[{\"a\": 1}]"),
              AllOf(HasSubstr("is not a JSON object, but a list"), HasSubstr("jq -c '.[]' FILE")));
  EXPECT_THAT(refusal_of_line("["), HasSubstr("jq -c")) << "a list of several lines";
}

std::string refusal_of_bytes(const std::string& bytes) {
  return refusal_of([&] { refuse_other_forms("f", bytes); });
}

TEST(OtherForms, AreNamedWithWhatConvertsThem) {
  using namespace std::string_literals;
  EXPECT_EQ(refusal_of_bytes("{\"a\": 1}"), "");
  EXPECT_EQ(refusal_of_bytes(""), "");
  EXPECT_EQ(refusal_of_bytes("\xEF\xBB\xBF{}"), "") << "a byte order mark of UTF-8";
  EXPECT_EQ(refusal_of_bytes("\x1F\x8B\x08"),
            "f: is compressed by gzip; unpack it with gunzip --keep FILE");
  EXPECT_THAT(refusal_of_bytes("\x28\xB5\x2F\xFDx"), HasSubstr("unzstd"));
  EXPECT_THAT(refusal_of_bytes("\xFF\xFE{\0"s), AllOf(HasSubstr("is UTF-16"), HasSubstr("iconv")));
  EXPECT_THAT(refusal_of_bytes("{\0\"\0"s), HasSubstr("iconv -f UTF-16LE"));
  EXPECT_THAT(refusal_of_bytes("\0{\0\""s), HasSubstr("iconv -f UTF-16BE"));
  EXPECT_THAT(refusal_of_bytes("\xFF\xFE\0\0{\0\0\0"s), HasSubstr("is UTF-32"));
  EXPECT_THAT(refusal_of_bytes("{\0\0\0"s), HasSubstr("iconv -f UTF-32LE"));
  EXPECT_THAT(refusal_of_bytes("\0\0\0{"s), HasSubstr("iconv -f UTF-32BE"));
}

// The corpus of a file of JSON Lines that is one of the cases.
std::string refusal_of_case(const char* name) {
  return refusal_of([&] {
    Treatment treatment;
    cut(read_raw({kCases / name}),
        {.json_lines = true, .field = "text", .rule = DocumentRule("files", "")}, treatment);
  });
}

TEST(Cut, SaysWhatIsWrongWithARecord) {
  EXPECT_THAT(refusal_of_case("nan.jsonl"), HasSubstr("NaN is no number of JSON"));
  EXPECT_THAT(refusal_of_case("big1e400.jsonl"), HasSubstr("the number 1e400"));
  EXPECT_THAT(refusal_of_case("null.jsonl"), HasSubstr("the field 'text' has no text, but null"));
  EXPECT_THAT(refusal_of_case("array.json"), HasSubstr("array.json:1: is not a JSON object, but a "
                                                       "list; a file of JSON Lines has an object"));
}

}  // namespace
}  // namespace ablate::data
