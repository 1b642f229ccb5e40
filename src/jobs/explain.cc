#include "jobs/explain.h"

#include <algorithm>

#include "slm/errors.h"

namespace slm {

std::string ExplainRecipe(const SelectTables& tables, const SelectRequest& request,
                          std::string_view method, const Selector& selector, bool json,
                          const Context& context) {
  SelectRequest own = request;
  own.k =
      std::max({1, own.k, static_cast<int>(own.keep.size())});  // the recipe does not depend on it
  const Preparation prepared(tables, own, CutRows(tables, own), *context.pool);
  std::string text = selector.ExplainRecipe(prepared.problem(), json);
  if (text.empty()) {
    throw UsageError("--explain-recipe: method " + std::string(method) +
                     " has no recipe of runs; it is for slm, slm-hsic, softmax-topk and "
                     "sparsemax-free");
  }
  return text;
}

}  // namespace slm
