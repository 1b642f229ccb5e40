#pragma once

// What a selection would do with a table, run by run; nothing is trained.

#include <string>
#include <string_view>

#include "jobs/prepare.h"
#include "slm/context.h"
#include "slm/selector.h"

namespace slm {

// The recipe of the method for the table, as lines for people or as JSON. Throws a UsageError for a
// method that has none.
std::string ExplainRecipe(const SelectTables& tables, const SelectRequest& request,
                          std::string_view method, const Selector& selector, bool json,
                          const Context& context);

}  // namespace slm
