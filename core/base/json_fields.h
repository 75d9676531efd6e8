#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace earwright {

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
    static Json toJson(const std::vector<double>& values);
    static Json toJson(const std::map<std::string, double>& values);

    Json m_object = Json::object();
};

/// What a number of a file or of another process may be.
struct JsonRange {
    double least = std::numeric_limits<double>::lowest();
    double most = std::numeric_limits<double>::max();
};
/// Of what is counted: every whole number below 2^53 is the same as a double.
constexpr JsonRange kJsonCount { 0, 9007199254740991 };

/// Reads the fields it is shown from a JSON object that anyone may have written. A missing one
/// keeps its value. One of another type or range keeps it too and is an error, which names its
/// path. Readers of inner objects share the errors of the outer one. Never throws.
class JsonReader final {
public:
    /// Errors: no JSON, no object, deeper than kMostJsonLevels.
    static Result<JsonReader> parse(const std::string& text);

    template <class T>
    void operator()(const char* name, T& value)
    {
        if (const Json* found = find(name))
            take(name, *found, value);
    }
    /// NaN is in no range.
    template <class Number>
    void operator()(const char* name, Number& value, JsonRange range)
    {
        Number read = value;
        const Json* found = find(name);
        if (found && take(name, *found, read) && isWithin(name, *found, range))
            value = read;
    }
    /// The same of a field that must be there.
    template <class T, class... Range>
    void require(const char* name, T& value, Range... range)
    {
        if (has(name))
            (*this)(name, value, range...);
        else
            addError("'" + m_path + name + "' is missing");
    }
    bool has(const char* name) const { return find(name) != nullptr; }
    bool isNull(const char* name) const;
    /// That of a missing field has no fields.
    JsonReader object(const char* name);
    /// A list's objects.
    std::vector<JsonReader> objects(const char* name);
    /// A field that its reader cannot take, of which `must` says what it must be.
    void refuse(const char* name, const std::string& must)
    {
        addError("member '" + m_path + name + "' must be " + must);
    }
    /// The names of all fields.
    std::vector<std::string> names() const;

    /// The first error of this reader and those that it was made of or made.
    Status status() const;

private:
    using Json = nlohmann::json;
    explicit JsonReader(std::shared_ptr<const Json> root);
    JsonReader(const JsonReader& outer, const Json& object, std::string path);

    const Json* find(const char* name) const;
    void addError(const std::string& error);
    bool isWithin(const char* name, const Json& json, JsonRange range);
    template <class T>
    bool take(const char* name, const Json& json, T& value)
    {
        T read = value;
        if (!JsonReader::read(json, read)) {
            addError("member '" + m_path + name + "' has the wrong type");
            return false;
        }
        value = std::move(read);
        return true;
    }
    static bool read(const Json& json, int64_t& value);
    static bool read(const Json& json, double& value);
    static bool read(const Json& json, bool& value);
    static bool read(const Json& json, std::string& value);
    template <class T>
    static bool read(const Json& json, std::vector<T>& value)
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
    template <class T>
    static bool read(const Json& json, std::map<std::string, T>& value)
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

    std::shared_ptr<const Json> m_root; ///< keeps m_object
    const Json* m_object; ///< null: a missing one
    std::string m_path; ///< "progress.", of an inner object
    std::shared_ptr<std::string> m_error;
};

/// Has `read` look at the text's fields; its first error.
template <class Read>
Status readJson(const std::string& text, Read&& read)
{
    Result<JsonReader> reader = JsonReader::parse(text);
    if (!reader)
        return reader.error();
    read(*reader);
    return reader->status();
}

} // namespace earwright
