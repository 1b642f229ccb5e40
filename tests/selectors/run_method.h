#pragma once

// One method of the catalog on one problem, with some of its options set.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/options.h"
#include "base/thread_pool.h"
#include "selectors/catalog.h"

namespace slm {

using OptionTexts = std::vector<std::pair<std::string, std::string>>;

inline Choice RunMethod(std::string_view method, const Problem& problem, int k,
                        const OptionTexts& options = {}, uint64_t seed = 0) {
  ThreadPool pool(2);
  std::unique_ptr<Selector> selector = FindMethod(method).make();
  OptionList list;
  selector->DescribeOptions(list);
  for (const auto& [name, text] : options) list.Set(name, text);
  return selector->Select(problem, k, seed, {.pool = &pool});
}

}  // namespace slm
