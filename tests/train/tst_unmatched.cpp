#include "core/train/task/unmatched.h"

#include "core/model/tensor_file.h"
#include "tests/registry.h"
#include "tests/train/imported.h"

#include <QTest>

using namespace earwright;
using namespace earwright::tests;
namespace fs = std::filesystem;

/// What is told of names and shapes that a file of weights and a recipe do not share.
class TstUnmatched : public QObject, private ImportedRuns {
    Q_OBJECT

private Q_SLOTS:
    void whatIsDrawn_cannotBeFrozen();
    void namesOfOneSide_areToldWithTheNearest();
    void namesOfWholeLayers_areCounted();
    void likestNames_findEachOther();
    void sameLayerUnderAnotherKey_isNamed();
    void partBeforeAllNames_isTold_data();
    void partBeforeAllNames_isTold();
    void thousandsOfLayers_areCounted();
    void thousandsOfNames_areComparedInPart();
    void otherShapes_areAllToldWithBoth();
    void otherShapes_areDrawnWhereAskedFor();
    void everyName_isInTheRun();
    void namesOfLoadedLayers_areInAnotherFile();

private:
    /// kCheckpoint's weights, two of another shape.
    fs::path misshapen() const
    {
        Tensors other = *train::readInitialWeights(kCheckpoint, *recipe());
        other["enc.w.bias"] = counted({ 3, 2 });
        other["ctc_lin.w.weight"] = counted({ 12, 6 });
        const fs::path file = at("misshapen.safetensors");
        return model::writeTensorFile(file, { other, {} }) ? file : fs::path();
    }
};

/// As after a misspelt name: the training could not mend it.
void TstUnmatched::whatIsDrawn_cannotBeFrozen()
{
    Tensors other = *train::readInitialWeights(kCheckpoint, *recipe());
    other["enc.w.wieght"] = other.at("enc.w.weight");
    other.erase("enc.w.weight");
    const fs::path file = at("misspelt.safetensors");
    QVERIFY(model::writeTensorFile(file, { other, {} }));
    QCOMPARE(run("not frozen", file.string(), { "--freeze_param=ctc_lin" }).train(), QString());
    const QString error = run("frozen", file.string(), { "--freeze_param=enc" }).train();
    QVERIFY2(error.contains("lacks weights that freeze_param would keep as they are drawn"),
        qPrintable(error));
    QVERIFY2(error.contains("'enc.w.weight' (it has 'enc.w.wieght')"), qPrintable(error));
}

void TstUnmatched::namesOfOneSide_areToldWithTheNearest()
{
    const auto read = train::readInitialWeights(kCheckpoint, *recipe());
    Tensors renamed = *read;
    auto weight = renamed.extract("enc.w.weight");
    weight.key() = "enc.v.weight";
    renamed.insert(std::move(weight));
    QVERIFY(model::writeTensorFile(at("renamed.safetensors"), { renamed, {} }));
    const RankRun started = run("renamed", at("renamed.safetensors").string());
    QCOMPARE(started.train(), QString());
    QCOMPARE(toldBy(started),
        "warning: weights start from " + at("renamed.safetensors").string()
            + "; it has none of these, which are drawn: 'enc.w.weight' (it has 'enc.v.weight'); "
              "these are not used: 'enc.v.weight' (the recipe has 'enc.w.weight'); every name is "
              "in "
              "the run's init_param.txt");
    QCOMPARE(textOf(started.folder / "init_param.txt"),
        std::string("missing\tenc.w.weight\tenc.v.weight\n"
                    "not used\tenc.v.weight\tenc.w.weight\n"));
}

void TstUnmatched::namesOfWholeLayers_areCounted()
{
    QCOMPARE(train::describe({}), std::string());
    train::Unmatched unmatched;
    for (int i = 0; i < 9; ++i)
        unmatched.missing.push_back("dec." + std::to_string(i));
    unmatched.missing.push_back("enc.other.bias");
    unmatched.unexpected = { "enc.w" };
    for (int i = 0; i < 9; ++i)
        unmatched.unexpected.push_back("enc.layer" + std::to_string(i));
    QCOMPARE(train::describe(unmatched),
        std::string("; it has none of these, which are drawn: 'enc.other.bias', dec (9); these "
                    "are not used: 'enc.w', 'enc.layer0', 'enc.layer1', 'enc.layer2', "
                    "'enc.layer3', 'enc.layer4', enc (4)"));
}

