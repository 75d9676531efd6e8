#include "core/base/file.h"
#include "core/catalog/configs/tokenizer.h"
#include "core/train/task/ctc_search.h"
#include "tests/registry.h"

#include <ATen/Parallel.h>
#include <QTemporaryDir>
#include <QTest>

using namespace earwright;
using namespace earwright::train;

namespace {

data::TextEncoder letters()
{
    return data::TextEncoder::fromTexts({ "AB C" }, { .blank = 0 });
}

/// A label a code point, behind the blank.
data::TextEncoder hanzi(const std::string& labels)
{
    return data::TextEncoder::fromTexts({ labels }, { .blank = 0 });
}

/// SentencePieces of one character each behind the blank, <unk> and the mark of words.
data::TextEncoder hanziPieces()
{
    catalog::SentencePieceConfig config;
    config.vocabSize = 7;
    config.modelType = "char";
    config.padId = 0;
    config.unkId = 1;
    const auto bytes = data::SentencePiece::train({ "今天田气", "今天天气" }, config);
    if (!bytes)
        qFatal("%s", bytes.error().message.c_str());
    auto encoder
        = data::TextEncoder::fromPieces(*data::SentencePiece::parse(*bytes), { .blank = 0 });
    if (!encoder)
        qFatal("%s", encoder.error().message.c_str());
    return std::move(*encoder);
}

/// One row of frames that are sure of one output each.
torch::Tensor sure(const std::vector<int64_t>& tokens, int64_t width)
{
    torch::Tensor probs_BTV = torch::full({ 1, std::ssize(tokens), width }, 1e-9);
    for (size_t t = 0; t < tokens.size(); ++t)
        probs_BTV[0][static_cast<int64_t>(t)][tokens[t]] = 1;
    return probs_BTV.log();
}

/// One row of frames in which `best` has the probability 0.6 and `second` 0.4.
torch::Tensor between(const std::vector<std::pair<int64_t, int64_t>>& frames)
{
    torch::Tensor probs_BTV = torch::full({ 1, std::ssize(frames), 5 }, 1e-9);
    for (size_t t = 0; t < frames.size(); ++t) {
        probs_BTV[0][static_cast<int64_t>(t)][frames[t].first] = 0.6;
        probs_BTV[0][static_cast<int64_t>(t)][frames[t].second] = 0.4;
    }
    return probs_BTV.log();
}

} // namespace

/// What a search makes of a model's labels and outputs.
class TstCtcSearcher : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void characters_haveNoBlanksBetween_data();
    void characters_haveNoBlanksBetween();
    void prefixes_takeNoModelOverCharacters();
    void oneBlank_leavesCharactersWords();
    void ngramOfWords_leavesBlanks();
    void piecesOfOneCharacter_areWordsToAnNgramOfThem();
    void paddedRows_keepTheirLastFrame_data();
    void paddedRows_keepTheirLastFrame();
    void noNumbers_giveNoHypothesis();
    void hotwordsThatCannotBeSpelled_areWarnedOf();
    void unknownPiece_isWrittenAsTheBestPathDoes();
    void paths_addUp();
    void missingModel_isNamed();
    void lettersAsWords_areWarnedOf();
    void manyRows_areEachWhatOneAloneIs();
};

void TstCtcSearcher::characters_haveNoBlanksBetween_data()
{
    QTest::addColumn<bool>("isPrefix");
    QTest::newRow("beams") << false;
    QTest::newRow("prefixes") << true;
}

void TstCtcSearcher::characters_haveNoBlanksBetween()
{
    QFETCH(bool, isPrefix);
    CtcSearchOptions options;
    options.search = isPrefix ? decode::ctcPrefixBeamSearch : decode::ctcBeamSearch;
    const auto searcher = CtcSearcher::open(options, {}, hanzi("今天田气"), 0);
    QVERIFY2(searcher, searcher ? "" : searcher.error().message.c_str());
    QCOMPARE(searcher->texts(sure({ 1, 2, 2, 0, 2, 4 }, 5), {}),
        (std::vector<std::string> { "今天天气" }));
}

