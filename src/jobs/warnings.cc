#include "jobs/warnings.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

#include "base/format.h"
#include "base/random.h"
#include "base/stop_check.h"
#include "base/text.h"
#include "slm/errors.h"

namespace slm {
namespace {

// One row of fewer is five points of accuracy.
constexpr size_t kFewRows = 20;
// A class of fewer training rows can hardly be learned.
constexpr size_t kFewRowsOfClass = 5;
// More distinct texts than this share of the rows are names, not categories.
constexpr double kNearUnique = 0.5;
// Copies of training rows among those that judge: from this share on.
constexpr double kCopies = 0.01;
// ... where at least this share of the training rows differ.
constexpr double kDistinctRows = 0.5;

std::string Percent(double share) { return Format("%.3g %%", 100 * share); }

std::string Count(size_t count, const std::string& noun, const char* plural = "s") {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : plural);
}

// ---- Copies of rows

// A hash of every cell of each of the rows, the same for tables of other files: texts are taken by
// their letters.
std::vector<uint64_t> HashRows(const RowPart& part, const std::vector<const Column*>& columns) {
  std::vector<uint64_t> hashes(part.rows.size());
  for (const Column* one : columns) {
    StopCheck::Ask();
    const Column& column = *one;
    std::vector<uint64_t> levels;
    for (const std::string& level : column.levels) {
      levels.push_back(std::hash<std::string>{}(level));
    }
    for (size_t i = 0; i < part.rows.size(); ++i) {
      const size_t row = part.rows[i];
      uint64_t bits = ~uint64_t{0};
      if (column.type == ColumnType::kText) {
        if (column.codes[row] >= 0) bits = levels[static_cast<size_t>(column.codes[row])];
      } else if (!std::isnan(column.numbers[row])) {
        bits = std::bit_cast<uint64_t>(column.numbers[row] + 0.0);  // -0 is 0
      }
      hashes[i] = MixBits(hashes[i] ^ bits) + 0x9e3779b97f4a7c15ULL;
    }
  }
  return hashes;
}

void FindCopies(const CheckedData& data, std::vector<Warning>* warnings) {
  std::vector<size_t> columns = data.features;
  columns.push_back(data.target);
  const RowParts& parts = data.parts;
  const std::vector<uint64_t> train =
      HashRows(parts.train, ColumnsIn(data.table(), data.table(), columns));
  const std::unordered_set<uint64_t> known(train.begin(), train.end());
  // A few columns of few values repeat by themselves, which says nothing about where rows came
  // from.
  if (static_cast<double>(known.size()) < kDistinctRows * static_cast<double>(train.size())) return;
  size_t copies = 0, judging = 0;
  for (const RowPart* part : {&parts.valid, &parts.test}) {
    const std::vector<const Column*> own = ColumnsIn(*part->table, data.table(), columns);
    // A column that is missing is an error elsewhere.
    if (std::find(own.begin(), own.end(), nullptr) != own.end()) return;
    judging += part->rows.size();
    for (uint64_t hash : HashRows(*part, own)) copies += known.count(hash);
  }
  const double share =
      judging == 0 ? 0 : static_cast<double>(copies) / static_cast<double>(judging);
  if (copies < 2 || share < kCopies) return;
  warnings->push_back({.kind = "duplicates",
                       .columns = {},
                       .figure = share,
                       .text = Count(copies, "row") + " for validation or testing (" +
                               Percent(share) +
                               ") also stand, cell by cell, among the training rows; what is "
                               "measured on them flatters",
                       .flag = FieldRef("split", "group:COL")});
}

// ---- Small parts and classes

void FindTinyParts(const CheckedData& data, std::vector<Warning>* warnings) {
  struct Part {
    const char* name;
    size_t rows;
    std::string flag;
  };
  for (const Part& part : {Part{"training", data.parts.train.rows.size(), FieldRef("split")},
                           Part{"validation", data.parts.valid.rows.size(), FieldRef("split")},
                           Part{"test", data.parts.test.rows.size(), FieldRef("cv", "5")}}) {
    if (part.rows == 0 || part.rows >= kFewRows) continue;
    const std::string them = part.rows == 1 ? "it" : "them";
    const bool trains = part.name == std::string_view("training");
    warnings->push_back({.kind = "tiny_split",
                         .columns = {},
                         .figure = static_cast<double>(part.rows),
                         .text = "there " + std::string(part.rows == 1 ? "is" : "are") + " only " +
                                 Count(part.rows, std::string(part.name) + " row") +
                                 ", so what is " + (trains ? "learned from " : "measured on ") +
                                 them + " says little",
                         .flag = part.flag});
  }
}

void FindRareClasses(const CheckedData& data, const std::vector<int32_t>& strata,
                     const std::vector<ClassOfTable>& classes, std::vector<Warning>* warnings) {
  std::map<int32_t, size_t> training;
  for (size_t row : data.parts.train.rows) ++training[strata[row]];
  std::vector<std::string> rare;
  size_t fewest = kFewRowsOfClass;
  for (const ClassOfTable& one : classes) {
    const size_t rows = training[one.stratum];
    if (rows >= kFewRowsOfClass) continue;
    rare.push_back("'" + one.name + "'");
    fewest = std::min(fewest, rows);
  }
  if (rare.empty()) return;
  warnings->push_back({.kind = "rare_class",
                       .columns = {data.request.target},
                       .figure = static_cast<double>(fewest),
                       .text = Count(rare.size(), "class", "es") + " of '" + data.request.target +
                               "' ha" + (rare.size() == 1 ? "s" : "ve") + " fewer than " +
                               std::to_string(kFewRowsOfClass) +
                               " training rows: " + ListNames(rare),
                       .flag = FieldRef("split")});
}

// ---- Text

void FindNearUniqueText(const CheckedData& data, std::vector<Warning>* warnings) {
  const std::vector<size_t>& rows = data.parts.train.rows;
  const double identifier = EncodeOptions{}.identifier_share;
  for (size_t c : data.features) {
    const Column& column = data.table().columns[c];
    if (column.type != ColumnType::kText) continue;
    StopCheck::Ask();
    std::vector<uint8_t> seen(column.levels.size());
    size_t values = 0, present = 0;
    for (size_t row : rows) {
      if (column.codes[row] < 0) continue;
      uint8_t& own = seen[static_cast<size_t>(column.codes[row])];
      values += own == 0;
      own = 1;
      ++present;
    }
    if (present < kFewRows) continue;
    const double share = static_cast<double>(values) / static_cast<double>(present);
    // Identifiers are left out, which is said elsewhere.
    const bool left_out = share > identifier && data.request.ignore_identifiers;
    if (share <= kNearUnique || left_out) continue;
    warnings->push_back({.kind = "near_unique_text",
                         .columns = {column.name},
                         .figure = share,
                         .text = "the text '" + column.name + "' has " + std::to_string(values) +
                                 " values in " + std::to_string(present) +
                                 " training rows, which can be learned by heart and says little "
                                 "about other rows",
                         .flag = FieldRef("drop", column.name)});
  }
}

// All of a few, the most frequent ones of more.
std::string ListShares(const std::vector<std::string>& shares) {
  constexpr size_t kShown = 5;
  std::string out;
  for (size_t i = 0; i < std::min(kShown, shares.size()); ++i) {
    out += (i == 0 ? "" : ", ") + shares[i];
  }
  return shares.size() <= kShown ? out
                                 : out + " and " + std::to_string(shares.size() - kShown) + " more";
}

// Moves the columns of leaks from the warnings to those that could not be chosen. Of a formula any
// column that is gone is enough, but the others hold parts of the target, too.
void LeaveOutLeaks(const std::vector<std::string>& keep, DataCheck* check) {
  std::erase_if(check->warnings, [&](const Warning& leak) {
    const size_t before = check->leaking.size();
    for (const std::string& name : leak.columns) {
      if (std::find(keep.begin(), keep.end(), name) == keep.end()) check->leaking.push_back(name);
    }
    return check->leaking.size() > before;
  });
}

CheckedData Look(const Tables& tables, const SelectionSpec& request) {
  const size_t target = tables.data.IndexOf(request.target);
  return {.tables = tables,
          .request = request,
          .target = target,
          .task = DecideTask(tables.data, target, request.task),
          .features = FeatureColumns(tables.data, request, nullptr),
          .parts = CutRows(tables, request)};
}

struct ChecksCut {};  // thrown where time is over

}  // namespace

