#include "core/train/weights/starting_recipe.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/data/encoder_recipe.h"
#include "core/settings/option_paths.h"
#include "core/train/weights/capsule.h"

#include <filesystem>

namespace earwright::train {

namespace {

namespace fs = std::filesystem;

constexpr const char* kInitParamKey = "init_param";

/// Of a sequence, or of a text with commas.
std::vector<std::string> pathsOf(const recipe::Node& given)
{
    std::vector<std::string> paths;
    for (const recipe::NodePtr& item : given.items)
        paths.push_back(recipe::asString(*item));
    if (given.kind == recipe::Kind::Sequence)
        return paths;
    const std::string text = recipe::asString(given);
    std::error_code none;
    if (fs::exists(text, none))
        return { text };
    for (const std::string& part : split(text, ','))
        paths.emplace_back(trim(part));
    return paths;
}

/// At the top, where all else looks for it, a key of `train_conf` too.
void setStart(recipe::Node& recipe, const recipe::NodePtr& value)
{
    std::erase_if(recipe.entries,
        [](const recipe::Entry& entry) { return entry.key->text == kInitParamKey; });
    recipe.entries.push_back({ recipe::makeScalar(kInitParamKey), value });
}

} // namespace

/// Of a capsule the folder of its run.
std::string StartingRecipe::unpacked(const std::string& path)
{
    if (!isFile(path))
        return path;
    if (!run::isCapsuleFile(path))
        return withLabels(path);
    auto opened = run::Capsule::open(path);
    if (!opened)
        return path;
    m_capsule = std::make_unique<run::Capsule>(std::move(*opened));
    return m_capsule->run().path.string();
}

/// Of a file of weights that lies beside no labels.
std::string StartingRecipe::withLabels(const std::string& path)
{
    const std::string labels = data::encoderBeside(path).empty() ? labelsOf(fs::path(path)) : "";
    if (labels.empty())
        return path;
    m_labels = std::make_unique<TemporaryFolder>("", "earwright-labels");
    const Status written = writeFileAtomically(m_labels->path() / data::kLabelFile, labels);
    return written ? m_labels->path().string() : path;
}

StartingRecipe::StartingRecipe(const recipe::Node& recipe)
    : m_recipe(recipe::deepCopy(recipe))
{
    const recipe::NodePtr given = settings::findOption(recipe, kInitParamKey);
    if (!given)
        return;
    const std::vector<std::string> paths = pathsOf(*given);
    std::string with = paths.empty() ? "" : paths.front();
    for (auto path = paths.rbegin(); path != paths.rend(); ++path) {
        if (const std::string folder = unpacked(*path); !data::encoderBeside(folder).empty()) {
            m_given = *path;
            m_with = with = folder;
            break;
        }
    }
    const recipe::NodePtr start = recipe::makeScalar(with, given->origin);
    start->span = given->span;
    start->originText = given->originText;
    setStart(*m_recipe, start);
}

std::string StartingRecipe::asGiven(std::string text) const
{
    const size_t at = m_with.empty() ? std::string::npos : text.find(m_with);
    return at == std::string::npos ? text : text.replace(at, m_with.size(), m_given);
}

} // namespace earwright::train
