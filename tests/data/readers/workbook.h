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
  std::string name = {};                                    // behind "workbook" and "styles"
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
  members.emplace_back(
      "xl/workbook" + parts.name + ".xml",
      "<workbook><workbookPr " + parts.properties + "/><sheets>" + sheets + "</sheets></workbook>");
  members.emplace_back("xl/_rels/workbook" + parts.name + ".xml.rels",
                       "<Relationships>" + relations +
                           "<Relationship Type=\"x/styles\" Target=\"/xl/styles" + parts.name +
                           ".xml\"/></Relationships>");
  members.emplace_back("xl/sharedStrings.xml", "<sst>" + parts.shared_texts + "</sst>");
  members.emplace_back("xl/styles" + parts.name + ".xml",
                       "<styleSheet><numFmts>" + parts.formats +
                           "</numFmts><cellStyleXfs><xf numFmtId=\"14\"/></cellStyleXfs><cellXfs>" +
                           parts.styles + "</cellXfs></styleSheet>");
  if (!parts.name.empty()) {
    members.emplace_back("_rels/.rels",
                         "<a><Relationship Type=\"x/officeDocument\" Target=\"xl/workbook" +
                             parts.name + ".xml\"/></a>");
  }
  return Zip(members, deflated);
}

}  // namespace slm
