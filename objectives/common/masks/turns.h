// Masks that take turns: what a text hides when it is read again is, first of all, what it has hidden least
// often before.
//
// Source: Charpentier & Samuel 2024, arXiv:2410.24159, whose code prefers tokens by how often they were
// masked. There the counts are kept by the loader; here they follow from the text's own random order and
// the number of times that it was read, so that batches depend on seed and step alone.

#pragma once

#include "objectives/common/masks/masking.h"

namespace ablate::objectives {

/// `count` positions, ascending, none of them special: the next ones in the text's order, after the
/// `before` that were hidden when it was read before. When an order is through, the next one begins.
/// Every subset is equally likely over all orders. Requires: count <= hideable(text).
Positions next_in_turn(const Text& text, std::int64_t before, std::int64_t count);

}  // namespace ablate::objectives
