#include "reports/findings/findings.h"

#include "reports/findings/findings.inc"

namespace ablate::reports {

#define ABLATE_DECLARE(name) MakeFinding find_##name;
ABLATE_FINDINGS(ABLATE_DECLARE)
#undef ABLATE_DECLARE

namespace {

#define ABLATE_LIST(name) find_##name,
constexpr MakeFinding* kAll[] = {ABLATE_FINDINGS(ABLATE_LIST)};
#undef ABLATE_LIST

}  // namespace

Findings findings_of(const Study& study) {
  Findings findings;
  for (MakeFinding* const make : kAll) findings.push_back(make(study));
  return findings;
}

void add_blocks(const Findings& findings, Section& section) {
  for (const Finding& finding : findings) {
    for (const auto& [place, block] : finding.blocks)
      if (place == section.name) section.blocks.push_back(block);
    if (finding.found.first == section.name) section.finding = finding.found.second;
  }
}

}  // namespace ablate::reports
