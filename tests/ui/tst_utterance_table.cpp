#include "tests/registry.h"
#include "tests/ui/utterance_run.h"
#include "ui/utterances/alignment_view.h"
#include "ui/utterances/error_table_model.h"
#include "ui/utterances/utterance_model.h"
#include "ui/widgets/figure_table.h"
#include "ui/widgets/theme.h"

#include <QAbstractItemModelTester>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>
#include <QThreadPool>

#include <cmath>

using namespace earwright;
using namespace earwright::ui;

namespace {

using Utt = UtteranceRow;

UtteranceSetPtr madeSet()
{
    auto set = std::make_shared<UtteranceSet>();
    set->rows = { { .id = QStringLiteral("utt-10"),
                      .speaker = QStringLiteral("Ben"),
                      .reference = QStringLiteral("close it now"),
                      .hypothesis = QStringLiteral("close it now"),
                      .seconds = 2.5,
                      .wer = 0,
                      .tokens = 3,
                      .corrected = QStringLiteral("close it soon") },
        { .id = QStringLiteral("utt-9"),
            .speaker = QStringLiteral("anna"),
            .reference = QStringLiteral("open the menu"),
            .hypothesis = QStringLiteral("open a/b menu"),
            .seconds = 1,
            .wer = 100.0 / 3,
            .substitutions = 1,
            .tokens = 3,
            .difference = 10,
            .quarantine = QStringLiteral("left out") },
        { .id = QStringLiteral("数据"),
            .reference = QStringLiteral("打开 菜单"),
            .wer = 100,
            .deletions = 2,
            .tokens = 2,
            .missed = { QStringLiteral("菜单") },
            .difference = -50 } };
    return set;
}

/// As the guidelines for web content (WCAG 2) reckon it.
double lightOf(QColor color)
{
    const auto linear = [](double share) {
        return share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
    };
    return 0.05 + 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF())
        + 0.0722 * linear(color.blueF());
}

} // namespace

/// Rows, filters, alignments and sounds without a window.
class TstUtteranceTable : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void filter_letsPass_data();
    void filter_letsPass();
    void colonInQuotes_namesNoText();
    void missedPhrase_isMatchedWhole();
    void confusion_findsItsUtterances_data();
    void confusion_findsItsUtterances();
    void errors_areSummedInTables();
    void filterThatIsNone_saysWhy_data();
    void filterThatIsNone_saysWhy();
    void unknownFigures_comeLast();
    void model_keepsItsPromises();
    void manyRows_areSortedAndFiltered();
    void exportedRows_areThoseShown();
    void alignment_isByWordOrByCharacter_data();
    void alignment_isByWordOrByCharacter();
    void editColors_areReadable();
    void part_isAllThatIsHeard();
};

void TstUtteranceTable::filter_letsPass_data()
{
    QTest::addColumn<QString>("filter");
    QTest::addColumn<QList<int>>("rows");
    const auto add = [](const char* filter, const QList<int>& rows) {
        QTest::newRow(filter) << QString::fromUtf8(filter) << rows;
    };
    add("", { 0, 1, 2 });
    add("  ", { 0, 1, 2 });
    add("OPEN", { 1 });
    add("utt", { 0, 1 });
    add("utt now", { 0 });
    add("\"open the\"", { 1 });
    add("\"open the", { 1 });
    add("菜单", { 2 });
    add("/^close .* now$/", { 0 });
    add("/the (menu|door)/", { 1 });
    add("a/b", { 1 });
    add("speaker:BEN", { 0 });
    add("speaker:", { 0, 1, 2 });
    add("ref:/^open/", { 1 });
    add("ref:\"the menu\"", { 1 });
    add("hyp:a/b", { 1 });
    add("id:9", { 1 });
    add("wer>50", { 2 });
    add("wer>=0", { 0, 1, 2 });
    add("WER=33.33", { 1 });
    add("seconds<2", { 1 });
    add("seconds<=2.5", { 0, 1 });
    add("cer>0", {});
    add("s>0", { 1 });
    add("d=2", { 2 });
    add("errors<2", { 0, 1 });
    add("diff>0", { 1 });
    add("missed", { 2 });
    add("missed:菜", { 2 });
    add("missed:\"打 开\"", {});
    add("missed=菜单", { 2 });
    add("missed=菜", {});
    add("speaker=ANNA", { 1 });
    add("speaker=ann", {});
    add("ref=/open .*/", { 1 });
    add("ref=/open/", {});
    add("/(?:the|a) menu/", { 1 }); // the colon names no text there
    add("\"it: now\"", {});
    add("\"it: now", {});
    add("\"close it\" id:10", { 0 });
    add("it:\"close now\"", {}); // no name: two words
    add("/^open\\b/ menu", { 1 });
    add("\"\\\"\"", {});
    add("rate>2", { 1 }); // 3 words in a second
    add("rate=1.2", { 0 });
    add("rate>=0", { 0, 1 });
    add("corrected", { 0 });
    add("quarantined", { 1 });
    add("soon", { 0 });
    add("speaker=\"\"", { 2 });
    add("better", { 2 });
    add("worse", { 1 });
    add("wer>0 speaker:anna", { 1 });
    add("nothing:here", {});
}