std::vector<size_t> SampleRows(std::span<const size_t> rows, size_t most) {
  if (rows.size() <= most) return {rows.begin(), rows.end()};
  std::vector<size_t> sample;
  for (size_t i = 0; i < most; ++i) sample.push_back(rows[i * rows.size() / most]);
  return sample;
}

std::vector<const Column*> ColumnsIn(const Table& other, const Table& own,
                                     std::span<const size_t> columns) {
  std::vector<const Column*> found;
  std::unordered_map<std::string_view, const Column*> by_name;
  if (&other != &own) {
    for (const Column& column : other.columns) by_name.emplace(column.name, &column);
  }
  for (size_t c : columns) {
    if (&other == &own) {
      found.push_back(&own.columns[c]);
    } else {
      const auto at = by_name.find(own.columns[c].name);
      found.push_back(at == by_name.end() ? nullptr : at->second);
    }
  }
  return found;
}

std::vector<double> RanksOf(const std::vector<double>& values) {
  const size_t n = values.size();
  std::vector<size_t> order(n);
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(n);
  for (size_t i = 0; i < n;) {
    size_t end = i;
    while (end < n && values[order[end]] == values[order[i]]) ++end;
    const double mean = static_cast<double>(i + end - 1) / 2 / static_cast<double>(n);
    for (; i < end; ++i) ranks[order[i]] = mean;
  }
  return ranks;
}

