#pragma once

// Results on their way out. A file appears whole or not at all: it is written under another name in
// the same directory, brought to the disk, and renamed. Failures are RuntimeFailures.

#include <string>
#include <string_view>

namespace slm {

class OutputFile {
 public:
  // Devices and pipes, which cannot be renamed over, are written to directly, and so is standard
  // output, "-". The other name is the path, `mark` and six characters that nobody can foresee.
  explicit OutputFile(const std::string& path, std::string_view mark = ".");
  // Without a Commit no trace is left, and a file that was there before stays as it was.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void Write(std::string_view text);
  void Commit();
  // The same for a file that must not be there yet; false, and nothing written, if it is.
  bool CommitNew();

  // A descriptor of the file, for the caller to close, that holds a lock on it beyond the Commit.
  int LockedCopy() const;

 private:
  [[noreturn]] void Fail(const char* what) const;
  void Flush();
  void CloseWhole();

  std::string path_;       // as the user wrote it, for messages
  std::string target_;     // with links resolved
  std::string temporary_;  // empty when written to directly
  int fd_ = -1;
  std::string buffer_;
};

void WriteFile(const std::string& path, std::string_view text);

// Throws what OutputFile(path) would throw for a directory that is absent or not writable, so that
// a long run need not fail at its end. Creates nothing.
void CheckOutput(const std::string& path);

// Writes to standard output and makes sure that it went through.
void WriteStdout(std::string_view text);

}  // namespace slm