void TstCtcSearcher::prefixes_takeNoModelOverCharacters()
{
    CtcSearchOptions options;
    options.search = decode::ctcPrefixBeamSearch;
    options.languageModel = EARWRIGHT_CASES_DIR "/decode/hanzi.arpa";
    for (const char* labels : { "今天田气", "今天 田气" }) {
        const auto searcher = CtcSearcher::open(options, {}, hanzi(labels), 0);
        QVERIFY(!searcher);
        QVERIFY2(searcher.error().message.find("take CTCBeamSearcher") != std::string::npos,
            searcher.error().message.c_str());
    }
}

/// Some text of the training had a blank in it: behind 今 the model still knows 天.
void TstCtcSearcher::oneBlank_leavesCharactersWords()
{
    const data::TextEncoder encoder = hanzi("今天田 气");
    torch::Tensor probs_BTV = sure({ 1, 4, 3 }, 6).exp();
    probs_BTV[0][2][2] = 0.4;
    probs_BTV[0][2][3] = 0.6;
    const auto textOf = [&](const char* file) {
        CtcSearchOptions options;
        options.languageModel = file;
        const auto searcher = CtcSearcher::open(options, {}, encoder, 0);
        return searcher ? searcher->texts(probs_BTV.log(), {}).front() : searcher.error().message;
    };
    QCOMPARE(textOf(""), std::string("今 田"));
    QCOMPARE(textOf(EARWRIGHT_CASES_DIR "/decode/hanzi.arpa"), std::string("今 天"));
}

/// With blanks between words, of which the n-gram is, they stay words: so of upstream's searches.
void TstCtcSearcher::ngramOfWords_leavesBlanks()
{
    QTemporaryDir dir;
    const std::string file = dir.filePath("words.arpa").toStdString();
    QVERIFY(writeFileAtomically(file,
        "\\data\\\nngram 1=5\nngram 2=2\n\n\\1-grams:\n-1\t<unk>\n-99\t<s>\t-0.3\n-1\t</s>\n"
        "-0.5\t今天\t-0.3\n-0.5\t田气\t-0.3\n\n\\2-grams:\n-0.1\t<s> 今天\n-0.1\t今天 田气\n\n"
        "\\end\\\n"));
    const data::TextEncoder encoder = hanzi("今天田 气");
    CtcSearchOptions options;
    options.languageModel = file;
    const auto searcher = CtcSearcher::open(options, {}, encoder, 0);
    QVERIFY2(searcher, searcher ? "" : searcher.error().message.c_str());
    QCOMPARE(searcher->warning(), std::string());
    QCOMPARE(searcher->texts(sure({ 1, 2, 4, 3, 5 }, 6), {}).front(), std::string("今天 田气"));
}

/// SentencePiece's mark, a piece of its own, begins each text: nobody writes it there.
void TstCtcSearcher::piecesOfOneCharacter_areWordsToAnNgramOfThem()
{
    const data::TextEncoder encoder = hanziPieces();
    const std::vector<int64_t> tokens = *encoder.encode("今天");
    QCOMPARE(tokens.size(), size_t { 3 });
    torch::Tensor probs_BTV = sure(tokens, encoder.size()).exp();
    probs_BTV[0][2][tokens[2]] = 0.4;
    probs_BTV[0][2][encoder.encode("今田")->at(2)] = 0.6;
    CtcSearchOptions options;
    QCOMPARE(CtcSearcher::open(options, {}, encoder, 0)->texts(probs_BTV.log(), {}).front(),
        std::string("今田"));
    options.languageModel = EARWRIGHT_CASES_DIR "/decode/hanzi.arpa";
    const auto searcher = CtcSearcher::open(options, {}, encoder, 0);
    QVERIFY2(searcher, searcher ? "" : searcher.error().message.c_str());
    QCOMPARE(searcher->warning(), std::string());
    QCOMPARE(searcher->texts(probs_BTV.log(), {}).front(), std::string("今天"));
    const std::vector<int64_t> apart = *encoder.encode("今 天");
    QCOMPARE(searcher->texts(sure(apart, encoder.size()), {}).front(), encoder.decode(apart));
    options.languageModel = EARWRIGHT_CASES_DIR "/decode/hanzi_words.arpa"; // of texts with blanks
    QCOMPARE(CtcSearcher::open(options, {}, encoder, 0)->warning(), std::string());
    options.languageModel = EARWRIGHT_CASES_DIR "/decode/hanzi.arpa";
    options.search = decode::ctcPrefixBeamSearch;
    QVERIFY(!CtcSearcher::open(options, {}, encoder, 0));
}

