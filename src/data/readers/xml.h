#pragma once

// XML, one event after the other, without a tree: elements, attributes, text, CDATA, and the
// entities that every XML has. A document type is refused: it could define entities that grow
// without bound.

#include <cstddef>
#include <string>
#include <string_view>

namespace slm {

class XmlReader {
 public:
  enum class Event { kStart, kEnd, kText, kDone };

  // `what` names the text in messages. Both must outlive this.
  XmlReader(std::string_view text, std::string_view what);

  // Throws a DataError for what is no XML. An empty element starts and ends.
  Event Next();

  // Of the element that starts or ends, without the prefix of its namespace.
  std::string_view name() const { return name_; }

  // Of the element that starts; empty if it has none of that name, prefixes again left out.
  std::string Attribute(std::string_view name) const;

  // Of a text, entities resolved; good until the next event.
  std::string_view text() const { return text_; }

 private:
  [[noreturn]] void Fail(const char* problem) const;
  void SkipPast(std::string_view end, const char* problem);
  void ReadText(size_t end);
  Event ReadTag();
  std::string Resolve(std::string_view raw) const;

  const std::string_view all_;
  const std::string_view what_;
  size_t at_ = 0;
  size_t depth_ = 0;
  bool ends_at_once_ = false;  // the element that started was an empty one
  std::string_view name_, attributes_, text_;
  std::string resolved_;
};

}  // namespace slm
