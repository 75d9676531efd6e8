#include "core/base/json_fields.h"

#include "core/base/json_depth.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace earwright {

std::string JsonWriter::text(int indent) const
{
    return m_object.dump(indent, ' ', false, Json::error_handler_t::replace);
}

JsonWriter::Json JsonWriter::toJson(double value)
{
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value > 0 ? "inf" : "-inf";
    return value;
}

JsonWriter::Json JsonWriter::toJson(const std::vector<double>& values)
{
    Json list = Json::array();
    for (const double value : values)
        list.push_back(toJson(value));
    return list;
}

JsonWriter::Json JsonWriter::toJson(const std::map<std::string, double>& values)
{
    Json object = Json::object();
    for (const auto& [name, value] : values)
        object[name] = toJson(value);
    return object;
}

namespace {

/// As in a message: short, and whole characters.
std::string shown(const nlohmann::json& json)
{
    constexpr size_t kMost = 40;
    const std::string text = json.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
    return text.size() > kMost ? text.substr(0, kMost) + "…" : text;
}

/// Whole numbers without a point.
std::string shown(double number)
{
    const bool isWhole = std::abs(number) <= kJsonCount.most && std::floor(number) == number;
    return isWhole ? std::to_string(static_cast<int64_t>(number)) : shown(nlohmann::json(number));
}

} // namespace

JsonReader::JsonReader(std::shared_ptr<const Json> root)
    : m_root(std::move(root))
    , m_object(m_root.get())
    , m_error(std::make_shared<std::string>())
{
}

JsonReader::JsonReader(const JsonReader& outer, const Json& object, std::string path)
    : m_root(outer.m_root)
    , m_object(&object)
    , m_path(std::move(path))
    , m_error(outer.m_error)
{
}

Result<JsonReader> JsonReader::parse(const std::string& text)
{
    auto root = std::make_shared<const Json>(parseShallow<Json>(text));
    if (!root->is_object())
        return Error { "not a JSON object: "
            + inQuotes(text.substr(0, std::min<size_t>(80, text.find_first_of("\r\n")))) };
    return JsonReader(std::move(root));
}

const JsonReader::Json* JsonReader::find(const char* name) const
{
    if (!m_object)
        return nullptr;
    const auto found = m_object->find(name);
    return found == m_object->end() ? nullptr : &*found;
}

bool JsonReader::isNull(const char* name) const
{
    const Json* found = find(name);
    return found && found->is_null();
}

JsonReader JsonReader::object(const char* name)
{
    const Json* found = find(name);
    if (found && !found->is_object())
        addError("member '" + m_path + name + "' is no object");
    JsonReader inner(*this, *m_root, m_path + name + ".");
    inner.m_object = found && found->is_object() ? found : nullptr;
    return inner;
}

std::vector<JsonReader> JsonReader::objects(const char* name)
{
    const Json* found = find(name);
    std::vector<JsonReader> inner;
    if (found && !found->is_array())
        addError("member '" + m_path + name + "' is no list");
    for (size_t i = 0; found && found->is_array() && i < found->size(); ++i) {
        const std::string path = m_path + name + "[" + std::to_string(i) + "]";
        if ((*found)[i].is_object())
            inner.push_back(JsonReader(*this, (*found)[i], path + "."));
        else
            addError("member '" + path + "' is no object");
    }
    return inner;
}

std::vector<std::string> JsonReader::names() const
{
    std::vector<std::string> found;
    if (!m_object)
        return found;
    for (const auto& [name, value] : m_object->items())
        found.push_back(name);
    return found;
}

void JsonReader::addError(const std::string& error)
{
    if (m_error->empty())
        *m_error = error;
}

bool JsonReader::isWithin(const char* name, const Json& json, JsonRange range)
{
    const double number = json.is_number() ? json.get<double>() : std::nan("");
    if (number >= range.least && number <= range.most)
        return true;
    addError("member '" + m_path + name + "' is " + shown(json) + ": it must be from "
        + shown(range.least) + " to " + shown(range.most));
    return false;
}

Status JsonReader::status() const
{
    if (!m_error->empty())
        return Error { *m_error };
    return Done {};
}

bool JsonReader::read(const Json& json, int64_t& value)
{
    // An unsigned number beyond would become negative.
    if (!json.is_number_integer()
        || (json.is_number_unsigned() && json.get<uint64_t>() > uint64_t(INT64_MAX)))
        return false;
    value = json.get<int64_t>();
    return true;
}

bool JsonReader::read(const Json& json, double& value)
{
    if (json == "nan")
        value = std::numeric_limits<double>::quiet_NaN();
    else if (json == "inf" || json == "-inf")
        value = (json == "inf" ? 1 : -1) * std::numeric_limits<double>::infinity();
    else if (json.is_number())
        value = json.get<double>();
    else
        return false;
    return true;
}

bool JsonReader::read(const Json& json, bool& value)
{
    if (!json.is_boolean())
        return false;
    value = json.get<bool>();
    return true;
}

bool JsonReader::read(const Json& json, std::string& value)
{
    if (!json.is_string())
        return false;
    value = json.get<std::string>();
    return true;
}

} // namespace earwright
