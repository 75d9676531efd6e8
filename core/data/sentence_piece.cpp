#include "core/data/sentence_piece.h"

#include "core/base/text.h"
#include "core/catalog/configs/tokenizer.h"

#include <algorithm>
#include <sentencepiece_processor.h>
#include <sentencepiece_trainer.h>
#include <unordered_map>
#include <utility>

namespace earwright::data {
namespace {

/// Of the library's log: errors only, which are in the status too.
constexpr const char* kSilence = "2";
/// A character for private use, which no text has and no piece spells.
constexpr const char* kForeign = "\uE000";

class TextIterator final : public sentencepiece::SentenceIterator {
public:
    explicit TextIterator(const std::vector<std::string>& texts)
        : m_texts(texts)
    {
    }
    bool done() const override { return m_at >= m_texts.size(); }
    void Next() override { ++m_at; }
    const std::string& value() const override { return m_texts[m_at]; }
    sentencepiece::util::Status status() const override { return {}; }

private:
    const std::vector<std::string>& m_texts;
    size_t m_at = 0;
};

std::string flag(bool value)
{
    return value ? "true" : "false";
}

/// What upstream hands to the trainer, and nothing else: its other defaults are the library's.
std::unordered_map<std::string, std::string> trainerArguments(
    const catalog::SentencePieceConfig& config)
{
    std::unordered_map<std::string, std::string> arguments { { "model_type", config.modelType },
        { "bos_id", std::to_string(config.bosId) }, { "eos_id", std::to_string(config.eosId) },
        { "pad_id", std::to_string(config.padId) }, { "unk_id", std::to_string(config.unkId) },
        { "max_sentencepiece_length", std::to_string(config.maxSentencepieceLength) },
        { "character_coverage", formatDouble(config.characterCoverage) },
        { "add_dummy_prefix", flag(config.addDummyPrefix) },
        { "split_by_whitespace", flag(config.splitByWhitespace) }, { "minloglevel", kSilence } };
    if (config.modelType != "char")
        arguments["vocab_size"] = std::to_string(config.vocabSize);
    if (config.userDefinedSymbols)
        arguments["user_defined_symbols"] = *config.userDefinedSymbols;
    return arguments;
}

/// The library's words without the place in its sources, and where it tells the most that the texts
/// give, that.
std::string reasonOf(const std::string& message)
{
    const size_t place = message.rfind("] ");
    std::string reason = place == std::string::npos ? message : message.substr(place + 2);
    const std::string most = "Please set it to a value <= ";
    const size_t at = reason.find(most);
    if (at == std::string::npos)
        return reason;
    std::string number = reason.substr(at + most.size());
    number.erase(number.find_last_not_of('.') + 1);
    return "they give " + number + " at most; set the number of pieces to that or less";
}

} // namespace

Result<std::string> SentencePiece::train(const std::vector<std::string>& texts,
    const catalog::SentencePieceConfig& config, bool mayBeFewer)
{
    TextIterator iterator(texts);
    std::string model;
    auto arguments = trainerArguments(config);
    if (mayBeFewer)
        arguments["hard_vocab_limit"] = flag(false);
    const auto status = sentencepiece::SentencePieceTrainer::Train(arguments, &iterator, &model);
    if (!status.ok())
        return Error { "no tokenizer of " + std::to_string(config.vocabSize) + " pieces ("
            + config.modelType + ") can be trained on " + std::to_string(texts.size())
            + " texts: " + reasonOf(status.error_message()) };
    return model;
}

Result<SentencePiece> SentencePiece::parse(std::string modelBytes)
{
    const auto model = std::make_shared<sentencepiece::SentencePieceProcessor>();
    const auto status = model->LoadFromSerializedProto(modelBytes);
    if (!status.ok() || modelBytes.empty())
        return Error { "it is no SentencePiece model" };
    std::vector<std::string> pieces;
    for (int i = 0; i < model->GetPieceSize(); ++i)
        pieces.push_back(model->IdToPiece(i));
    SentencePiece made;
    made.m_model = model;
    made.m_modelBytes = std::make_shared<const std::string>(std::move(modelBytes));
    made.m_pieces = std::make_shared<const std::vector<std::string>>(std::move(pieces));
    return made;
}

int64_t SentencePiece::unknownIndex() const
{
    return m_model->unk_id();
}

std::optional<int64_t> SentencePiece::indexOf(const std::string& piece) const
{
    const int index = m_model->PieceToId(piece);
    const bool isIts = index >= 0 && (*m_pieces)[static_cast<size_t>(index)] == piece;
    return isIts ? std::optional<int64_t>(index) : std::nullopt; // else what is unknown
}

bool SentencePiece::isSpecial(int64_t index) const
{
    const auto id = static_cast<int>(index);
    return m_model->IsUnknown(id) || m_model->IsControl(id);
}

Vocabulary SentencePiece::vocabulary() const
{
    const auto given
        = [](int index) { return index < 0 ? std::nullopt : std::optional<int64_t>(index); };
    Vocabulary vocabulary { .kind = Vocabulary::Kind::Pieces,
        .labels = *m_pieces,
        .bos = given(m_model->bos_id()),
        .eos = given(m_model->eos_id()),
        .pad = given(m_model->pad_id()),
        .unknown = given(m_model->unk_id()) };
    for (int64_t i = 0; i < vocabulary.size(); ++i)
        if (isSpecial(i))
            vocabulary.special.insert(i);
    return vocabulary;
}

std::vector<int64_t> SentencePiece::encode(const std::string& text) const
{
    std::vector<int> ids;
    m_model->Encode(text, &ids).IgnoreError(); // fails only without a model
    return { ids.begin(), ids.end() };
}

std::vector<int64_t> SentencePiece::encodeInside(const std::string& text) const
{
    const std::vector<int64_t> tokens = encode(kForeign + text);
    const auto before = std::min(std::ssize(encode(kForeign)), std::ssize(tokens));
    return { tokens.begin() + before, tokens.end() };
}

std::vector<std::string> SentencePiece::unknownParts(const std::string& text) const
{
    std::vector<std::string> pieces;
    m_model->Encode(text, &pieces).IgnoreError();
    std::erase_if(pieces, [this](const std::string& piece) {
        return !m_model->IsUnknown(m_model->PieceToId(piece));
    });
    return pieces;
}

std::string SentencePiece::decode(const std::vector<int64_t>& indices) const
{
    std::string text;
    m_model->Decode(std::vector<int>(indices.begin(), indices.end()), &text).IgnoreError();
    return text;
}

} // namespace earwright::data
