#pragma once

#include "app/cli/arguments.h"
#include "core/base/number.h"
#include "core/base/text.h"

#include <cstdint>
#include <optional>
#include <string>

namespace earwright::cli {

/// The evaluation that a command line names, as run::findEvaluation() takes it.
struct SplitChoice {
    std::string split {};
    std::optional<int64_t> epoch {};
};

/// By --split, and by --epoch, which without --split is a validation's.
inline Result<SplitChoice> splitChoice(const Arguments& arguments)
{
    SplitChoice choice { .split = arguments.option("--split").value_or("") };
    const std::optional<std::string> epoch = arguments.option("--epoch");
    if (!epoch)
        return choice;
    choice.epoch = parseNumber<int64_t>(*epoch);
    if (!choice.epoch || *choice.epoch < 0)
        return Error { "--epoch is the number of an epoch, not " + inQuotes(*epoch) };
    if (choice.split.empty())
        choice.split = "valid";
    return choice;
}

} // namespace earwright::cli
