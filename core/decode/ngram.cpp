#include "core/decode/ngram.h"

#include "core/base/code_point.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/check/ngram/ngram_file.h"

#include <algorithm>
#include <cmath>
#include <fcntl.h>
#include <lm/enumerate_vocab.hh>
#include <lm/model.hh>
#include <lm/state.hh>
#include <sstream>
#include <unistd.h>

namespace earwright::decode {

static_assert(KENLM_MAX_ORDER == check::kMostNgramOrder);
static_assert(sizeof(lm::ngram::State) <= sizeof(NgramState::bytes));

struct NgramModel::Loaded {
    std::unique_ptr<lm::base::Model> model;
};

/// Is told every word while the model loads.
struct NgramModel::Vocabulary final : lm::EnumerateVocab {
    explicit Vocabulary(NgramModel& to)
        : model(to)
    {
    }
    void Add(lm::WordIndex index, const StringPiece& bytes) override
    {
        if (index == 0) // <unk>
            return;
        const std::string_view word(bytes.data(), bytes.size());
        TextHash prefix;
        size_t letters = 0;
        for (size_t at = 0; at < word.size();) {
            const size_t length = codePointLength(word, at);
            letters += at == 0 || !joinsGrapheme(codeOf(word.substr(at, length))) ? 1 : 0;
            prefix = prefix + TextHash::of(word.substr(at, length));
            model.m_prefixes.insert(prefix.value);
            at += length;
        }
        if (word != "<s>" && word != "</s>" && !word.empty())
            count(word, letters);
        if (prefix.value != 0)
            model.m_words.insert(prefix.value);
    }
    void count(std::string_view word, size_t letters)
    {
        model.m_realWords += 1;
        model.m_characters += letters == 1 ? 1 : 0;
        model.m_beginnings[std::string(word.substr(0, codePointLength(word, 0)))] += 1;
    }
    NgramModel& model;
};

namespace {

/// KenLM's message without the place in its sources, on one line.
std::string reason(const std::exception& error)
{
    std::string text = error.what();
    std::replace(text.begin(), text.end(), '\n', ' ');
    if (const size_t because = text.find("because `"); because != std::string::npos) {
        const size_t end = text.find("'.", because);
        text = end == std::string::npos ? text.substr(because) : text.substr(end + 2);
    } else if (const size_t threw = text.find("threw "); threw != std::string::npos) {
        const size_t end = text.find(". ", threw);
        text = end == std::string::npos ? text : text.substr(end + 2);
    }
    return std::string(trim(text));
}

Error noModel(const std::filesystem::path& path, const std::string& why)
{
    return Error { "'" + path.string()
        + "' is no language model that KenLM reads (ARPA, also as .gz, or its binary form with the "
          "words): "
        + why };
}

} // namespace

Result<std::shared_ptr<const NgramModel>> NgramModel::open(const std::filesystem::path& path)
{
    std::error_code failed;
    if (!std::filesystem::is_regular_file(path, failed))
        return Error { "cannot read the language model '" + path.string()
            + "': " + (failed ? failed.message() : "it is no file") };
    if (const std::string why = check::whyNoNgram(path); !why.empty()) // KenLM would believe it
        return noModel(path, why);
    std::shared_ptr<NgramModel> model(new NgramModel);
    Vocabulary vocabulary(*model);
    std::ostringstream complaints;
    lm::ngram::Config config;
    config.show_progress = false;
    config.messages = &complaints;
    config.enumerate_vocab = &vocabulary;
    try {
        auto loaded = std::make_unique<Loaded>();
        loaded->model.reset(lm::ngram::LoadVirtual(path.c_str(), config));
        model->m_loaded = std::move(loaded);
    } catch (const std::exception& error) {
        return noModel(path, reason(error));
    }
    return std::shared_ptr<const NgramModel>(std::move(model));
}

NgramModel::~NgramModel() = default;

size_t NgramModel::wordsBeginningWith(const std::string& point) const
{
    const auto found = m_beginnings.find(point);
    return found == m_beginnings.end() ? 0 : found->second;
}

int NgramModel::order() const
{
    return m_loaded->model->Order();
}

NgramState NgramModel::start(bool atSentenceStart) const
{
    NgramState state;
    if (atSentenceStart)
        m_loaded->model->BeginSentenceWrite(state.bytes.data());
    else
        m_loaded->model->NullContextWrite(state.bytes.data());
    return state;
}

float NgramModel::score(const NgramState& from, std::string_view word, NgramState& to) const
{
    const lm::base::Model& model = *m_loaded->model;
    return model.BaseScore(from.bytes.data(),
        model.BaseVocabulary().Index(StringPiece(word.data(), word.size())), to.bytes.data());
}

Status writeBinaryNgram(const std::filesystem::path& arpa, const std::filesystem::path& binary)
{
    const std::filesystem::path unfinished = binary.string() + ".tmp";
    std::ostringstream complaints;
    lm::ngram::Config config;
    config.show_progress = false;
    config.messages = &complaints;
    config.write_mmap = unfinished.c_str();
    config.write_method = lm::ngram::Config::WRITE_AFTER;
    try {
        const lm::ngram::ProbingModel written(arpa.c_str(), config);
    } catch (const std::exception& error) {
        std::error_code ignored;
        std::filesystem::remove(unfinished, ignored);
        return Error { "cannot write '" + binary.string() + "' from '" + arpa.string()
            + "': " + reason(error) };
    }
    if (const Status sealed = check::sealBinaryNgram(unfinished); !sealed) {
        std::error_code ignored;
        std::filesystem::remove(unfinished, ignored);
        return sealed;
    }
    return publishFile(unfinished, binary);
}

double NgramScorer::word(
    const NgramState& from, std::string_view word, TextHash hash, NgramState& to) const
{
    if (word == " ") {
        to = from;
        return 0;
    }
    double score = static_cast<double>(m_model->score(from, word, to));
    if (!m_model->hasWord(hash))
        score += m_weights.unknownOffset;
    static const double kLog10OfE = std::log10(std::exp(1.0));
    return m_weights.alpha * score / kLog10OfE + m_weights.beta;
}

double NgramScorer::prefix(TextHash hash, int32_t length) const
{
    static const uint64_t kBlank = TextHash::of(" ").value;
    if (hash.value == kBlank || m_model->hasPrefix(hash))
        return 0;
    constexpr int32_t kUsualLength = 6; // longer than that, no word is likely to come out of it
    return length > kUsualLength ? m_weights.unknownOffset * length / kUsualLength
                                 : m_weights.unknownOffset;
}

} // namespace earwright::decode
