// The same request in C++, on the command line (request.sh) and in Python (request.py): the same
// columns, weights and metrics to the last bit.
//
//   same_request houses.csv

#include <cstdio>

#include "slm/slm.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: same_request FILE\n");
    return 2;
  }
  slm::SelectRequest request;
  request.data = {argv[1]};
  request.target = "price";
  request.k = 4;
  request.weights = "weight";
  request.groups = {"place=x,y"};
  request.keep = {"rooms", "place"};
  request.drop = {"owner"};
  request.cv = 3;
  request.time_limit = 600;
  request.seed = 7;
  request.options = {{"steps", "300"}, {"starts", "2"}, {"final_predictors", "2"}};
  try {
    std::puts(slm::Select(request).ToJson().c_str());
  } catch (const slm::InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
