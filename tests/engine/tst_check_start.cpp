#include "tests/data/audio_fixture.h"
#include "tests/engine/program.h"
#include "tests/files.h"
#include "tests/registry.h"

#include <QTemporaryDir>
#include <sys/stat.h>

using namespace earwright::tests;

/// `earwright check` of a recipe that starts from weights, beside `earwright train` of the same.
class TstCheckStart : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void labelsOfTheStart_areThoseOfTheCheck_data() { starts(); }
    void labelsOfTheStart_areThoseOfTheCheck();
    void labelsOfAnotherKind_areToldByBoth_data() { starts(); }
    void labelsOfAnotherKind_areToldByBoth();
    void labelThatIsTheBlank_isToldOnce_data() { starts(); }
    void labelThatIsTheBlank_isToldOnce();
    void start_isToldAtItsKey_data();
    void start_isToldAtItsKey();

private:
    QString path(const QString& name) const { return m_folder.filePath(name); }
    void writeData(const QString& name, const QStringList& texts) const;
    void starts() const;
    Ended check(const QString& recipe, const QStringList& more) const;
    Ended train(const QString& recipe, const QString& start, const QString& run) const;

    QTemporaryDir m_folder;
    const QStringList m_few { "--data_folder=" + path("few"),
        "--valid_csv=" + path("all/train.csv"), "--normalize.norm_type=sentence" };
};

/// One sound for all texts.
void TstCheckStart::writeData(const QString& name, const QStringList& texts) const
{
    QDir().mkpath(path(name));
    QByteArray csv = "ID,duration,wav,spk_id,wrd\n";
    for (qsizetype i = 0; i < texts.size(); ++i)
        csv += QString("%1,0.5,%2,s,%3\n").arg(i).arg(path("sound.wav"), texts[i]).toUtf8();
    writeFile(path(name) + "/train.csv", csv);
}

void TstCheckStart::initTestCase()
{
    QVERIFY(earwright::tests::writeSound(path("sound.wav").toStdString(),
        earwright::tests::sine(4000, 300, 8000), { .sampleRateHz = 8000 }));
    writeData("all", { "FACE", "BAD", "CAFE" });
    writeData("few", { "AB", "BA" });
    const QByteArray recipe = bytesOf(EARWRIGHT_CASES_DIR "/train/imported.yaml");
    writeFile(path("characters.yaml"), recipe);
    writeFile(path("words.yaml"), recipe + "token_type: word\n");
    const Ended trained
        = runEarwright({ "train", path("characters.yaml"), "--data_folder=" + path("all"),
            "--normalize.norm_type=sentence", "--devices", "cpu", "--run-dir", path("run") });
    QVERIFY2(trained.code == 0, qPrintable(trained.errors));
    for (const char* file : { "capsule.zip", "weights.safetensors" }) {
        const Ended exported = runEarwright({ "export", path("run"), path(file) });
        QVERIFY2(exported.code == 0, qPrintable(exported.errors));
    }
}

void TstCheckStart::starts() const
{
    QTest::addColumn<QString>("start");
    for (const char* start : { "run", "capsule.zip", "weights.safetensors" })
        QTest::newRow(start) << path(start);
}

Ended TstCheckStart::check(const QString& recipe, const QStringList& more) const
{
    return runEarwright(QStringList { "check", path(recipe) } + m_few + more);
}

Ended TstCheckStart::train(const QString& recipe, const QString& start, const QString& run) const
{
    return runEarwright(QStringList { "train", path(recipe), "--init_param=" + start, "--devices",
                            "cpu", "--run-dir", path(run) }
        + m_few);
}

/// The texts of this training have fewer letters than those of the validation.
void TstCheckStart::labelsOfTheStart_areThoseOfTheCheck()
{
    QFETCH(QString, start);
    const Ended checked = check("characters.yaml", { "--init_param=" + start });
    QVERIFY2(checked.code == 0, qPrintable(checked.output + checked.errors));
    const Ended trained = train("characters.yaml", start, "of " + QFileInfo(start).fileName());
    QVERIFY2(trained.code == 0, qPrintable(trained.errors));
    const Ended without = check("characters.yaml", {});
    QCOMPARE(without.code, 1);
    QVERIFY2(without.errors.contains("[data-unknown-character]"), qPrintable(without.errors));
}

/// Neither names the folder that an export is unpacked to.
void TstCheckStart::labelsOfAnotherKind_areToldByBoth()
{
    QFETCH(QString, start);
    const QString words = "init_param: the labels of '" + start
        + "/label_encoder.txt' are characters, the recipe's are not";
    const Ended checked = check("words.yaml", { "--init_param=" + start });
    QCOMPARE(checked.code, 1);
    QVERIFY2(checked.errors.contains(words), qPrintable(checked.output + checked.errors));
    QVERIFY(checked.errors.contains("[initial-weights]"));
    const Ended trained = train("words.yaml", start, "words of " + QFileInfo(start).fileName());
    QVERIFY(trained.code != 0);
    QVERIFY2((trained.output + trained.errors).contains(words),
        qPrintable(trained.output + trained.errors));
}

/// At blank_index where the labels lie beside the weights, else at init_param.
void TstCheckStart::labelThatIsTheBlank_isToldOnce()
{
    QFETCH(QString, start);
    const Ended checked = check("characters.yaml", { "--init_param=" + start, "++blank_index=3" });
    QCOMPARE(checked.code, 1);
    QVERIFY2(checked.errors.count("blank_index is 3") == 1, qPrintable(checked.errors));
    QCOMPARE(checked.errors.contains("[label-index]"), QFileInfo(start).isDir());
}

void TstCheckStart::start_isToldAtItsKey_data()
{
    QTest::addColumn<QString>("option");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const QString& option, const QString& words) {
        QTest::newRow(name) << option << words;
    };
    row("frozen", "--freeze_param=enc.foo", "[freeze-param]");
    row("other model", "--init_param=" EARWRIGHT_CASES_DIR "/model/torch/sound/funasr.pt",
        "[initial-weights]");
    QDir().mkpath(path("looped"));
    QFile::link("model.safetensors", path("looped/model.safetensors"));
    row("link to itself", "--init_param=" + path("looped"), "[initial-weights]");
    QCOMPARE(mkfifo(qPrintable(path("pipe")), 0600), 0);
    row("pipe", "--init_param=" + path("pipe"), "it is neither a file nor a folder");
}

void TstCheckStart::start_isToldAtItsKey()
{
    QFETCH(QString, option);
    QFETCH(QString, words);
    const Ended checked = check("characters.yaml", { option });
    QCOMPARE(checked.code, 1);
    QVERIFY2(checked.errors.contains(words), qPrintable(checked.output + checked.errors));
}

EARWRIGHT_TEST(TstCheckStart)
#include "tst_check_start.moc"
