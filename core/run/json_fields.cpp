#include "core/run/json_fields.h"

#include <cmath>
#include <limits>

namespace earwright::run {

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

JsonWriter::Json JsonWriter::toJson(const std::map<std::string, double>& values)
{
    Json object = Json::object();
    for (const auto& [name, value] : values)
        object[name] = toJson(value);
    return object;
}

Result<JsonReader> JsonReader::parse(const std::string& text)
{
    JsonReader reader;
    reader.m_object = Json::parse(text, nullptr, false);
    if (!reader.m_object.is_object())
        return Error { "not a JSON object: '" + text.substr(0, 80) + "'" };
    return reader;
}

Status JsonReader::status() const
{
    if (!m_error.empty())
        return Error { m_error };
    return Done {};
}

bool JsonReader::read(const Json& json, int64_t& value)
{
    if (!json.is_number_integer())
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

bool JsonReader::read(const Json& json, std::vector<std::string>& value)
{
    if (!json.is_array())
        return false;
    value.assign(json.size(), {});
    for (size_t i = 0; i < json.size(); ++i) {
        if (!read(json[i], value[i]))
            return false;
    }
    return true;
}

bool JsonReader::read(const Json& json, std::map<std::string, double>& value)
{
    if (!json.is_object())
        return false;
    value.clear();
    for (const auto& [name, member] : json.items()) {
        if (!read(member, value[name]))
            return false;
    }
    return true;
}

} // namespace earwright::run
