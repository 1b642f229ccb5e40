#include "cli/model_flags.h"

#include <utility>

#include "model/predict.h"

namespace slm {

void DescribeModel(ModelFlags* flags, ArgParser* parser) {
  parser->Positional("MODEL", &flags->model, "A model that 'slm select --model' has written.",
                     "name the file of the model");
}

void DescribeModelData(ModelFlags* flags, OptionList own, ArgParser* parser) {
  DescribeModel(flags, parser);
  parser->Positionals(
      "DATA", &flags->data,
      "A file, or several as one table, in any format that 'slm select' reads; - is "
      "standard input.",
      "name the file to read, or - for standard input");
  OptionList list = std::move(own);
  list.Text("output", &flags->output, "write to `FILE`; - is standard output");
  DescribeOptions(&flags->read, &list);
  list.Int("threads", &flags->threads, 0, 1024, "0 is one for each core; the result is the same");
  flags->verbosity.Describe(&list);
  parser->Flags("Flags", std::move(list));
}

Table ReadLike(const ModelFlags& flags, const FittedModel& model, ThreadPool& pool) {
  const Table like = TableLike(model.content(), "the model " + flags.model);
  ReadOptions read = flags.read;
  read.like = &like;
  return ReadTables(flags.data, read, pool);
}

}  // namespace slm
