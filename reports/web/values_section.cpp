#include "reports/web/values_section.h"

#include "reports/web/origin_tables.h"
#include "reports/web/query_table.h"
#include "reports/web/value_tables.h"

namespace ablate::reports {
namespace {

/// The rows that cells and sentences of a document lead to.
std::set<std::string> origins_of(const Document& document) {
  std::set<std::string> origins;
  for (const Statement& statement : document.answer)
    for (const Origin& origin : statement.query.origins) origins.insert(origin.anchor);
  for (const Section& section : document.sections)
    for (const Block& block : section.blocks)
      if (const auto* table = std::get_if<Table>(&block))
        for (const Row& row : table->rows) {
          origins.insert(row.origin);
          for (const Cell& cell : row.cells) origins.insert(cell.origin);
        }
  return origins;
}

}  // namespace

Section values_section(const Content& content) {
  const Analysis& analysis = content.analysis;
  const std::set<std::string> origins = origins_of(content.document);
  Section section{"values", "Every value", {}, "seed by seed, with tests and trials", true};
  section.add(query_table(content.document.answer));
  for (Table& table : value_tables(analysis, analysis)) section.add(std::move(table));
  section.add(tests_table(analysis, origins, "tests"));
  section.add(derived_table(analysis, content.findings));
  section.add(arms_table(analysis, true, "arms"));
  if (content.common == nullptr) return section;
  section.blocks.push_back(Paragraph{"At the common learning rate:"});
  for (Table& table : value_tables(*content.common, analysis)) section.add(std::move(table));
  section.add(tests_table(*content.common, origins, "common-tests"));
  section.add(arms_table(*content.common, false, "common-arms"));
  return section;
}

}  // namespace ablate::reports