std::string ListNames(const std::vector<std::string>& names, size_t shown) {
  std::string out;
  const size_t listed = names.size() > shown ? shown : names.size();
  for (size_t i = 0; i < listed; ++i) {
    const bool last = i + 1 == names.size();
    out += (i == 0 ? "" : last ? " and " : ", ") + names[i];
  }
  if (names.size() > listed) out += " and " + std::to_string(names.size() - listed) + " more";
  return out;
}

DataCheck CheckTables(const Tables& tables, const SelectionSpec& request, ThreadPool& pool,
                      std::optional<Clock::time_point> end) {
  const CheckedData data = Look(tables, request);
  DataCheck check;
  const auto find_leaks = [&] {
    FindLeaks(data, pool, &check.warnings);
    FindFormulas(data, pool, &check.warnings);
  };
  if (request.leaks == LeakPolicy::kDrop) {  // which decides the result, so that no limit cuts it
    find_leaks();
    LeaveOutLeaks(request.keep, &check);
  }
  try {
    const StopCheck until_end([&] {
      if (end && !request.strict && Clock::now() >= *end) throw ChecksCut();
    });
    if (request.leaks == LeakPolicy::kWarn) find_leaks();
    StopCheck::Ask();
    FindCopies(data, &check.warnings);
    FindTime(data, &check.warnings);
    StopCheck::Ask();
    FindDrift(data, pool, &check.warnings);
  } catch (const ChecksCut&) {
    check.cut = true;
  }
  FindTinyParts(data, &check.warnings);
  if (data.task == Task::kClassification) {
    const std::vector<int32_t> strata = StrataOfRows(tables.data, data.target, data.task);
    const std::vector<ClassOfTable> classes = TargetOf(data.task).Classes(data.target_column());
    FindRareClasses(data, strata, classes, &check.warnings);
  }
  FindNearUniqueText(data, &check.warnings);
  return check;
}

std::string HeadLine(const DataSummary& data, const std::string& target) {
  std::string out = std::string(data.TaskName()) + " of " + target;
  if (data.classes > 0) out += ", " + Count(data.classes, "class", "es");
  std::vector<std::string> shares;
  for (const ClassShare& one : data.shares) shares.push_back(one.name + " " + Percent(one.share));
  if (!shares.empty()) out += " (" + ListShares(shares) + ")";
  struct Kind {
    const char* name;
    size_t columns;
  };
  std::string types;
  size_t last = 0;
  for (const Kind& kind : {Kind{"numeric", data.types.numeric}, Kind{"boolean", data.types.boolean},
                           Kind{"text", data.types.text}, Kind{"date", data.types.date}}) {
    if (kind.columns == 0) continue;
    types += (types.empty() ? "" : ", ") + std::to_string(kind.columns) + " " + kind.name;
    last = kind.columns;
  }
  out += ": " + types + (last == 1 ? " column" : " columns");
  if (data.without_target > 0) {
    out += "; " + Count(data.without_target, "row") + " without target left out";
  }
  return out;
}

}  // namespace slm
