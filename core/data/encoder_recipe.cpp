#include "core/data/encoder_recipe.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/catalog/argument_value.h"
#include "core/catalog/configs/tokenizer.h"
#include "core/catalog/read.h"
#include "core/data/recipe_data.h"
#include "core/data/text_column.h"

#include <algorithm>
#include <utility>

namespace kymo::data {
namespace {

constexpr const char* kTrained = "sentencepiece.SentencePieceProcessor";
constexpr const char* kSentencePiece = "speechbrain.tokenizers.SentencePiece.SentencePiece";
constexpr const char* kModelFile = "tokenizer.model";

std::string textAt(const recipe::Node& root, const char* key)
{
    const recipe::NodePtr node = recipe::find(root, key);
    return node && !recipe::isNull(*node) ? recipe::asString(*node) : "";
}

/// The pieces that a decoder begins and ends with, and one for what is not covered, which the blank
/// must not stand for.
void takeSpecialLabels(const SpecialLabels& special, catalog::SentencePieceConfig& config)
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
    const recipe::NodePtr size = recipe::find(root, "output_neurons");
    const recipe::NodePtr coverage = recipe::find(root, "character_coverage");
    config.modelDir = textAt(root, "save_folder");
    config.modelType = type;
    config.vocabSize = size ? recipe::asInt(*size).value_or(0) : 0;
    config.characterCoverage = coverage ? recipe::asDouble(*coverage).value_or(1) : 1;
    takeSpecialLabels(specialLabels(root), config);
    return config;
}

/// Of a trained model that the recipe names; "" where it names none.
std::string pretrainedModel(const recipe::Node& root, const recipe::Node& tokenizer)
{
    std::vector<recipe::Diagnostic> reported;
    const auto config
        = catalog::readConfig<catalog::SentencePieceProcessorConfig>(tokenizer, reported);
    const recipe::NodePtr path = recipe::findPath(root, "pretrainer.paths.tokenizer");
    return config.modelFile ? *config.modelFile : path ? recipe::asString(*path) : "";
}

/// The tokenizer's object where it is a trained model.
recipe::NodePtr trainedTokenizer(const recipe::Node& root)
{
    const recipe::NodePtr tokenizer = recipe::find(root, "tokenizer");
    return tokenizer && catalog::classOf(*tokenizer) == kTrained ? tokenizer : nullptr;
}

/// Nothing where the texts are cut into characters or words, or the model is trained.
std::optional<catalog::SentencePieceConfig> piecesOf(const recipe::Node& root)
{
    const recipe::NodePtr tokenizer = recipe::find(root, "tokenizer");
    if (tokenizer && catalog::classOf(*tokenizer) == kSentencePiece) {
        std::vector<recipe::Diagnostic> reported; // by the check, which comes before
        auto config = catalog::readConfig<catalog::SentencePieceConfig>(*tokenizer, reported);
        const SpecialLabels special = specialLabels(root);
        if (special.addUnk && config.unkId == special.blank)
            takeSpecialLabels(special, config);
        return config;
    }
    const std::string type = textAt(root, "token_type");
    const bool isPieces = type == "unigram" || type == "bpe" || type == "char";
    if (!isPieces || recipe::find(root, "label_encoder"))
        return std::nullopt;
    return configOfKeys(root, type);
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
        if (std::filesystem::is_regular_file(folder / name, error))
            return folder / name;
    return {};
}

/// By upstream's name for a trained model, else that of the run that the weights are from; "" where
/// there is neither.
std::filesystem::path trainedModel(
    const catalog::SentencePieceConfig& config, const recipe::Node& root)
{
    const std::filesystem::path file = std::filesystem::path(config.modelDir)
        / (std::to_string(config.vocabSize) + "_" + config.modelType + ".model");
    std::error_code error;
    const bool isThere = !config.modelDir.empty() && std::filesystem::is_regular_file(file, error);
    return isThere ? file : fileBeside(textAt(root, "init_param"), kModelFile);
}

bool isModel(const std::filesystem::path& file)
{
    return file.extension() == ".model";
}

/// In the folder of a model.pt of FunASR's, which may be named itself; "" where there is none.
std::filesystem::path tokenListBeside(const std::filesystem::path& weights)
{
    std::error_code error;
    const bool isFolder = std::filesystem::is_regular_file(weights / "model.pt", error);
    if (!isFolder && !weights.has_extension())
        return {};
    const std::filesystem::path folder = isFolder ? weights : weights.parent_path();
    for (const char* name : { "tokens.json", "tokens.txt" })
        if (std::filesystem::is_regular_file(folder / name, error))
            return folder / name;
    return {};
}

/// The labels that a new run begins with: those of `label_encoder_file` or, where the recipe has
/// no such key, of the run that its weights are from. A model that is named may not exist: no
/// labels of texts may stand for it.
std::filesystem::path existingLabels(const recipe::Node& root)
{
    const std::string file = textAt(root, "label_encoder_file");
    std::error_code error;
    if (file.empty()) {
        const std::string weights = textAt(root, "init_param");
        const std::filesystem::path list = tokenListBeside(weights);
        return list.empty() ? fileBeside(weights, kLabelFile) : list;
    }
    return isModel(file) || std::filesystem::exists(file, error) ? file : "";
}

/// Whatever files there are: a run that has begun is asked too.
bool isOfPieces(const recipe::Node& root)
{
    return trainedTokenizer(root) || piecesOf(root) || isModel(textAt(root, "label_encoder_file"));
}

/// "a p p l e _ i s" as "apple is".
std::string mergeCharacters(const std::string& text)
{
    std::vector<std::string> characters = split(text, ' ');
    std::erase(characters, "");
    return join(split(join(characters, ""), '_'), " ");
}

Result<std::vector<std::string>> textsToLearn(
    const catalog::SentencePieceConfig& config, std::vector<std::string> trainingTexts)
{
    Result<std::vector<std::string>> texts = std::move(trainingTexts);
    std::error_code error;
    if (config.textFile && std::filesystem::exists(*config.textFile, error))
        texts = readLines(*config.textFile);
    else if (config.annotationTrain)
        texts = readTextColumn(*config.annotationTrain, config.annotationRead.value_or("wrd"));
    if (!texts)
        return texts.error();
    // Upstream breaks off after one more than it was told.
    if (config.numSequences && std::ssize(*texts) > *config.numSequences + 1)
        texts->resize(static_cast<size_t>(*config.numSequences) + 1);
    if (config.charFormatInput)
        for (std::string& text : *texts)
            text = mergeCharacters(text);
    return texts;
}

Result<MadeEncoder> loadPieces(const std::filesystem::path& file, const SpecialLabels& special)
{
    const Result<std::string> bytes = readFile(file);
    if (!bytes)
        return Error { bytes.error().message + "; the tokenizer's model must be a file here" };
    Result<SentencePiece> model = SentencePiece::parse(*bytes);
    Result<TextEncoder> encoder
        = model ? TextEncoder::fromPieces(std::move(*model), special) : model.error();
    if (!encoder)
        return Error { "tokenizer '" + file.string() + "': " + encoder.error().message };
    return MadeEncoder { std::move(*encoder), "the tokenizer is '" + file.string() + "'" };
}

/// A label encoder that was made for other special labels would train on the wrong ones.
Status checkLabels(
    const TextEncoder& encoder, const std::filesystem::path& file, const recipe::Node& root)
{
    for (const LabelConflict& conflict :
        labelConflicts(encoder.vocabulary(), specialLabels(root), outputClasses(root).count))
        if (conflict.isUnusable)
            return Error { "label encoder '" + file.string() + "': " + conflict.message };
    return Done {};
}

Result<MadeEncoder> loadLabels(const std::filesystem::path& file, const recipe::Node& root)
{
    Result<TextEncoder> encoder = TextEncoder::load(file, specialLabels(root));
    if (!encoder)
        return encoder.error();
    if (const Status fits = checkLabels(*encoder, file, root); !fits)
        return fits.error();
    return MadeEncoder { std::move(*encoder), "" };
}

/// The labels of the run that the weights are from keep their numbers, for which its layers were
/// trained; those of other texts come behind them. FunASR's list stays as long as its layers: what
/// it has not is its <unk>.
Result<MadeEncoder> startingLabels(const std::filesystem::path& file, const recipe::Node& root,
    const std::vector<std::string>& trainingTexts)
{
    const auto failed = [](const std::string& why) {
        return Error { "init_param: " + why
            + "; with 'label_encoder_file' naming a file that is not there labels are numbered "
              "anew" };
    };
    Result<TextEncoder> encoder = TextEncoder::load(file, specialLabels(root));
    if (!encoder)
        return failed(encoder.error().message);
    if (encoder->isOfWords() != (textAt(root, "token_type") == "word"))
        return failed("the labels of '" + file.string() + "' are "
            + (encoder->isOfWords() ? "words" : "characters") + ", the recipe's are not");
    const int64_t kept = encoder->size();
    if (file.filename() == kLabelFile || !encoder->vocabulary().unknown)
        encoder->addLabels(trainingTexts);
    if (const Status fits = checkLabels(*encoder, file, root); !fits)
        return failed(fits.error().message);
    std::string note
        = "labels have the numbers of '" + file.string() + "', which the weights are from";
    if (encoder->size() > kept)
        note += "; " + std::to_string(encoder->size() - kept) + " of the training texts are new: "
            + join({ encoder->labels().begin() + kept, encoder->labels().end() }, " ");
    return MadeEncoder { std::move(*encoder), std::move(note) };
}

Result<MadeEncoder> makePieces(const recipe::Node& root, const catalog::SentencePieceConfig& config,
    const std::vector<std::string>& trainingTexts)
{
    const SpecialLabels special = specialLabels(root);
    if (const std::filesystem::path file = trainedModel(config, root); !file.empty())
        return loadPieces(file, special);
    const Result<std::vector<std::string>> texts = textsToLearn(config, trainingTexts);
    if (!texts)
        return texts.error();
    Result<std::string> bytes = SentencePiece::train(*texts, config);
    if (!bytes)
        return bytes.error();
    Result<SentencePiece> model = SentencePiece::parse(std::move(*bytes));
    if (!model)
        return model.error();
    Result<TextEncoder> encoder = TextEncoder::fromPieces(std::move(*model), special);
    if (!encoder)
        return encoder.error();
    std::string note = "a tokenizer of " + std::to_string(encoder->size()) + " pieces ("
        + config.modelType + ") was trained on " + std::to_string(texts->size()) + " texts";
    return MadeEncoder { std::move(*encoder), std::move(note), true };
}

/// What the texts are cut into, whatever task reads it.
Result<MadeEncoder> chosenEncoder(
    const recipe::Node& recipe, const std::vector<std::string>& trainingTexts)
{
    if (const recipe::NodePtr tokenizer = trainedTokenizer(recipe)) {
        const std::string file = pretrainedModel(recipe, *tokenizer);
        return file.empty() ? Error { "tokenizer: no model is named; set its model_file or "
                                      "pretrainer.paths.tokenizer" }
                            : loadPieces(file, specialLabels(recipe));
    }
    if (const auto pieces = piecesOf(recipe))
        return makePieces(recipe, *pieces, trainingTexts);
    const std::string type = textAt(recipe, "token_type");
    if (!type.empty() && type != "char" && type != "word")
        return Error { "token_type '" + type
            + "' contradicts label_encoder, which has characters or words: take label_encoder out, "
              "or add 'tokenizer: !new:"
            + kSentencePiece + "'" };
    if (const std::filesystem::path file = existingLabels(recipe); !file.empty())
        return textAt(recipe, "label_encoder_file").empty()
            ? startingLabels(file, recipe, trainingTexts)
            : loadLabels(file, recipe);
    const SpecialLabels special = specialLabels(recipe);
    return MadeEncoder { type == "word" ? TextEncoder::fromWords(trainingTexts, special)
                                        : TextEncoder::fromTexts(trainingTexts, special),
        "", true };
}

} // namespace

