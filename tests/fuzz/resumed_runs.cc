#include "tests/fuzz/resumed_runs.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <type_traits>

#include "base/output.h"
#include "jobs/execute.h"
#include "slm/errors.h"
#include "tests/fuzz/state_seed.h"
#include "tests/fuzz/targets.h"
#include "tests/jobs/planted_table.h"
#include "tests/mask/stop_after.h"

namespace slm {
namespace {

constexpr int kCount = 2;
constexpr int kNever = 1 << 30;

// A folder of this process: what is resumed is written again under other names beside it.
class OwnFolder {
 public:
  OwnFolder() : path_(std::filesystem::temp_directory_path() / "slm-fuzz-XXXXXX") {
    if (mkdtemp(path_.data()) == nullptr) ReportFinding("no folder for temporary files");
  }
  ~OwnFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  OwnFolder(const OwnFolder&) = delete;
  std::string File() const { return path_ + "/state"; }

 private:
  std::string path_;
};

const std::string& StatePath() {
  static const OwnFolder folder;
  static const std::string path = folder.File();
  return path;
}

std::string ReadState() {
  std::ifstream file(StatePath(), std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n') + 1); }

// Numbers, a text of three levels, and two classes.
const Tables& SmallTables() {
  static const Tables tables = [] {
    Tables made{.data = PlantedTable(40, 4, /*classes=*/true, 7), .valid = {}, .test = {}};
    Column text{.name = "text", .type = ColumnType::kText, .levels = {"a", "b", "c"}};
    for (size_t i = 0; i < made.data.rows; ++i) text.codes.push_back(static_cast<int32_t>(i % 3));
    made.data.columns.insert(made.data.columns.begin() + 1, std::move(text));
    return made;
  }();
  return tables;
}

std::vector<OptionSetting> ShortTraining() {
  return {{"steps", "20"},           {"starts", "1"},       {"filter_starts", "1"},
          {"cross_fit", "never"},    {"hidden_units", "2"}, {"refits", "1"},
          {"final_predictors", "2"}, {"final_units", "2"},  {"final_steps", "20"},
          {"hidden_layers", "1"}};
}

// ---- The requests

template <class Request>
Request Small() {
  Request request;
  request.target = "y";
  request.threads = 1;
  request.checkpoint_every = 1e9;  // at the end alone
  if constexpr (std::is_base_of_v<MethodChoice, Request>) request.options = ShortTraining();
  if constexpr (!std::is_same_v<Request, PathRequest>) request.k = kCount;
  if constexpr (std::is_base_of_v<MethodList, Request>) {
    request.methods = {"slm", "anova"};
    for (const OptionSetting& one : ShortTraining()) {
      request.set.push_back({"slm", one.name, one.value});
    }
  }
  return request;
}

SelectRequest SmallSelect() { return Small<SelectRequest>(); }
SelectRequest CrossFittedSelect() {
  SelectRequest request = SmallSelect();
  for (OptionSetting& one : request.options) {
    if (one.name == "cross_fit") one.value = "always";
  }
  request.options.push_back({"cross_fit_runs", "2"});
  return request;
}
SelectRequest EnsembleSelect() {
  SelectRequest request = SmallSelect();
  request.ensemble = 2;
  request.cv = 2;
  request.null = 1;
  return request;
}
CompareRequest SmallCompare() {
  CompareRequest request = Small<CompareRequest>();
  request.seeds = 1;
  request.refits = 1;
  return request;
}
TuneRequest SmallTune() {
  TuneRequest request = Small<TuneRequest>();
  request.trials = 2;
  request.judges = 1;
  return request;
}
PathRequest SmallPath() {
  PathRequest request = Small<PathRequest>();
  request.k_max = 3;
  request.folds = 2;
  return request;
}
StabilityRequest SmallStability() {
  StabilityRequest request = Small<StabilityRequest>();
  request.resamples = 2;
  return request;
}

template <class Request>
constexpr std::string_view kCommand{};
template <>
constexpr std::string_view kCommand<SelectRequest> = "select";
template <>
constexpr std::string_view kCommand<CompareRequest> = "compare";
template <>
constexpr std::string_view kCommand<TuneRequest> = "tune";
template <>
constexpr std::string_view kCommand<PathRequest> = "path";
template <>
constexpr std::string_view kCommand<StabilityRequest> = "stability";

// ---- Exactly k

void RequireCount(size_t count) {
  if (count != kCount) ReportFinding("another number of columns than was asked for");
}

void RequireExactly(const SelectionResult& found) {
  RequireCount(found.selected.size());
  if (!found.cross_validation) return;
  for (const FoldResult& fold : found.cross_validation->folds) RequireCount(fold.selected.size());
}
void RequireExactly(const ComparisonResult& found) {
  for (const ComparisonRow& row : found.rows) {
    for (const ComparedRun& run : row.runs) {
      if (run.done && !row.reference) RequireCount(run.selected.size());
    }
  }
}
void RequireExactly(const TuningResult& found) {
  for (const Trial& trial : found.trials) {
    if (trial.failure.empty()) RequireCount(trial.selected.size());
  }
}
void RequireExactly(const PathResult& found) {
  for (const PathPoint& point : found.points) {
    if (point.k < 1 || point.k > 3) ReportFinding("a k that nobody asked for");
  }
}
void RequireExactly(const StabilityResult& found) {
  for (const StabilityRow& row : found.rows) {
    for (const std::vector<int>& set : row.sets) RequireCount(set.size());
  }
}

// ---- Running them

template <auto make, bool journal = false>
struct Run {
  using Request = std::invoke_result_t<decltype(make)>;

  static Request WithState(bool resume) {
    Request request = make();
    request.resume = resume;
    if constexpr (journal) {
      request.journal = StatePath();
    } else {
      request.checkpoint = StatePath();
    }
    return request;
  }

  static void Execute(const Request& request) {
    Job job(kCommand<Request>, request, SmallTables());
    RequireExactly(slm::Execute(request, job));
  }

  static std::string StateAfter(int asks) {
    std::filesystem::remove(StatePath());
    StopAfter stop(asks);
    Request request = WithState(/*resume=*/false);
    request.observer = &stop;
    try {
      Execute(request);
    } catch (const RuntimeFailure&) {  // stopped before there was a result
    }
    return ReadState();
  }

  static std::string State(int asks) {
    const std::string whole = StateAfter(asks);
    return whole.substr(FirstLine(whole).size());
  }

  static void Resume(std::string_view content) {
    static const std::string head = FirstLine(StateAfter(kNever));
    WriteFile(StatePath(),
              journal ? head + std::string(content) : WithChecksum(head + std::string(content)));
    Execute(WithState(/*resume=*/true));
  }
};

template <class Of>
constexpr ResumedRun Named(std::string_view name) {
  return {name, Of::Resume, Of::State};
}

constexpr ResumedRun kCheckpointed[] = {
    Named<Run<SmallSelect>>("select"),       Named<Run<CrossFittedSelect>>("cross-fit"),
    Named<Run<EnsembleSelect>>("ensemble"),  Named<Run<SmallCompare>>("compare"),
    Named<Run<SmallTune>>("tune"),           Named<Run<SmallPath>>("path"),
    Named<Run<SmallStability>>("stability"),
};
constexpr ResumedRun kJournaled = Named<Run<SmallTune, /*journal=*/true>>("journal");

}  // namespace

std::span<const ResumedRun> CheckpointedRuns() { return kCheckpointed; }
const ResumedRun& JournaledRun() { return kJournaled; }

// The first byte says which request.
void FuzzResume(std::string_view bytes) {
  if (bytes.empty()) return;
  const size_t which = static_cast<unsigned char>(bytes[0]) % std::size(kCheckpointed);
  kCheckpointed[which].resume(bytes.substr(1));
}

void FuzzResumeJournal(std::string_view bytes) { kJournaled.resume(bytes); }

}  // namespace slm
