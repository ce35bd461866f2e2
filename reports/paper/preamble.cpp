#include "reports/paper/preamble.h"

#include <fmt/format.h>

#include "reports/text/latex.h"

namespace ablate::reports {
namespace {

constexpr std::size_t kFloatsAtOnce = 10;  // LaTeX holds back some 18 that have no place yet

}  // namespace

std::string preamble() {
  return R"tex(% Packages, commands and styles that the tables and figures of ablate use.
\usepackage{array,booktabs,graphicx,pdflscape,pgfplots}
\pgfplotsset{compat=1.16}
% Scales what is wider than the text to its width, and says so in the log.
\ifcsname AblateBox\endcsname\else\newsavebox{\AblateBox}\fi
\providecommand{\AblateFit}[1]{\sbox{\AblateBox}{#1}%
  \ifdim\wd\AblateBox>\linewidth\typeout{AblateFit: \the\wd\AblateBox\space into \the\linewidth}%
    \resizebox{\linewidth}{!}{\usebox{\AblateBox}}%
  \else\usebox{\AblateBox}\fi}
% Characters that LaTeX's usual fonts lack, by their code point. With fonts that have them:
% \renewcommand{\AblateUnicode}[2]{#2}
\providecommand{\AblateUnicode}[2]{\texttt{U+#1}\hspace{0.1em plus 0.1em}}
% Okabe and Ito 2008, ordered so that neighbours differ in grey too; dashes and marks say the same.
\definecolor{AblateBlue}{HTML}{0072B2}
\definecolor{AblateOrange}{HTML}{E69F00}
\definecolor{AblateVermillion}{HTML}{D55E00}
\definecolor{AblateSky}{HTML}{56B4E9}
\definecolor{AblateBlack}{HTML}{000000}
\definecolor{AblatePurple}{HTML}{CC79A7}
\definecolor{AblateGreen}{HTML}{009E73}
\pgfplotsset{
  ablate/.style={scale only axis, axis lines=left, axis line style={-, black!60},
    tick style={black!60}, tick align=outside, scaled ticks=false, grid style={black!12}, enlarge y limits=0.06,
    tick label style={/pgf/number format/fixed, /pgf/number format/precision=4},
    legend style={draw=none, fill=none},
    every mark/.append style={solid}},
  ablate line/.style={semithick, mark repeat=8, mark size=1.4pt},
  ablate series 1/.style={ablate line, AblateBlue, solid, mark=*},
  ablate series 2/.style={ablate line, AblateOrange, dashed, mark=square*},
  ablate series 3/.style={ablate line, AblateVermillion, dashdotted, mark=triangle*},
  ablate series 4/.style={ablate line, AblateSky, densely dotted, mark=diamond*},
  ablate series 5/.style={ablate line, AblateBlack, densely dashed, mark=o},
  ablate series 6/.style={ablate line, AblatePurple, dashdotdotted, mark=x},
  ablate area/.style={draw=none, opacity=0.18},
  ablate band 1/.style={ablate area, fill=AblateBlue},
  ablate band 2/.style={ablate area, fill=AblateOrange},
  ablate band 3/.style={ablate area, fill=AblateVermillion},
  ablate band 4/.style={ablate area, fill=AblateSky},
  ablate band 5/.style={ablate area, fill=AblateBlack},
  ablate band 6/.style={ablate area, fill=AblatePurple},
  ablate level/.style={black!70, densely dotted, thin, mark=none},
  ablate zero/.style={black, thin, mark=none},
  ablate margin/.style={draw=none, fill=black!10},
  ablate interval/.style={black, very thick, mark=none},
  ablate together/.style={black!60, thin, mark=none},
  ablate joined/.style={black, line width=2.4pt, mark=none},
  ablate centre/.style={only marks, mark size=2.6pt},
  ablate better/.style={ablate centre, AblateGreen, mark=*},
  ablate worse/.style={ablate centre, AblateVermillion, mark=square*},
  ablate equivalent/.style={ablate centre, AblateBlue, mark=diamond*, mark size=3.2pt},
  ablate open/.style={ablate centre, black, mark=*, mark options={fill=white}},
  ablate seed/.style={black!45, thin, mark=*, mark size=1.2pt},
  ablate mean/.style={AblateBlue, ultra thick, mark=none},
  ablate dots/.style={only marks, black!45, mark=*, mark size=0.8pt},
  ablate dot 1/.style={ablate dots, AblateBlue!60},
  ablate dot 2/.style={ablate dots, AblateOrange!60},
  ablate dot 3/.style={ablate dots, AblateVermillion!60},
  ablate dot 4/.style={ablate dots, AblateSky!60},
  ablate dot 5/.style={ablate dots, AblateBlack!60},
  ablate dot 6/.style={ablate dots, AblatePurple!60},
  ablate pointed/.style={only marks, black, mark=diamond*, mark size=3pt, mark options={fill=white}},
  ablate row mean/.style={only marks, black, mark=|, mark size=3.5pt},
  ablate reference 1/.style={ablate pointed},
  ablate reference 2/.style={ablate pointed, mark options={fill=black!50}},
  ablate reference 3/.style={ablate pointed, black!50},
}
)tex";
}

std::string sample_document(const std::string& title, const std::vector<std::string>& tables,
                            const std::vector<std::string>& figures, const Venue& venue) {
  std::string out = fmt::format(
      "% All of this report in one document: pdflatex paper, twice.\n"
      "\\documentclass[10pt{}]{{article}}\n",
      venue.two_columns() ? ",twocolumn" : "");
  if (venue.page > 0)
    out += fmt::format(
        "\\usepackage[letterpaper,textwidth={}in,textheight=9in{}]{{geometry}}\n", venue.page,
        venue.two_columns() ? fmt::format(",columnsep={:.3f}in", venue.page - 2 * venue.column)
                            : "");
  else
    out += "\\usepackage[margin=1.25in]{geometry}\n";
  out += fmt::format(
      "% Fonts in which every character of a name can be searched for and copied.\n"
      "\\usepackage[T1]{{fontenc}}\n"
      "\\IfFileExists{{lmodern.sty}}{{\\usepackage{{lmodern}}}}{{\\renewcommand{{\\rmdefault}}{{"
      "ptm}}}}\n"
      "\\input{{preamble}}\n\\input{{numbers}}\n\\begin{{document}}\n\\sloppy\n\\section*{{{}}}\n"
      "\\input{{paper-snippet}}\n",
      latex_text(title));
  for (const std::string& table : tables)
    if (table == "main") out += "\\input{main-float}\n";
  for (std::size_t i = 0; i < figures.size(); ++i)
    out += fmt::format("\\input{{figures/{}-float}}\n{}", figures[i],
                       i % kFloatsAtOnce + 1 == kFloatsAtOnce ? "\\clearpage\n" : "");
  out += "\\clearpage\n\\appendix\n\\section{Reproducibility}\n\\input{appendix}\n";
  for (const std::string& table : tables)
    if (table != "main") out += fmt::format("\\input{{{}-float}}\n\\clearpage\n", table);
  return out + "\\end{document}\n";
}

}  // namespace ablate::reports
