#include "core/data/fine_tuning.h"

#include "core/base/file.h"
#include "core/base/names.h"
#include "core/base/text.h"
#include "core/data/fine_tuning_template.h"
#include "core/data/hub_vocabulary.h"
#include "core/data/manifest.h"
#include "core/data/prepare/own_list.h"
#include "core/data/prepare/parts.h"
#include "core/data/prepare/report_file.h"
#include "core/data/text_encoder.h"
#include "core/data/whisper_tokens.h"
#include "core/recipe/parse.h"
#include "core/recipe/resolve.h"
#include "core/settings/hub_model.h"
#include "core/settings/hub_source.h"

#include <map>

namespace earwright::data {

namespace {

namespace fs = std::filesystem;

struct EncoderClass {
    const char* type; ///< model_type of config.json
    const char* name;
    bool hasConvolutions = true;
};

/// data2vec has no class of its own upstream.
constexpr EncoderClass kEncoderClasses[] = {
    { "wav2vec2", "wav2vec2.Wav2Vec2" },
    { "hubert", "hubert.HuBERT" },
    { "wavlm", "wavlm.WavLM" },
    { "data2vec-audio", "wav2vec2.Wav2Vec2" },
    { "wav2vec2-bert", "w2v_bert.W2VBert", false },
};

constexpr const char* kWhisperModel = "whisper";

/// The manifests that the recipe names.
struct DataSets {
    fs::path folder;
    std::string valid = "dev.csv";
    bool hasTest = false;
};

struct LabelChoice {
    std::string from; ///< as the recipe says it
    std::string keys; ///< of the recipe
    int64_t count = 0;
    int64_t blank = 0;
};

Result<const EncoderClass*> encoderClassOf(const std::string& type, const std::string& source)
{
    Names known { kWhisperModel };
    for (const EncoderClass& one : kEncoderClasses) {
        if (type == one.type)
            return &one;
        known.emplace_back(one.type);
    }
    return Error { "the model_type of " + inQuotes(source) + " is " + inQuotes(type)
        + "; a recipe is written for " + join(known, ", ") };
}

/// "words.yaml" -> "words-data"
fs::path besideRecipe(const fs::path& recipe, const char* ending)
{
    return fs::absolute(recipe).lexically_normal().replace_extension() += ending;
}

Result<DataSets> tunedSetsIn(const fs::path& folder)
{
    DataSets sets { .folder = fs::absolute(folder).lexically_normal() };
    if (!isFile(folder / sets.valid))
        sets.valid = "valid.csv";
    if (!isFile(folder / "train.csv") || !isFile(folder / sets.valid))
        return Error { inQuotes(folder.string())
            + " needs the manifests train.csv and dev.csv (or valid.csv), as 'earwright prepare' "
              "writes them; or name a list of your recordings, a CSV with the columns wav and "
              "text" };
    sets.hasTest = isFile(folder / "test.csv");
    return sets;
}

/// Divides a list into manifests.
Result<DataSets> tunedSetsOf(
    const FineTuning& asked, bool keepsText, const GoOn& goOn, FineTuningFiles& written)
{
    const fs::path folder = besideRecipe(asked.recipe, "-data");
    if (const Status free
        = checkFolder(folder, { "train", "dev", "test" }, "choose another name for the recipe");
        !free)
        return free.error();
    const Result<Corpus> corpus = readOwnList(
        { .file = asked.data, .outFolder = folder, .normalizeText = !keepsText }, goOn);
    if (!corpus)
        return corpus.error();
    const Result<PrepareReport> report = writeParts(*corpus, folder);
    if (!report)
        return report.error();
    for (const PrepareReport::Split& split : report->splits)
        written.files.push_back(split.file);
    written.notes.push_back(report->text());
    return tunedSetsIn(folder);
}

Result<std::vector<std::string>> tunedTexts(const DataSets& sets, const std::string& manifest)
{
    std::vector<std::string> texts;
    const Status read = eachUtterance(sets.folder / manifest, sets.folder.string(),
        [&](Utterance utterance) { texts.push_back(std::move(utterance.text)); });
    if (!read)
        return read.error();
    return texts;
}

LabelChoice labelsOfTexts(const std::vector<std::string>& texts)
{
    const settings::SpecialLabels special { .blank = 0, .addUnk = true };
    return { .from = "the characters of the training texts, one for all others, and the blank",
        .keys = "add_unk: True",
        .count = TextEncoder::fromTexts(texts, special).size() };
}

/// A label for what is unknown may stand for letters that a model is only judged by.
Status haveLabels(const HubVocabulary& vocabulary, const std::vector<std::string>& trainingTexts,
    const DataSets& sets, const std::string& source)
{
    std::set<std::string> lacking = vocabulary.lacking(trainingTexts);
    Names others;
    if (!vocabulary.hasUnknown())
        others = sets.hasTest ? Names { sets.valid, "test.csv" } : Names { sets.valid };
    for (const std::string& manifest : others) {
        const Result<std::vector<std::string>> texts = tunedTexts(sets, manifest);
        if (!texts)
            return texts.error();
        lacking.merge(vocabulary.lacking(*texts));
    }
    Names letters;
    for (const std::string& letter : lacking)
        letters.push_back(inQuotes(letter));
    if (!letters.empty())
        return Error { "vocab.json of " + inQuotes(source) + " has no label for these letters of "
            + (others.empty() ? "the training texts: " : "the texts: ") + listFirst(letters, 10)
            + "; write the texts in its letters (of a list with --keep-text), or make labels of "
              "the texts (--vocab replace)" };
    return Done {};
}

/// Writes them for the recipe.
Result<LabelChoice> labelsOfModel(const fs::path& model, const std::vector<std::string>& texts,
    const DataSets& sets, const FineTuning& asked, FineTuningFiles& written)
{
    const Result<HubVocabulary> vocabulary = readHubVocabulary(model);
    if (!vocabulary)
        return vocabulary.error();
    if (const Status right = haveLabels(*vocabulary, texts, sets, asked.source); !right)
        return right.error();
    const fs::path file = besideRecipe(asked.recipe, "-labels.txt");
    if (const Status saved = writeFileAtomically(file, vocabulary->labelFile()); !saved)
        return saved.error();
    written.files.push_back(file);
    return LabelChoice { .from = "those of the model's vocab.json",
        .keys = "label_encoder_file: " + recipe::emitYaml(*recipe::makeScalar(file.string())),
        .count = std::ssize(vocabulary->labels),
        .blank = vocabulary->blank };
}

std::string scalarText(const std::string& value)
{
    return std::string(trim(recipe::emitYaml(*recipe::makeScalar(value))));
}

using Values = std::map<std::string, std::string>;

/// The template with each {{name}} filled in.
std::string filledIn(std::string_view form, const Values& values)
{
    std::string text;
    while (true) {
        const size_t begin = form.find("{{");
        const size_t end = form.find("}}", begin);
        text += form.substr(0, begin);
        if (end == form.npos)
            return text;
        text += values.at(std::string(form.substr(begin + 2, end - begin - 2)));
        form.remove_prefix(end + 2);
    }
}

/// Those that every template has.
Values commonValues(const FineTuning& asked, const settings::HubModel& model, const DataSets& sets)
{
    const bool isFolderPath = isFolder(asked.source);
    const std::string source
        = isFolderPath ? fs::absolute(asked.source).lexically_normal().string() : asked.source;
    return { { "data_folder", scalarText(sets.folder.string()) },
        { "valid_csv", "!ref <data_folder>/" + sets.valid },
        { "test_csv",
            sets.hasTest ? "test_csv: !ref <data_folder>/test.csv"
                         : "# Without a key test_csv nothing is tested at the end." },
        { "source", scalarText(source) }, { "sample_rate", std::to_string(model.sampleRateHz) } };
}

/// The recipe of an encoder that learns by CTC.
Result<std::string> ctcRecipe(const FineTuning& asked, const fs::path& folder,
    const EncoderClass& encoder, const settings::HubModel& model, const DataSets& sets,
    FineTuningFiles& written)
{
    const Result<std::vector<std::string>> texts = tunedTexts(sets, "train.csv");
    if (!texts)
        return texts.error();
    const Result<LabelChoice> labels = asked.keepsVocabulary.value_or(false)
        ? labelsOfModel(folder, *texts, sets, asked, written)
        : labelsOfTexts(*texts);
    if (!labels)
        return labels.error();
    written.notes.push_back("labels: " + std::to_string(labels->count) + ", " + labels->from);
    Values values = commonValues(asked, model, sets);
    values.insert({ { "class",
                        std::string("speechbrain.integrations.huggingface.") + encoder.name },
        { "width", std::to_string(model.width) },
        { "freeze_convolutions", encoder.hasConvolutions ? "True" : "False # it has none" },
        { "labels_are", labels->from }, { "label_keys", std::string(trim(labels->keys)) },
        { "labels", std::to_string(labels->count) }, { "blank", std::to_string(labels->blank) } });
    return filledIn(ctcTemplate(), values);
}

/// The code of the language that a Whisper is trained on.
Result<std::string> tunedLanguage(
    const FineTuning& asked, const fs::path& folder, const settings::HubModel& model)
{
    if (const Result<BytePairs> pairs = readWhisperPairs(folder); !pairs)
        return pairs.error();
    const bool isMultilingual = settings::isMultilingualWhisper(model.vocabulary);
    if (asked.language.empty() && isMultilingual)
        return Error { inQuotes(asked.source)
            + " knows many languages: name that of the texts, such as --language german" };
    const Result<std::string> language
        = whisperLanguage(asked.language.empty() ? "en" : asked.language);
    if (language && *language != "en" && !isMultilingual)
        return Error { inQuotes(asked.source) + " knows English alone, not "
            + inQuotes(asked.language) + ": take a model whose name does not end in .en" };
    return language;
}

Result<std::string> whisperRecipe(const FineTuning& asked, const std::string& language,
    const settings::HubModel& model, const DataSets& sets)
{
    Values values = commonValues(asked, model, sets);
    values.insert({ { "language", language },
        { "normalized",
            language == "en"
                ? "# Texts are learnt as they are written, and scored without capitals and "
                  "punctuation; True learns them so too.\nnormalized_transcripts: False"
                : "# Texts are learnt and scored as they are written." } });
    return filledIn(whisperTemplate(), values);
}

} // namespace

Result<FineTuningFiles> writeFineTuning(const FineTuning& asked, const GoOn& goOn)
{
    std::error_code problem;
    if (fs::exists(asked.recipe, problem))
        return Error { inQuotes(asked.recipe.string())
            + " is there already: choose another name, or move it away" };
    const Result<fs::path> folder = settings::findHubFolder(asked.source, {});
    if (!folder)
        return folder.error();
    if (const Status right = settings::checkNoRun(*folder); !right)
        return right.error();
    const Result<settings::HubModel> model = settings::readHubModel(*folder);
    if (!model)
        return model.error();
    const bool isWhisper = model->type == kWhisperModel;
    if (!isWhisper && !asked.language.empty())
        return Error { "a language is for Whisper, and " + inQuotes(asked.source) + " is "
            + inQuotes(model->type) + ": leave it out" };
    if (isWhisper && asked.keepsVocabulary.has_value())
        return Error { "Whisper always keeps its tokenizer: leave --vocab out" };
    const Result<const EncoderClass*> encoder = isWhisper
        ? Result<const EncoderClass*>(nullptr)
        : encoderClassOf(model->type, asked.source);
    if (!encoder)
        return encoder.error();
    const Result<std::string> language
        = isWhisper ? tunedLanguage(asked, *folder, *model) : Result<std::string>("");
    if (!language)
        return language.error();
    FineTuningFiles written { .files = { asked.recipe } };
    const Result<DataSets> sets = isFolder(asked.data)
        ? tunedSetsIn(asked.data)
        : tunedSetsOf(asked, asked.keepsText || isWhisper, goOn, written);
    if (!sets)
        return sets.error();
    const Result<std::string> text = isWhisper
        ? whisperRecipe(asked, *language, *model, *sets)
        : ctcRecipe(asked, *folder, **encoder, *model, *sets, written);
    if (!text)
        return text.error();
    fs::create_directories(fs::absolute(asked.recipe).parent_path(), problem);
    if (const Status saved = writeFileAtomically(asked.recipe, *text); !saved)
        return saved.error();
    return written;
}

} // namespace earwright::data
