#pragma once

// The flags of commands that run one method: --method, and the options of the method it names.

#include <memory>
#include <string>
#include <string_view>

#include "base/options.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "selectors/catalog.h"
#include "slm/selector.h"

namespace slm {

class MethodFlags {
 public:
  // The method decides which flags exist, so it is looked up before the line is parsed. Throws a
  // UsageError if there is none of that name.
  explicit MethodFlags(Arguments arguments);
  MethodFlags(const MethodFlags&) = delete;

  // Adds --method to the flags on what to choose.
  void DescribeMethod(OptionList* what);
  // Adds the method's own flags under a heading, and says of an unknown one whose it is.
  void DescribeOptions(ArgParser* parser) const;

  std::string_view name() const { return entry_.name; }
  Selector& selector() { return *selector_; }
  const OptionList& options() const { return options_; }
  // Another one with the same options.
  std::unique_ptr<Selector> Make() const;

 private:
  std::string written_ = "slm";
  const MethodEntry& entry_;
  std::unique_ptr<Selector> selector_;
  OptionList options_;
};

}  // namespace slm
