// How the HTML report looks: a page of a journal, in light and dark, on screen and paper.
//
// Colours of the series: Okabe & Ito 2008, "Color Universal Design", lightened for dark pages; the
// yellow is left out, which white paper swallows. Dash patterns say the same to those who print in
// grey.

#include "reports/text/style.h"

#include <string>

namespace ablate::reports {
namespace {

constexpr std::string_view kColours = R"(
:root{color-scheme:light dark;--paper:#fffefb;--ink:#1c1d21;--soft:#5d6068;--rule:#1c1d21;
--hair:#dcdad3;--tint:#f4f2ec;--good:#00694f;--bad:#b04a00;--same:#005a93;--link:#005a93;
--s0:#0072b2;--s1:#d55e00;--s2:#009e73;--s3:#b5568b;--s4:#c98500;--s5:#3a9bd9;--s6:#55585f}
@media (prefers-color-scheme:dark){:root{--paper:#16171a;--ink:#e8e6e1;--soft:#a2a5ad;--rule:#b9b7b2;
--hair:#34363c;--tint:#1f2125;--good:#4cc9a3;--bad:#f2955a;--same:#6fb7ec;--link:#7fbef0;
--s0:#56b4e9;--s1:#f28a4a;--s2:#35c49a;--s3:#e08fc0;--s4:#e9b03c;--s5:#9ad2f5;--s6:#b6b9c1}}
@media print{:root{--paper:#fff;--ink:#000;--soft:#444;--hair:#ccc;--tint:#fff}}
.c0{--c:var(--s0)}.c1{--c:var(--s1)}.c2{--c:var(--s2)}.c3{--c:var(--s3)}.c4{--c:var(--s4)}
.c5{--c:var(--s5)}.c6{--c:var(--s6)}
)";

constexpr std::string_view kPage = R"(
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);
font:17px/1.55 Charter,"Bitstream Charter","Source Serif 4","Source Serif Pro",Cambria,Georgia,serif;
text-rendering:optimizeLegibility}
main{max-width:66rem;margin:0 auto;padding:3.2rem 1.4rem 5rem}
p,h1,h2,.answer{max-width:43rem}
h1{font-size:2.1rem;line-height:1.2;font-weight:600;margin:0 0 .5rem;overflow-wrap:anywhere}
h2{font-size:1.3rem;line-height:1.3;font-weight:600;margin:3.2rem 0 .8rem;padding-top:.7rem;
border-top:1px solid var(--hair);max-width:none}
p{margin:.7rem 0;overflow-wrap:anywhere}
a{color:var(--link);text-decoration-thickness:1px;text-underline-offset:.15em}
.question{font-size:1.2rem;font-style:italic;color:var(--soft);margin:0 0 1.4rem}
.answer{font-size:1.2rem;line-height:1.5;margin:1.4rem 0;padding:.2rem 0 .2rem 1.1rem;
border-left:3px solid var(--s0);overflow-wrap:anywhere}
.facts,nav{font:.82rem/1.6 system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif;color:var(--soft)}
nav ul{list-style:none;margin:.3rem 0 0;padding:0;display:flex;flex-wrap:wrap;gap:.1rem 1.1rem}
.note{padding:.5rem .9rem;background:var(--tint);border-left:3px solid var(--s4);font-size:.95rem}
)";

constexpr std::string_view kTables = R"(
.table{margin:1.6rem 0 2rem;max-width:100%}
.scroll{overflow-x:auto;max-width:100%}
.scroll:focus-visible{outline:2px solid var(--link);outline-offset:3px}
table{border-collapse:collapse;font-size:.87rem;line-height:1.35;font-variant-numeric:tabular-nums lining-nums;
border-top:2px solid var(--rule);border-bottom:2px solid var(--rule)}
.caption{font-size:.95rem;margin:0 0 .5rem;color:var(--ink)}
th,td{padding:.32rem .65rem;text-align:left;vertical-align:baseline;white-space:nowrap}
th:first-child,td:first-child{padding-left:.3rem}
th:last-child,td:last-child{padding-right:.3rem}
thead th{font-weight:600;white-space:normal;vertical-align:bottom;border-bottom:1px solid var(--rule)}
thead .unit{display:block;font-weight:400;font-size:.8rem;color:var(--soft)}
tbody th{font-weight:400}
tbody tr+tr>*{border-top:1px solid var(--hair)}
tr.strong>*{background:var(--tint);font-weight:600}
.n{text-align:right}
td.mean{text-align:right;padding-right:.15rem}
td.half{padding-left:.15rem;color:var(--soft);font-weight:400}
td.wrap{white-space:normal;overflow-wrap:anywhere;min-width:16rem}
.good{color:var(--good);font-weight:600}.bad{color:var(--bad);font-weight:600}
.neutral{color:var(--same);font-weight:600}.quiet{color:var(--soft);font-weight:400}
.notes{margin:.55rem 0 0;padding:0;list-style:none;font-size:.84rem;line-height:1.45;color:var(--soft);
max-width:46rem}
.notes li{margin:.15rem 0;overflow-wrap:anywhere}
.passage{margin:1rem 0;max-width:46rem}
.passage figcaption{font-size:.84rem;color:var(--soft);margin-bottom:.25rem}
.passage pre{margin:0;padding:.7rem .9rem;background:var(--tint);white-space:pre-wrap;
overflow-wrap:anywhere;font:.8rem/1.5 ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace}
)";

constexpr std::string_view kFigures = R"(
.figure{margin:1.6rem 0 2rem}
.panels{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,24rem),1fr));gap:1.4rem 1.8rem}
.panels.wide{display:block;max-width:47rem}
.figure>figcaption{font-size:.88rem;line-height:1.45;color:var(--soft);margin-top:.6rem;max-width:46rem}
svg{display:block;width:100%;height:auto;max-width:47rem;overflow:visible;
font-family:system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif}
svg text{fill:var(--ink);font-size:12px}
svg .tick,svg .label{fill:var(--soft);font-size:11px}
svg .heading{font-weight:600}
svg .grid{stroke:var(--hair);stroke-width:1}
svg .level{stroke:var(--soft);stroke-width:1.2;stroke-dasharray:1 3;stroke-linecap:round}
svg .axis{stroke:var(--soft);stroke-width:1}
svg .zero{stroke:var(--ink);stroke-width:1.2}
svg .margin{fill:var(--s5);opacity:.16}
svg .curve{fill:none;stroke:var(--c);stroke-width:2;stroke-linejoin:round}
svg .band{fill:var(--c);opacity:.2}
svg .d1{stroke-dasharray:7 3}svg .d2{stroke-dasharray:2 2.5}svg .d3{stroke-dasharray:9 3 2 3}
svg .band,svg .whisker,svg .mean,svg .seed{stroke-dasharray:none}
svg .whisker{stroke:var(--c,var(--ink));stroke-width:2}
svg .mean{stroke:var(--c);stroke-width:2.6}
svg .seed{fill:var(--c,var(--soft));opacity:.55}
svg .centre{fill:var(--ink)}
svg .reference{fill:var(--paper);stroke:var(--ink);stroke-width:1.4}
svg .r1{fill:var(--soft);stroke:var(--soft)}svg .r2{fill:none;stroke:var(--soft);stroke-dasharray:2 1.5}
svg .better{--c:var(--good);fill:var(--good)}svg .worse{--c:var(--bad);fill:var(--bad)}
svg .equivalent{--c:var(--same);fill:var(--same)}
@media print{body{font-size:10.5pt}main{max-width:none;padding:0}nav{display:none}
.scroll{overflow:visible}h2{break-after:avoid}.table,.figure,.passage{break-inside:avoid}
svg .margin,svg .band,.passage pre,.note,tr.strong>*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
)";

}  // namespace

std::string_view style_sheet() {
  static const std::string sheet =
      std::string(kColours) + std::string(kPage) + std::string(kTables) + std::string(kFigures);
  return sheet;
}

}  // namespace ablate::reports