void TstCtcSearcher::paddedRows_keepTheirLastFrame_data()
{
    characters_haveNoBlanksBetween_data();
}

/// 13 / 22 of 22 frames are 12.99… in float32. As the best path, a search has all 13.
void TstCtcSearcher::paddedRows_keepTheirLastFrame()
{
    QFETCH(bool, isPrefix);
    CtcSearchOptions options;
    options.search = isPrefix ? decode::ctcPrefixBeamSearch : decode::ctcBeamSearch;
    const auto searcher = CtcSearcher::open(options, {}, hanzi("今天田气"), 0);
    std::vector<int64_t> frames(22, 0);
    frames[0] = 1;
    frames[12] = 2;
    frames[13] = 3; // padding
    const torch::Tensor lengths_B = torch::tensor({ 13.0 / 22.0 }, torch::kFloat32);
    QCOMPARE(decode::wholeFrames(lengths_B, 22).item<int64_t>(), int64_t { 12 });
    QCOMPARE(searcher->texts(sure(frames, 5), lengths_B), (std::vector<std::string> { "今天" }));
}

void TstCtcSearcher::noNumbers_giveNoHypothesis()
{
    const auto searcher = CtcSearcher::open({}, {}, letters(), 0);
    const torch::Tensor nothing = torch::full({ 1, 2, 5 }, std::nan(""));
    QVERIFY(searcher->search(nothing, {})[0].empty());
    QCOMPARE(searcher->texts(nothing, {}), (std::vector<std::string> { "" }));
}

void TstCtcSearcher::hotwordsThatCannotBeSpelled_areWarnedOf()
{
    const auto some = CtcSearcher::open({}, { { "AB", 1.0 }, { "XA", 1.0 } }, letters(), 0);
    QVERIFY2(some, some ? "" : some.error().message.c_str());
    QVERIFY2(some->warning().find("XA") != std::string::npos, some->warning().c_str());
    QVERIFY(!CtcSearcher::open({}, { { "ab", 1.0 } }, letters(), 0));
    const auto test = CtcSearcher::openForTest({}, { { "ab", 1.0 } }, letters(), 0);
    QVERIFY2(test, test ? "" : test.error().message.c_str());
    QVERIFY2(
        test->warning().find("writes upper case") != std::string::npos, test->warning().c_str());
    const data::TextEncoder unknownYet = data::TextEncoder::fromTexts({ "a" }, 0);
    QCOMPARE(
        CtcSearcher::openForTest({}, { { "AB", 1.0 } }, unknownYet, 0)->warning(), std::string());
}

