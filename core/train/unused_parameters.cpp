#include "core/train/unused_parameters.h"

#include "core/base/text.h"

#include <set>

namespace kymo::train {

namespace {

using Named = std::vector<std::pair<std::string, torch::Tensor>>;

std::string inBytes(int64_t bytes)
{
    char text[32];
    if (bytes < 10'000)
        std::snprintf(text, sizeof text, "%lld bytes", static_cast<long long>(bytes));
    else
        std::snprintf(text, sizeof text, "%.2f MB", static_cast<double>(bytes) / (1 << 20));
    return text;
}

int64_t bytesOf(const Named& parameters)
{
    int64_t bytes = 0;
    for (const auto& [name, parameter] : parameters)
        bytes += static_cast<int64_t>(parameter.nbytes());
    return bytes;
}

/// The fewest beginnings of names that cover these parameters and none of the others.
std::string coveringNames(const Named& unused, const Named& used)
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

std::string listed(const Named& unused)
{
    std::string text;
    for (const auto& [name, parameter] : unused)
        text += "\n  " + name + " (" + inBytes(static_cast<int64_t>(parameter.nbytes())) + ")";
    return text;
}

} // namespace

std::string reportUnused(const Named& parameters, const std::vector<torch::Tensor>& gradients)
{
    Named unused;
    Named used;
    for (size_t i = 0; i < parameters.size(); ++i)
        (gradients[i].defined() ? used : unused).push_back(parameters[i]);
    if (unused.empty())
        return "";
    const std::string bytes = inBytes(bytesOf(unused));
    return std::to_string(unused.size()) + " of " + std::to_string(parameters.size())
        + " parameters (" + bytes
        + ") get no gradient in a training step, and the ranks would wait for them:"
        + listed(unused) + "\nEither freeze them with freeze_param: " + coveringNames(unused, used)
        + "\n  which costs nothing: no step trains them anyhow, and their gradients (" + bytes
        + ") and optimizer state are saved;\nor set find_unused_parameters: True\n  which is for "
          "parameters "
        + "that other steps do use: every step then searches the whole graph for them and reduces "
        + bytes + " of zeros more.";
}

} // namespace kymo::train
