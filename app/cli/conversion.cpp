#include "app/cli/conversion.h"

#include "core/adapter/command_keys.h"
#include "core/adapter/convert.h"
#include "core/adapter/model_folder.h"
#include "core/base/file.h"
#include "core/base/names.h"
#include "core/base/text.h"
#include "core/check/accepted_keys.h"
#include "core/check/foreign.h"
#include "core/data/sentence_piece.h"
#include "core/data/token_list.h"
#include "core/recipe/parse.h"

#include <algorithm>
#include <filesystem>
#include <optional>

namespace earwright::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* kConfiguration = "config.yaml";
constexpr const char* kRunDir = "--run-dir";

/// Of a token list, or of a SentencePiece model.
Result<int64_t> countTokens(const std::string& file)
{
    if (fs::path(file).extension() == ".model") {
        const Result<std::string> bytes = readFile(file);
        if (!bytes)
            return bytes.error();
        const Result<data::SentencePiece> model = data::SentencePiece::parse(*bytes);
        return model ? Result<int64_t>(std::ssize(model->pieces())) : model.error();
    }
    const Result<data::Vocabulary> list = data::readTokenList(file);
    return list ? Result<int64_t>(list->size()) : list.error();
}

/// As the check resolves a configuration: what reads a section says what it does not read.
recipe::Resolved resolvedOf(const check::Request& request)
{
    recipe::ResolveOptions options = check::resolveOptions();
    options.acceptedKeys = {};
    const Names& more = adapter::commandKeys();
    options.addableKeys.insert(options.addableKeys.end(), more.begin(), more.end());
    return recipe::resolve(request.text, request.fileName, request.overrides, options);
}

/// Takes `++key=value` out of the overrides, also with "--" or without a mark; the last one counts.
std::optional<std::string> takeOverride(Arguments& arguments, const std::string& key)
{
    std::optional<std::string> value;
    std::erase_if(arguments.overrides, [&](const std::string& word) {
        const size_t begin = word.starts_with("++") || word.starts_with("--") ? 2 : 0;
        const bool isIt = word.compare(begin, key.size() + 1, key + "=") == 0;
        if (isIt)
            value = word.substr(begin + key.size() + 1);
        return isIt;
    });
    return value;
}

/// Takes out of the request the overrides of what neither the configuration nor FunASR's command
/// lines have: keys of the recipe, which it has not become yet.
std::vector<recipe::Override> takeOthers(check::Request& request)
{
    const recipe::NodePtr root = recipe::parse(request.text, request.fileName).root;
    const auto isOfConfiguration = [&](const recipe::Override& override) {
        const std::string& name = override.path.front();
        return override.origin != recipe::Origin::Option
            && ((root && recipe::find(*root, name)) || contains(adapter::commandKeys(), name));
    };
    const auto others = std::stable_partition(
        request.overrides.begin(), request.overrides.end(), isOfConfiguration);
    std::vector<recipe::Override> taken(others, request.overrides.end());
    request.overrides.erase(others, request.overrides.end());
    return taken;
}

Error notHere(const std::string& model)
{
    return Error { isFolder(model)
            ? inQuotes(model) + " has no config.yaml, so it is no model's folder"
            : inQuotes(model)
                + " is no folder, and no model is downloaded: get it first ('modelscope download "
                  "--model "
                + model + " --local_dir FOLDER'), then write ++model=FOLDER" };
}

/// The first of the words may be a key where keys stand behind the recipe.
bool namesRecipe(const Arguments& arguments, const Accepted& accepted)
{
    if (arguments.positional.empty())
        return false;
    std::error_code problem;
    return !accepted.takesKeys || fs::exists(arguments.positional.front(), problem);
}

recipe::Diagnostic noConfiguration(const std::string& fileName)
{
    return { recipe::Severity::Error, "not-converted",
        inQuotes(fileName)
            + " is no configuration of FunASR, WeNet or ESPnet; a recipe is not converted: name "
              "its file itself",
        { fileName, {}, {} }, std::nullopt, {} };
}

} // namespace

Conversion convertConfiguration(const check::Request& request, int64_t numRanks)
{
    recipe::Resolved configuration = resolvedOf(request);
    Conversion made { .text = "", .diagnostics = configuration.diagnostics };
    if (recipe::hasErrors(made.diagnostics))
        return made;
    const auto toolkit
        = configuration.root ? adapter::toolkitOf(*configuration.root) : std::nullopt;
    if (!toolkit) {
        made.diagnostics.push_back(noConfiguration(request.fileName));
        return made;
    }
    adapter::Adapted whole { configuration.root, {} };
    if (toolkit == adapter::Toolkit::FunAsr)
        whole = adapter::withModelFiles(configuration.root, request.fileName);
    adapter::Converted converted = adapter::convert(whole.root, *toolkit, request.fileName,
        { .countTokens = countTokens, .numRanks = numRanks });
    made.text = std::move(converted.text);
    for (const auto& said : { whole.diagnostics, converted.diagnostics })
        made.diagnostics.insert(made.diagnostics.end(), said.begin(), said.end());
    return made;
}

bool isModelFolder(const std::string& path)
{
    return isFolder(path) && isFile(fs::path(path) / kConfiguration);
}

std::string configurationOf(const std::string& path)
{
    return isModelFolder(path) ? (fs::path(path) / kConfiguration).string() : path;
}

Status takeModel(Arguments& arguments, const Accepted& accepted)
{
    if (!namesRecipe(arguments, accepted)) {
        const auto model = takeOverride(arguments, "model");
        if (!model)
            return Done {};
        if (!isModelFolder(*model))
            return notHere(*model);
        arguments.positional.insert(arguments.positional.begin(), *model);
    }
    if (!contains(accepted.options, kRunDir) || !isModelFolder(arguments.positional.front()))
        return Done {};
    const auto folder = takeOverride(arguments, "output_dir");
    if (folder && !arguments.options.try_emplace(kRunDir, *folder).second)
        return Error { std::string("give ") + kRunDir + " or ++output_dir, not both" };
    return Done {};
}

std::vector<recipe::Diagnostic> becomeRecipe(check::Request& request, const check::Machine& machine)
{
    const auto devices = check::parseDevices(request.devices, machine);
    const int64_t numRanks = devices ? std::max<int64_t>(1, std::ssize(*devices)) : 1;
    std::vector<recipe::Override> ofRecipe = takeOthers(request);
    Conversion made = convertConfiguration(request, numRanks);
    request.text = std::move(made.text);
    request.fileName = (fs::path(request.fileName).parent_path() / "recipe.yaml").string();
    request.overrides = std::move(ofRecipe);
    return std::move(made.diagnostics);
}

} // namespace earwright::cli
