#include "app/cli/outputs.h"

#include "core/base/link_target.h"
#include "core/base/text.h"

#include <algorithm>

namespace earwright::cli {

namespace {

namespace fs = std::filesystem;

/// Without links as far as it is there; "" where that cannot be known.
fs::path resolved(const fs::path& file)
{
    std::error_code problem;
    return fs::weakly_canonical(fs::absolute(file, problem), problem);
}

bool areOne(const fs::path& one, const fs::path& other)
{
    std::error_code notThere;
    return fs::equivalent(one, other, notThere)
        || (!resolved(one).empty() && resolved(one) == resolved(other));
}

bool liesIn(const fs::path& file, const fs::path& folder)
{
    std::error_code notThere;
    for (fs::path above = file.parent_path(); above != above.parent_path();
         above = above.parent_path()) {
        if (fs::equivalent(above, folder, notThere))
            return true;
    }
    return false;
}

} // namespace

Status sparesInputs(const Output& output, const std::vector<std::string>& inputs)
{
    std::error_code notThere;
    if (!fs::exists(output.file, notThere))
        return Done {}; // spares the look at thousands of sounds
    const auto input = std::find_if(inputs.begin(), inputs.end(),
        [&](const std::string& read) { return fs::equivalent(read, output.file, notThere); });
    if (input == inputs.end())
        return Done {};
    return Error { output.name + " is " + inQuotes(*input)
        + ", which is to be read: name another file" };
}

Status becomesFile(const Output& output)
{
    if (!isNode(output.file))
        return Done {};
    return Error { output.name + " is " + inQuotes(output.file.string())
        + ", a pipe or a device: name a file" };
}

Status areApart(const std::vector<Output>& outputs)
{
    for (auto output = outputs.begin(); output != outputs.end(); ++output) {
        const auto same = std::find_if(outputs.begin(), output,
            [&](const Output& former) { return areOne(former.file, output->file); });
        if (same != output)
            return Error { output->name + " and " + same->name + " are one file, "
                + inQuotes(output->file.string()) + ": name two" };
    }
    return Done {};
}

/// Of folders in it that are links elsewhere too: the name as given counts and the file's own.
Status sparesRun(const fs::path& output, const run::RunFolder& run)
{
    std::error_code notThere;
    const fs::path given = fs::absolute(output, notThere).lexically_normal();
    if (!fs::exists(output, notThere)
        || (!liesIn(given, run.path) && !liesIn(resolved(output), run.path)))
        return Done {};
    return Error { inQuotes(output.string())
        + " is there already, in the folder of the run that is read: name a new file" };
}

} // namespace earwright::cli
