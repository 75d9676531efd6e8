#include "audio_fixture.h"

#include "core/base/file.h"
#include "core/data/doctor.h"
#include "core/recipe/resolve.h"
#include "core/tasks/spec.h"
#include "tests/registry.h"

#include <QTemporaryDir>
#include <QTest>

#include <atomic>

using namespace earwright;
using data::Utterance;
using recipe::Diagnostic;
using recipe::Severity;

class TstDoctor : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_dir;

    std::string path(const char* name) const
    {
        return m_dir.filePath(QString::fromUtf8(name)).toStdString();
    }

    Utterance utterance(
        const std::string& id, const std::string& wav, const std::string& text, int line) const
    {
        Utterance result;
        result.id = id;
        result.wav = wav;
        result.durationSeconds = 0.5;
        result.text = text;
        result.line = line;
        return result;
    }

    static QString describe(const std::vector<Diagnostic>& diagnostics)
    {
        QString text;
        for (const Diagnostic& d : diagnostics)
            text += QStringLiteral("%1:%2 %3 [%4] %5\n")
                        .arg(QString::fromStdString(d.span.file))
                        .arg(d.span.begin.line)
                        .arg(d.severity == Severity::Error ? "error" : "warning",
                            QString::fromStdString(d.rule), QString::fromStdString(d.message));
        return text;
    }

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(tests::writeSound(path("good.wav"), tests::sine(8000, 300, 16000)));
        QVERIFY(tests::writeSound(path("stereo.wav"), tests::sine(44100, 300, 44100),
            { .sampleRateHz = 44100, .channels = 2 }));
        QVERIFY(tests::writeSound(path("good.flac"), tests::sine(8000, 300, 16000),
            { .format = SF_FORMAT_FLAC | SF_FORMAT_PCM_16 }));
        QVERIFY(writeFileAtomically(path("zero.wav"), ""));
        QVERIFY(writeFileAtomically(path("text.wav"), "RIFF this is no audio file"));
        const std::vector<float> noise = tests::noise(8000);
        QVERIFY(tests::writeSound(path("cut.wav"), noise));
        QVERIFY(tests::writeSound(
            path("cut.flac"), noise, { .format = SF_FORMAT_FLAC | SF_FORMAT_PCM_16 }));
        for (const char* name : { "cut.wav", "cut.flac" })
            std::filesystem::resize_file(path(name), 6044); // of 16044 and about as many
        std::vector<float> loud = noise;
        loud[4000] = 1e30F;
        QVERIFY(tests::writeSound(
            path("loud.wav"), loud, { .format = SF_FORMAT_WAV | SF_FORMAT_FLOAT }));
        QVERIFY(tests::writeSound(path("gsm.wav"), tests::sine(8000, 300, 16000),
            { .format = SF_FORMAT_WAV | SF_FORMAT_GSM610 }));
    }

    void goodSet_hasNothingToSay()
    {
        const data::TextEncoder encoder = data::TextEncoder::fromTexts({ "ab" }, 0);
        const data::InspectOptions options { .encoder = &encoder,
            .frameRate = settings::FrameRate { .stride = 4 } };
        const auto found = data::inspect({ utterance("u1", path("good.wav"), "abba", 2) }, options);
        QCOMPARE(describe(found.diagnostics), QString());
        QCOMPARE(data::reportConversions(found.conversions, 16000), std::string());
    }

    void textBeyondTheDecodersPlaces_isAnError()
    {
        const data::TextEncoder encoder = data::TextEncoder::fromTexts({ "ab" }, 0);
        const data::InspectOptions options { .encoder = &encoder, .mostTokens = 3 };
        const auto found = data::inspect({ utterance("u1", path("good.wav"), "aba", 2),
                                             utterance("u2", path("good.wav"), "abab", 3) },
            options)
                               .diagnostics;
        QCOMPARE(found.size(), size_t(1));
        QCOMPARE(found.front().rule, std::string("data-long-text"));
        QVERIFY(recipe::hasErrors(found));
        QCOMPARE(found.front().message,
            std::string("utterance 'u2' has a text of 4 tokens, and the decoder has places for 3; "
                        "shorten the transcript or remove the line"));
    }

    /// Of good.wav, which lasts half a second.
    void part_isMeasuredByItself()
    {
        Utterance part = utterance("u1", path("good.wav"), "a", 2);
        part.part = { .begin = 0.1, .end = 0.3 };
        part.durationSeconds = 0.2;
        QCOMPARE(describe(data::inspect({ part }, {}).diagnostics), QString());
        Utterance behind = part;
        behind.part = { .begin = 8000, .end = 9600, .countsSamples = true };
        const auto found = data::inspect({ behind }, {}).diagnostics;
        QCOMPARE(found.size(), size_t(1));
        QCOMPARE(found.front().rule, std::string("data-bad-audio"));
        QCOMPARE(found.front().message,
            "utterance 'u1' is no part of '" + path("good.wav")
                + "': it begins at 0.50 s, but the file ends at 0.50 s; correct its start or "
                  "remove the line");
    }

    /// By its header: a recording may be hours.
    void recordingOfAPart_isNotDecoded()
    {
        Utterance part = utterance("u1", path("cut.flac"), "a", 2);
        part.part = { .begin = 0.1, .end = 0.3 };
        part.durationSeconds = 0.2;
        const Utterance whole = utterance("u2", path("cut.flac"), "a", 3);
        QCOMPARE(describe(data::inspect({ part }, {}).diagnostics), QString());
        const auto found = data::inspect({ part, whole }, {}).diagnostics;
        QCOMPARE(found.size(), size_t(1));
        QCOMPARE(found.front().rule, std::string("data-bad-audio"));
        QCOMPARE(found.front().span.begin.line, 3);
    }

    void partOfAnyLength_endsWithItsFile()
    {
        const auto frames = data::framesIn({ .begin = 0.25, .seconds = 1e300 }, 8000, 16000);
        QVERIFY(frames);
        QCOMPARE(frames->first, int64_t(4000));
        QCOMPARE(frames->count, int64_t(4000));
    }

    void everyFault_namesLineUtteranceAndWhatToTry()
    {
        const data::TextEncoder encoder = data::TextEncoder::fromTexts({ "ab" }, 0);
        data::InspectOptions options { .manifestFile = "train.csv", .encoder = &encoder };
        options.mostTokens = 5;
        options.frameRate
            = settings::FrameRate { .stride = 4, .pooling = 3 }; // 8000 samples: 51, 13, 4 frames
        Utterance wrongLength = utterance("u6", path("good.wav"), "a", 7);
        wrongLength.durationSeconds = 3;
        const std::vector<Utterance> set { utterance("u1", path("none.wav"), "a", 2),
            utterance("u2", path("zero.wav"), "a", 3), utterance("u2b", path("text.wav"), "a", 4),
            utterance("u2c", path("cut.wav"), "a", 5), utterance("u2d", path("cut.flac"), "a", 6),
            utterance("u2e", path("loud.wav"), "a", 6), utterance("u2f", path("gsm.wav"), "a", 6),
            wrongLength, utterance("u3", path("good.wav"), "abc", 8),
            utterance("u4", path("good.wav"), "aba", 9),
            utterance("u5", path("good.wav"), "abbb", 10),
            utterance("u7", path("good.wav"), "", 11),
            utterance("u8", path("good.wav"), "bababa", 12) };
        QString expected
            = QString::fromStdString(*readFile(EARWRIGHT_CASES_DIR "/data/doctor.expected"));
        expected.replace("DIR", m_dir.path());
        const QStringList lines = describe(data::inspect(set, options).diagnostics).split('\n');
        const QStringList expectedLines = expected.split('\n');
        for (qsizetype i = 0; i < std::min(lines.size(), expectedLines.size()); ++i)
            QVERIFY2(lines[i] == expectedLines[i], qPrintable(lines[i]));
        QCOMPARE(lines.size(), expectedLines.size());
    }

    void oddWhiteSpace_isTold_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("said"); // "": nothing
        QTest::newRow("single blanks") << "a b"
                                       << "";
        QTest::newRow("two") << "a  b"
                             << "has two blanks in a row in its transcript";
        QTest::newRow("leading") << " a b"
                                 << "has a blank at its beginning in its transcript";
        QTest::newRow("trailing") << "a b "
                                  << "has a blank at its end in its transcript";
        QTest::newRow("tab") << "a\tb"
                             << "has a tab in its transcript";
        QTest::newRow("no-break") << QStringLiteral("a\u00a0b") << "has U+00A0 in its transcript";
        QTest::newRow("wide") << QStringLiteral("天\u3000气") << "has U+3000 in its transcript";
        QTest::newRow("blanks alone") << QStringLiteral(" \u3000") << "has an empty transcript";
    }

    void oddWhiteSpace_isTold()
    {
        QFETCH(QString, text);
        QFETCH(QString, said);
        const auto found
            = data::inspect({ utterance("u", path("good.wav"), text.toStdString(), 2) }, {});
        const QString told = describe(found.diagnostics);
        QVERIFY2(said.isEmpty() ? told.isEmpty() : told.contains(said), qPrintable(told));
        QVERIFY(found.diagnostics.size() == size_t(said.isEmpty() ? 0 : 1));
    }

    /// All would be trained and scored as <unk>.
    void otherLetters_areToldOnce_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("said"); // "": nothing
        QTest::newRow("its own") << "AB BA"
                                 << "";
        QTest::newRow("some") << "AB BA CAB"
                              << "";
        QTest::newRow("small") << "ab ba"
                               << "cannot write 2 of the 2 words, which have 'a', 'b'; it "
                                  "writes capital letters";
        QTest::newRow("another script") << "аб вг"
                                        << "2 of the 2 words, which have 'а', 'б', 'в', 'г'";
        QTest::newRow("wide") << "ＡＢ"
                              << "1 of the 1 words, which have 'Ａ', 'Ｂ'";
    }

    void otherLetters_areToldOnce()
    {
        QFETCH(QString, text);
        QFETCH(QString, said);
        const data::TextEncoder encoder
            = data::TextEncoder::fromTexts({ "A B" }, { .blank = 0, .addUnk = true });
        const auto found = data::inspect(
            { utterance("u", path("good.wav"), text.toStdString(), 2) }, { .encoder = &encoder });
        const QString told = describe(found.diagnostics);
        QVERIFY2(said.isEmpty() ? told.isEmpty() : told.contains(said + "\n"), qPrintable(told));
    }

    /// With byte_fallback a model can write them, but was not trained to.
    void lettersByBytes_areTold_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("said"); // "": nothing
        QTest::newRow("its own") << "ab ba"
                                 << "";
        QTest::newRow("some") << "ab ba Ab"
                              << "";
        QTest::newRow("capital")
            << "AB BA"
            << "writes only by bytes 2 of the 2 words, which have 'A', 'B'; it "
               "writes small letters";
        QTest::newRow("signs of the names of bytes")
            << "<0x41>"
            << "writes only by bytes 1 of the 1 words, which have '<', '0', 'x', '4', '1', …";
    }

    void lettersByBytes_areTold()
    {
        QFETCH(QString, text);
        QFETCH(QString, said);
        const auto encoder
            = data::TextEncoder::load(EARWRIGHT_CASES_DIR "/data/sentence_piece/bytes.model");
        QVERIFY2(encoder, encoder ? "" : encoder.error().message.c_str());
        const auto found = data::inspect(
            { utterance("u", path("good.wav"), text.toStdString(), 2) }, { .encoder = &*encoder });
        const QString told = describe(found.diagnostics);
        QVERIFY2(said.isEmpty() ? told.isEmpty() : told.contains(said + "\n"), qPrintable(told));
    }

    void repeatsNeedABlankBetween_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("isTooShort");
        QTest::newRow("4 characters in 4 frames") << "abab" << false;
        QTest::newRow("3 characters, one repeat") << "abb" << false;
        QTest::newRow("4 characters, one repeat") << "abba" << true;
        QTest::newRow("5 characters") << "ababa" << true;
    }

    void repeatsNeedABlankBetween()
    {
        QFETCH(QString, text);
        QFETCH(bool, isTooShort);
        const data::TextEncoder encoder = data::TextEncoder::fromTexts({ "ab" }, 0);
        const data::InspectOptions options { .encoder = &encoder,
            .frameRate = settings::FrameRate { .stride = 4, .pooling = 3 } };
        const auto found
            = data::inspect({ utterance("u", path("good.wav"), text.toStdString(), 2) }, options);
        QCOMPARE(found.diagnostics.size(), size_t(isTooShort ? 1 : 0));
        QVERIFY(!recipe::hasErrors(
            found.diagnostics)); // a warning: such a row counts as 0, the others train
    }

    void frameRate_followsTheRecipe_data()
    {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<qint64>("frames"); // of 16000 samples
        QTest::newRow("features only")
            << "compute_features: !new:speechbrain.lobes.features.Fbank\n"
            << qint64(101);
        QTest::newRow("their hop")
            << "compute_features: !new:speechbrain.lobes.features.Fbank\n    hop_length: 20\n"
            << qint64(51);
        QTest::newRow("strided convolutions")
            << "CNN: !new:speechbrain.lobes.models.convolution.ConvolutionFrontEnd\n"
               "    input_shape: (8, 10, 80)\n    num_blocks: 2\n    strides: (2, 2)\n"
            << qint64(26);
        QTest::newRow("time pooling") << "enc: !new:speechbrain.lobes.models.CRDNN.CRDNN\n    "
                                         "input_shape: [null, null, 40]\n    time_pooling: True\n"
                                         "    time_pooling_size: 4\n"
                                      << qint64(25);
        QTest::newRow("pooling over time and features")
            << "model: !new:speechbrain.lobes.models.CRDNN.CRDNN\n    input_shape: [null, null, "
               "40]\n    using_2d_pooling: True\n"
            << qint64(25);
        QTest::newRow("an encoder that subsamples itself")
            << "enc: !new:earwright.models.ConvEncoder\n    input_size: 40\n    subsampling: 4\n"
            << qint64(26);
        QTest::newRow("a class unknown here")
            << "enc: !new:torch.nn.LSTM\n    input_size: 40\n    hidden_size: 8\n"
            << qint64(101);
    }

    void frameRate_followsTheRecipe()
    {
        QFETCH(QString, recipe);
        QFETCH(qint64, frames);
        const recipe::Resolved resolved = recipe::resolve(recipe.toStdString(), "x.yaml", {});
        QVERIFY(resolved.root);
        QCOMPARE(qint64(tasks::frameRate(*resolved.root, 16000)->frames(16000)), frames);
    }

    void tenThousandFiles_areAllLookedAt()
    {
        std::vector<Utterance> set;
        for (int i = 0; i < 10000; ++i)
            set.push_back(utterance(
                "u" + std::to_string(i), path(i % 2 == 0 ? "good.wav" : "good.flac"), "ab", i + 2));
        const data::TextEncoder encoder = data::TextEncoder::fromTexts({ "ab" }, 0);
        const auto found
            = data::inspect(set, { .encoder = &encoder, .frameRate = settings::FrameRate {} });
        QCOMPARE(describe(found.diagnostics), QString());
        QCOMPARE(found.conversions.numFiles, 10000);
    }

    void badFilesAmongGoodOnes_areAllSaidAlike()
    {
        std::vector<Utterance> set;
        for (int i = 0; i < 2000; ++i)
            set.push_back(utterance("u", path(i % 2 == 0 ? "good.wav" : "text.wav"), "a", 2));
        const auto found = data::inspect(set, { .maxPerRule = 2000 });
        QCOMPARE(found.diagnostics.size(), size_t(1000));
        for (const Diagnostic& diagnostic : found.diagnostics)
            QCOMPARE(diagnostic.message, found.diagnostics.front().message);
    }

    void manyOfOneRule_areCounted()
    {
        std::vector<Utterance> set;
        for (int i = 0; i < 50; ++i)
            set.push_back(utterance("u" + std::to_string(i), path("none.wav"), "a", i + 2));
        const auto found = data::inspect(set, { .manifestFile = "train.csv", .maxPerRule = 3 });
        QCOMPARE(found.diagnostics.size(), size_t(4));
        QCOMPARE(found.diagnostics.back().message, std::string("47 more utterances like these"));
        QCOMPARE(found.diagnostics.back().rule, std::string("data-missing-file"));
    }

    /// A manifest may name one recording a million times.
    void fileNamedAgain_isOpenedOnce()
    {
        std::vector<Utterance> set;
        for (int i = 0; i < 5000; ++i)
            set.push_back(utterance("u" + std::to_string(i), path("good.wav"), "a", i + 2));
        std::atomic<int> opened = 0;
        const auto found = data::inspect(set, { .goOn = [&] { return ++opened > 0; } });
        QCOMPARE(opened.load(), 1);
        QCOMPARE(found.conversions.numFiles, int64_t(5000));
    }

    void conversions_areCounted()
    {
        Utterance stereo = utterance("u2", path("stereo.wav"), "a", 3);
        const auto found = data::inspect({ utterance("u1", path("good.wav"), "a", 2), stereo }, {});
        QCOMPARE(data::reportConversions(found.conversions, 16000),
            std::string("of 2 files 1 are averaged to one channel, 1 are resampled to 16000 Hz "
                        "from 44100"));
    }

    void framesNeeded_countsABlankBetweenRepeats()
    {
        QCOMPARE(data::ctcFramesNeeded({}), 0);
        QCOMPARE(data::ctcFramesNeeded({ 1, 2, 2, 2, 3 }), 7);
    }
};

EARWRIGHT_TEST(TstDoctor)
#include "tst_doctor.moc"
