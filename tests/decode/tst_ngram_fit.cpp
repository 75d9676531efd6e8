#include "core/decode/ngram_fit.h"

#include "core/base/text.h"
#include "tests/registry.h"

#include <QTest>

using namespace earwright;
using decode::CtcVocabulary;

namespace {

/// Labels of a text's code points behind the blank.
CtcVocabulary lettersOf(const std::string& text)
{
    std::vector<std::string> labels { "<blank>" };
    for (const std::string& point : codePoints(text))
        labels.push_back(point);
    return CtcVocabulary(labels, 0);
}

CtcVocabulary charactersOf(const std::string& text)
{
    std::vector<std::string> labels { "<blank>" };
    for (const std::string& point : codePoints(text))
        labels.push_back(point);
    return CtcVocabulary::ofCharacters(labels, 0);
}

} // namespace

class TstNgramFit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void misfit_isSaid_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("said"); // "": it fits
        QTest::newRow("characters") << "hanzi.arpa"
                                    << "characters"
                                    << "";
        QTest::newRow("letters with marks") << "thai.arpa"
                                            << "Thai"
                                            << "";
        QTest::newRow("small letters") << "small.arpa"
                                       << "small"
                                       << "";
        QTest::newRow("pieces") << "small.arpa"
                                << "pieces"
                                << "";
        QTest::newRow("words") << "small.arpa"
                               << "words"
                               << "";
        QTest::newRow("words on characters") << "hanzi_words.arpa"
                                             << "characters"
                                             << "is of words";
        QTest::newRow("other characters") << "hanzi.arpa"
                                          << "others"
                                          << "knows 0 of the 5";
        QTest::newRow("small on capital") << "small.arpa"
                                          << "capital"
                                          << "in other letters";
        QTest::newRow("another language") << "hanzi_words.arpa"
                                          << "small"
                                          << "only 0 begin";
        QTest::newRow("letters on words") << "letters.arpa"
                                          << "capital"
                                          << "without --characters";
        QTest::newRow("characters on pieces of them") << "hanzi.arpa"
                                                      << "Mandarin pieces"
                                                      << "several characters: an n-gram helps";
        QTest::newRow("characters between blanks") << "hanzi.arpa"
                                                   << "Mandarin words of one"
                                                   << "";
    }

    void misfit_isSaid()
    {
        QFETCH(QString, file);
        QFETCH(QString, kind);
        QFETCH(QString, said);
        const std::map<QString, CtcVocabulary> vocabularies {
            { "characters", charactersOf("今天田气人 a") },
            { "Thai", charactersOf("กิน ข้ม") },
            { "others", charactersOf("说话人们") },
            { "small", lettersOf("onetwhr ") },
            { "capital", lettersOf("ONETWHR ") },
            { "pieces", CtcVocabulary({ "<blank>", "▁on", "▁tw", "▁three", "o", "e" }, 0) },
            { "words", CtcVocabulary({ "<blank>", "▁one", "▁two", "▁three", "▁four" }, 0) },
            { "Mandarin words of one", CtcVocabulary({ "<blank>", "▁今", "▁天", "▁气" }, 0) },
            { "Mandarin pieces", CtcVocabulary({ "<blank>", "▁今天", "气", "天" }, 0) },
        };
        const auto model
            = decode::NgramModel::open(EARWRIGHT_CASES_DIR "/decode/" + file.toStdString());
        QVERIFY2(model, model ? "" : model.error().message.c_str());
        const std::string misfit = decode::ngramMisfit(**model, vocabularies.at(kind));
        if (said.isEmpty())
            QCOMPARE(QString::fromStdString(misfit), QString());
        else
            QVERIFY2(QString::fromStdString(misfit).contains(said), misfit.c_str());
    }
};

EARWRIGHT_TEST(TstNgramFit)
#include "tst_ngram_fit.moc"
