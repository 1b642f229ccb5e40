#pragma once

// The journal of a search: JSON lines, a header that says what the search is, then one line for
// each finished trial, in the order in which they finished. A line is on the disk before the search
// goes on, so that a search that was killed loses only the trials that were running.

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/fields.h"
#include "base/json.h"
#include "base/options.h"
#include "jobs/prepare.h"

namespace slm {

// One configuration, run with one budget.
struct Trial {
  int index = 0;
  double budget = 1;  // share of the whole training
  std::vector<OptionSetting> settings;
  std::string failure;  // why there is no result
  std::vector<SelectedFeature> selected;
  double valid_metric = 0;
  double valid_loss = 0;  // decides between equal metrics
  double seconds = 0;     // the only thing that another run of it would write differently

  template <class Visitor>
  void VisitFields(Visitor& v) {
    v("trial", index);
    v("budget", budget);
    v("settings", settings);
    v.Optional("failure", failure);
    v("selected", selected);
    v("valid", valid_metric);
    v("loss", valid_loss);
    v("seconds", seconds);
  }
};

class Journal {
 public:
  // Creates the file, or goes on with one that has the same header. A last line without its end is
  // the trace of a kill, and is cut off before another is written, so that a journal that is
  // refused for what its trials say is as it was. Throws a DataError for a file that is there
  // without `resume`, is in use, has another header (it says which field differs) or is not a
  // journal.
  Journal(const std::string& path, const Json& header, bool resume);
  ~Journal();
  Journal(const Journal&) = delete;

  // Fills in the trial of that index and budget from what was in the file; false if it was not
  // there. Throws a DataError if it was there with other settings.
  bool Find(Trial* trial) const;

  // From any thread. Throws a RuntimeFailure if the line did not reach the disk.
  void Append(const Trial& trial);

 private:
  void Read(const Json& header, bool resume);
  void Write(const Json& line);

  const std::string path_;
  int fd_ = -1;
  std::optional<size_t> cut_;  // where the last line begins that has no end
  std::mutex mutex_;
  std::vector<Json> lines_;  // of trials, as they were found
};

}  // namespace slm