void TstCtcSearcher::unknownPiece_isWrittenAsTheBestPathDoes()
{
    catalog::SentencePieceConfig config;
    config.vocabSize = 14;
    config.modelType = "bpe";
    config.padId = 0;
    config.unkId = 1;
    const auto bytes = data::SentencePiece::train({ "ab abc", "bca cab", "abc bca" }, config);
    QVERIFY2(bytes, bytes ? "" : bytes.error().message.c_str());
    const auto encoder
        = data::TextEncoder::fromPieces(*data::SentencePiece::parse(*bytes), { .blank = 0 });
    QVERIFY2(encoder, encoder ? "" : encoder.error().message.c_str());
    std::vector<int64_t> tokens = *encoder->encode("ab xx bca");
    QVERIFY(encoder->hasUnknown(tokens));
    const auto searcher = CtcSearcher::open({}, {}, *encoder, 0);
    QCOMPARE(searcher->texts(sure(tokens, encoder->size()), {}).front(), encoder->decode(tokens));
}

/// The best path is blank, blank; but three paths spell "A".
void TstCtcSearcher::paths_addUp()
{
    const auto searcher = CtcSearcher::open({}, {}, letters(), 0);
    QVERIFY2(searcher, searcher ? "" : searcher.error().message.c_str());
    const torch::Tensor logProbs_BTV = between({ { 0, 1 }, { 0, 1 } });
    QCOMPARE(searcher->texts(logProbs_BTV, {}), (std::vector<std::string> { "A" }));
    CtcSearchOptions prefix;
    prefix.search = decode::ctcPrefixBeamSearch;
    QCOMPARE(CtcSearcher::open(prefix, {}, letters(), 0)->texts(logProbs_BTV, {}),
        (std::vector<std::string> { "A" }));
}

void TstCtcSearcher::missingModel_isNamed()
{
    CtcSearchOptions options;
    options.languageModel = "nowhere/4g.arpa";
    const auto searcher = CtcSearcher::open(options, {}, letters(), 0);
    QVERIFY(!searcher);
    QVERIFY2(searcher.error().message.find("nowhere/4g.arpa") != std::string::npos,
        searcher.error().message.c_str());
}

void TstCtcSearcher::lettersAsWords_areWarnedOf()
{
    CtcSearchOptions options;
    const auto warningOf = [&](const char* file, const data::TextEncoder& encoder) {
        options.languageModel = std::string(EARWRIGHT_CASES_DIR "/decode/") + file;
        return CtcSearcher::open(options, {}, encoder, 0)->warning();
    };
    const data::TextEncoder withoutBlanks = data::TextEncoder::fromTexts({ "ABC" }, { .blank = 0 });
    const std::string warning = warningOf("letters.arpa", letters());
    QVERIFY2(warning.find("without --characters") != std::string::npos, warning.c_str());
    QCOMPARE(warningOf("letters.arpa", withoutBlanks), std::string());
    const data::TextEncoder small = data::TextEncoder::fromTexts({ "ab cde" }, { .blank = 0 });
    QCOMPARE(warningOf("tiny.arpa", small), std::string());
    const std::string other = warningOf("tiny.arpa", letters());
    QVERIFY2(other.find("in other letters") != std::string::npos, other.c_str());
}

/// More than are searched at once.
void TstCtcSearcher::manyRows_areEachWhatOneAloneIs()
{
    const auto searcher = CtcSearcher::open({}, {}, letters(), 0);
    QVERIFY2(searcher, searcher ? "" : searcher.error().message.c_str());
    const int threads = at::get_num_threads();
    at::set_num_threads(1);
    torch::manual_seed(3);
    const torch::Tensor logProbs_BTV = torch::randn({ 11, 7, 5 }).log_softmax(2);
    const torch::Tensor lengths_B = torch::linspace(0.4, 1, 11);
    const std::vector<std::string> all = searcher->texts(logProbs_BTV, lengths_B);
    std::vector<std::string> each;
    for (int64_t row = 0; row < 11; ++row)
        each.push_back(
            searcher->texts(logProbs_BTV.narrow(0, row, 1), lengths_B.narrow(0, row, 1)).front());
    at::set_num_threads(threads);
    QCOMPARE(all, each);
    QVERIFY(all.front() != all.back());
}

EARWRIGHT_TEST(TstCtcSearcher)
#include "tst_ctc_searcher.moc"