/// One that is nearer to another's stays without it.
void TstUnmatched::likestNames_findEachOther()
{
    const train::Unmatched renamed { .missing
        = { "enc.blocks.1.conv.weight", "enc.blocks.3.conv.weight", "enc.blocks.4.bias" },
        .unexpected = { "enc.blocks.1.conv.weigth", "enc.layers.3.conv.weight" } };
    QCOMPARE(train::listAll(renamed),
        std::string("missing\tenc.blocks.1.conv.weight\tenc.blocks.1.conv.weigth\n"
                    "missing\tenc.blocks.3.conv.weight\tenc.layers.3.conv.weight\n"
                    "missing\tenc.blocks.4.bias\n"
                    "not used\tenc.blocks.1.conv.weigth\tenc.blocks.1.conv.weight\n"
                    "not used\tenc.layers.3.conv.weight\tenc.blocks.3.conv.weight\n"));
    const train::Unmatched fewer { .missing = { "enc.a.weight", "enc.b.weight" },
        .unexpected = { "enc.B.weight" } };
    QCOMPARE(train::listAll(fewer),
        std::string("missing\tenc.a.weight\nmissing\tenc.b.weight\tenc.B.weight\n"
                    "not used\tenc.B.weight\tenc.b.weight\n"));
}

void TstUnmatched::sameLayerUnderAnotherKey_isNamed()
{
    const train::Unmatched unmatched { .missing = { "enc.0.w", "enc.0.b", "out.w" },
        .unexpected = { "encoder.0.b", "encoder.0.w", "lm.rnn" } };
    QCOMPARE(train::describe(unmatched),
        std::string("; it has none of these, which are drawn: enc (2; it has such names below "
                    "'encoder'), out (1); these are not used: encoder (2; the recipe has such "
                    "names below 'enc'), lm (1)"));
    QCOMPARE(train::listAll(unmatched),
        std::string("missing\tenc.0.w\tencoder.0.w\nmissing\tenc.0.b\tencoder.0.b\n"
                    "missing\tout.w\nnot used\tencoder.0.b\tenc.0.b\n"
                    "not used\tencoder.0.w\tenc.0.w\nnot used\tlm.rnn\n"));
    const train::Unmatched alone { .missing = { "alpha" }, .unexpected = { "beta" } };
    QCOMPARE(train::describe(alone),
        std::string("; it has none of these, which are drawn: alpha (1); these are not used: beta "
                    "(1)"));
}

