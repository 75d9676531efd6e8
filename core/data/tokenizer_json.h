#pragma once

#include "core/data/json_members.h"

#include <string>

namespace earwright::data {

/// The member of a run's tokenizer.json that is ours: the content of normalizer.json, by the name
/// that transformers gives it.
inline constexpr const char* kSpellingsMember = "english_spelling_normalizer";
/// The text of a JSON object with that member too.
std::string withSpellings(std::string object, const Json& spellings);

/// Null where there is none, or no object that could have one.
const Json& jsonMember(const Json& object, const char* name);
/// "" of what is no text.
std::string jsonText(const Json& value);
bool isJsonTrue(const Json& value);

} // namespace earwright::data
