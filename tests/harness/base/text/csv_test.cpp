// Fields of CSV.

#include "harness/base/text/csv.h"

#include <gtest/gtest.h>

namespace ablate {
namespace {

TEST(CsvField, IsQuotedWhereNeeded) {
  EXPECT_EQ(csv_field("plain"), "plain");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("say \"x\""), "\"say \"\"x\"\"\"");
  EXPECT_EQ(csv_field("a\nb"), "\"a\nb\"");
}

TEST(CsvField, IsNoFormula) {
  for (const std::string formula : {"=cmd|1", "+1", "-1", "@x", "  =1", "\t=1", "\r=1"})
    EXPECT_EQ(csv_field(formula), "\"'" + formula + "\"");
}

TEST(CsvField, ComesBackAsItWas) {
  for (const std::string text : {"", "a", "'", "'a", "=1", "'=1", "''=1", "' =1", "-", "a=1"}) {
    std::string field = csv_field(text);
    if (field.starts_with('"')) field = field.substr(1, field.size() - 2);
    EXPECT_EQ(csv_original(field), text);
  }
}

}  // namespace
}  // namespace ablate