void TstUnmatched::partBeforeAllNames_isTold_data()
{
    using Left = std::vector<std::string>;
    QTest::addColumn<Left>("missing");
    QTest::addColumn<Left>("unexpected");
    QTest::addColumn<std::string>("described");
    QTest::addColumn<std::string>("listed");
    QTest::newRow("in the file")
        << Left { "enc.w", "out.w" } << Left { "a.model.enc.w", "a.model.out.w", "loss.w" }
        << std::string("; it has none of these, which are drawn: enc (1), out (1), but it has all "
                       "of them below 'a.model': save them in a file without that part of their "
                       "names; these are not used: a (2), loss (1)")
        << std::string("missing\tenc.w\ta.model.enc.w\nmissing\tout.w\ta.model.out.w\n"
                       "not used\ta.model.enc.w\tenc.w\nnot used\ta.model.out.w\tout.w\n"
                       "not used\tloss.w\n");
    QTest::newRow("in the recipe")
        << Left { "model.enc.w", "model.enc.b", "out.w" } << Left { "enc.b", "enc.w" }
        << std::string("; it has none of these, which are drawn: model (2), out (1), but it has 2 "
                       "of them without 'model': save them in a file with that part of their "
                       "names; these are not used: enc (2)")
        << std::string("missing\tmodel.enc.w\tenc.w\nmissing\tmodel.enc.b\tenc.b\n"
                       "missing\tout.w\nnot used\tenc.b\tmodel.enc.b\n"
                       "not used\tenc.w\tmodel.enc.w\n");
    QTest::newRow("twice") << Left { "enc.w", "enc.b" } << Left { "enc.enc.b", "enc.enc.w" }
                           << std::string(
                                  "; it has none of these, which are drawn: 'enc.w' (it has "
                                  "'enc.enc.w'), 'enc.b' (it has 'enc.enc.b'), but it has all of "
                                  "them below 'enc': save them in a file without that part of "
                                  "their names; these are not used: 'enc.enc.b' (the recipe has "
                                  "'enc.b'), 'enc.enc.w' (the recipe has 'enc.w')")
                           << std::string("missing\tenc.w\tenc.enc.w\n"
                                          "missing\tenc.b\tenc.enc.b\n"
                                          "not used\tenc.enc.b\tenc.b\n"
                                          "not used\tenc.enc.w\tenc.w\n");
    QTest::newRow("of few names")
        << Left { "a.w", "b.w", "c.w", "d.w" } << Left { "x.a.w", "e.v", "f.v", "g.v" }
        << std::string("; it has none of these, which are drawn: a (1), b (1), c (1), d (1); these "
                       "are not used: e (1), f (1), g (1), x (1)")
        << std::string("missing\ta.w\nmissing\tb.w\nmissing\tc.w\nmissing\td.w\n"
                       "not used\tx.a.w\nnot used\te.v\nnot used\tf.v\nnot used\tg.v\n");
}

void TstUnmatched::partBeforeAllNames_isTold()
{
    QFETCH(std::vector<std::string>, missing);
    QFETCH(std::vector<std::string>, unexpected);
    QFETCH(std::string, described);
    QFETCH(std::string, listed);
    const train::Unmatched unmatched { .missing = missing, .unexpected = unexpected };
    QCOMPARE(train::describe(unmatched), described);
    QCOMPARE(train::listAll(unmatched), listed);
}

