#include "report/table.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/format.h"
#include "base/text.h"
#include "jobs/association.h"
#include "report/metrics_text.h"

namespace slm {
namespace {

constexpr size_t kBarWidth = 24;
constexpr size_t kColumnsShown = 8;  // of a group

std::string PadLeft(const std::string& text, size_t width) {
  return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
}

std::string Plural(size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string Heading(const std::string& text, const Terminal& terminal) {
  return terminal.color ? "\x1b[1m" + text + "\x1b[0m\n" : text + "\n";
}

std::string Bar(double share) {
  const double filled = share > 0 ? std::min(share, 1.0) : 0;  // 0 for NaN, too
  return std::string(static_cast<size_t>(std::lround(filled * static_cast<double>(kBarWidth))),
                     '#');
}

std::string WithError(double value, double error) {
  return MetricText(value) + " +- " + MetricText(error);
}

// "undefined" where no repetition has a value.
std::string WithError(const Spread& spread, double error) {
  return spread.count == 0 ? MetricText(NAN) : WithError(spread.mean, error);
}

// What the final predictor reached, on validation and test rows.
template <class Result>
std::string MetricsLine(const Result& result) {
  return MetricsText(result.metric, result.valid_metric, result.test_metric, result.evidence,
                     result.data);
}

std::string GroupLine(const SelectedFeature& group) {
  std::string out = Printable(group.name) + " is " + Plural(group.columns.size(), "column") + ": ";
  for (size_t i = 0; i < std::min(group.columns.size(), kColumnsShown); ++i) {
    out += (i == 0 ? "" : ", ") + Printable(group.columns[i]);
  }
  return out + (group.columns.size() > kColumnsShown ? ", ..." : "") + "\n";
}

std::string FoldsLine(const CrossValidation& validation) {
  const Spread spread = validation.Metric();
  if (spread.count == 0) {
    return validation.folds.empty()
               ? "no fold was finished\n"
               : Printable(validation.metric) + " is undefined in every fold\n";
  }
  return Printable(validation.metric) + " " + MetricText(spread.mean) + ", sd " +
         MetricText(spread.sd) + ", over " + Plural(spread.count, "fold") +
         (validation.rule.empty() ? "" : " by " + Printable(validation.rule)) +
         ", each held out of selection\n";
}

std::string ChanceLine(const NullComparison& null) {
  const Spread spread = null.Chance();
  if (spread.count == 0) return "no run with shuffled labels was finished\n";
  return Printable(null.metric) + " " + MetricText(spread.mean) + ", sd " + MetricText(spread.sd) +
         ", by chance: " + Plural(spread.count, "run") + " with shuffled labels, " +
         std::to_string(null.as_good) + " as good as " + MetricText(null.actual) + " (p " +
         Format("%.3g", null.Share()) + ")\n";
}

// Fixed decimals as long as they show something of every weight, otherwise powers of ten.
const char* WeightFormat(const std::vector<SelectedFeature>& selected) {
  bool fixed = std::all_of(selected.begin(), selected.end(), [](const SelectedFeature& feature) {
    double size = std::abs(feature.weight.value_or(0));
    return size == 0 || (size >= 5e-5 && size < 1e5);
  });
  return fixed ? "%.4f" : "%.3e";
}

// So many decimals that the largest importance has four digits or more.
const char* ImportanceFormat(double largest) {
  constexpr const char* kDecimals[] = {"%.4f", "%.3f", "%.2f", "%.1f"};
  if (largest > 0 && largest < 5e-3) return "%.2e";
  for (const char* decimals : kDecimals) {
    if (largest < 1) return decimals;
    largest /= 10;
  }
  return "%.0f";
}

// One column of the table of a selection, right-aligned.
struct SelectionColumn {
  std::string heading;
  std::vector<std::string> cells;

  size_t Width() const {
    size_t width = heading.size();
    for (const std::string& cell : cells) width = std::max(width, cell.size());
    return width;
  }
};

// What bars show: importance, or the weight where none was measured.
std::vector<double> BarLengths(const SelectionResult& result) {
  std::vector<double> lengths;
  for (const SelectedFeature& feature : result.selected) {
    lengths.push_back(result.importance ? feature.importance.value_or(0)
                                        : static_cast<double>(feature.weight.value_or(0)));
  }
  return lengths;
}

SelectionColumn ImportanceColumn(const SelectionResult& result) {
  SelectionColumn column{"importance", {}};
  double largest = 0;
  for (const SelectedFeature& feature : result.selected) {
    largest = std::max(largest, std::abs(feature.importance.value_or(0)));
  }
  const char* format = ImportanceFormat(largest);
  for (const SelectedFeature& feature : result.selected) {
    column.cells.push_back(feature.importance
                               ? Format(format, *feature.importance) + " +- " +
                                     Format(format, feature.importance_sd.value_or(0))
                               : "-");
  }
  return column;
}

SelectionColumn WeightColumn(const SelectionResult& result) {
  SelectionColumn column{"weight", {}};
  const char* format = WeightFormat(result.selected);
  for (const SelectedFeature& feature : result.selected) {
    column.cells.push_back(feature.weight ? Format(format, *feature.weight) : "-");
  }
  return column;
}

SelectionColumn FrequencyColumn(const SelectionResult& result) {
  SelectionColumn column{"chosen", {}};
  for (const SelectedFeature& feature : result.selected) {
    column.cells.push_back(Format("%.0f %%", 100 * feature.frequency.value_or(0)));
  }
  return column;
}

// Shares of the folds that chose a column.
SelectionColumn FoldsColumn(const SelectionResult& result) {
  std::map<int, double> in_folds;
  for (const FeatureFrequency& feature : result.cross_validation->chosen) {
    in_folds[feature.index] = feature.frequency;
  }
  SelectionColumn column{"in folds", {}};
  for (const SelectedFeature& feature : result.selected) {
    column.cells.push_back(Format("%.0f %%", 100 * in_folds[feature.index]));
  }
  return column;
}

// How sure it is that a column is no luck, marked where it is significant.
SelectionColumn SignificanceColumn(const SelectionResult& result) {
  SelectionColumn column{"q-value", {}};
  for (const SelectedFeature& feature : result.selected) {
    const std::string mark =
        result.significance->fdr ? (feature.significant.value_or(false) ? " *" : "  ") : "";
    column.cells.push_back((feature.q_value ? Format("%.3g", *feature.q_value) : "-") + mark);
  }
  return column;
}

// What was tested, and what came of it.
std::string SignificanceLine(const SelectionResult& result) {
  const Significance& own = *result.significance;
  std::string test;
  switch (own.test) {
    case SignificanceTest::kShadows:
      test = "shadows in " + Plural(static_cast<size_t>(own.rounds), "round");
      break;
    case SignificanceTest::kRandomisation:
      test = "conditional randomisation of the chosen ones";
      break;
    default:
      test = "knockoffs";
  }
  const bool shadows = own.test == SignificanceTest::kShadows;
  if (!own.complete) test += ", cut short";
  const std::string meaning = std::string("q-value: the least ") +
                              (shadows ? "chance of any false one" : "false share") +
                              " among the columns found with this one, by " + test;
  if (!own.fdr) return meaning + "\n";
  const std::string level = FormatNumber(*own.fdr);
  const std::string tested = own.test == SignificanceTest::kRandomisation
                                 ? Plural(own.columns.size(), "chosen column")
                                 : Plural(own.candidates, "column");
  std::string out;
  if (own.Found() == 0) {
    out = "none of " + tested + " is significant at " + level + " by " + test;
    if (!own.columns.empty() && own.columns[0].q_value < 1) {
      out += "; " + Printable(own.columns[0].name) + " comes nearest with a q-value of " +
             Format("%.3g", own.columns[0].q_value);
    }
    out += "\n";
    if (own.test == SignificanceTest::kKnockoffs) {
      out += "knockoffs at " + level + " find " + FormatNumber(std::ceil(1 / *own.fdr - 1e-9)) +
             " columns or none; --significance shadows can find fewer\n";
    }
    return result.selected.empty() ? out : out + meaning + "\n";
  }
  const size_t marked = static_cast<size_t>(
      std::count_if(result.selected.begin(), result.selected.end(),
                    [](const SelectedFeature& one) { return one.significant.value_or(false); }));
  return std::to_string(own.Found()) + " of " + tested + " significant at " + level +
         (marked == own.Found() ? " (*)" : ", " + std::to_string(marked) + " of them chosen (*)") +
         "\n" + meaning + "\n";
}

std::string WeightLine(const SelectionResult& result) {
  if (!result.request.choose_significant) {
    return "weight: what " + Printable(result.method) + " itself gave it\n";
  }
  const bool shadows = result.significance->test == SignificanceTest::kShadows;
  return std::string("weight: its share of ") +
         (shadows ? "the rounds that were won" : "the lead over copies") + "\n";
}

// What the figures of the table mean.
std::string ImportanceLine(const SelectionResult& result) {
  if (!result.importance) return "";
  const Metric* metric = FindMetricOfAnyTask(result.metric);
  const bool falls = metric == nullptr || metric->larger_is_better;
  const ImportanceBasis& basis = *result.importance;
  return "importance: how much " + Printable(result.metric) + (falls ? " falls" : " rises") +
         " when its cells are shuffled, on " + std::to_string(basis.rows) + " " +
         Printable(basis.parts) + " rows, +- a standard error\n" + WeightLine(result);
}

// The sets that the method weighed against each other, a line each.
std::string TriedLines(const SelectionResult& result) {
  if (result.tried.empty()) return "";
  if (!result.tried[0].judged) {
    return "taken: " + Printable(result.tried[0].name) +
           (result.tried.size() == 1 ? ", as rows are too few to judge sets by\n"
                                     : ", as there was no time to judge sets\n");
  }
  const Metric* metric = FindMetricOfAnyTask(result.metric);
  const bool larger = metric == nullptr || metric->larger_is_better;
  size_t width = 0;
  for (const TriedSet& set : result.tried) width = std::max(width, DisplayWidth(set.name));
  std::string out =
      "sets by " + Printable(result.metric) +
      (result.data.classes == 0 && !larger ? " in standard deviations" : "") +
      ", mean of a linear model, a forest and a perceptron on training rows held out;\n" +
      Printable(result.tried[0].name) +
      " stays unless another is better by more than the standard error:\n";
  for (const TriedSet& set : result.tried) {
    out += (set.taken ? " * " : "   ") + Fit(set.name, width);
    if (set.judged) out += "  " + Format("%.4f", larger ? *set.judged : -*set.judged);
    if (set.lead && *set.lead == 0 && *set.lead_sd == 0) {
      out += ", the same columns";
    } else if (set.lead) {
      out += ", by " + Format("%.4f", std::abs(*set.lead)) + " +- " + Format("%.4f", *set.lead_sd) +
             (*set.lead < 0 ? " worse" : " better");
    }
    out += "\n";
  }
  return out;
}

// Where k comes from. 'slm path' has no rows to test on, so its folds are other rows.
std::string LineOfK(const Json& path, size_t test) {
  const Json& data = path["data"];
  return "k " + path["k"].Dump() + " by " + path["folds"].Dump() + " folds of " +
         data["rows"].Dump() + " rows" +
         (test > 0 ? ", the " + std::to_string(test) +
                         " test rows left out; 'slm path' uses all rows and may find another k"
                   : "") +
         "\n";
}

// How many were done, and how many of them were cut short, where that is not all of them.
std::string ResamplesOf(const StabilityResult& result) {
  const size_t asked = static_cast<size_t>(result.request.resamples), done = result.Finished();
  int late = 0;
  for (const StabilityRow& row : result.rows) late += row.late;
  return (done < asked ? std::to_string(done) + " of " : "") + Plural(asked, "resample") +
         (late > 0 ? " (" + Plural(static_cast<size_t>(late), "selection") + " cut short)" : "");
}

}  // namespace

std::string RenderSelection(const SelectionResult& result, const Terminal& terminal) {
  if (result.selected.empty()) return SignificanceLine(result);
  size_t name_width = 4, rank_width = 4;
  for (const SelectedFeature& feature : result.selected) {
    name_width = std::max(name_width, DisplayWidth(Printable(feature.name)));
    rank_width = std::max(rank_width, std::to_string(feature.rank).size());
  }
  name_width = std::min(name_width, kMaxNameWidth);

  const bool ensemble = !result.selected.empty() && result.selected[0].frequency;
  std::vector<SelectionColumn> columns = {ImportanceColumn(result), WeightColumn(result)};
  if (ensemble) columns.push_back(FrequencyColumn(result));
  if (result.significance) columns.push_back(SignificanceColumn(result));
  if (result.cross_validation) columns.push_back(FoldsColumn(result));
  std::string heading = PadLeft("rank", rank_width) + "  " + Fit("name", name_width);
  for (const SelectionColumn& column : columns) {
    heading += "  " + PadLeft(column.heading, column.Width());
  }
  std::string out = Heading(heading, terminal);
  const std::vector<double> lengths = BarLengths(result);
  const double longest = lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
  std::string kept, groups;
  for (size_t i = 0; i < result.selected.size(); ++i) {
    const SelectedFeature& feature = result.selected[i];
    out += PadLeft(std::to_string(feature.rank), rank_width) + "  " +
           Fit(Printable(feature.name), name_width);
    for (const SelectionColumn& column : columns) {
      out += "  " + PadLeft(column.cells[i], column.Width());
    }
    const std::string bar = Bar(longest > 0 ? lengths[i] / longest : 0.0);
    out += (bar.empty() ? "" : "  " + bar) + "\n";
    kept += feature.kept ? (kept.empty() ? "" : ", ") + Printable(feature.name) : "";
    if (!feature.columns.empty()) groups += GroupLine(feature);
  }

  out += "\n" + Plural(result.selected.size(), "feature") + " of " +
         std::to_string(result.data.features) + " chosen by " + result.method + " for " +
         Printable(result.request.target) + " from " + Plural(result.data.train, "training row") +
         (ensemble ? ", mean of " + std::to_string(result.request.ensemble) + " selections" : "") +
         "\n" + MetricsLine(result);
  if (result.k_path) out += LineOfK(*result.k_path, result.data.test);
  out += ImportanceLine(result);
  out += TriedLines(result);
  if (result.significance) out += SignificanceLine(result);
  if (!kept.empty()) out += "always included: " + kept + "\n";
  out += groups;
  if (result.cross_validation) out += FoldsLine(*result.cross_validation);
  if (result.null) out += ChanceLine(*result.null);
  if (result.by_class) out += RenderByClass(*result.by_class, terminal);
  return out;
}

std::string RenderReasons(const SelectionResult& result, const Terminal& terminal) {
  if (result.rest.empty()) return "";
  size_t name_width = 10, reason_width = 6;
  for (const Unchosen& one : result.rest) {
    name_width = std::max(name_width, DisplayWidth(Printable(one.name)));
    reason_width = std::max(reason_width, DisplayWidth(Printable(one.reason)));
  }
  name_width = std::min(name_width, kMaxNameWidth);
  reason_width = std::min(reason_width, kMaxNameWidth);
  std::string out = "\n" + Heading(Fit("not chosen", name_width) + "  " +
                                       Fit("reason", reason_width) + "  nearest chosen",
                                   terminal);
  for (const Unchosen& one : result.rest) {
    out += Fit(Printable(one.name), name_width) + "  ";
    if (one.nearest.empty()) {
      out += Printable(one.reason);
    } else {
      out += Fit(Printable(one.reason), reason_width) + "  " + Printable(one.nearest) + " (" +
             Printable(one.measure) + " " +
             Format(one.measure == Association::kRankCorrelation ? "%+.2f" : "%.2f",
                    *one.correlation) +
             ")";
    }
    out += "\n";
  }
  return out;
}

std::string RenderComparison(const ComparisonResult& result, const Terminal& terminal) {
  size_t name_width = 6;
  for (const ComparisonRow& row : result.rows) name_width = std::max(name_width, row.method.size());
  const bool tested = result.data.test > 0;
  std::string heading = Fit("method", name_width) + "  " +
                        PadLeft((tested ? "test " : "valid ") + result.metric, 19) + "  " +
                        PadLeft("seconds", 8) + "  " + PadLeft("memory", 9) + "  in common";
  std::string out = Heading(heading, terminal);
  // The first one that is a selection.
  const size_t best =
      static_cast<size_t>(std::find_if(result.rows.begin(), result.rows.end(),
                                       [](const ComparisonRow& row) { return !row.reference; }) -
                          result.rows.begin());
  std::string failures;
  bool late = false;
  for (size_t i = 0; i < result.rows.size(); ++i) {
    const ComparisonRow& row = result.rows[i];
    const Spread metric = row.Metric();
    if (metric.count == 0) {
      const std::string reason = row.Failure();
      failures += Fit(row.method, name_width) + "  " +
                  (!reason.empty()          ? Printable(reason)
                   : row.Status() == "done" ? result.metric + " is undefined on these rows"
                                            : std::string("not finished")) +
                  "\n";
      continue;
    }
    const std::string value =
        metric.count > 1 ? WithError(metric.mean, metric.sd) : MetricText(metric.mean);
    std::optional<size_t> peak = row.PeakBytes();
    out += Fit(row.method, name_width) + "  " + PadLeft(value, 19) + "  " +
           PadLeft(Format("%.2f", row.Seconds().mean), 8) + "  " +
           PadLeft(peak ? Format("%.1f MB", static_cast<double>(*peak) / 1e6) : "-", 9) + "  " +
           (row.reference ? PadLeft("-", 11)
                          : PadLeft(Format("%.0f %%", 100 * result.overlap[i][best]), 11));
    if (row.Late()) out += "  late";
    late = late || row.Late();
    if (metric.count < row.runs.size() || !row.Failure().empty()) {
      failures += Fit(row.method, name_width) + "  in " +
                  std::to_string(row.runs.size() - metric.count) + " of " +
                  Plural(row.runs.size(), "run") + ": " + Printable(row.Failure()) + "\n";
    }
    out += "\n";
  }
  if (!failures.empty()) out += "\nwithout a result:\n" + failures;
  out += "\n" + std::to_string(result.request.select.k) + " of " +
         Plural(result.data.features, "feature") + " for " +
         Printable(result.request.select.target) + ", " +
         Plural(static_cast<size_t>(result.request.seeds), "seed") + ", " +
         Plural(result.data.train, "training row") + ", " +
         Plural(result.data.valid, "validation row") +
         (tested ? ", " + Plural(result.data.test, "test row") : "") + "\n";
  const bool spread = std::any_of(result.rows.begin(), result.rows.end(),
                                  [](const ComparisonRow& row) { return row.Metric().count > 1; });
  if (spread) out += "+-: standard deviation over the seeds\n";
  if (best < result.rows.size()) {
    out += "in common: share of the columns that " + result.rows[best].method + " chose as well\n";
  }
  if (late) out += "late: ended by a time limit, with its best so far\n";
  return out;
}

std::string RenderPath(const PathResult& result, const Terminal& terminal) {
  double largest = 0;
  size_t k_width = 4, width = 6 + result.metric.size();
  for (const PathPoint& point : result.points) {
    const Spread method = point.Method(), random = point.Random();
    largest = std::max({largest, method.mean, random.mean});
    k_width = std::max(k_width, std::to_string(point.k).size());
    for (const Spread& s : {method, random}) {
      width = std::max(width, WithError(s, s.Error()).size());
    }
  }
  std::string out = Heading(PadLeft("k", k_width) + "  " + PadLeft(result.metric, width) + "  " +
                                PadLeft("random", width),
                            terminal);
  for (const PathPoint& point : result.points) {
    const Spread method = point.Method(), random = point.Random();
    std::string line = PadLeft(std::to_string(point.k), k_width) + "  " +
                       PadLeft(WithError(method, method.Error()), width) + "  " +
                       PadLeft(WithError(random, random.Error()), width) + "  " +
                       Fit(Bar(largest > 0 ? method.mean / largest : 0), kBarWidth);
    if (point.k == result.best_k) line += "  best";
    if (point.k == result.chosen_k) line += "  enough";
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  const std::string reach =
      result.request.tolerance
          ? "within " + Format("%g", *result.request.tolerance) + " of the best"
          : "within one standard error of the best";
  out += "\n" + Plural(static_cast<size_t>(result.chosen_k), "feature") + " of " +
         std::to_string(result.data.features) + " for " + Printable(result.request.select.target) +
         " by " + result.request.method + " are " + reach + ", which is " +
         (result.larger_is_better ? "at least " : "at most ") + MetricText(result.Bar()) + "\n";
  return out + Plural(static_cast<size_t>(result.folds), "fold") + " of about " +
         Plural(result.data.test, "row") + ", each held out from selection and training; +- is a " +
         "standard error\n";
}

std::string RenderStability(const StabilityResult& result, size_t limit, const Terminal& terminal) {
  size_t method_width = 6, name_width = 4;
  for (const StabilityRow& row : result.rows) {
    method_width = std::max(method_width, row.method.size());
  }
  std::string out = Heading(Fit("method", method_width) + "  stability     95 % interval  " +
                                "jaccard  in common  seconds",
                            terminal);
  std::string failures;
  std::vector<const StabilityRow*> good;
  for (const StabilityRow& row : result.rows) {
    if (!row.failure.empty() || row.sets.size() < 2) {
      failures += Fit(row.method, method_width) + "  " +
                  (row.failure.empty() ? "not finished" : Printable(row.failure)) + "\n";
      continue;
    }
    good.push_back(&row);
    const bool defined = std::isfinite(row.stability.index);
    out += Fit(row.method, method_width) + "  " +
           PadLeft(defined ? Format("%.3f", row.stability.index) : "-", 9) + "  " +
           PadLeft(defined ? Format("%.3f", row.stability.interval[0]) + " to " +
                                 Format("%.3f", row.stability.interval[1])
                           : "-",
                   16) +
           "  " + PadLeft(Format("%.3f", row.overlap.jaccard), 7) + "  " +
           PadLeft(Format("%.0f %%", 100 * row.overlap.shared), 9) + "  " +
           PadLeft(Format("%.2f", row.select_seconds), 7) + "\n";
  }
  if (!failures.empty()) out += "\nwithout a result:\n" + failures;

  // Columns by how often the methods chose them, on average.
  struct Line {
    std::string name;
    std::vector<double> shares;
    double sum = 0;
  };
  std::map<int, Line> by_column;
  for (size_t m = 0; m < good.size(); ++m) {
    for (const FeatureFrequency& feature : good[m]->frequencies) {
      Line& line = by_column[feature.index];
      line.name = Printable(feature.name);
      line.shares.resize(good.size());
      line.shares[m] = feature.frequency;
      line.sum += feature.frequency;
    }
  }
  std::vector<Line> lines;
  for (auto& [column, line] : by_column) lines.push_back(std::move(line));
  std::stable_sort(lines.begin(), lines.end(),
                   [](const Line& a, const Line& b) { return a.sum > b.sum; });
  const size_t shown = std::min(limit, lines.size());
  for (size_t i = 0; i < shown; ++i) {
    name_width = std::max(name_width, DisplayWidth(lines[i].name));
  }
  name_width = std::min(name_width, kMaxNameWidth);
  std::string heading = Fit("name", name_width);
  for (const StabilityRow* row : good) heading += "  " + PadLeft(row->method, 5);
  if (shown > 0) out += "\n" + Heading(heading, terminal);
  for (size_t i = 0; i < shown; ++i) {
    out += Fit(lines[i].name, name_width);
    for (size_t m = 0; m < good.size(); ++m) {
      out += "  " + PadLeft(Format("%.0f %%", 100 * lines[i].shares[m]),
                            std::max<size_t>(5, good[m]->method.size()));
    }
    out += "\n";
  }
  if (lines.size() > shown) {
    out += "... and " + std::to_string(lines.size() - shown) + " more that were ever chosen\n";
  }
  const std::optional<double>& share = result.request.subsample;
  return out + "\n" + std::to_string(result.request.select.k) + " of " +
         Plural(result.features, "feature") + " for " + Printable(result.request.select.target) +
         ", " + ResamplesOf(result) + " of " +
         (share ? Format("%g %% of the rows", 100 * *share)
                : std::string("rows with replacement")) +
         ", each with another seed\n";
}

// What the best trial is worth beside the others.
std::string TiesText(const TuningResult& result) {
  if (!result.ties || result.ties->trials.empty()) return "";
  const std::vector<int>& tied = result.ties->trials;
  const bool first = result.best().index < tied[0];
  std::string text = "\n" + Plural(tied.size(), "other setting") +
                     (tied.size() == 1 ? " ties" : " tie") + " with it: within a standard error (" +
                     MetricText(result.ties->standard_error) + ") on " +
                     Plural(result.data.valid, "validation row");
  if (first) return text + "\n";
  return text + ", trial " + std::to_string(tied[0]) +
         (tied[0] == 0 ? ", the settings as given," : "") +
         " among them;\nmore validation rows would tell them apart\n";
}

std::string RenderTuning(const TuningResult& result, size_t limit, const Terminal& terminal) {
  const auto given = std::find_if(result.trials.begin(), result.trials.end(),
                                  [](const Trial& trial) { return trial.index == 0; });
  // Without trial 0, which may have been cut off, there is nothing to differ from.
  auto differences = [&](const Trial& trial) {
    std::string text;
    for (size_t i = 0; i < trial.settings.size(); ++i) {
      const OptionSetting& setting = trial.settings[i];
      if (given != result.trials.end() && i < given->settings.size() &&
          given->settings[i] == setting) {
        continue;
      }
      text += (text.empty() ? "" : " ") + setting.name + "=" + setting.value;
    }
    return text.empty() ? std::string("as given") : text;
  };
  const bool partial = std::any_of(result.trials.begin(), result.trials.end(),
                                   [](const Trial& trial) { return trial.budget < 1; });
  const std::string metric = "valid " + Printable(result.metric);
  std::string out =
      Heading("trial  " + metric + (partial ? "  budget" : "") + "  seconds  settings", terminal);
  for (size_t i = 0; i < std::min(limit, result.trials.size()); ++i) {
    const Trial& trial = result.trials[i];
    std::string line = PadLeft(std::to_string(trial.index), 5) + "  " +
                       PadLeft(MetricText(trial.valid_metric), metric.size());
    if (partial) line += "  " + PadLeft(Format("%.2f", trial.budget), 6);
    line += "  " + PadLeft(Format("%.2f", trial.seconds), 7) + "  " +
            (trial.failure.empty() ? differences(trial) : Printable(trial.failure));
    const size_t width = static_cast<size_t>(terminal.width);
    out += (terminal.interactive && line.size() > width ? Fit(line, width) : line) + "\n";
  }

  const Trial& best = result.best();
  out += "\nbest settings of " + result.request.method + ", trial " + std::to_string(best.index) +
         " of " + std::to_string(result.request.trials) + ":\n";
  size_t name_width = 0;
  for (const OptionSetting& setting : best.settings) {
    name_width = std::max(name_width, setting.name.size());
  }
  for (const OptionSetting& setting : best.settings) {
    out += "  " + Fit(setting.name, name_width) + "  " + setting.value + "\n";
  }
  if (best.settings.empty()) out += "  as given: there is nothing to search\n";
  out += TiesText(result);
  out += "\n" + Plural(best.selected.size(), "feature") + " of " +
         std::to_string(result.data.features) + " for " + Printable(result.request.select.target) +
         " from " + Plural(result.data.train, "training row") + "\n";
  return out + MetricsLine(result) +
         "measured with a predictor of its own; trials show the best of " +
         Plural(static_cast<size_t>(result.request.judges), "small one") +
         ", and 'slm select' with these settings fits its own again, so that figures differ\n";
}

std::string RenderDropped(const DataSummary& data, size_t limit) {
  if (data.dropped.empty()) return "";
  std::string out = Plural(data.dropped.size(), "column") + " could not be chosen: ";
  for (size_t i = 0; i < std::min(limit, data.dropped.size()); ++i) {
    const DroppedColumn& column = data.dropped[i];
    out += (i == 0 ? "" : ", ") + Printable(column.name) + " (" + Printable(column.reason.Text()) +
           ")";
  }
  if (data.dropped.size() > limit) {
    out += ", and " + std::to_string(data.dropped.size() - limit) + " more";
  }
  const bool identifiers = std::any_of(
      data.dropped.begin(), data.dropped.end(),
      [](const DroppedColumn& column) { return column.reason.kind == DropKind::kIdentifier; });
  if (identifiers) out += "; --ignore none lets identifiers be chosen";
  return out;
}

}  // namespace slm
