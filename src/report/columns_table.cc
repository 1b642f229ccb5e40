#include "report/columns_table.h"

#include <algorithm>

namespace slm {
namespace {

constexpr size_t kWidestName = 32, kWidestCells = 36;
constexpr std::string_view kPlainReasons[] = {"every cell is a number", "its cells are texts",
                                              "the file says so"};

std::string Right(const std::string& text, size_t width) {
  return std::string(text.size() < width ? width - text.size() : 0, ' ') + text;
}

// The range of what is ordered, examples of what is not.
std::string Cells(const ColumnReport& column) {
  if (column.type != "text" && column.type != "boolean" && !column.least.empty()) {
    return Printable(column.least) + (column.distinct > 1 ? " to " + Printable(column.most) : "");
  }
  std::string cells;
  for (const std::string& example : column.examples) {
    cells += (cells.empty() ? "" : ", ") + Printable(example);
  }
  return cells + (column.distinct > column.examples.size() ? ", ..." : "");
}

std::string Head(const TableReport& report) {
  std::string head = Printable(report.source) + ": " + std::to_string(report.rows) + " rows, " +
                     std::to_string(report.columns.size()) +
                     (report.columns.size() == 1 ? " column" : " columns");
  if (report.target.empty()) return head + "\n";
  head += "; " + report.task + " of " + Printable(report.target);
  if (report.classes > 0) head += " (" + std::to_string(report.classes) + " classes)";
  return head + "\n";
}

bool IsPlain(const ColumnReport& column) {
  return std::find(std::begin(kPlainReasons), std::end(kPlainReasons), column.why) !=
         std::end(kPlainReasons);
}

}  // namespace

std::string RenderColumns(const TableReport& report, const Terminal&) {
  size_t name_width = 6, cells_width = 5;
  for (const ColumnReport& column : report.columns) {
    name_width = std::max(name_width, DisplayWidth(Printable(column.name)));
    cells_width = std::max(cells_width, DisplayWidth(Cells(column)));
  }
  name_width = std::min(name_width, kWidestName);
  cells_width = std::min(cells_width, kWidestCells);
  auto line = [&](const std::string& name, const std::string& type, const std::string& missing,
                  const std::string& distinct, const std::string& cells, const std::string& use) {
    return Fit(name, name_width) + "  " + Fit(type, 7) + "  " + Right(missing, 7) + "  " +
           Right(distinct, 8) + "  " + Fit(cells, cells_width) + "  " + use + "\n";
  };
  std::string out = Head(report);
  out += line("column", "type", "missing", "distinct", "cells", "use");
  for (const ColumnReport& column : report.columns) {
    out += line(Printable(column.name), column.type, std::to_string(column.missing),
                std::to_string(column.distinct), Cells(column), column.use);
  }
  std::string reasons;
  for (const ColumnReport& column : report.columns) {
    if (IsPlain(column)) continue;
    reasons +=
        "  " + Printable(column.name) + " is " + column.type + ": " + Printable(column.why) + "\n";
  }
  if (!reasons.empty()) out += "\nwhy\n" + reasons;
  if (!report.remarks.empty()) out += "\nremarks\n";
  for (const std::string& remark : report.remarks) out += "  " + Printable(remark) + "\n";
  return out;
}

}  // namespace slm
