#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace earwright::run {

/// Writes the fields it is shown into a JSON object. NaN and Inf, which JSON lacks, become strings.
class JsonWriter final {
public:
    template <class T>
    void operator()(const char* name, const T& value)
    {
        m_object[name] = toJson(value);
    }
    /// Never throws: broken UTF-8 becomes U+FFFD.
    std::string text(int indent = -1) const;

private:
    using Json = nlohmann::ordered_json;
    template <class T>
    static Json toJson(const T& value)
    {
        return value;
    }
    static Json toJson(double value);
    static Json toJson(const std::map<std::string, double>& values);

    Json m_object = Json::object();
};

/// Reads the fields it is shown from a JSON object: a missing one keeps its value, one of another
/// type is an error.
class JsonReader final {
public:
    static Result<JsonReader> parse(const std::string& text);

    template <class T>
    void operator()(const char* name, T& value)
    {
        const auto found = m_object.find(name);
        if (found != m_object.end() && !read(*found, value) && m_error.empty())
            m_error = "member '" + std::string(name) + "' has the wrong type";
    }
    Status status() const;

private:
    using Json = nlohmann::json;
    static bool read(const Json& json, int64_t& value);
    static bool read(const Json& json, double& value);
    static bool read(const Json& json, bool& value);
    static bool read(const Json& json, std::string& value);
    static bool read(const Json& json, std::vector<std::string>& value);
    static bool read(const Json& json, std::map<std::string, double>& value);

    Json m_object;
    std::string m_error;
};

} // namespace earwright::run
