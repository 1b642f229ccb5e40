// The files of tests/corpus: each is read as expected.json says. The same values are held against
// pandas by python/tests/test_corpus.py.

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <fstream>
#include <sstream>

#include "base/json_reader.h"
#include "base/options.h"
#include "data/encoding/encoder.h"
#include "data/readers/reader.h"
#include "data/readers/typing.h"
#include "data/readers/written_date.h"
#include "slm/errors.h"
#include "targets/target.h"

namespace slm {
namespace {

const std::string kFolder = SLM_CORPUS_DIR "/";

Json Expected() {
  std::ifstream file(kFolder + "expected.json");
  std::stringstream text;
  text << file.rdbuf();
  return ParseJson(text.str());
}

ReadOptions OptionsOf(const Json& entry) {
  ReadOptions options;
  OptionList list;
  DescribeOptions(&options, &list);
  for (const auto& [name, value] : entry["read"].object()) list.Set(name, FlatText(value));
  options.target = entry["target"].text();
  return options;
}

std::string Show(const Column& column, size_t row) {
  if (IsMissing(column, row)) return "missing";
  if (column.type == ColumnType::kText) {
    return "'" + column.levels[static_cast<size_t>(column.codes[row])] + "'";
  }
  std::ostringstream text;
  text.precision(17);
  text << column.numbers[row];
  return text.str();
}

bool Equals(const Column& column, size_t row, const Json& value) {
  if (value.is_null() || IsMissing(column, row)) return value.is_null() == IsMissing(column, row);
  double expected = 0;
  switch (column.type) {
    case ColumnType::kText:
      return column.levels[static_cast<size_t>(column.codes[row])] == value.text();
    case ColumnType::kBoolean:
      return (column.numbers[row] != 0) == value.boolean();
    case ColumnType::kDate:
      // A millisecond, in days.
      return DateFromText(value.text(), &expected) &&
             std::abs(column.numbers[row] - expected) < 1e-8;
    case ColumnType::kNumeric:
      return column.numbers[row] == value.number();
  }
  return false;
}

void CheckColumn(const Table& table, const Json& expected) {
  const Column& column = table.Find(expected["name"].text());
  EXPECT_EQ(ColumnTypeName(column.type), expected["type"].text()) << "of column " << column.name;
  if (ColumnTypeName(column.type) != expected["type"].text()) return;
  const Json::Array& values = expected["values"].array();
  ASSERT_EQ(values.size(), table.rows);
  for (size_t row = 0; row < table.rows; ++row) {
    EXPECT_TRUE(Equals(column, row, values[row]))
        << "column " << column.name << ", " << table.Where(row) << " is read as "
        << Show(column, row) << " instead of " << values[row].Dump();
  }
  const Json* odd = expected.Find("odd");
  const size_t cells = odd == nullptr ? 0 : odd->array().size();
  ASSERT_EQ(column.reading->odd_cells, cells) << "odd cells of column " << column.name;
  for (size_t i = 0; i < cells; ++i) {
    const Json::Array& place = odd->array()[i].array();
    const OddCell& found = column.reading->odd[i];
    EXPECT_EQ(table.Where(found.row), table.source + " line " + FlatText(place[0]));
    EXPECT_EQ(found.text, place[1].text());
  }
}

// Every remark is expected, and every expected one is there.
void CheckRemarks(const Table& table, size_t target, const Json& expected) {
  std::vector<std::string> remarks = table.remarks;
  for (const Column& column : table.columns) {
    for (const std::string& remark : RemarksOn(table, column)) remarks.push_back(remark);
  }
  for (const std::string& remark : RemarksOnTarget(table, target, TaskChoice::kAuto)) {
    remarks.push_back(remark);
  }
  for (const Json& wanted : expected.array()) {
    const auto found = std::find_if(remarks.begin(), remarks.end(), [&](const std::string& one) {
      return RenderFields(one).find(wanted.text()) != std::string::npos;
    });
    EXPECT_NE(found, remarks.end()) << "no remark says: " << wanted.text();
    if (found != remarks.end()) remarks.erase(found);
  }
  for (const std::string& remark : remarks) ADD_FAILURE() << "nobody expects the remark " << remark;
}

TEST(Corpus, FilesAreReadAsTheyAreMeant) {
  const Json expected = Expected();
  ASSERT_GE(expected.object().size(), 80u);
  for (const auto& [name, entry] : expected.object()) {
    SCOPED_TRACE(name + ": " + entry["about"].text());
    const Table table = ReadTable(kFolder + entry["file"].text(), OptionsOf(entry), 2);
    ASSERT_EQ(table.columns.size(), entry["columns"].array().size());
    for (const Json& column : entry["columns"].array()) CheckColumn(table, column);
    const size_t target = table.IndexOf(entry["target"].text());
    const Task task = DecideTask(table, target, TaskChoice::kAuto);
    EXPECT_EQ(TargetOf(task).name(), entry["task"].text());
    CheckRemarks(table, target, entry["remarks"]);
    const Json* classes = entry.Find("classes");
    if (classes == nullptr) continue;
    const TargetEncoder encoder = TargetEncoder::Fit(table, target, task, AllIndices(table.rows));
    std::vector<std::string> names;
    for (const Json& one : classes->array()) names.push_back(one.text());
    EXPECT_EQ(encoder.classes(), names);
  }
}

}  // namespace
}  // namespace slm