void TstUtteranceTable::filter_letsPass()
{
    QFETCH(QString, filter);
    QFETCH(QList<int>, rows);
    const UtteranceFilter made(filter);
    QCOMPARE(made.error(), QString());
    const std::vector<int> shown = shownUtterances(*madeSet(), { .filter = made });
    QCOMPARE(QList<int>(shown.begin(), shown.end()), rows);
}

void TstUtteranceTable::colonInQuotes_namesNoText()
{
    UtteranceSet set;
    set.rows = { { .id = QStringLiteral("a"), .reference = QStringLiteral("at 12:30 now") },
        { .id = QStringLiteral("b"), .reference = QStringLiteral("now 12:30 at") } };
    for (const char* filter : { "\"12:30 now\"", "/12:30 (now|then)/", "\"id: x\" a" }) {
        const std::vector<int> shown
            = shownUtterances(set, { .filter = UtteranceFilter(QString::fromUtf8(filter)) });
        QCOMPARE(shown,
            (QLatin1String(filter).startsWith(QLatin1String("\"id")) ? std::vector<int> {}
                                                                     : std::vector<int> { 0 }));
    }
}

void TstUtteranceTable::missedPhrase_isMatchedWhole()
{
    UtteranceSet set;
    set.rows = { { .id = QStringLiteral("a"), .missed = { QStringLiteral("5\" disk") } },
        { .id = QStringLiteral("b"), .missed = { QStringLiteral("a 5\" disk") } },
        { .id = QStringLiteral("c"), .missed = { QStringLiteral("back\\") } },
        { .id = QStringLiteral("d"), .missed = { QStringLiteral("two  blanks") } } };
    for (size_t row = 0; row < set.rows.size(); ++row) {
        const UtteranceFilter filter(UtteranceFilter::missedPhrase(set.rows[row].missed.front()));
        QCOMPARE(filter.error(), QString());
        QCOMPARE(
            shownUtterances(set, { .filter = filter }), std::vector<int> { static_cast<int>(row) });
    }
    QCOMPARE(UtteranceFilter::missedPhrase(QStringLiteral("5\" disk")),
        QStringLiteral("missed=\"5\\\" disk\""));
}

void TstUtteranceTable::confusion_findsItsUtterances_data()
{
    QTest::addColumn<QString>("said");
    QTest::addColumn<QString>("heard");
    QTest::addColumn<bool>("haveWords");
    QTest::addColumn<QList<int>>("rows");
    const auto add = [](const char* said, const char* heard, bool haveWords, QList<int> rows) {
        QTest::addRow("%s>%s", said, heard)
            << QString::fromUtf8(said) << QString::fromUtf8(heard) << haveWords << rows;
    };
    add("the", "a/b", true, { 1 });
    add("he", "a/b", true, {}); // no word of its own
    add("the", "b", true, {});
    add("打开", "", true, { 2 });
    add("菜", "", false, { 2 });
    add("", "open", true, {}); // nothing is inserted there
}

