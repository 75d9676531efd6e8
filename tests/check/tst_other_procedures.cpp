#include "upstream_recipes.h"

#include "core/base/text.h"
#include "core/check/accepted_keys.h"
#include "core/check/check.h"
#include "core/tasks/spec.h"
#include "tests/files.h"
#include "tests/registry.h"

#include <QDirIterator>
#include <QFileInfo>
#include <QTest>

#include <algorithm>

using namespace earwright;
using namespace earwright::tests;

namespace {

const QString kList = EARWRIGHT_SOURCE_DIR "/tests/upstream/expected";

QString recipesFolder()
{
    return qEnvironmentVariable("EARWRIGHT_RECIPES_DIR") + "/speechbrain/recipes/";
}

/// Those for recognition, by their paths below the folder.
QStringList recognitionRecipes()
{
    QStringList recipes;
    QDirIterator found(recipesFolder(), { "*.yaml" }, QDir::Files, QDirIterator::Subdirectories);
    while (found.hasNext()) {
        const QString path = found.next().mid(recipesFolder().size());
        if (path.contains("/ASR/"))
            recipes << path;
    }
    recipes.sort();
    return recipes;
}

check::Findings procedureFindings(const std::string& text, const std::string& name)
{
    check::Request request;
    request.text = text;
    request.fileName = name;
    request.checkFiles = false;
    return check::check(request, check::Machine());
}

QStringList realErrors(const check::Findings& findings)
{
    QStringList errors;
    for (const recipe::Diagnostic& one : findings.diagnostics)
        if (one.severity == recipe::Severity::Error && one.rule != "placeholder"
            && one.rule != "include")
            errors << QString::fromStdString(one.rule + ": " + one.message);
    return errors;
}

/// Smaller than upstream's recipes, with an object of the class under a key of `modules`.
std::string recipeWithObject(const std::string& object)
{
    return "number_of_epochs: 1\nx: !new:" + object
        + "\nctc_lin: !new:speechbrain.nnet.linear.Linear\n    input_size: 4\n    n_neurons: 4\n"
          "ctc_cost: !name:speechbrain.nnet.losses.ctc_loss\n"
          "modules:\n    x: !ref <x>\n    ctc_lin: !ref <ctc_lin>\n";
}

} // namespace

/// Recipes of upstream's that no task trains are refused in one sentence.
class TstOtherProcedures final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void object_isNamedWithItsProcedure_data();
    void object_isNamedWithItsProcedure();
    void namedTask_holdsUnlessItCannot_data();
    void namedTask_holdsUnlessItCannot();
    void modelBesideTheLayers_isNone();
    void upstreamRecipe_isTakenOrRefusedInOneSentence_data();
    void upstreamRecipe_isTakenOrRefusedInOneSentence();
};

void TstOtherProcedures::object_isNamedWithItsProcedure_data()
{
    QTest::addColumn<std::string>("object");
    QTest::addColumn<QString>("procedure");
    const auto row = [](const char* object, const char* procedure) {
        QTest::newRow(object) << std::string(object) << QString(procedure);
    };
    row("speechbrain.integrations.huggingface.wavlm.WavLM\n    source: a\n    save_path: b",
        "a pretrained encoder (WavLM) under another key than 'wav2vec2'");
    row("speechbrain.lobes.models.huggingface_transformers.hubert.HuBERT\n    source: a",
        "a pretrained encoder (HuBERT) under another key than 'wav2vec2'");
    row("speechbrain.integrations.huggingface.whisper.Whisper\n    source: a\n    save_path: b",
        "Whisper under another key than 'whisper'");
    row("speechbrain.integrations.huggingface.llama.LLaMA\n    source: a",
        "a speech language model");
    row("speechbrain.lobes.models.wav2vec.W2VLatentExtractor",
        "SpeechBrain's own wav2vec 2.0 under another key than 'extractor'");
    row("speechbrain.lobes.models.wav2vec.W2VTargetQuantiser", "the pretraining of wav2vec 2.0");
    row("speechbrain.decoders.scorer.RescorerBuilder",
        "the rescoring of n-best lists by a neural language model");
    row("speechbrain.lobes.models.dual_path.Encoder", "speech enhancement by SepFormer");
}

