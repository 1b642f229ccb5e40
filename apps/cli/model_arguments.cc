// The arguments of the commands that use a model.

#include "cli/args.h"
#include "cli/commands.h"

namespace slm {

void DescribeModelArgument(std::string* path, ArgParser* parser) {
  parser->Positional("MODEL", path, "A model that 'slm select --model' has written.",
                     "name the file of the model");
}

void DescribeNewData(std::vector<std::string>* data, ArgParser* parser) {
  parser->Positionals("DATA", data,
                      "A file, or several as one table, in any format that 'slm select' reads; - "
                      "is standard input.",
                      "name the file to read, or - for standard input");
}

}  // namespace slm
