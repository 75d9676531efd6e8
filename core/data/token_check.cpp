#include "core/data/token_check.h"

#include "core/base/file.h"
#include "core/check/rule_table.h"
#include "core/data/encoder_recipe.h"
#include "core/data/recipe_data.h"
#include "core/data/token_list.h"
#include "core/data/whisper_tokens.h"
#include "core/recipe/value_at.h"
#include "core/settings/text_fix.h"
#include "core/settings/tree.h"
#include "core/tasks/spec.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace earwright::data {
namespace {

using recipe::Diagnostic;
using recipe::Node;
using recipe::NodePtr;
using recipe::Severity;

/// What is compared, of a recipe or of a FunASR configuration.
struct Subject {
    Result<Vocabulary> vocabulary; ///< the error: the file cannot be read
    std::vector<std::string> naming; ///< the paths of what may name the file
    settings::SpecialLabels special;
    std::string section; ///< where the special labels' keys are: "model_conf.", "" for the top
    settings::OutputClasses classes;
    std::filesystem::path ofStart {}; ///< the file, where it is that of the weights to start from
};

const recipe::Entry* entryAt(const Node& root, const std::string& path)
{
    const size_t dot = path.rfind('.');
    if (dot == std::string::npos)
        return settings::findEntry(root, path);
    const NodePtr above = recipe::findPath(root, path.substr(0, dot));
    return above ? settings::findEntry(*above, path.substr(dot + 1)) : nullptr;
}

/// Its folder may not be here, which nobody else says.
Result<Vocabulary> vocabularyOfBert(const Node& tokenizer)
{
    const Result<std::filesystem::path> folder = bertFolder(tokenizer);
    const Result<WordPieces> pieces = folder ? WordPieces::read(*folder) : folder.error();
    return pieces ? pieces->vocabulary()
                  : Result<Vocabulary>(Error { "tokenizer: " + pieces.error().message });
}

Result<Vocabulary> vocabularyOf(const EncoderSource& source)
{
    if (source.isBytePairs) {
        const Result<BytePairs> pairs = readWhisperPairs(source.file.parent_path());
        return pairs ? pairs->vocabulary() : Result<Vocabulary>(pairs.error());
    }
    if (source.isPieces) {
        const Result<std::string> bytes = readModel(source.file);
        if (!bytes)
            return bytes.error();
        const Result<SentencePiece> model = SentencePiece::parse(*bytes);
        return model ? model->vocabulary()
                     : Result<Vocabulary>(Error {
                         "tokenizer '" + source.file.string() + "': " + model.error().message });
    }
    const Result<TextEncoder> encoder = TextEncoder::load(source.file);
    return encoder ? encoder->vocabulary() : Result<Vocabulary>(encoder.error());
}

constexpr const char* kBertName = "tokenizer.pretrained_model_name_or_path";

/// A model that only the user can name, and has not: said elsewhere.
bool isOpen(const Node& root)
{
    const NodePtr named[] = { recipe::findPath(root, "tokenizer.model_file"),
        recipe::findPath(root, kBertName), recipe::findPath(root, "pretrainer.paths.tokenizer") };
    return std::any_of(std::begin(named), std::end(named),
        [](const NodePtr& file) { return file && settings::isOpen(*file); });
}

/// A file that is not there is made by the run or missed by others, but for a trained model; so is
/// Whisper's folder.
std::optional<Subject> ofRecipe(const Node& root)
{
    if (const NodePtr bert = bertTokenizer(root); bert && !isOpen(root))
        return Subject { .vocabulary = vocabularyOfBert(*bert),
            .naming = { kBertName, "tokenizer" },
            .special = tasks::specialLabels(root),
            .section = "",
            .classes = tasks::outputClasses(root) };
    const EncoderSource source = encoderSource(root);
    if (source.isBytePairs ? source.file.empty()
                           : !isFile(source.file) && (!trainedTokenizer(root) || isOpen(root)))
        return std::nullopt;
    const std::vector<std::string> ofPieces { "tokenizer.model_file", "pretrainer.paths.tokenizer",
        "tokenizer", "token_type", "label_encoder_file" };
    const std::vector<std::string> ofWhisper { "whisper.source", "whisper", "modules.whisper" };
    return Subject { .vocabulary = vocabularyOf(source),
        .naming = source.isBytePairs ? ofWhisper
            : source.isPieces        ? ofPieces
                                     : std::vector<std::string> { "label_encoder_file" },
        .special = tasks::specialLabels(root),
        .section = "",
        .classes = tasks::outputClasses(root),
        .ofStart = source.isOfStart ? source.file : "" };
}

/// Its other models share sos and eos, or put them elsewhere.
std::optional<Subject> ofFunAsr(const Node& root)
{
    const std::string file
        = settings::plainText(recipe::findPath(root, "tokenizer_conf.token_list"));
    const std::string model = settings::plainText(recipe::find(root, "model"));
    if (model.find("Paraformer") == std::string::npos || !isFile(file))
        return std::nullopt;
    return Subject { .vocabulary = readTokenList(file),
        .naming = { "tokenizer_conf.token_list" },
        .special = { .blank = recipe::intAt(root, "model_conf.blank_id", 0),
            .bos = recipe::intAt(root, "model_conf.sos", 1),
            .eos = recipe::intAt(root, "model_conf.eos", 2),
            .blankKey = "blank_id",
            .bosKey = "sos",
            .eosKey = "eos" },
        .section = "model_conf.",
        .classes = { "vocab_size", recipe::intAt(root, "vocab_size", 0) } };
}

/// Of one recipe: where its keys are, and what is to be said at them.
class Comparison final {
public:
    Comparison(const Node& root, const std::string& fileName, const Subject& subject)
        : m_root(root)
        , m_fileName(fileName)
        , m_subject(subject)
    {
    }