void TstUnmatched::thousandsOfLayers_areCounted()
{
    train::Unmatched unmatched;
    for (int i = 0; i < 16'000; ++i) {
        unmatched.missing.push_back("a" + std::to_string(i) + ".w");
        unmatched.unexpected.push_back("b" + std::to_string(i) + ".w");
    }
    const QString described = QString::fromStdString(train::describe(unmatched));
    QCOMPARE(described.count("it has such names below"), 40);
    QCOMPARE(described.count(" and 15960 more layers"), 2);
    const QString listed = QString::fromStdString(train::listAll(unmatched));
    QCOMPARE(listed.count('\n'), 32'000);
    QCOMPARE(listed.count('\t'), 32'000 + 80);
}

/// Each with each would take minutes.
void TstUnmatched::thousandsOfNames_areComparedInPart()
{
    train::Unmatched unmatched;
    for (int i = 10'000; i < 26'000; ++i) {
        unmatched.missing.push_back("encoder.layers." + std::to_string(i) + ".self_attn.weight");
        unmatched.unexpected.push_back("encoder.layers." + std::to_string(i) + ".attn.weight");
    }
    const QString listed = QString::fromStdString(train::listAll(unmatched));
    QVERIFY(listed.startsWith("missing\tencoder.layers.10000.self_attn.weight\t"
                              "encoder.layers.10000.attn.weight\n"));
    QVERIFY(listed.endsWith("\nnot used\tencoder.layers.25999.attn.weight\n"));
}

void TstUnmatched::otherShapes_areAllToldWithBoth()
{
    const RankRun refused = run("shapes", misshapen().string());
    const QString error = refused.train();
    QCOMPARE(error,
        "init_param: " + QString::fromStdString(at("misshapen.safetensors").string())
            + " does not fit the recipe: 'enc.w.bias' has the shape [3, 2] there and [6] here, "
              "'ctc_lin.w.weight' has the shape [12, 6] there and [8, 6] here; "
              "ignore_init_mismatch: True draws them anew; every name is in the run's "
              "init_param.txt");
    QVERIFY(!train::lastCheckpoint(run::RunFolder { refused.folder }.checkpoints()));
}

void TstUnmatched::otherShapes_areDrawnWhereAskedFor()
{
    const RankRun started = run("drawn", misshapen().string(), { "--ignore_init_mismatch=True" });
    QCOMPARE(started.train(), QString());
    const Tensors model = started.model();
    QVERIFY(torch::equal(model.at("enc.w.weight"), counted({ 6, 8 })));
    QVERIFY(torch::equal(model.at("ctc_lin.w.bias"), counted({ 8 }) + 3));
    QCOMPARE(model.at("ctc_lin.w.weight").sizes(), torch::IntArrayRef({ 8, 6 }));
    QVERIFY(model.at("ctc_lin.w.weight").abs().max().item<double>() < 1);
    QVERIFY(model.at("enc.w.bias").abs().max().item<double>() < 1);
    QCOMPARE(toldBy(started),
        "warning: weights start from " + at("misshapen.safetensors").string()
            + "; these have another shape, and are drawn: 'enc.w.bias' ([3, 2] there, [6] here), "
              "'ctc_lin.w.weight' ([12, 6] there, [8, 6] here); every name is in the run's "
              "init_param.txt");
    QCOMPARE(textOf(started.folder / "init_param.txt"),
        std::string("other shape\tenc.w.bias\t[3, 2] there\t[6] here\n"
                    "other shape\tctc_lin.w.weight\t[12, 6] there\t[8, 6] here\n"));
}

/// No init_param is given, of which init_param.txt would be.
void TstUnmatched::namesOfLoadedLayers_areInAnotherFile()
{
    const fs::path weights = at("lin.safetensors");
    const Tensors stored { { "w.weight", counted({ 8, 6 }) }, { "w.bias", counted({ 8 }) },
        { "more", counted({ 1 }) } };
    QVERIFY(model::writeTensorFile(weights, { stored, {} }));
    std::string text = textOf(EARWRIGHT_CASES_DIR "/train/imported.yaml");
    const std::string learnsNothing = "update_until_epoch: 1";
    text.replace(text.find(learnsNothing), learnsNothing.size(), "update_until_epoch: 0");
    text += "pretrainer: !new:speechbrain.utils.parameter_transfer.Pretrainer\n"
            "    loadables:\n        ctc_lin: !ref <ctc_lin>\n    paths:\n        ctc_lin: "
        + weights.string() + "\n";
    QVERIFY(writeFileAtomically(at("loaded.yaml"), text));
    const RankRun started { .folder = at("loaded"),
        .data = at("data"),
        .recipe = at("loaded.yaml").string(),
        .overrides = { "--optimizer_step_limit=1" } };
    QCOMPARE(started.train(), QString());
    QCOMPARE(toldBy(started),
        "info: weights start from " + weights.string()
            + "; these are not used: ctc_lin (1); every name is in the run's "
              "initial_weights.txt");
    QCOMPARE(
        textOf(started.folder / "initial_weights.txt"), std::string("not used\tctc_lin.more\n"));
    QVERIFY(!fs::exists(started.folder / "init_param.txt"));
}

/// Of which the messages count the most.
void TstUnmatched::everyName_isInTheRun()
{
    Tensors more = *train::readInitialWeights(kCheckpoint, *recipe());
    std::string expected;
    for (int i = 10; i < 60; ++i) {
        more["lm." + std::to_string(i)] = counted({ 1 });
        expected += "not used\tlm." + std::to_string(i) + "\n";
    }
    QVERIFY(model::writeTensorFile(at("more.safetensors"), { more, {} }));
    const RankRun started = run("more", at("more.safetensors").string());
    QCOMPARE(started.train(), QString());
    QCOMPARE(textOf(started.folder / "init_param.txt"), expected);
    QVERIFY(toldBy(started).find("lm (50)") != std::string::npos);

    train::Unmatched unmatched;
    for (int i = 0; i < 60; ++i)
        unmatched.misshapen.push_back({ std::to_string(i), { 1 }, { 2 } });
    QVERIFY(train::describeLacking(unmatched).ends_with(
        "'39' has the shape [1] there and [2] here and 20 more"));
}

EARWRIGHT_TEST(TstUnmatched)
#include "tst_unmatched.moc"
