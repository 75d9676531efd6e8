#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace earwright::train {

/// Of tensors.
using Names = std::vector<std::string>;

/// A part that one list of names has before those of another: "model" of "model.enc.w" beside
/// "enc.w".
struct LeadingPart {
    std::string part {}; ///< "" where there is none
    size_t count = 0; ///< of the names that match with it
    bool isOfOthers = false; ///< whose names have it

    bool isFound() const { return count > 0; }
};

/// The one that makes most names of the shorter list match. `names` and `others` share none.
LeadingPart leadingPart(const Names& names, const Names& others);

/// What is before a name's first '.', a key of `modules`.
std::string layerOf(const std::string& name);

/// Which of the names of one list are meant by those of another, which shares none with it. What is
/// looked for is bounded: any two lists take a second or two.
class Counterparts final {
public:
    Counterparts(const Names& names, const Names& others);

    /// Whether one of the others is of that layer too.
    bool isOfOthers(const std::string& layer) const { return m_others.contains(layer); }
    /// The others' layer with the most names that `layer` has too: the same under another key. ""
    /// where none shares any, where isOfOthers() or a leading part explains most names, and for all
    /// but the first that are asked for.
    std::string twinOf(const std::string& layer);
    /// The same name with or without the leading part, or that of its layer, or of the layer's
    /// twin, that is like it; "" where there is none. The likest two of two layers find each other
    /// first: another name that is like one of them too has to find another, or none.
    std::string of(const std::string& name);

private:
    using Tails = std::set<std::string>; ///< of a layer's names what follows it
    using Layers = std::map<std::string, Tails>;
    using Pairs = std::map<std::string, std::string>; ///< of tails: one's own, the others'

    static Layers layersOf(const Names& names);
    bool has(const std::string& other) const;
    std::string shifted(const std::string& name) const;
    std::string searchTwin(const Tails& own) const;
    std::optional<size_t> distance(std::string_view one, std::string_view other);
    Pairs pairsOf(const Tails& own, const Tails& others);

    Layers m_names;
    Layers m_others;
    LeadingPart m_leading;
    std::map<std::string, std::string> m_twins; ///< by layer, of those asked for
    std::map<std::string, Pairs> m_pairs; ///< by layer, of those asked for
    size_t m_compared = 0; ///< pairs of letters
};

} // namespace earwright::train
