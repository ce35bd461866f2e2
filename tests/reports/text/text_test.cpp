// Foreign text, made safe for each format.

#include "reports/text/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/rng.h"
#include "harness/base/utf8.h"

namespace ablate::reports {
namespace {

using testing::Not;

TEST(Readable, ShowsControlCharactersAsPictures) {
  EXPECT_EQ(readable("\x1b[31mred\x07"), "␛[31mred␇");
  EXPECT_EQ(readable(std::string("a\0b", 3)), "a␀b");
  EXPECT_EQ(readable("\x7f"), "␡");
  EXPECT_EQ(readable("\xC2\x9B"
                     "31m"),
            "\uFFFD31m");  // the one-character form of ESC [
}

TEST(Readable, KeepsLinesWhereTheyAreWanted) {
  EXPECT_EQ(readable("a\nb\tc"), "a b c");
  EXPECT_EQ(readable("a\nb\tc\r", true), "a\nb\tc␍");
}

TEST(Readable, TurnsNoDirectionOfWriting) {
  EXPECT_EQ(readable("a\u202Eb\u2066c\u200Fd"), "a\uFFFDb\uFFFDc\uFFFDd");
}

TEST(Readable, ReplacesWhatIsNoUtf8) {
  EXPECT_EQ(readable("a\xFFz"), "a\uFFFDz");
  EXPECT_EQ(readable("\xC0\xAF").find('\xC0'), std::string::npos);
  EXPECT_EQ(readable("grün 文字 🙂"), "grün 文字 🙂");
}

TEST(Readable, MakesAnyBytesSafeForEveryFormat) {
  Rng rng(5);
  for (int run = 0; run < 2000; ++run) {
    std::string bytes;
    for (int i = 0; i < 12; ++i) bytes += static_cast<char>(rng.below(256));
    const std::string text = readable(bytes);
    EXPECT_EQ(readable(text), text);  // nothing is left to do
    for (const char c : text) EXPECT_FALSE(static_cast<unsigned char>(c) < 0x20 || c == 0x7F);
    EXPECT_THAT(html_text(bytes),
                Not(testing::AnyOf(testing::HasSubstr("<"), testing::HasSubstr("\""))));
    EXPECT_LE(characters(shortened(text, 5)), 6);
  }
}

TEST(HtmlText, LeavesNoSyntax) {
  EXPECT_EQ(html_text("</script><img src=\"x\" onerror='f()'>&"),
            "&lt;/script&gt;&lt;img src=&quot;x&quot; onerror=&#39;f()&#39;&gt;&amp;");
}

TEST(MarkdownText, EscapesWhatWouldBeSyntax) {
  EXPECT_EQ(markdown_text("a|b`c`<b>*x*"), "a\\|b\\`c\\`\\<b>\\*x\\*");
  EXPECT_EQ(markdown_text("# title"), "\\# title");
  EXPECT_EQ(markdown_text("- item"), "\\- item");
  EXPECT_EQ(markdown_text("1. item"), "1\\. item");
  EXPECT_EQ(markdown_text("[x](javascript:y)"), "[x\\](javascript:y)");
  EXPECT_EQ(markdown_text("[x]: javascript:y"), "[x\\]: javascript:y");
  EXPECT_EQ(markdown_text("_all_"), "\\_all\\_");
  EXPECT_EQ(markdown_text("&lt;"), "\\&lt;");
  EXPECT_EQ(markdown_text("a\nb"), "a b");
}

TEST(MarkdownText, LeavesNamesAndNumbersReadable) {
  EXPECT_EQ(markdown_text("held_out.loss_at_15"), "held_out.loss_at_15");
  EXPECT_EQ(markdown_text("mlm[rate=0.15]"), "mlm[rate=0.15]");
  EXPECT_EQ(markdown_text("0.031"), "0.031");
}

TEST(ArmLabel, KeepsWhatTellsArmsApart) {
  EXPECT_EQ(arm_label("mlm[rate=0.15]", 19), "mlm[rate=0.15]");
  EXPECT_EQ(arm_label("mlm[rate=0.15,count=exact]", 19), "mlm[0.15,exact]");
  EXPECT_EQ(arm_label("mlm[rate=0.15,count=bernoulli]", 19), "mlm[0.15,bernoulli]");
  EXPECT_EQ(arm_label("a_long_name_without_any_sweep", 9), "a_lo…weep");
}

TEST(CsvText, QuotesByTheStandard) {
  EXPECT_EQ(csv_text("plain"), "plain");
  EXPECT_EQ(csv_text("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_text("say \"x\""), "\"say \"\"x\"\"\"");
}

TEST(CsvText, DisarmsFormulas) {
  EXPECT_EQ(csv_text("=cmd|' /C calc'!A0"), "\"'=cmd|' /C calc'!A0\"");
  for (const char* formula : {"=1", "+1", "-1", "@x"}) {
    EXPECT_EQ(csv_text(formula), "\"'" + std::string(formula) + "\"");
  }
  EXPECT_EQ(csv_text("\t=1"), "\"' =1\"");
}

TEST(WithMinus, IsOfNegativeNumbersAndOfNoHyphen) {
  EXPECT_EQ(with_minus("-0.33 ± 0.19, worse"), "−0.33 ± 0.19, worse");
  EXPECT_EQ(with_minus("open (-.004)"), "open (−.004)");
  EXPECT_EQ(with_minus("-0.021 to -0.013"), "−0.021 to −0.013");
  for (const char* text : {"left-to-right", "gpt-2", "1-6", "e-05", "- a", "2e-05", "-x", "-"})
    EXPECT_EQ(with_minus(text), text);
}

TEST(UnbrokenNumbers, KeepEstimatesAndPercentagesInOneLine) {
  EXPECT_EQ(with_unbroken_numbers("lower by 0.12 ± 0.03 nats, 95 % of 3"),
            "lower by 0.12\u00a0±\u00a00.03 nats, 95\u00a0% of 3");
  EXPECT_EQ(with_unbroken_numbers("± 0.03"), "±\u00a00.03");
  EXPECT_EQ(with_unbroken_numbers("a % b"), "a % b");
  EXPECT_EQ(with_unbroken_numbers(" %"), " %");
  EXPECT_EQ(with_unbroken_numbers(""), "");
}

}  // namespace
}  // namespace ablate::reports