Status checkNoHotword(
    const TextEncoder& encoder, const recipe::Node& root, const std::vector<std::string>& texts)
{
    const recipe::NodePtr node = recipe::find(root, "seaco_id");
    const auto token = node ? recipe::asInt(*node) : std::nullopt;
    if (!token || textAt(root, "task") != "seaco_paraformer")
        return Done {};
    for (const std::string& text : texts) {
        const Result<std::vector<int64_t>> tokens = encoder.encode(text);
        if (tokens && std::find(tokens->begin(), tokens->end(), *token) != tokens->end())
            return Error { "seaco_id " + std::to_string(*token) + " is '"
                + encoder.labels()[static_cast<size_t>(*token)] + "' of the training text '" + text
                + "': set it to that of a label which no text has, or to "
                + std::to_string(encoder.size()) + " or more, and vocab_size beyond it" };
    }
    return Done {};
}

EncoderSource encoderSource(const recipe::Node& recipe)
{
    if (const recipe::NodePtr tokenizer = trainedTokenizer(recipe))
        return { pretrainedModel(recipe, *tokenizer), true };
    if (const auto pieces = piecesOf(recipe))
        return { trainedModel(*pieces, recipe), true };
    const std::filesystem::path labels = existingLabels(recipe);
    return { labels, isModel(labels) };
}

