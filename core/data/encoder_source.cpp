#include "core/data/encoder_source.h"

#include "core/base/file.h"
#include "core/catalog/argument_value.h"
#include "core/catalog/read.h"
#include "core/data/recipe_data.h"
#include "core/recipe/value_at.h"
#include "core/settings/hub_source.h"
#include "core/tasks/spec.h"

#include <vector>

namespace earwright::data {
namespace {

constexpr const char* kTrained = "sentencepiece.SentencePieceProcessor";
constexpr const char* kBert = "transformers.BertTokenizer.from_pretrained";
constexpr const char* kModelFile = "tokenizer.model";
constexpr const char* kBytePairFile = "tokenizer.json";

/// The pieces that a decoder begins and ends with, and one for what is not covered, which the blank
/// must not stand for.
void takeSpecialLabels(const settings::SpecialLabels& special, catalog::SentencePieceConfig& config)
{
    const auto own = [&](const std::optional<int64_t>& label) {
        return label && *label != special.blank ? *label : int64_t { -1 };
    };
    config.bosId = own(special.bos);
    config.eosId = special.eos == special.bos ? -1 : own(special.eos);
    if (config.characterCoverage < 1 || special.addUnk)
        config.padId = special.blank;
    while (config.unkId == config.padId || config.unkId == config.bosId
        || config.unkId == config.eosId)
        ++config.unkId;
}

/// As upstream's scripts for Common Voice build it from a recipe without the object.
catalog::SentencePieceConfig configOfKeys(const recipe::Node& root, const std::string& type)
{
    catalog::SentencePieceConfig config;
    config.modelDir = recipe::textAt(root, "save_folder");
    config.modelType = type;
    config.vocabSize = recipe::intAt(root, "output_neurons", 0);
    config.characterCoverage = recipe::doubleAt(root, "character_coverage", 1);
    takeSpecialLabels(tasks::specialLabels(root), config);
    return config;
}

/// "" where there is none.
std::filesystem::path fileBeside(const std::filesystem::path& weights, const char* name)
{
    constexpr int kLevels = 4; // RUN/checkpoints/step-20/model.safetensors
    if (weights.empty())
        return {};
    std::error_code error;
    std::filesystem::path folder = std::filesystem::absolute(weights, error).lexically_normal();
    for (int level = 0; level < kLevels && folder.has_relative_path();
         ++level, folder = folder.parent_path())
        if (isFile(folder / name))
            return folder / name;
    return {};
}

bool isModel(const std::filesystem::path& file)
{
    return file.extension() == ".model";
}

/// In the folder of a model.pt of FunASR's, which may be named itself; "" where there is none.
std::filesystem::path tokenListBeside(const std::filesystem::path& weights)
{
    const bool isItsFolder = isFile(weights / "model.pt");
    if (!isItsFolder && !weights.has_extension())
        return {};
    const std::filesystem::path folder = isItsFolder ? weights : weights.parent_path();
    for (const char* name : { "tokens.json", "tokens.txt" })
        if (isFile(folder / name))
            return folder / name;
    return {};
}

bool isOfBytePairs(const recipe::Node& root)
{
    const tasks::Spec* const task = tasks::of(root);
    return task && task->cutsTextsAsItsModel && settings::whisperModel(root);
}

/// Whatever files there are: a run that has begun is asked too.
bool isOfPieces(const recipe::Node& root)
{
    return trainedTokenizer(root) || piecesOf(root)
        || isModel(recipe::textAt(root, "label_encoder_file"));
}

} // namespace

Result<std::filesystem::path> whisperFolder(const recipe::Node& root)
{
    const recipe::NodePtr whisper = settings::whisperModel(root);
    return settings::findHubFolder(recipe::textAt(*whisper, "source"),
        recipe::textAt(*whisper, "save_path"), settings::HubKind::Whisper);
}

recipe::NodePtr bertTokenizer(const recipe::Node& root)
{
    const recipe::NodePtr tokenizer = recipe::find(root, "tokenizer");
    return tokenizer && catalog::classOf(*tokenizer) == kBert ? tokenizer : nullptr;
}

Result<std::filesystem::path> bertFolder(const recipe::Node& tokenizer)
{
    std::vector<recipe::Diagnostic> reported; // by the check, which comes before
    const auto config = catalog::readConfig<catalog::BertTokenizerConfig>(tokenizer, reported);
    return settings::findHubFolder(config.pretrainedModelNameOrPath, config.cacheDir.value_or(""),
        settings::HubKind::BertTokenizer);
}

recipe::NodePtr trainedTokenizer(const recipe::Node& root)
{
    const recipe::NodePtr tokenizer = recipe::find(root, "tokenizer");
    return tokenizer && catalog::classOf(*tokenizer) == kTrained ? tokenizer : nullptr;
}

std::string pretrainedModel(const recipe::Node& root, const recipe::Node& tokenizer)
{
    std::vector<recipe::Diagnostic> reported;
    const auto config
        = catalog::readConfig<catalog::SentencePieceProcessorConfig>(tokenizer, reported);
    return config.modelFile ? *config.modelFile
                            : recipe::textAt(root, "pretrainer.paths.tokenizer");
}

Result<std::string> readModel(const std::filesystem::path& file)
{
    if (file.empty())
        return Error {
            "tokenizer: no model is named; set its model_file or pretrainer.paths.tokenizer"
        };
    Result<std::string> bytes = readFile(file);
    return bytes ? std::move(bytes)
                 : Error { bytes.error().message + "; the tokenizer's model must be a file here" };
}

std::optional<catalog::SentencePieceConfig> piecesOf(const recipe::Node& root)
{
    const recipe::NodePtr tokenizer = recipe::find(root, "tokenizer");
    if (tokenizer && catalog::classOf(*tokenizer) == kSentencePiece) {
        std::vector<recipe::Diagnostic> reported; // by the check, which comes before
        auto config = catalog::readConfig<catalog::SentencePieceConfig>(*tokenizer, reported);
        const settings::SpecialLabels special = tasks::specialLabels(root);
        if (special.addUnk && config.unkId == special.blank)
            takeSpecialLabels(special, config);
        return config;
    }
    const std::string type = recipe::textAt(root, "token_type");
    const bool isPieces = type == "unigram" || type == "bpe" || type == "char";
    if (!isPieces || recipe::find(root, "label_encoder"))
        return std::nullopt;
    return configOfKeys(root, type);
}

std::filesystem::path trainedModel(
    const catalog::SentencePieceConfig& config, const recipe::Node& root)
{
    const std::filesystem::path file = std::filesystem::path(config.modelDir)
        / (std::to_string(config.vocabSize) + "_" + config.modelType + ".model");
    const bool isThere = !config.modelDir.empty() && isFile(file);
    return isThere ? file : fileBeside(recipe::textAt(root, "init_param"), kModelFile);
}

std::filesystem::path existingLabels(const recipe::Node& root)
{
    const std::string file = recipe::textAt(root, "label_encoder_file");
    std::error_code error;
    if (file.empty()) {
        const std::string weights = recipe::textAt(root, "init_param");
        const std::filesystem::path list = tokenListBeside(weights);
        return list.empty() ? fileBeside(weights, kLabelFile) : list;
    }
    return isModel(file) || std::filesystem::exists(file, error) ? file : "";
}

EncoderSource encoderSource(const recipe::Node& recipe)
{
    if (isOfBytePairs(recipe)) {
        const Result<std::filesystem::path> folder = whisperFolder(recipe);
        const bool isOfParts = folder && !isFile(*folder / kBytePairFile);
        return { .file = !folder ? "" : *folder / (isOfParts ? "vocab.json" : kBytePairFile),
            .isBytePairs = true };
    }
    if (const recipe::NodePtr tokenizer = bertTokenizer(recipe)) {
        const Result<std::filesystem::path> folder = bertFolder(*tokenizer);
        const bool isOfLines = folder && !isFile(*folder / kBytePairFile);
        return { .file = !folder ? "" : *folder / (isOfLines ? "vocab.txt" : kBytePairFile),
            .isWordPieces = true };
    }
    if (const recipe::NodePtr tokenizer = trainedTokenizer(recipe))
        return { pretrainedModel(recipe, *tokenizer), true };
    if (const auto pieces = piecesOf(recipe)) {
        const std::filesystem::path model = trainedModel(*pieces, recipe);
        const std::string weights = recipe::textAt(recipe, "init_param");
        return { model, true, !model.empty() && model == fileBeside(weights, kModelFile) };
    }
    const std::filesystem::path labels = existingLabels(recipe);
    const bool isNamed = !recipe::textAt(recipe, "label_encoder_file").empty();
    return { labels, isModel(labels), !isNamed && !labels.empty() };
}

std::filesystem::path encoderBeside(const std::filesystem::path& weights)
{
    const std::filesystem::path labels = fileBeside(weights, kLabelFile);
    return labels.empty() ? fileBeside(weights, kModelFile) : labels;
}

std::filesystem::path encoderFile(
    const recipe::Node& recipe, const std::filesystem::path& runFolder)
{
    if (isOfBytePairs(recipe) || bertTokenizer(recipe))
        return runFolder / kBytePairFile;
    return runFolder / (isOfPieces(recipe) ? kModelFile : kLabelFile);
}

} // namespace earwright::data
