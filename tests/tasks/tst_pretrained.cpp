#include "core/tasks/pretrained.h"

#include "core/base/file.h"
#include "core/recipe/resolve.h"
#include "tests/registry.h"

#include <QTest>

using namespace earwright;

namespace {

const std::string kFrames = "fea_augment: !new:speechbrain.augment.augmenter.Augmenter\n"
                            "    augmentations: []\n";
const QString kTold = "'fea_augment' changes the frames of 'wav2vec2', as in SpeechBrain's script "
                      "for AISHELL-1; its other scripts do nothing with it";

/// `name`: of tests/cases/train.
std::string pretrainedText(const std::string& name)
{
    const auto text = readFile(EARWRIGHT_CASES_DIR "/train/" + name + ".yaml");
    if (!text)
        qFatal("%s", text.error().message.c_str());
    return "task: ctc\n" + *text;
}

} // namespace

/// What a recipe says of a pretrained encoder and its frames.
class TstPretrained final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void augmentedFrames_areThoseOfOneScript_data();
    void augmentedFrames_areThoseOfOneScript();
};

void TstPretrained::augmentedFrames_areThoseOfOneScript_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<bool>("areAugmented");
    QTest::addColumn<QStringList>("told");
    const std::string wav2vec = pretrainedText("pretrained");
    const std::string bert = "tokenizer: !apply:transformers.BertTokenizer.from_pretrained\n"
                             "    pretrained_model_name_or_path: bert-base-chinese\n";
    QTest::newRow("none") << wav2vec << true << QStringList();
    QTest::newRow("LibriSpeech's") << wav2vec + kFrames << true << QStringList { kTold };
    QTest::newRow("AISHELL-1's") << wav2vec + kFrames + bert << true << QStringList();
    QTest::newRow("Whisper's")
        << pretrainedText("whisper_ctc") + kFrames << false
        << QStringList { "'fea_augment' works on features, and the pretrained encoder 'whisper' is "
                         "given the waves: leave out one of them" };
}

void TstPretrained::augmentedFrames_areThoseOfOneScript()
{
    QFETCH(std::string, text);
    const recipe::Resolved resolved = recipe::resolve(text, "r.yaml", {});
    QTEST(tasks::augmentsFramesOf(*resolved.root), "areAugmented");
    settings::Diagnostics found;
    tasks::featureRules({ *resolved.root, text, "r.yaml" }, found);
    QStringList told;
    for (const recipe::Diagnostic& one : found)
        told << QString::fromStdString(one.message);
    QTEST(told, "told");
}

EARWRIGHT_TEST(TstPretrained)
#include "tst_pretrained.moc"
