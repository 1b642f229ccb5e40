#pragma once

// What the commands that use a model have in common: its file, the data, and where results go.

#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "cli/args.h"
#include "cli/verbosity.h"
#include "data/readers/reader.h"
#include "slm/model.h"

namespace slm {

struct ModelFlags {
  std::string model;
  std::vector<std::string> data;  // files, one after the other
  ReadOptions read;
  int threads = 0;
  std::string output = "-";
  bool json = false;
  Verbosity verbosity;
};

// The model's file as the first argument.
void DescribeModel(ModelFlags* flags, ArgParser* parser);
// The data as the second one, with the flags on reading them and on the run; `own` come first.
void DescribeModelData(ModelFlags* flags, OptionList own, ArgParser* parser);

// The file of data, its columns read as those that the model was trained on.
Table ReadLike(const ModelFlags& flags, const FittedModel& model, ThreadPool& pool);

}  // namespace slm
