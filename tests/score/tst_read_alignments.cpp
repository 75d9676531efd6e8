#include "core/base/file.h"
#include "core/score/error_rate.h"
#include "tests/registry.h"

#include <QTest>

using namespace earwright;
using namespace earwright::score;

class TstReadAlignments : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void alignments_areReadBack()
    {
        const std::vector<Scored> scored {
            score::score("a1", { "the", "quick", "fox" }, { "the", "quick", "fox" }),
            score::score("b, 2", { "turn", "the", "light", "on" }, { "turn", "light", "off" }),
            score::score("marks", { ";", ";", "=", "<eps>" }, { ";", "a", "<eps>", "I" }),
            score::score("wide", { "你", "好", "吗" }, { "你", "menü", "吗", "呢" }),
            score::score("silent", { "a" }, {}),
            score::score("noise", {}, { "a", "b" }),
            score::score("none", {}, {}),
            score::score("empty words", { "", "ab", "" }, { "" }),
        };
        const auto read = scoredFromAlignments(alignmentText(scored));
        QVERIFY2(read, qPrintable(read ? QString() : QString::fromStdString(read.error().message)));
        QCOMPARE(read->size(), scored.size());
        for (size_t i = 0; i < scored.size(); ++i) {
            QCOMPARE((*read)[i].id, scored[i].id);
            QCOMPARE((*read)[i].operations, scored[i].operations);
            QVERIFY2((*read)[i].reference == scored[i].reference, scored[i].id.c_str());
            QVERIFY2((*read)[i].hypothesis == scored[i].hypothesis, scored[i].id.c_str());
            QCOMPARE((*read)[i].deletions, scored[i].deletions);
        }
    }

    void upstreamsFile_isReadBack()
    {
        const Result<std::string> text = readFile(EARWRIGHT_CASES_DIR "/score/pairs.expected");
        QVERIFY(text);
        const auto read = scoredFromAlignments(*text);
        QVERIFY(read);
        QCOMPARE(alignmentText(*read), *text);
    }

    void otherText_isRefusedWithItsLine_data()
    {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("error");
        QTest::newRow("no alignments") << "="
                                       << "-"
                                       << "there is no line of 80 '='";
        QTest::newRow("an operation") << "= ; S \n"
                                      << "= ; X \n"
                                      << "line 16: is no part";
        QTest::newRow("a column less") << "a ; bb\n"
                                       << "a\n"
                                       << "line 16: is no part";
        QTest::newRow("a line more") << "a ; cc\n"
                                     << "a ; cc\nmore\n"
                                     << "line 17: is no part";
    }

    void otherText_isRefusedWithItsLine()
    {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, error);
        QString text = QString::fromStdString(
            alignmentText({ score::score("u1", { "a", "bb" }, { "a", "cc" }) }));
        QVERIFY2(text.contains(from), qPrintable(text));
        const auto read = scoredFromAlignments(text.replace(from, to).toStdString());
        QVERIFY(!read);
        QVERIFY2(read.error().message.find(error.toStdString()) != std::string::npos,
            read.error().message.c_str());
    }
};

EARWRIGHT_TEST(TstReadAlignments)
#include "tst_read_alignments.moc"
