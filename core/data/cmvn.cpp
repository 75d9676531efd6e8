#include "core/data/cmvn.h"

#include "core/base/file.h"

#include <sstream>

namespace earwright::data {
namespace {

/// The numbers in brackets after a tag: "<AddShift> 2 2 <LearnRateCoef> 0 [ 1.5 2 ]".
std::vector<float> vectorAfter(const std::string& text, const std::string& tag)
{
    std::vector<float> values;
    const size_t at = text.find(tag);
    const size_t open = at == std::string::npos ? at : text.find('[', at);
    if (open == std::string::npos)
        return values;
    std::istringstream numbers(text.substr(open + 1, text.find(']', open) - open - 1));
    for (float value = 0; numbers >> value;)
        values.push_back(value);
    return values;
}

} // namespace

Result<Cmvn> readCmvn(const std::filesystem::path& file, int64_t features)
{
    const Result<std::string> text = readFile(file);
    if (!text)
        return Error { "cmvn_file: " + text.error().message };
    Cmvn cmvn { vectorAfter(*text, "<AddShift>"), vectorAfter(*text, "<Rescale>") };
    const std::string name = "cmvn_file '" + file.string() + "' ";
    if (cmvn.shifts.empty() || cmvn.shifts.size() != cmvn.scales.size())
        return Error { name + "has " + std::to_string(cmvn.shifts.size())
            + " numbers after <AddShift> and " + std::to_string(cmvn.scales.size())
            + " after <Rescale>: as many of both are needed" };
    if (std::ssize(cmvn.shifts) < features)
        return Error { name + "is for " + std::to_string(cmvn.shifts.size())
            + " features, not for the " + std::to_string(features)
            + " that n_mels and lfr_m give" };
    return cmvn;
}

} // namespace earwright::data
