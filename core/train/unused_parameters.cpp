#include "core/train/unused_parameters.h"

#include "core/base/text.h"
#include "core/train/optim/parameter_groups.h"

#include <set>

namespace earwright::train {

namespace {

std::string inBytes(int64_t bytes)
{
    char text[32];
    if (bytes < 10'000)
        std::snprintf(text, sizeof text, "%lld bytes", static_cast<long long>(bytes));
    else
        std::snprintf(text, sizeof text, "%.2f MB", static_cast<double>(bytes) / (1 << 20));
    return text;
}

int64_t bytesOf(const NamedParameters& parameters)
{
    int64_t bytes = 0;
    for (const auto& [name, parameter] : parameters)
        bytes += static_cast<int64_t>(parameter.nbytes());
    return bytes;
}

/// The fewest beginnings of names that cover these parameters and none of the others.
std::string coveringNames(const NamedParameters& unused, const NamedParameters& used)
{
    const auto coversUsed = [&used](const std::string& beginning) {
        return std::any_of(used.begin(), used.end(),
            [&](const auto& item) { return item.first.starts_with(beginning + "."); });
    };
    std::set<std::string> covering;
    for (const auto& [name, parameter] : unused) {
        size_t end = name.find('.');
        while (end != std::string::npos && coversUsed(name.substr(0, end)))
            end = name.find('.', end + 1);
        covering.insert(name.substr(0, end));
    }
    return join({ covering.begin(), covering.end() }, ",");
}

std::string listed(const NamedParameters& unused)
{
    std::string text;
    for (const auto& [name, parameter] : unused)
        text += "\n  " + name + " (" + inBytes(static_cast<int64_t>(parameter.nbytes())) + ")";
    return text;
}

struct ParameterSplit {
    NamedParameters unused;
    NamedParameters used;

    std::string bytes() const { return inBytes(bytesOf(unused)); }
    /// What `consequence` follows upon.
    std::string list(const std::string& consequence) const
    {
        return std::to_string(unused.size()) + " of " + std::to_string(unused.size() + used.size())
            + " parameters (" + bytes() + ") get no gradient in a training step, and " + consequence
            + ":" + listed(unused);
    }
};

ParameterSplit splitBy(
    const NamedParameters& parameters, const std::vector<torch::Tensor>& gradients)
{
    ParameterSplit split;
    for (size_t i = 0; i < parameters.size(); ++i)
        (gradients[i].defined() ? split.used : split.unused).push_back(parameters[i]);
    return split;
}

} // namespace

std::string reportUnused(
    const NamedParameters& parameters, const std::vector<torch::Tensor>& gradients)
{
    const ParameterSplit split = splitBy(parameters, gradients);
    if (split.unused.empty())
        return "";
    return split.list("the ranks would wait for them")
        + "\nEither freeze them with freeze_param: " + coveringNames(split.unused, split.used)
        + "\n  which costs nothing: no step trains them anyhow, and their gradients ("
        + split.bytes()
        + ") and optimizer state are saved;\nor set find_unused_parameters: True\n  which is for "
          "parameters "
        + "that other steps do use: every step then searches the whole graph for them and reduces "
        + split.bytes() + " of zeros more.";
}

std::string mentionUnused(
    const NamedParameters& parameters, const std::vector<torch::Tensor>& gradients)
{
    const ParameterSplit split = splitBy(parameters, gradients);
    if (split.unused.empty())
        return "";
    return split.list("stay as they are where no step uses them")
        + "\nWhere that is meant, freeze_param: " + coveringNames(split.unused, split.used)
        + "\n  saves their gradients (" + split.bytes()
        + "), their optimizer state and the search for them in every step; without it and without "
          "find_unused_parameters: True several ranks would wait for them.";
}

} // namespace earwright::train