Result<MadeEncoder> makeEncoder(
    const recipe::Node& recipe, const std::vector<std::string>& trainingTexts)
{
    Result<MadeEncoder> made = chosenEncoder(recipe, trainingTexts);
    if (!made)
        return made;
    if (const Status fits = checkNoHotword(made->encoder, recipe, trainingTexts); !fits)
        return fits.error();
    return made;
}

std::optional<TextEncoder> encoderWithoutTraining(
    const recipe::Node& recipe, const std::vector<std::string>& trainingTexts)
{
    const EncoderSource source = encoderSource(recipe);
    if (source.file.empty() && (source.isPieces || trainingTexts.empty()))
        return std::nullopt;
    Result<MadeEncoder> made = chosenEncoder(recipe, trainingTexts);
    return made ? std::optional(std::move(made->encoder)) : std::nullopt;
}

std::filesystem::path encoderBeside(const std::filesystem::path& weights)
{
    const std::filesystem::path labels = fileBeside(weights, kLabelFile);
    return labels.empty() ? fileBeside(weights, kModelFile) : labels;
}

std::filesystem::path encoderFile(
    const recipe::Node& recipe, const std::filesystem::path& runFolder)
{
    return runFolder / (isOfPieces(recipe) ? kModelFile : kLabelFile);
}

Result<TextEncoder> loadEncoder(const recipe::Node& recipe, const std::filesystem::path& runFolder)
{
    return TextEncoder::load(encoderFile(recipe, runFolder), specialLabels(recipe));
}

} // namespace kymo::data
