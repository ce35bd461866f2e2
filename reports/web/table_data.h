// A table as the templates of a page take it.

#pragma once

#include <set>
#include <string>
#include <string_view>

#include "harness/base/json/json.h"
#include "reports/tables/table.h"

namespace ablate::reports {

/// The anchors of all rows of a page.
using Anchors = std::set<std::string>;

/// A text, or null where it is empty.
Json given(std::string_view text);

/// The class of a tone; empty of the plain one.
std::string_view class_of_tone(Tone tone);

/// The data of table.mustache. Cells lead to what they were computed from if the page has its row.
Json table_data(const Table& table, const Anchors& anchors);

}  // namespace ablate::reports
