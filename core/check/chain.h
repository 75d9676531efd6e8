#pragma once

#include "core/check/check.h"

#include <map>
#include <string>
#include <vector>

namespace earwright::check {

/// One file of a recipe and what overrides it.
struct WrittenFile {
    recipe::NodePtr root; ///< null where the text does not parse
    std::vector<std::string> at {}; ///< where the recipe includes it, {} for the recipe itself
    recipe::NodePtr body {}; ///< of the !include; overrides the file; null for the recipe itself
    const WrittenFile* includedBy = nullptr;
};

/// A node as it is written: in a file, in the body of the !include, or in the override that took
/// its place.
struct Written {
    recipe::NodePtr node; ///< null where nothing is written at the path
    std::string place; ///< "ctc.yaml:31", "--lr=0.1"
    const WrittenFile* file = nullptr; ///< whose keys its references mean
};

/// The recipe as written and its overrides, for who wants to know how a value came to be.
class WrittenRecipe final {
public:
    /// `root` is Findings::written. Keeps the request: it must outlive this.
    WrittenRecipe(const Request& request, recipe::NodePtr root);

    /// Null where the text does not parse.
    const recipe::NodePtr& root() const { return m_recipe.root; }
    /// How the value at the path came to be: "ctc.yaml:31: opt_class.lr: !ref <lr>", then what `lr`
    /// is, and so on, through included files.
    std::vector<std::string> chainOf(const std::string& path) const;

private:
    using Path = std::vector<std::string>;
    using Chain = std::vector<std::string>;

    Written find(const WrittenFile& file, const Path& path) const;
    void follow(const WrittenFile& file, const Path& path, Chain& chain) const;
    void followReferences(
        const Written& written, const std::string& path, const Path& rest, Chain& chain) const;
    const WrittenFile& included(const Written& written, const Path& at) const;

    const Request& m_request;
    WrittenFile m_recipe;
    mutable std::map<Path, WrittenFile> m_included; ///< by where; each file is read once
};

/// One line of a value as a recipe would write it: "0.1", "[1, 2]", "!new:torch.nn.ReLU".
std::string shortText(const recipe::Node& node);

} // namespace earwright::check
