#include "cli/file_roles.h"

#include <filesystem>
#include <span>
#include <system_error>
#include <vector>

#include "base/descriptor.h"
#include "base/system.h"
#include "slm/errors.h"

namespace slm {
namespace {

namespace fs = std::filesystem;

bool IsDevice(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return fs::exists(status) && !fs::is_regular_file(status);
}

// Of a file that need not be there yet; empty if its folder is not.
std::string WholeName(const std::string& path) {
  std::string name = RealPath(path);
  if (!name.empty()) return name;
  name = RealPath(DirectoryOf(path));
  return name.empty() ? "" : name + "/" + path.substr(path.find_last_of('/') + 1);
}

bool SameFile(const std::string& a, const std::string& b) {
  if (IsDevice(a) || IsDevice(b)) return false;
  std::error_code error;
  if (fs::equivalent(a, b, error)) return true;  // by another name, or through a link
  const std::string first = WholeName(a);
  return !first.empty() && first == WholeName(b);
}

// The files that an input may stand for: itself, those that match it as a pattern, and those that
// it quotes as a query.
std::vector<std::string> FilesOf(const std::string& input) {
  std::vector<std::string> files = FilesMatching(input);
  files.push_back(input);
  for (size_t open = input.find_first_of("'\""); open != input.npos;) {
    const size_t close = input.find(input[open], open + 1);
    if (close == input.npos) break;
    files.push_back(input.substr(open + 1, close - open - 1));
    open = input.find_first_of("'\"", close + 1);
  }
  return files;
}

bool IsFile(const NamedFile& file) { return !file.path.empty() && file.path != "-"; }

}  // namespace

void RefuseOverwriting(const std::vector<NamedFile>& inputs,
                       const std::vector<NamedFile>& outputs) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    const NamedFile& output = outputs[i];
    if (!IsFile(output)) continue;
    for (const NamedFile& input : inputs) {
      if (!IsFile(input)) continue;
      for (const std::string& file : FilesOf(input.path)) {
        if (!SameFile(file, output.path)) continue;
        throw UsageError(output.label + " would overwrite " + output.path + ", which " +
                         input.label + " reads; name another file");
      }
    }
    for (const NamedFile& other : std::span(outputs).subspan(i + 1)) {
      if (!IsFile(other) || !SameFile(output.path, other.path)) continue;
      throw UsageError(output.label + " and " + other.label + " both write " + output.path +
                       "; name two files");
    }
  }
}

std::vector<NamedFile> FilesRead(const std::string& model, const std::vector<std::string>& data) {
  std::vector<NamedFile> files = {{"MODEL", model}};
  for (const std::string& path : data) files.push_back({"DATA", path});
  return files;
}

}  // namespace slm
