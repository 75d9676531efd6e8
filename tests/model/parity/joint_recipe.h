#pragma once

#include "tests/model/parity/case.h"

namespace earwright::tests {

constexpr int64_t kBos = 1;
constexpr int64_t kEos = 2;
constexpr double kCtcWeight = 0.3;
constexpr double kLabelSmoothing = 0.1;

/// A mapping whose members may be one object under several keys.
class Recipe final {
public:
    void add(const std::string& key, const recipe::NodePtr& value);
    void addObject(const std::string& key, const std::string& className, const Json& arguments);
    void addFunction(const std::string& key, const std::string& name, const Json& arguments);
    void addModules(const std::vector<std::string>& keys);
    const recipe::Node& root() const { return *m_root; }

private:
    static recipe::NodePtr mapping();
    recipe::NodePtr m_root = mapping();
};

/// `task: ctc_attention` of the layers in a case's constructor, with the losses of the cases.
Recipe jointRecipe(const Json& constructor);

} // namespace earwright::tests
