#pragma once

#include <string>
#include <vector>

namespace slm {

// A file of the command line, and what names it: "--output", "DATA".
struct NamedFile {
  std::string label;
  std::string path;  // of an input also a pattern or a query; empty or "-" for none
};

// Throws a UsageError if a file to be written is read as well, or is that of another flag: whatever
// was written last would be all that is left. Devices, which can take both, are let through.
void RefuseOverwriting(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs);

// What a command that uses a model reads.
std::vector<NamedFile> FilesRead(const std::string& model, const std::vector<std::string>& data);

}  // namespace slm
