#include "jobs/job.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/output.h"
#include "base/text.h"
#include "base/version.h"
#include "data/readers/reader.h"
#include "data/readers/typing.h"
#include "jobs/fingerprint.h"
#include "jobs/given_up.h"
#include "jobs/methods.h"
#include "jobs/warnings.h"
#include "kernels/dispatch.h"
#include "slm/errors.h"

namespace slm {
namespace {

// What of a time limit is left for measuring and writing what there is: so large a share of it, and
// no more seconds than that.
constexpr double kEndShare = 0.1, kEndSeconds = 1;

// So long after the limit work goes on without which there would be no result.
constexpr double kLateSeconds = 1;

// What of a time limit may pass before the data are no longer looked at for what is wrong with
// them.
constexpr double kChecksShare = 0.5;

std::optional<Clock::time_point> Latest(Clock::time_point start, double time_limit) {
  if (time_limit <= 0) return std::nullopt;
  return start + SecondsLong(time_limit + kLateSeconds);
}

// Words that `ignore` takes where no column has that name.
constexpr std::string_view kIdentifiers = "identifiers", kNone = "none";

// A text that is the name of a column is that column; any other is a list.
std::vector<std::string> ResolveColumns(const std::vector<std::string>& written,
                                        const Table& table) {
  std::vector<std::string> columns;
  for (const std::string& text : written) {
    std::vector<std::string> parts = HasColumn(table, text) ? std::vector{text} : SplitList(text);
    columns.insert(columns.end(), parts.begin(), parts.end());
  }
  return columns;
}

// Names of columns in the request, by which a header is known.
std::vector<std::string> NamesIn(const DataRequest& request) {
  std::vector<std::string> names = {request.weights, request.split_by.column};
  for (const auto* list : {&request.drop, &request.ignore, &request.keep}) {
    for (const std::string& text : *list) {
      for (std::string& name : SplitList(text)) names.push_back(std::move(name));
    }
  }
  return names;
}

int ResolveCount(const FeatureCount& k, const Tables& tables, SelectionSpec spec,
                 ThreadPool& pool) {
  if (k.share == 0 && k.most == 0) return k.number;
  spec.k = std::max(1, static_cast<int>(spec.keep.size()));
  const Preparation prepared(tables, spec, pool);
  const int usable = static_cast<int>(prepared.problem().layout.features());
  return k.most > 0 ? std::min(k.most, usable) : std::max(1, static_cast<int>(k.share * usable));
}

// For a screen: of each kind the first few, and the columns of the others in one if one flag
// answers them all. Warnings of a kind follow each other.
std::vector<Warning> Shortened(const std::vector<Warning>& warnings) {
  constexpr size_t kFew = 3;
  std::vector<Warning> shown;
  for (size_t begin = 0, end; begin < warnings.size(); begin = end) {
    const std::string& kind = warnings[begin].kind;
    const std::string& flag = warnings[begin].flag;
    auto alike = [&](const Warning& one) { return one.kind == kind && one.flag == flag; };
    for (end = begin; end < warnings.size() && alike(warnings[end]); ++end) {
      if (end - begin < kFew) shown.push_back(warnings[end]);
    }
    const size_t more = end - begin > kFew ? end - begin - kFew : 0;
    if (more == 1) shown.push_back(warnings[end - 1]);
    if (more < 2) continue;
    Warning rest;
    rest.kind = kind;
    rest.flag = flag;
    for (size_t i = begin + kFew; i < end; ++i) {
      rest.columns.insert(rest.columns.end(), warnings[i].columns.begin(),
                          warnings[i].columns.end());
    }
    std::string names;
    for (size_t i = 0; i < std::min(2 * kFew, rest.columns.size()); ++i) {
      names += (i == 0 ? "" : ", ") + Quoted(rest.columns[i]);
    }
    rest.text = std::to_string(more) + " more such warnings" +
                (names.empty() ? "" : ", about " + names) +
                (rest.columns.size() > 2 * kFew ? ", ..." : "") + "; the result has all of them";
    shown.push_back(std::move(rest));
  }
  return shown;
}

}  // namespace

Job::Job(const DataRequest& data, const RunControl& run, bool dry_run)
    : time_limit_(dry_run ? 0 : run.time_limit),
      reading_{.pool = &pool_, .latest = Latest(start_, time_limit_)},
      data_(data),
      run_(run),
      pool_(run.threads),
      tables_(&read_) {
  const GivenUp given_up(reading_, /*needed=*/true, "the data were read");
  if (!run.checkpoint.empty()) CheckOutput(run.checkpoint);  // before the time that reading takes
  ReadOptions read = data.read;
  read.target = data.target;
  read.names = NamesIn(data);
  read_.data = ReadTables(data.data, read, pool_);
  read.like = &read_.data;
  if (!data.valid.empty()) read_.valid = ReadTable(data.valid, read, pool_);
  if (!data.test.empty()) read_.test = ReadTable(data.test, read, pool_);
  LeaveOutRowsWithoutTarget();
  read_seconds_ = SecondsSince(start_);
}

Job::Job(const DataRequest& data, const RunControl& run, const Tables& tables, bool dry_run)
    : time_limit_(dry_run ? 0 : run.time_limit),
      reading_{.pool = &pool_, .latest = Latest(start_, time_limit_)},
      data_(data),
      run_(run),
      pool_(run.threads),
      tables_(&tables) {
  if (!run.checkpoint.empty()) CheckOutput(run.checkpoint);
  LeaveOutRowsWithoutTarget();
}

Tables* Job::OwnTables() {
  if (tables_ != &read_) {
    read_ = *tables_;
    tables_ = &read_;
  }
  return &read_;
}

void Job::TypeByTrainingRows(SelectionSpec spec) {
  auto is_open = [&](const Column& column) {
    return column.reading->likely && column.name != spec.target &&
           column.name != spec.split_by.column;
  };
  const std::vector<Column>& columns = tables_->data.columns;
  if (std::none_of(columns.begin(), columns.end(), is_open)) return;
  spec.k = std::max(spec.k, 1);
  const RowParts parts = CutRows(*tables_, spec);
  for (size_t j = 0; j < tables_->data.columns.size(); ++j) {
    const Column& column = tables_->data.columns[j];
    if (!is_open(column) || !FitsLikelyType(column, parts.train.rows)) continue;
    const LikelyType likely = *column.reading->likely;
    const std::string name = column.name;
    Tables* own = OwnTables();
    for (Table* one :
         {&own->data, own->valid ? &*own->valid : nullptr, own->test ? &*own->test : nullptr}) {
      if (one == nullptr || !HasColumn(*one, name)) continue;
      TakeType(likely, "as the training rows have it", &one->columns[one->IndexOf(name)]);
    }
  }
}

void Job::LeaveOutRowsWithoutTarget() {
  const Tables& whole = *tables_;
  // What else is wrong with the target is said later.
  if (data_.missing_target == MissingTarget::kError || !HasColumn(whole.data, data_.target)) return;
  auto leave_out = [&](const Table& table, auto of) {
    if (!HasColumn(table, data_.target)) return;
    const std::vector<size_t> rows = RowsWithTarget(table, table.IndexOf(data_.target));
    if (rows.size() == table.rows) return;
    without_target_ += table.rows - rows.size();
    Table* own = of(*OwnTables());
    // Cells of the target that could not be read stand in rows that go; they are named before that.
    ColumnReading& reading = own->columns[own->IndexOf(data_.target)].reading.Edit();
    for (std::string& remark : RemarksOn(*own, own->Find(data_.target))) {
      own->remarks.push_back(std::move(remark));
    }
    reading.odd.clear();
    reading.odd_cells = 0;
    reading.remarks.clear();
    KeepRows(rows, own);
  };
  leave_out(whole.data, [](Tables& own) { return &own.data; });
  if (whole.valid) leave_out(*whole.valid, [](Tables& own) { return &*own.valid; });
  if (whole.test) leave_out(*whole.test, [](Tables& own) { return &*own.test; });
}

Json Job::DecidingFields(const OptionList& list, const MethodChoice* choice) {
  Json json = Json::MakeObject();
  for (const OptionField& field : list.fields()) {
    const bool object = field.kind == OptionField::Kind::kObject;
    if (field.decides && !object) json.Add(field.name, field.get());
  }
  if (choice == nullptr) return json;
  // Every option of the method, so that the first that differs can be named.
  const std::unique_ptr<Selector> selector = FactoryOf(*choice)();
  OptionList options;
  selector->DescribeOptions(options);
  for (const OptionField& field : options.fields()) {
    if (list.Find(field.name) == nullptr) json.Add(field.name, field.get());
  }
  return json;
}

void Job::Begin(std::string_view command, const Json& request, bool dry_run) {
  CheckSimdSetting();
  if (run_.checkpoint.empty() || dry_run) return;
  Json identity = Json::MakeObject();
  identity.Add("version", Version());
  identity.Add("command", command);
  identity.Add("instructions", SimdLevelName(ActiveArithmetic()));
  for (const auto& [name, value] : request.object()) identity.Add(name, value);
  identity.Add("rows", tables_->data.rows);
  identity.Add("columns", tables_->data.columns.size());
  const GivenUp given_up(reading_, /*needed=*/true, "the fingerprint of the data was taken");
  identity.Add("fingerprint", Fingerprint(*tables_));
  checkpoint_.emplace(run_.checkpoint, identity, run_.resume, run_.checkpoint_every);
}

SelectionSpec Job::Resolve(const FeatureCount& k) {
  SelectionSpec spec;
  static_cast<DataRequest&>(spec) = data_;
  const Table& table = tables_->data;
  spec.drop = ResolveColumns(data_.drop, table);
  spec.keep = ResolveColumns(data_.keep, table);
  spec.ignore.clear();
  for (std::string& name : ResolveColumns(data_.ignore, table)) {
    const bool word = name == kNone || name == kIdentifiers;
    if (word && !HasColumn(table, name)) {
      spec.ignore_identifiers = name == kIdentifiers;
    } else {
      spec.ignore.push_back(std::move(name));
    }
  }
  const GivenUp given_up(reading_, /*needed=*/true, "types were decided");
  TypeByTrainingRows(spec);
  spec.k = ResolveCount(k, *tables_, spec, pool_);
  return spec;
}

void Job::CheckData(SelectionSpec* spec) {
  SelectionSpec checked = *spec;
  checked.k = std::max(1, spec->k);  // which may be found later
  const GivenUp given_up(reading_, /*needed=*/true, "the data were checked");
  std::optional<Clock::time_point> half;
  if (time_limit_ > 0) half = start_ + SecondsLong(kChecksShare * time_limit_);
  DataCheck found = CheckTables(*tables_, checked, pool_, half);
  unchecked_ = found.cut;
  spec->leaking = std::move(found.leaking);
  warnings_ = std::move(found.warnings);
  for (Warning& warning : warnings_) {
    warning.flag = RenderFields(warning.flag, run_.field_style);
  }
  if (spec->strict && !warnings_.empty()) {
    std::string all;
    for (const Warning& warning : warnings_) {
      all += "\n  " + warning.text + (warning.flag.empty() ? "" : " (" + warning.flag + ")");
    }
    throw DataError(FieldRef("strict") + ": " + std::to_string(warnings_.size()) +
                    (warnings_.size() == 1 ? " warning" : " warnings") + " about the data" + all);
  }
  if (run_.observer == nullptr) return;
  DataSummary summary = Overview(tables_->data, *spec);
  summary.without_target = without_target_;
  run_.observer->OnData(HeadLine(summary, spec->target));
  for (const Warning& warning : Shortened(warnings_)) run_.observer->OnWarning(warning);
}

Context Job::context(double time_limit) {
  Context context{.pool = &pool_, .observer = run_.observer};
  if (time_limit > 0) {
    const double end = std::min(kEndShare * time_limit, kEndSeconds);
    context.deadline = start_ + SecondsLong(time_limit - end);
    context.latest = Latest(start_, time_limit);
  }
  if (checkpoint_) context.checkpoint = &*checkpoint_;
  return context;
}

void Job::Flush() {
  if (checkpoint_) checkpoint_->Flush();
}

void Job::Finish(Outcome* outcome) {
  Flush();
  outcome->data.without_target = without_target_;
  outcome->data.warnings = warnings_;
  if (unchecked_) {
    outcome->data.remarks.push_back(
        "not all was looked at that may be wrong with the data, such as leaks: half of the time "
        "limit was over");
  }
  for (std::string& remark : outcome->data.remarks) {
    remark = RenderFields(remark, run_.field_style);
  }
  outcome->read_seconds = read_seconds_;
  outcome->total_seconds = SecondsSince(start_);
}

}  // namespace slm
