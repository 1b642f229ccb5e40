#include "data/readers/archive.h"

#include <sys/stat.h>

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "data/readers/zip.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr size_t kMostListed = 10;

bool IsFile(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

bool IsData(const ZipMember& member) {
  const std::string_view name = member.name;
  const std::string_view file = name.substr(name.rfind('/') + 1);  // npos + 1 is 0
  return !file.empty() && !file.starts_with('.') && !name.starts_with("__MACOSX/");
}

std::string List(const std::vector<ZipMember>& members) {
  std::string names;
  for (size_t i = 0; i < std::min(members.size(), kMostListed); ++i) {
    names += (i == 0 ? "" : ", ") + Quoted(members[i].name);
  }
  if (members.size() > kMostListed) {
    names += " and " + std::to_string(members.size() - kMostListed) + " more";
  }
  return names;
}

}  // namespace

ArchivePath SplitArchivePath(const std::string& path) {
  constexpr std::string_view kMark = ".zip/";
  const size_t at = path.find(kMark);
  if (at == std::string::npos) return {path, ""};
  const std::string file = path.substr(0, at + kMark.size() - 1);
  if (!IsFile(file)) return {path, ""};
  return {file, path.substr(at + kMark.size())};
}

ArchiveKind KindOfArchive(std::string_view bytes, const std::string& source) {
  const std::vector<ZipMember> members = ListZip(bytes, source, 0);
  const auto is_array = [](const ZipMember& member) { return member.name.ends_with(".npy"); };
  const auto is_workbook = [](const ZipMember& member) {
    return member.name.starts_with("xl/workbook") && member.name.ends_with(".xml");
  };
  if (std::any_of(members.begin(), members.end(), is_workbook)) return ArchiveKind::kWorkbook;
  const bool arrays = !members.empty() && std::all_of(members.begin(), members.end(), is_array);
  return arrays ? ArchiveKind::kArrays : ArchiveKind::kFiles;
}

MemberFile TakeMember(const FileBytes& archive, const std::string& wanted, size_t max_bytes) {
  std::vector<ZipMember> members = ListZip(archive.view(), archive.name(), max_bytes);
  std::erase_if(members, [](const ZipMember& member) { return !IsData(member); });
  if (members.empty()) throw DataError(archive.name() + " is an archive without files");
  auto chosen = members.begin();
  if (!wanted.empty()) {
    chosen = std::find_if(members.begin(), members.end(),
                          [&](const ZipMember& member) { return member.name == wanted; });
    if (chosen == members.end()) {
      throw DataError(archive.name() + " has no file " + Quoted(wanted) + "; it has " +
                      List(members));
    }
  } else if (members.size() > 1) {
    throw DataError(archive.name() + " holds " + std::to_string(members.size()) + " files, " +
                    List(members) + "; name one as " + archive.name() + "/" + members[0].name);
  }
  MemberFile file{chosen->name, {}};
  std::string storage;
  const std::string_view content = Unzip(*chosen, archive.name(), &storage);
  file.content = chosen->deflated ? std::move(storage) : std::string(content);
  return file;
}

}  // namespace slm
