#pragma once

#include "core/check/check.h"

#include <string>
#include <vector>

namespace kymo::check {

/// A node as it is written: in the recipe, or in the override that took its place.
struct Written {
    recipe::NodePtr node; ///< null where nothing is written at the path
    std::string place; ///< "ctc.yaml:31", "--lr=0.1"
};

/// The recipe's text and overrides, for who wants to know how a value came to be.
class WrittenRecipe final {
public:
    /// Keeps the request: it must outlive this.
    explicit WrittenRecipe(const Request& request);

    /// Null where the text does not parse.
    const recipe::NodePtr& root() const { return m_root; }
    /// How the value at the path came to be: "ctc.yaml:31: opt_class.lr: !ref <lr>", then what `lr`
    /// is, and so on. An included file ends it.
    std::vector<std::string> chainOf(const std::string& path) const;

private:
    Written find(const std::vector<std::string>& path) const;
    void follow(const std::vector<std::string>& path, std::vector<std::string>& chain) const;
    void followReferences(const Written& written, const std::string& path,
        const std::vector<std::string>& rest, std::vector<std::string>& chain) const;

    const Request& m_request;
    recipe::NodePtr m_root;
};

/// One line of a value as a recipe would write it: "0.1", "[1, 2]", "!new:torch.nn.ReLU".
std::string shortText(const recipe::Node& node);

} // namespace kymo::check
