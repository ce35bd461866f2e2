// What the answer says of the primary differences.

#pragma once

#include "reports/analysis/answer/statement.h"

namespace ablate::reports {

/// "In held-out loss, mlm[rate=0.3] is better than mlm[rate=0.15]: lower by 0.028 ± 0.016 nats/target.", or of
/// several arms in one sentence, in which each is named once; its basis is the test. Where nothing was tested, why.
Statement difference_statement(const Analysis& analysis);

}  // namespace ablate::reports
