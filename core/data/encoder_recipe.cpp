#include "core/data/encoder_recipe.h"

#include "core/base/text.h"
#include "core/catalog/argument_value.h"
#include "core/catalog/configs/tokenizer.h"
#include "core/catalog/read.h"
#include "core/data/learnt_texts.h"
#include "core/data/recipe_data.h"
#include "core/data/whisper_tokens.h"
#include "core/recipe/value_at.h"
#include "core/settings/manifest_keys.h"
#include "core/tasks/spec.h"

#include <algorithm>
#include <utility>

namespace earwright::data {
namespace {

constexpr const char* kNormalized = "normalized_transcripts";

Result<MadeEncoder> loadPieces(
    const std::filesystem::path& file, const settings::SpecialLabels& special)
{
    const Result<std::string> bytes = readModel(file);
    if (!bytes)
        return bytes.error();
    Result<SentencePiece> model = SentencePiece::parse(*bytes);
    Result<TextEncoder> encoder
        = model ? TextEncoder::fromPieces(std::move(*model), special) : model.error();
    if (!encoder)
        return Error { "tokenizer '" + file.string() + "': " + encoder.error().message };
    return MadeEncoder { std::move(*encoder), "the tokenizer is '" + file.string() + "'" };
}

/// One whose file may be upstream's.
Result<TextEncoder> loadLabelFile(const std::filesystem::path& file, const recipe::Node& root)
{
    Result<TextEncoder> encoder = TextEncoder::load(file, tasks::specialLabels(root));
    if (encoder && settings::hasWholeLabels(root))
        encoder->cutAtBlanks();
    if (encoder && tasks::specialLabels(root).endsWords)
        encoder->endWords();
    return encoder;
}

/// A label encoder that was made for other special labels would train on the wrong ones.
Status checkLabels(
    const TextEncoder& encoder, const std::filesystem::path& file, const recipe::Node& root)
{
    for (const LabelConflict& conflict : labelConflicts(
             encoder.vocabulary(), tasks::specialLabels(root), tasks::outputClasses(root).count))
        if (conflict.isUnusable)
            return Error { "label encoder '" + file.string() + "': " + conflict.message };
    return Done {};
}

Result<MadeEncoder> loadLabels(const std::filesystem::path& file, const recipe::Node& root)
{
    Result<TextEncoder> encoder = loadLabelFile(file, root);
    if (!encoder)
        return encoder.error();
    if (const Status fits = checkLabels(*encoder, file, root); !fits)
        return fits.error();
    return MadeEncoder { std::move(*encoder), "" };
}

/// Phones and MEDIA's letters are labels with blanks between, as words are.
bool hasWordLabels(const recipe::Node& root)
{
    return recipe::textAt(root, "token_type") == "word" || settings::hasWholeLabels(root);
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
    Result<TextEncoder> encoder = loadLabelFile(file, root);
    if (!encoder)
        return failed(encoder.error().message);
    if (encoder->isOfWords() != hasWordLabels(root))
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

Result<MadeEncoder> trainPieces(const catalog::SentencePieceConfig& config,
    const LearntTexts& learnt, const settings::SpecialLabels& special)
{
    Result<std::string> bytes = SentencePiece::train(learnt.texts, config, learnt.arePart);
    if (!bytes)
        return bytes.error();
    Result<SentencePiece> model = SentencePiece::parse(std::move(*bytes));
    if (!model)
        return model.error();
    Result<TextEncoder> encoder = TextEncoder::fromPieces(std::move(*model), special);
    if (!encoder)
        return encoder.error();
    std::string note = "a tokenizer of " + std::to_string(encoder->size()) + " pieces ("
        + config.modelType + ") was trained on " + std::to_string(learnt.texts.size()) + " texts";
    return MadeEncoder { std::move(*encoder), std::move(note), true, learnt.arePart };
}

Result<MadeEncoder> makePieces(const recipe::Node& root, const catalog::SentencePieceConfig& config,
    const std::vector<std::string>& trainingTexts)
{
    const settings::SpecialLabels special = tasks::specialLabels(root);
    if (const std::filesystem::path file = trainedModel(config, root); !file.empty())
        return loadPieces(file, special);
    Result<std::vector<std::string>> texts = textsToLearn(config, trainingTexts);
    return texts ? trainPieces(config, { std::move(*texts) }, special) : texts.error();
}

/// Upstream's script for Whisper counts word errors of normalised texts where the key is there,
/// and trains on such where it is true.
void normalizeAsTold(const recipe::Node& root, TextEncoder& encoder)
{
    if (recipe::find(root, kNormalized))
        encoder.normalize(recipe::boolAt(root, kNormalized, false));
}

/// Of a `task: whisper`.
Result<MadeEncoder> loadBytePairs(const recipe::Node& root)
{
    const Result<std::filesystem::path> folder = whisperFolder(root);
    if (!folder)
        return folder.error();
    Result<BytePairs> pairs = readWhisperPairs(*folder);
    if (!pairs)
        return pairs.error();
    std::string note = "the tokenizer is that of '" + folder->string() + "'";
    if (recipe::find(root, kNormalized) && pairs->spellings().empty())
        note += std::string("; without its normalizer.json ") + kNormalized
            + " leaves British spellings as they are";
    MadeEncoder made { TextEncoder::fromBytePairs(std::move(*pairs)), std::move(note) };
    normalizeAsTold(root, made.encoder);
    return made;
}

Result<MadeEncoder> loadWordPieces(const recipe::Node& root, const recipe::Node& tokenizer)
{
    const Result<std::filesystem::path> folder = bertFolder(tokenizer);
    if (!folder)
        return Error { "tokenizer: " + folder.error().message };
    Result<WordPieces> pieces = WordPieces::read(*folder);
    Result<TextEncoder> encoder = pieces
        ? TextEncoder::fromWordPieces(std::move(*pieces), tasks::specialLabels(root))
        : pieces.error();
    if (!encoder)
        return Error { "tokenizer: " + encoder.error().message };
    return MadeEncoder { std::move(*encoder),
        "the tokenizer is that of '" + folder->string()
            + "'; texts lose their blanks, and are written without the ## of pieces within words" };
}

/// MEDIA's script adds <unk> when the labels of the training texts are numbered, and needs no
/// output for it where no other text has it.
MadeEncoder wholeLabels(const recipe::Node& root, const std::vector<std::string>& trainingTexts)
{
    const settings::SpecialLabels special = tasks::specialLabels(root);
    MadeEncoder made { TextEncoder::fromPhones(trainingTexts, special), "", true };
    if (settings::trainsOnPhones(root)) {
        made.note = "labels and error rates are of phones: the WER is the phone error rate (PER)";
        return made;
    }
    const int64_t classes = tasks::outputClasses(root).count;
    if (classes == 0 || made.encoder.size() < classes)
        made.encoder.addUnknown();
    made.note = "labels are those of the manifests' column 'char', with blanks between: the WER "
                "counts them, as SpeechBrain's CER of this recipe does";
    return made;
}

/// What the texts are cut into, whatever task reads it.
Result<MadeEncoder> chosenEncoder(
    const recipe::Node& recipe, const std::vector<std::string>& trainingTexts)
{
    if (encoderSource(recipe).isBytePairs)
        return loadBytePairs(recipe);
    if (const recipe::NodePtr tokenizer = bertTokenizer(recipe))
        return loadWordPieces(recipe, *tokenizer);
    if (const recipe::NodePtr tokenizer = trainedTokenizer(recipe))
        return loadPieces(pretrainedModel(recipe, *tokenizer), tasks::specialLabels(recipe));
    if (const auto pieces = piecesOf(recipe))
        return makePieces(recipe, *pieces, trainingTexts);
    const std::string type = recipe::textAt(recipe, "token_type");
    if (!type.empty() && type != "char" && type != "word")
        return Error { "token_type '" + type
            + "' contradicts label_encoder, which has characters or words: take label_encoder out, "
              "or add 'tokenizer: !new:"
            + kSentencePiece + "'" };
    if (const std::filesystem::path file = existingLabels(recipe); !file.empty())
        return recipe::textAt(recipe, "label_encoder_file").empty()
            ? startingLabels(file, recipe, trainingTexts)
            : loadLabels(file, recipe);
    const settings::SpecialLabels special = tasks::specialLabels(recipe);
    if (settings::hasWholeLabels(recipe))
        return wholeLabels(recipe, trainingTexts);
    return MadeEncoder { type == "word" ? TextEncoder::fromWords(trainingTexts, special)
                                        : TextEncoder::fromTexts(trainingTexts, special),
        special.endsWords
            ? "labels are characters, as k2's lexicon spells words; its <eow>, behind "
              "the last word too, is the label ' '"
            : "",
        true };
}

} // namespace

Status checkNoHotword(
    const TextEncoder& encoder, const recipe::Node& root, const std::vector<std::string>& texts)
{
    const recipe::NodePtr node = recipe::find(root, "seaco_id");
    const auto token = node ? recipe::asInt(*node) : std::nullopt;
    const tasks::Spec* task = tasks::of(root);
    if (!token || !task || !task->hotwordSampling)
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

Result<std::optional<MadeEncoder>> makeEncoderToCheck(
    const recipe::Node& recipe, const std::vector<std::string>& trainingTexts, size_t mostBytes)
{
    if (!trainsTokenizer(recipe)) {
        Result<MadeEncoder> made = makeEncoder(recipe, trainingTexts);
        return made ? Result(std::optional(std::move(*made))) : made.error();
    }
    const catalog::SentencePieceConfig config = *piecesOf(recipe);
    const Result<std::vector<std::string>> texts = textsToLearn(config, trainingTexts);
    if (!texts)
        return texts.error();
    const LearntTexts learnt = learntTexts(*texts, mostBytes);
    Result<MadeEncoder> made = trainPieces(config, learnt, tasks::specialLabels(recipe));
    const bool isSample = learnt.arePart && config.characterCoverage < 1;
    if (!made && isSample) // whose rare letters may be others than those of all texts
        return std::optional<MadeEncoder>();
    if (!made)
        return made.error();
    if (learnt.arePart) // all may be cut into other pieces
        return std::optional(std::move(*made));
    if (const Status fits = checkNoHotword(made->encoder, recipe, trainingTexts); !fits)
        return fits.error();
    return std::optional(std::move(*made));
}

bool trainsTokenizer(const recipe::Node& recipe)
{
    const EncoderSource source = encoderSource(recipe);
    return source.isPieces && source.file.empty() && !trainedTokenizer(recipe);
}

Result<std::optional<TextEncoder>> encoderWithoutTraining(
    const recipe::Node& recipe, const std::vector<std::string>& trainingTexts)
{
    const EncoderSource source = encoderSource(recipe);
    if (source.file.empty() && (source.isPieces || trainingTexts.empty()))
        return std::optional<TextEncoder>();
    Result<MadeEncoder> made = chosenEncoder(recipe, trainingTexts);
    if (!made)
        return made.error();
    return std::optional(std::move(made->encoder));
}

Result<TextEncoder> loadEncoder(const recipe::Node& recipe, const std::filesystem::path& runFolder)
{
    Result<TextEncoder> encoder
        = TextEncoder::load(encoderFile(recipe, runFolder), tasks::specialLabels(recipe));
    if (encoder)
        normalizeAsTold(recipe, *encoder);
    return encoder;
}

} // namespace earwright::data
