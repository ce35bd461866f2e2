// Tidy tables as files.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "reports/export/data_table.h"
#include "reports/formats/report_file.h"

namespace ablate::reports {

/// A number as the shortest text that reads back as the same number; "nan", "inf" or "-inf" where it
/// is not finite.
std::string exact_number(double value);

/// NAME.csv for each table, by RFC 4180 with a header. Text is made harmless as csv_text() does, so
/// control characters and line ends do not survive; an absent value is an empty field.
std::vector<ReportFile> csv_table_files(std::span<const DataTable> tables);

/// NAME.jsonl for each table: an object a row, in ASCII. Text survives as it is; a number that is
/// not finite is the text "nan", "inf" or "-inf".
std::vector<ReportFile> jsonl_table_files(std::span<const DataTable> tables);

}  // namespace ablate::reports