    std::vector<Diagnostic> run()
    {
        if (!m_subject.vocabulary) {
            report(Severity::Error, "tokenizer-file", m_subject.vocabulary.error().message, {}, {});
            return std::move(m_found);
        }
        for (const LabelConflict& conflict :
            labelConflicts(vocabulary(), m_subject.special, m_subject.classes.count))
            report(conflict.severity, "label-index", conflict.message,
                m_subject.section + conflict.key, conflict.instead);
        if (m_subject.classes.count > 0 && m_subject.classes.count < vocabulary().size())
            reportCount();
        return std::move(m_found);
    }

private:
    /// Labels that come with weights may be those of a model that is not meant: no fix then.
    void reportCount()
    {
        const auto& [path, count] = m_subject.classes;
        const bool isOfStart = !m_subject.ofStart.empty();
        const std::string origin = isOfStart ? " (of '" + m_subject.ofStart.string()
                + "', beside init_param): is that another model? If not, "
                                             : "; ";
        report(Severity::Error, "label-count",
            path + " is " + std::to_string(count) + ", but " + sizeText(vocabulary()) + origin
                + "set it to " + std::to_string(vocabulary().size()) + " or more",
            path, isOfStart ? std::nullopt : std::optional(vocabulary().size()));
    }

    const Vocabulary& vocabulary() const { return *m_subject.vocabulary; }

    /// At the key, and where the recipe has it not at what names the tokenizer.
    const recipe::Entry* placeOf(const std::string& path) const
    {
        const recipe::Entry* entry = path.empty() ? nullptr : entryAt(m_root, path);
        for (const std::string& naming : m_subject.naming)
            entry = entry ? entry : entryAt(m_root, naming);
        return entry;
    }

    void report(Severity severity, const char* rule, const std::string& message,
        const std::string& path, std::optional<int64_t> instead)
    {
        const recipe::Entry* const place = placeOf(path);
        Diagnostic diagnostic { severity, rule, message, {}, {}, {} };
        if (place)
            diagnostic.span = place->key->span;
        // Behind a reference the other users would change too.
        if (instead && entryAt(m_root, path)
            && place->value->span.begin.line == place->key->span.begin.line)
            diagnostic.fix
                = settings::replaceScalar(*place->value, m_fileName, std::to_string(*instead));
        m_found.push_back(std::move(diagnostic));
    }

    const Node& m_root;
    const std::string& m_fileName;
    const Subject& m_subject;
    std::vector<Diagnostic> m_found;
};

} // namespace

std::vector<Diagnostic> checkTokens(const Node& recipe, const std::string& fileName)
{
    // Only a task reads the keys; upstream's scripts write some files when they start.
    const bool hasTask = !settings::plainText(recipe::find(recipe, "task")).empty();
    const std::optional<Subject> subject = hasTask ? ofRecipe(recipe) : ofFunAsr(recipe);
    if (!subject)
        return {};
    std::vector<Diagnostic> found = Comparison(recipe, fileName, *subject).run();
    check::dropDisabledRules(found);
    return found;
}

} // namespace earwright::data
