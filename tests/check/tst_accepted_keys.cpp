#include "core/check/accepted_keys.h"
#include "core/settings/layer_keys.h"
#include "core/tasks/spec.h"
#include "tests/registry.h"

#include <QTest>

#include <algorithm>

using namespace earwright;

class TstAcceptedKeys final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nestedName_isHeldAgainstItsReader_data();
    void nestedName_isHeldAgainstItsReader();
    void layerOfATask_mayBeAdded();
};

void TstAcceptedKeys::nestedName_isHeldAgainstItsReader_data()
{
    QTest::addColumn<QString>("recipe");
    QTest::addColumn<QString>("word");
    QTest::addColumn<QString>("refusal"); ///< "" where it is accepted
    const auto row = [](const char* recipe, const char* word, const char* refusal) {
        QTest::newRow(word) << QString::fromUtf8(recipe) << QString::fromUtf8(word)
                            << QString::fromUtf8(refusal);
    };
    const char* const linear = "lin: !new:speechbrain.nnet.linear.Linear\n  n_neurons: 3\n";
    row(linear, "--lin.bias=false", "");
    row(linear, "--lin={bias: false, n_neurons: 4}", "");
    row(linear, "--lin.biass=false", "did you mean 'bias'?");
    row(linear, "--lin.width=4",
        "speechbrain.nnet.linear.Linear takes no 'width'; it knows bias, ");
    row("adam: !name:torch.optim.Adam\n", "--adam.weight_decay=0.1", "");
    row("adam: !name:torch.optim.Adam\n", "--adam.weigth_decay=0.1",
        "did you mean 'weight_decay'?");
    row("mine: !new:my.own.Encoder\n", "--mine.anything=1", "");
    const char* const loader = "train_dataloader_opts: {batch_size: 8}\n";
    row(loader, "--train_dataloader_opts.num_workers=2", "");
    row(loader, "--train_dataloader_opts.num_worker=2", "did you mean 'num_workers'?");
    const char* const dynamic = "dynamic_batch_sampler: {max_batch_length: 40}\n";
    row(dynamic, "--dynamic_batch_sampler.num_buckets=20", "");
    row(dynamic, "--dynamic_batch_sampler.max_batch_len=20", "did you mean 'max_batch_length'?");
    row("train_conf: {task: ctc}\n", "--train_conf.find_unused_parameters=true", "");
    row("train_conf: {task: ctc}\n", "--train_conf.find_unused_parameter=true",
        "did you mean 'find_unused_parameters'?");
    row("a: 1\n", "++train_conf.find_unused_parameters=true", "");
    row("a: 1\n", "++train_conf.find_unused_parameter=true",
        "did you mean 'find_unused_parameters'?");
    row("opts: {width: 1}\n", "--opts.height=1", "'opts' has no key 'height'; it knows width");
    row("modules: {a: 1}\n", "--modules.b=1", "");
    row("p: !new:q.P {paths: {model: x}}\n", "--p.paths.lm=y", "");
    row("p: !new:q.P {paths: {model: x}}\n", "--p.paths.modle=y", "did you mean 'model'?");
    row("a: 1\n", "--find_unused_parameters=true", "");
    // What Earwright reads besides the options is added where `++` says so.
    row("a: 1\n", "++hotword=words.txt", "");
    row("a: 1\n", "++test_beam_search.beam_size=9", "");
    row("a: 1\n", "--hotword=words.txt",
        "has no key 'hotword', though it may have one; ++hotword=… adds it");
    row("a: 1\n", "test_beam_search.beam_size=9", "++test_beam_search.beam_size=… adds it");
    row("label_encoder: 1\n", "--label_encoder_file=x", "++label_encoder_file=… adds it");
    for (const char* word :
        { "++save_folder=x", "++output_neurons=30", "++vocab_size=30", "++mean_var_norm=null" })
        row("data_folder: x\n", word, "");
    row("a: 1\n", "++hotwrod=words.txt", "did you mean 'hotword'?");
    row("a: 1\n", "++wer_file=x", "the recipe has no key 'wer_file'"); // of upstream's scripts
    row("a: 1\n", "--find_unused_parameter=true", "did you mean 'find_unused_parameters'?");
}

void TstAcceptedKeys::nestedName_isHeldAgainstItsReader()
{
    QFETCH(QString, recipe);
    QFETCH(QString, word);
    QFETCH(QString, refusal);
    const auto overrides = recipe::parseOverrides({ word.toStdString() });
    QVERIFY(overrides);
    const recipe::Resolved resolved
        = recipe::resolve(recipe.toStdString(), "x.yaml", *overrides, check::resolveOptions());
    QCOMPARE(resolved.diagnostics.empty(), refusal.isEmpty());
    if (refusal.isEmpty())
        return;
    QCOMPARE(resolved.diagnostics[0].rule, std::string("unknown-override"));
    const QString message = QString::fromStdString(resolved.diagnostics[0].message);
    QVERIFY2(message.contains(refusal), qPrintable(message));
}

void TstAcceptedKeys::layerOfATask_mayBeAdded()
{
    const auto read = check::acceptedKeys({}, recipe::Node(), "");
    QVERIFY(read.has_value());
    for (const char* task :
        { "ctc", "ctc_attention", "paraformer", "seaco_paraformer", "sense_voice" })
        for (const std::string& key : tasks::layerKeys(task))
            QVERIFY2(std::find(read->begin(), read->end(), key) != read->end(), key.c_str());
}

EARWRIGHT_TEST(TstAcceptedKeys)
#include "tst_accepted_keys.moc"