void TstUtteranceTable::confusion_findsItsUtterances()
{
    QFETCH(QString, said);
    QFETCH(QString, heard);
    QFETCH(bool, haveWords);
    QFETCH(QList<int>, rows);
    const UtteranceFilter filter(UtteranceFilter::confusion(said, heard, haveWords));
    QCOMPARE(filter.error(), QString());
    const std::vector<int> shown = shownUtterances(*madeSet(), { .filter = filter });
    QCOMPARE(QList<int>(shown.begin(), shown.end()), rows);
}

void TstUtteranceTable::errors_areSummedInTables()
{
    const UtteranceSetPtr set = madeSet();
    ErrorTableModel model;
    const QAbstractItemModelTester tester(
        &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setTable(confusionTable(*set));
    QCOMPARE(model.rowCount(), 3); // the > a/b, and two deletions
    QCOMPARE(model.columnCount(), 4);
    const auto row = [&](int number) {
        QStringList cells;
        for (int column = 0; column < model.columnCount(); ++column)
            cells << model.index(number, column).data().toString();
        return cells.join(u'|');
    };
    QCOMPARE(row(0), QStringLiteral("the|a/b|1|1"));
    QCOMPARE(row(1), QStringLiteral("打开|–|1|1"));
    model.setTable(groupTable(*set, score::GroupBy::Speaker));
    QCOMPARE(row(0), QStringLiteral("unknown|1|0.00|2|100.00|0|2|0"));
    QCOMPARE(row(1), QStringLiteral("anna|1|1.00|3|33.33|1|0|0"));
    QCOMPARE(model.index(1, 0).data(ErrorTableModel::FilterRole).toString(),
        QStringLiteral("speaker=\"anna\""));
    model.setTable(groupTable(*set, score::GroupBy::Seconds));
    QCOMPARE(row(0), QStringLiteral("1 to 2|1|1.00|3|33.33|1|0|0"));
    QCOMPARE(model.index(0, 0).data(ErrorTableModel::FilterRole).toString(),
        QStringLiteral("seconds>=1 seconds<2"));
    QCOMPARE(row(2).section(u'|', 0, 1), QStringLiteral("unknown|1"));
    model.setTable(groupTable(*set, score::GroupBy::Rate));
    QCOMPARE(row(1).section(u'|', 0, 1), QStringLiteral("3 to 3.5|1"));
    model.setTable(nullptr);
    QCOMPARE(model.columnCount(), 0);
}

void TstUtteranceTable::filterThatIsNone_saysWhy_data()
{
    QTest::addColumn<QString>("filter");
    QTest::addColumn<QString>("beginning");
    QTest::newRow("regex") << "/(/"
                           << "/(/ is no regular expression: ";
    QTest::newRow("number") << "wer>x"
                            << "wer> needs a number, as in wer>5";
    QTest::newRow("none yet") << "seconds<"
                              << "seconds< needs a number, as in seconds<5";
}

void TstUtteranceTable::filterThatIsNone_saysWhy()
{
    QFETCH(QString, filter);
    QFETCH(QString, beginning);
    const UtteranceFilter made(filter);
    QVERIFY2(made.error().startsWith(beginning), qPrintable(made.error()));
    QVERIFY(shownUtterances(*madeSet(), { .filter = made }).empty());
}

void TstUtteranceTable::unknownFigures_comeLast()
{
    const auto sorted = [](int column, Qt::SortOrder order) {
        const std::vector<int> shown
            = shownUtterances(*madeSet(), { .filter = {}, .column = column, .order = order });
        return QList<int>(shown.begin(), shown.end());
    };
    QCOMPARE(sorted(Utt::Seconds, Qt::AscendingOrder), QList<int>({ 1, 0, 2 }));
    QCOMPARE(sorted(Utt::Seconds, Qt::DescendingOrder), QList<int>({ 0, 1, 2 }));
    QCOMPARE(sorted(Utt::Difference, Qt::AscendingOrder), QList<int>({ 2, 1, 0 }));
    QCOMPARE(sorted(Utt::Difference, Qt::DescendingOrder), QList<int>({ 1, 2, 0 }));
    QCOMPARE(sorted(Utt::Speaker, Qt::AscendingOrder), QList<int>({ 1, 0, 2 }));
    QCOMPARE(sorted(Utt::Speaker, Qt::DescendingOrder), QList<int>({ 0, 1, 2 }));
    QCOMPARE(sorted(Utt::Insertions, Qt::DescendingOrder), QList<int>({ 0, 1, 2 }));
    QCOMPARE(sorted(Utt::Id, Qt::AscendingOrder).mid(0, 2), QList<int>({ 1, 0 }));
}

void TstUtteranceTable::model_keepsItsPromises()
{
    UtteranceModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setUtterances(madeSet());
    QTRY_COMPARE(model.rowCount(), 3);
    model.sort(Utt::Wer, Qt::DescendingOrder);
    QTRY_COMPARE(model.shownRows(), (std::vector<int> { 2, 1, 0 }));
    model.setFilter(UtteranceFilter(QStringLiteral("utt")));
    QTRY_COMPARE(model.shownRows(), (std::vector<int> { 1, 0 }));
    QCOMPARE(model.rowOf(0), 1);
    QCOMPARE(model.rowOf(2), -1);
    QCOMPARE(model.index(0, Utt::Wer).data().toString(), QStringLiteral("33.33"));
    QCOMPARE(model.index(0, Utt::Difference).data().toString(), QStringLiteral("+10.00"));
    QCOMPARE(model.index(0, Utt::Cer).data().toString(), kNoFigure);
    QCOMPARE(model.index(0, Utt::Substitutions).data().toString(), QStringLiteral("1"));
    // Of two queries the first one's answer is of no use.
    model.setFilter(UtteranceFilter(QStringLiteral("nobody")));
    model.setFilter({});
    QTRY_COMPARE(model.rowCount(), 3);
    QThreadPool::globalInstance()->waitForDone();
    QCoreApplication::processEvents();
    QCOMPARE(model.rowCount(), 3);
    model.setUtterances(nullptr);
    QCOMPARE(model.rowCount(), 0);
}

void TstUtteranceTable::manyRows_areSortedAndFiltered()
{
    constexpr int kMany = 100000;
    auto set = std::make_shared<UtteranceSet>();
    for (int i = 0; i < kMany; ++i)
        set->rows.push_back({ .id = QStringLiteral("utt-%1").arg(i),
            .reference = QStringLiteral("a sentence of number %1").arg(i),
            .hypothesis = QStringLiteral("a sentence"),
            .wer = static_cast<double>(i % 100) });
    UtteranceModel model;
    FigureTable table;
    table.setModel(&model);
    table.resize(800, 400);
    table.show();
    model.setUtterances(set);
    QTRY_COMPARE(model.rowCount(), kMany);
    QCOMPARE(table.rowHeight(kMany - 1), table.rowHeight(0));
    model.sort(Utt::Id, Qt::DescendingOrder);
    QTRY_COMPARE(model.shownRows().front(), kMany - 1);
    QCOMPARE(model.shownRows().back(), 0);
    model.setFilter(UtteranceFilter(QStringLiteral("wer>98 number")));
    QTRY_COMPARE(model.rowCount(), kMany / 100);
}

void TstUtteranceTable::exportedRows_areThoseShown()
{
    UtteranceSet set = *madeSet();
    set.rows[1].hypothesis = QStringLiteral("=1+1, \"so\"");
    set.rows[2].hypothesis = kNoFigure; // recognised, and no figure
    const std::vector<int> hidden { Utt::Speaker, Utt::Cer, Utt::OtherHypothesis, Utt::OtherRate,
        Utt::Difference, Utt::Corrected, Utt::Quarantine, Utt::StrangeWords, Utt::SameTexts,
        Utt::SameSounds, Utt::InOther, Utt::Silence, Utt::Clipped };
    QCOMPARE(utterancesCsv(set, { 2, 1 }, hidden),
        QByteArray("ID,Seconds,WER %,S,D,I,Reference,Hypothesis\n"
                   "数据,,100.00,0,2,0,打开 菜单,–\n"
                   "utt-9,1.00,33.33,1,0,0,open the menu,\"'=1+1, \"\"so\"\"\"\n"));
}

void TstUtteranceTable::alignment_isByWordOrByCharacter_data()
{
    QTest::addColumn<QString>("reference");
    QTest::addColumn<QString>("hypothesis");
    QTest::addColumn<bool>("haveWords");
    QTest::addColumn<bool>("isByCharacter");
    QTest::addColumn<QString>("text");
    QTest::newRow("words") << "open the menu"
                           << "open menus now" << true << false
                           << "open [S: the → menus] [S: menu → now]";
    QTest::newRow("inserted") << "open"
                              << "oh open" << true << false << "[I: oh] open";
    QTest::newRow("silent") << "stop"
                            << "" << true << false << "[D: stop]";
    QTest::newRow("characters") << "a bc"
                                << "a b" << true << true << "a _ b [D: c]";
    QTest::newRow("no words") << "打开菜单"
                              << "打开彩单" << false << false << "打 开 [S: 菜 → 彩] 单";
}

void TstUtteranceTable::alignment_isByWordOrByCharacter()
{
    QFETCH(QString, reference);
    QFETCH(QString, hypothesis);
    QFETCH(bool, haveWords);
    QFETCH(bool, isByCharacter);
    QFETCH(QString, text);
    const Alignment made = align(reference, hypothesis,
        isByCharacter ? AlignmentUnit::Character : AlignmentUnit::Word, haveWords,
        score::WordSplit::WhiteSpace);
    QCOMPARE(made.text(), text);
}

void TstUtteranceTable::editColors_areReadable()
{
    for (const QPalette& palette : { lightPalette(), darkPalette() }) {
        const double base = lightOf(palette.color(QPalette::Base));
        QSet<QRgb> colors;
        for (const char edit : { '=', 'S', 'D', 'I' }) {
            const QColor color = AlignmentView::editColor(edit, palette);
            const double light = lightOf(color);
            QVERIFY2(
                std::max(light, base) / std::min(light, base) >= 4.5, qPrintable(color.name()));
            colors << color.rgb();
        }
        QCOMPARE(colors.size(), 4);
    }
}

/// The second half of the file is a tone of 1 kHz, its first half is silent.
void TstUtteranceTable::part_isAllThatIsHeard()
{
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("x.wav"));
    writeSound(file, 2);
    const UtteranceSoundPtr whole = readUtteranceSound({ file.toStdString(), {} });
    QCOMPARE(whole->error, QString());
    QCOMPARE(whole->seconds, 2.0);
    QCOMPARE(whole->sampleRateHz, 8000);
    QVERIFY(whole->wave.front().high < 0.01F && whole->wave.back().high > 0.3F);
    const UtteranceSoundPtr part
        = readUtteranceSound({ file.toStdString(), { .begin = 1.25, .end = 1.75 } });
    QCOMPARE(part->seconds, 0.5);
    QVERIFY(part->wave.front().high > 0.3F);
    // 1 kHz of 4 lies a quarter from the bottom.
    const QImage& image = part->spectrogram;
    int loudest = 0;
    for (int y = 0; y < image.height(); ++y)
        if (image.pixelIndex(image.width() / 2, y) > image.pixelIndex(image.width() / 2, loudest))
            loudest = y;
    const double hz = 4000.0 * (image.height() - 1 - loudest) / image.height();
    QVERIFY2(std::abs(hz - 1000) < 40, qPrintable(QString::number(hz)));
}

EARWRIGHT_TEST(TstUtteranceTable)
#include "tst_utterance_table.moc"
