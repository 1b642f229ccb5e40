#pragma once

// The one description of every request (slm/requests.h), and what it takes to fill one from JSON.
//
// Fields stand in the order in which help and documentation show them. What is wrong with several
// fields together is checked here too, so that all complaints come at once, before the work starts.

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/options.h"
#include "slm/requests.h"

namespace slm {

// Headings of the fields.
inline constexpr std::string_view kWhatGroup = "What to choose";
inline constexpr std::string_view kRowsGroup = "Rows and columns";
inline constexpr std::string_view kRunGroup = "Run and output";

// Adds every field, bound to the request, which must outlive the list.
void Describe(SelectRequest* request, OptionList* list);
void Describe(CompareRequest* request, OptionList* list);
void Describe(TuneRequest* request, OptionList* list);
void Describe(PathRequest* request, OptionList* list);
void Describe(StabilityRequest* request, OptionList* list);
void Describe(PredictRequest* request, OptionList* list);
void Describe(ApplyRequest* request, OptionList* list);

// What is wrong with the request but for single fields; fields are marked (FieldRef).
std::vector<std::string> Complaints(const SelectRequest& request);
std::vector<std::string> Complaints(const CompareRequest& request);
std::vector<std::string> Complaints(const TuneRequest& request);
std::vector<std::string> Complaints(const PathRequest& request);
std::vector<std::string> Complaints(const StabilityRequest& request);
inline std::vector<std::string> Complaints(const ModelRequest&) { return {}; }

// The request that an object of fields describes. Throws one UsageError with every complaint.
template <class Request>
void FillRequest(const Json& object, Request* request) {
  OptionList list;
  Describe(request, &list);
  std::vector<std::string> complaints = list.FromJson(object);
  if (complaints.empty()) complaints = Complaints(*request);
  ThrowComplaints(complaints);
}

// The way back.
template <class Request>
Json RequestToJson(Request request) {
  OptionList list;
  Describe(&request, &list);
  return list.ToJson();
}

// The fields of a command by its name, with their defaults. Throws a UsageError for a command
// without a request.
OptionList FieldsOf(std::string_view command);

// Throws one UsageError with every field whose value is not allowed and every complaint; for
// requests that were filled in C++.
template <class Request>
void ValidateRequest(const Request& request) {
  Request copy = request;
  OptionList list;
  Describe(&copy, &list);
  std::vector<std::string> complaints;
  for (const OptionField& field : list.fields()) {
    if (!field.FromJson(field.ToJson())) complaints.push_back(CannotBe(field, field.get()));
  }
  if (complaints.empty()) complaints = Complaints(request);
  ThrowComplaints(complaints);
}

}  // namespace slm
