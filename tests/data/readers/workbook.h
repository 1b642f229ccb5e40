#pragma once

// Workbooks as few bytes as possible, for tests.

#include <string>
#include <utility>
#include <vector>

#include "tests/data/zip_writer.h"

namespace slm {

struct WorkbookParts {
  std::vector<std::pair<std::string, std::string>> sheets;  // name, and what is inside of sheetData
  std::string shared_texts = {};                            // <si> elements
  std::string formats = {};                                 // <numFmt> elements
  std::string styles = {};                                  // <xf> elements
  std::string properties = {};                              // attributes of workbookPr
};

inline std::string Workbook(const WorkbookParts& parts, bool deflated = true) {
  std::string sheets, relations;
  std::vector<std::pair<std::string, std::string>> members;
  for (size_t i = 0; i < parts.sheets.size(); ++i) {
    const std::string id = "r" + std::to_string(i),
                      file = "worksheets/s" + std::to_string(i) + ".xml";
    sheets += "<sheet name=\"" + parts.sheets[i].first + "\" r:id=\"" + id + "\"/>";
    relations +=
        "<Relationship Id=\"" + id + "\" Type=\"http/worksheet\" Target=\"" + file + "\"/>";
    members.emplace_back("xl/" + file,
                         "<worksheet><sheetData>" + parts.sheets[i].second +
                             "</sheetData><mergeCells><mergeCell ref=\"A1:B1\"/></mergeCells>" +
                             "</worksheet>");
  }
  members.emplace_back("xl/workbook.xml", "<workbook><workbookPr " + parts.properties +
                                              "/><sheets>" + sheets + "</sheets></workbook>");
  members.emplace_back("xl/_rels/workbook.xml.rels",
                       "<Relationships>" + relations + "</Relationships>");
  members.emplace_back("xl/sharedStrings.xml", "<sst>" + parts.shared_texts + "</sst>");
  members.emplace_back("xl/styles.xml",
                       "<styleSheet><numFmts>" + parts.formats +
                           "</numFmts><cellStyleXfs><xf numFmtId=\"14\"/></cellStyleXfs><cellXfs>" +
                           parts.styles + "</cellXfs></styleSheet>");
  return Zip(members, deflated);
}

}  // namespace slm
