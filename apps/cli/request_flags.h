#pragma once

// Commands that carry out a request: flags, configuration and help from the description of the
// request (jobs/requests.h), progress on the terminal, and getting the result out.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/json.h"
#include "base/options.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/config.h"
#include "cli/progress.h"
#include "jobs/outcome.h"
#include "jobs/plan.h"
#include "jobs/requests.h"
#include "slm/requests.h"
#include "slm/selector.h"

namespace slm {

class RequestFlags {
 public:
  // `remark` ends the heading of the method's own flags. Throws a DataError for a configuration
  // that cannot be read.
  RequestFlags(Arguments arguments, CommandText text, std::string remark = "");
  RequestFlags(const RequestFlags&) = delete;

  // The command's own flags on what to write, beside those of the request.
  OptionList& own() { return own_; }
  // What to say of a flag that other commands have.
  void Instead(std::string flag, std::string explanation) {
    instead_.emplace(std::move(flag), std::move(explanation));
  }

  // Fills the request from the line and the configuration, with an observer that shows progress.
  // Returns false if help was asked for, which is then written. Throws one UsageError with every
  // complaint.
  template <class Request>
  bool Parse(Request* request) {
    OptionList fields;
    Describe(request, &fields);
    MethodChoice* choice = nullptr;
    if constexpr (std::is_base_of_v<MethodChoice, Request>) choice = request;
    if (!ParseFields(std::move(fields), choice, request, request)) return false;
    ThrowComplaints(Complaints(*request));
    return true;
  }

  // The end of a command: writes the result, as JSON to --output if given and to standard output
  // as JSON or as `text`, logs what there is to say about it, and gives back the exit code. After
  // an early end `kept` is what there is: "this is the best so far".
  int Finish(const Outcome& outcome, const Json& json, const std::string& text,
             const std::string& kept);
  // The same for --dry-run, which writes no file.
  int FinishPlan(const Plan& plan);

  // Of the method, as the line set them.
  const OptionList& method_options() const { return method_options_; }

  bool json() const { return json_; }  // whether JSON was asked for instead of a table

  bool dry_run = false;
  bool verbose = false;

 private:
  bool ParseFields(OptionList fields, MethodChoice* choice, DataRequest* data, RunControl* run);
  void DescribeMethod(const std::string& name, MethodChoice* choice);

  const Arguments arguments_;
  ArgParser parser_;
  ConfigFlag config_;
  const std::string remark_;
  std::map<std::string, std::string, std::less<>> instead_;
  OptionList own_;
  std::unique_ptr<Selector> selector_;  // what the method's flags are bound to
  OptionList method_options_;
  std::string output_;
  bool json_ = false;
  bool quiet_ = false;
  std::optional<ProgressMeter> meter_;
  const RunControl* run_ = nullptr;
};

}  // namespace slm
