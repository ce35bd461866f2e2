// Text for LaTeX: whatever is given, it is inert and readable.

#include "reports/text/latex.h"

#include <gtest/gtest.h>

namespace ablate::reports {
namespace {

TEST(LatexText, EscapesEveryActiveCharacter) {
  EXPECT_EQ(latex_text("\\input{/etc/passwd}"), "\\textbackslash{}input\\{/etc/passwd\\}");
  EXPECT_EQ(latex_text("$&#_%"), "\\$\\&\\#\\_\\%");
  EXPECT_EQ(latex_text("~^<>|`"),
            "\\textasciitilde{}\\textasciicircum{}\\textless{}\\textgreater{}\\textbar{}"
            "\\textasciigrave{}");
  EXPECT_EQ(latex_text("[1]*"), "\\lbrack{}1\\rbrack{}{*}");
  EXPECT_EQ(latex_text("a\n\nb"), "a  b");
}

TEST(LatexText, KeepsFontsFromJoiningCharacters) {
  EXPECT_EQ(latex_text("a--b"), "a-{}-b");
  EXPECT_EQ(latex_text("''"), "'{}'");
  EXPECT_EQ(latex_text(",,"), ",{},");
}

TEST(LatexText, BreaksLongWordsAfterMarksAndWhatIsLongBetweenThem) {
  EXPECT_EQ(latex_breakable("of 0.15 %, a_b"), "of 0.15\\,\\%, a\\_b");
  EXPECT_EQ(
      latex_breakable("span_corruption[noise=1]"),
      "span\\_\\allowbreak{}corruption\\lbrack{}\\allowbreak{}noise=\\allowbreak{}1\\rbrack{}");
  EXPECT_EQ(latex_breakable(std::string(26, 'f') + " or " + std::string(12, 'f')),
            "ffffffffffff\\allowbreak{}ffffffffffff\\allowbreak{}ff or ffffffffffff");
  EXPECT_EQ(latex_breakable("a=b", 1), "a=\\allowbreak{}b");
}

TEST(LatexText, ShowsControlCharactersByTheirCodes) {
  EXPECT_EQ(latex_text("^^5c\x1b"),
            "\\textasciicircum{}\\textasciicircum{}5c\\AblateUnicode{001B}{}");
  EXPECT_EQ(latex_text("\x7f"), "\\AblateUnicode{007F}{}");
}

TEST(LatexText, KnowsAccentsSymbolsAndGreek) {
  EXPECT_EQ(latex_text("Größe Łódź"), "Größe Łódź");
  EXPECT_EQ(latex_text("−0.5 ± 0.1 ↓"), "$-$0.5 $\\pm$ 0.1 $\\downarrow$");
  EXPECT_EQ(latex_text("λ ≤ Ω"), "$\\lambda$ $\\leq$ $\\Omega$");
}

TEST(LatexText, ShowsOtherScriptsByTheirCodes) {
  EXPECT_EQ(latex_text("学"), "\\AblateUnicode{5B66}{学}");
  EXPECT_EQ(latex_text("Α"), "\\AblateUnicode{0391}{Α}") << "a Greek letter without a command";
  EXPECT_EQ(latex_text("ą"), "\\AblateUnicode{0105}{ą}") << "the usual encoding has no ogonek";
  EXPECT_EQ(latex_text("\xff"), "\\AblateUnicode{FFFD}{\xEF\xBF\xBD}") << "invalid UTF-8";
}

TEST(LatexComment, IsOneLine) { EXPECT_EQ(latex_comment("a\nb\r_%"), "a b␍_%"); }

TEST(MacroPart, HasLettersAlone) {
  EXPECT_EQ(macro_part("held_out.loss_at_15"), "HeldOutLossAtOneFive");
  EXPECT_EQ(macro_part("mlm[rate=0.15]"), "MlmRateZeroPointOneFive");
  EXPECT_EQ(macro_part("\\evil{}%\n文"), "Evil");
}

TEST(LabelPart, HasSmallLettersDigitsAndHyphens) {
  EXPECT_EQ(label_part("Masking_rate 2"), "masking-rate-2");
  EXPECT_EQ(label_part("}{%"), "experiment");
}

}  // namespace
}  // namespace ablate::reports