void TstOtherProcedures::object_isNamedWithItsProcedure()
{
    QFETCH(std::string, object);
    QFETCH(QString, procedure);
    const check::Findings findings = procedureFindings(recipeWithObject(object), "x.yaml");
    QStringList refusals = realErrors(findings).filter("class-not-supported: ");
    QCOMPARE(refusals,
        QStringList { "class-not-supported: 'x' belongs to " + procedure
            + ", which Earwright does not train; it trains "
            + QString::fromStdString(join(tasks::names(), ", ")) });
    QVERIFY(findings.options.task.empty());
}

void TstOtherProcedures::namedTask_holdsUnlessItCannot_data()
{
    QTest::addColumn<std::string>("object");
    QTest::addColumn<bool>("isTrained");
    const auto row = [](const char* name, const char* object, bool isTrained) {
        QTest::newRow(name) << std::string(object) << isTrained;
    };
    row("rescoring", "speechbrain.decoders.scorer.RescorerBuilder", true);
    row("enhancement", "speechbrain.lobes.models.dual_path.Encoder", true);
    row("transducer", "speechbrain.nnet.transducer.transducer_joint.Transducer_joint", false);
    row("decoder of RNNs", "speechbrain.nnet.RNN.AttentionalRNNDecoder", false);
    row("trained model", "speechbrain.lobes.models.wav2vec.W2VLatentExtractor", false);
    row("of Hugging Face",
        "speechbrain.integrations.huggingface.whisper.Whisper\n    source: a\n    save_path: b",
        false);
}

void TstOtherProcedures::namedTask_holdsUnlessItCannot()
{
    QFETCH(std::string, object);
    QFETCH(bool, isTrained);
    const auto refusals = [](const check::Findings& findings) {
        return realErrors(findings).filter("which Earwright does not train").size();
    };
    const std::string text = recipeWithObject(object);
    const check::Findings inferred = procedureFindings(text, "x.yaml");
    QCOMPARE(refusals(inferred), 1);
    QVERIFY(inferred.options.task.empty());
    const check::Findings named = procedureFindings("task: ctc\n" + text, "x.yaml");
    QCOMPARE(refusals(named), isTrained ? 0 : 1);
    QCOMPARE(named.options.task, std::string(isTrained ? "ctc" : ""));
}

/// A frozen teacher that an own script reads.
void TstOtherProcedures::modelBesideTheLayers_isNone()
{
    std::string text
        = recipeWithObject("speechbrain.integrations.huggingface.wavlm.WavLM\n    source: a\n"
                           "    save_path: b\n    freeze: True");
    const std::string entry = "    x: !ref <x>\n";
    text.erase(text.find(entry), entry.size());
    const check::Findings findings = procedureFindings(text, "x.yaml");
    QCOMPARE(findings.options.task, std::string("ctc"));
    QCOMPARE(realErrors(findings).filter("class-not-supported"), QStringList());
}

void TstOtherProcedures::upstreamRecipe_isTakenOrRefusedInOneSentence_data()
{
    if (qEnvironmentVariableIsEmpty("EARWRIGHT_RECIPES_DIR") || !QFileInfo(recipesFolder()).isDir())
        QSKIP("set EARWRIGHT_RECIPES_DIR to a folder with SpeechBrain's recipes in "
              "speechbrain/recipes");
    QTest::addColumn<QString>("recipe");
    for (const QString& recipe : recognitionRecipes())
        QTest::newRow(qPrintable(recipe)) << recipe;
}

void TstOtherProcedures::upstreamRecipe_isTakenOrRefusedInOneSentence()
{
    QFETCH(QString, recipe);
    const QString path = recipesFolder() + recipe;
    const check::Findings findings = procedureFindings(readRecipe(path), path.toStdString());
    const QStringList errors = realErrors(findings);
    const bool isTrained = QString::fromUtf8(bytesOf(kList)).split('\n').contains(recipe);
    if (isTrained) {
        QVERIFY2(!findings.options.task.empty(), qPrintable(errors.join('\n')));
        return;
    }
    QVERIFY2(errors.size() == 1, qPrintable(errors.join('\n')));
    QVERIFY2(errors[0].startsWith("class-not-supported: ")
            && errors[0].contains(", which Earwright does not train; "),
        qPrintable(errors[0]));
}

EARWRIGHT_TEST(TstOtherProcedures)
#include "tst_other_procedures.moc"
