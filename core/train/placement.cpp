#include "core/train/placement.h"

#include "core/base/sheet_text.h"
#include "core/base/text.h"

#include <set>

namespace earwright::train {

namespace {

using Rows = std::vector<Placement>;

template <class List>
void append(Rows& rows, std::set<const void*>& seen, const Placement& layer, const List& tensors,
    const char* kind)
{
    for (const auto& item : tensors) {
        const torch::Tensor& tensor = item.value();
        if (!tensor.defined() || !seen.insert(tensor.unsafeGetTensorImpl()).second)
            continue;
        Placement row = layer;
        row.name = item.key();
        row.kind = kind;
        if (row.kind == "parameter" && !tensor.requires_grad())
            row.kind = "frozen";
        row.shape = tensor.sizes().vec();
        row.dtype = tensor.scalar_type();
        row.device = tensor.device();
        rows.push_back(std::move(row));
    }
}

std::string whatIsWrong(const Placement& row, c10::Device device)
{
    if (row.kind == "parameter" && !row.isInModules)
        return "is not reachable from 'modules', so it would stay on " + row.device.str()
            + " and not be trained: add '" + row.key + ": !ref <" + row.key + ">' to 'modules'";
    if (row.device != device)
        return "is on " + row.device.str() + ", but this rank computes on " + device.str()
            + ": list '" + row.key + "' under 'modules', which is what is moved";
    if (c10::isFloatingType(row.dtype) && row.dtype != c10::get_default_dtype_as_scalartype())
        return std::string("has dtype ") + c10::toString(row.dtype) + ", but weights stay "
            + c10::toString(c10::get_default_dtype_as_scalartype()) + " under every precision";
    return "";
}

std::string described(const Placement& row)
{
    return (row.place.empty() ? "" : row.place + ": ") + "'" + row.key + "' (" + row.name + ") ";
}

std::string sizesText(const std::vector<int64_t>& shape)
{
    std::vector<std::string> sizes;
    for (const int64_t size : shape)
        sizes.push_back(std::to_string(size));
    return join(sizes, "x");
}

} // namespace

std::vector<Placement> placementsOf(
    const ModuleSet& modules, const std::map<std::string, std::string>& places)
{
    Rows rows;
    std::set<const void*> seen;
    const auto appendLayer = [&](const std::string& key, const model::Layer& layer, bool isIn) {
        const auto place = places.find(key);
        const Placement row { .key = key,
            .place = place == places.end() ? "" : place->second,
            .name = {},
            .kind = {},
            .shape = {},
            .isInModules = isIn };
        append(rows, seen, row, layer.named_parameters(), "parameter");
        append(rows, seen, row, layer.named_buffers(), "buffer");
    };
    for (const auto& [key, layer] : modules.modules())
        appendLayer(key, *layer, true);
    for (const auto& [key, layer] : modules.others())
        appendLayer(key, *layer, false);
    return rows;
}

Status verifyPlacement(const std::vector<Placement>& placements, c10::Device device)
{
    std::string errors;
    std::set<std::string> told;
    for (const Placement& row : placements) {
        const std::string wrong = whatIsWrong(row, device);
        if (!wrong.empty() && told.insert(row.key).second)
            errors += (errors.empty() ? "" : "\n") + described(row) + wrong;
    }
    return errors.empty() ? Status(Done {}) : Status(Error { errors });
}

std::string placementTable(const std::vector<Placement>& placements)
{
    std::string text = "key\tplace\tname\tkind\tshape\tdtype\tdevice\tin_modules\n";
    for (const Placement& row : placements)
        text += join({ sheetText(row.key), sheetText(row.place), sheetText(row.name), row.kind,
                         sizesText(row.shape), c10::toString(row.dtype), row.device.str(),
                         row.isInModules ? "True" : "False" },
                    "\t")
            + "\n";
    return text;
}

} // namespace earwright::train
