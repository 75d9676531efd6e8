#include <QTemporaryDir>
#include <QTest>

#include "core/base/text.h"
#include "core/recipe/parse.h"
#include "core/train/optim/parameter_groups.h"
#include "tests/registry.h"
#include "tests/train/rank_run.h"

using namespace earwright;
using tests::RankRun;

namespace {

const train::NamedParameters& parameters()
{
    static const train::NamedParameters kAll {
        { "enc.conv.weight", torch::ones({ 2, 2 }) },
        { "enc.conv.bias", torch::ones({ 2 }) },
        { "encoder.weight", torch::ones({ 3 }) },
        { "ctc_lin.weight", torch::ones({ 4 }) },
    };
    return kAll;
}

Result<std::vector<train::ParameterGroup>> groupsOf(const std::string& setting)
{
    return train::parameterGroups(
        *recipe::parse("lr: 0.1\n" + setting, "recipe.yaml").root, parameters());
}

} // namespace

class TstParameterGroups : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void nameOfNothing_isToldWithTheNearest_data();
    void nameOfNothing_isToldWithTheNearest();
    void name_isWholeABeginningOrAPattern();
    void frozen_areThoseOfAllNames_data();
    void frozen_areThoseOfAllNames();
    void parameters_goToTheLongestName();
    void pattern_givesWayToAName();
    void mistakes_areNamedWithTheirLine_data();
    void mistakes_areNamedWithTheirLine();
    void rates_keepTheirProportion_data();
    void rates_keepTheirProportion();
    void run_trainsEachGroupAtItsRate();
    void run_leavesVectorsUndecayed();
    void nameOfNoParameter_endsTheRunWithItsPlace();

private:
    std::map<std::string, torch::Tensor> trainedWith(
        const std::string& setting, const std::vector<std::string>& overrides = {}) const;

    QTemporaryDir m_folder;
};

void TstParameterGroups::initTestCase()
{
    tests::writeNoises(m_folder.filePath("data").toStdString(), 8);
}

void TstParameterGroups::frozen_areThoseOfAllNames_data()
{
    QTest::addColumn<std::string>("asked");
    QTest::addColumn<std::string>("trained");
    QTest::newRow("none") << std::string()
                          << std::string("enc.conv.weight enc.conv.bias "
                                         "encoder.weight ctc_lin.weight ");
    QTest::newRow("a beginning, whole")
        << std::string("enc") << std::string("encoder.weight ctc_lin.weight ");
    QTest::newRow("overlapping") << std::string("enc, enc.conv.weight,enc*")
                                 << std::string("ctc_lin.weight ");
    QTest::newRow("pattern") << std::string("*.weight") << std::string("enc.conv.bias ");
    QTest::newRow("nobody's") << std::string("enc,decoder") << std::string("refused");
    QTest::newRow("all") << std::string("enc*,ctc_lin") << std::string("refused");
}

void TstParameterGroups::frozen_areThoseOfAllNames()
{
    QFETCH(std::string, asked);
    train::NamedParameters all;
    for (const auto& [name, parameter] : parameters())
        all.emplace_back(name, parameter.clone().requires_grad_(true));
    const Status frozen = train::freeze(asked, all);
    std::string trained;
    for (const auto& [name, parameter] : all)
        trained += parameter.requires_grad() ? name + " " : "";
    QTEST(frozen ? trained : std::string("refused"), "trained");
    if (!frozen)
        QVERIFY(frozen.error().message.starts_with(asked.ends_with("decoder")
                ? "freeze_param: no parameter is called 'decoder'"
                : "freeze_param: it names all parameters: nothing would be trained"));
}

void TstParameterGroups::nameOfNothing_isToldWithTheNearest_data()
{
    QTest::addColumn<std::string>("wanted");
    QTest::addColumn<std::string>("hint");
    const auto row = [](const char* name, const std::string& wanted, const std::string& hint) {
        QTest::newRow(name) << wanted << hint;
    };
    row("pattern", "enc.*.nrom", "do you mean 'enc.*.norm'?");
    row("part", "enc.blokcs.0", "do you mean 'enc.blocks.0'?");
    row("number", "enc.blocks.9", "do you mean 'enc.blocks.0'?");
    row("none", "xyz*",
        "`earwright inspect RECIPE --tensors` lists the names in a recipe without freeze_param");
}

void TstParameterGroups::nameOfNothing_isToldWithTheNearest()
{
    QFETCH(std::string, wanted);
    QFETCH(std::string, hint);
    const train::NamedParameters all { { "enc.blocks.0.norm.weight", torch::zeros({ 1 }) },
        { "enc.blocks.1.norm.weight", torch::zeros({ 1 }) } };
    const Status frozen = train::freeze(wanted, all);
    QVERIFY(!frozen);
    QCOMPARE(frozen.error().message,
        "freeze_param: no parameter is called '" + wanted + "' or begins with it and a dot; "
            + hint);
}

void TstParameterGroups::name_isWholeABeginningOrAPattern()
{
    const std::string weight = "encoder.blocks.1.norm1.weight";
    for (const char* name : { "encoder", "encoder.blocks.1", "encoder.blocks.1.norm1.weight",
             "encoder.*.norm1", "*.norm1.weight", "encoder.blocks.[01]" })
        QVERIFY2(train::isNamed(weight, name), name);
    for (const char* name : { "enc", "encoder.blocks.1.norm", "encoder.*.norm", "norm1", "" })
        QVERIFY2(!train::isNamed(weight, name), name);
}

void TstParameterGroups::parameters_goToTheLongestName()
{
    const auto whole = groupsOf("");
    QVERIFY(whole);
    QCOMPARE(whole->size(), size_t { 1 });
    QCOMPARE(whole->front().parameters.size(), parameters().size());
    QVERIFY(!whole->front().lr);

    const auto groups
        = groupsOf("optim_param_groups: {enc: {lr: 0.02}, enc.conv.bias: {lr: 1.0e-3}}\n");
    QVERIFY2(groups, groups ? "" : groups.error().message.c_str());
    QCOMPARE(groups->size(), size_t { 3 });
    QCOMPARE((*groups)[0].parameters.size(), size_t { 2 });
    QVERIFY((*groups)[0].parameters[0].is_same(parameters()[2].second));
    QVERIFY((*groups)[1].parameters[0].is_same(parameters()[0].second));
    QVERIFY((*groups)[1].lr == 0.02);
    QVERIFY((*groups)[2].parameters[0].is_same(parameters()[1].second));
    QVERIFY((*groups)[2].lr == 0.001);
}

void TstParameterGroups::pattern_givesWayToAName()
{
    const auto groups = groupsOf(
        "optim_param_groups: {'*.conv.bias*': {lr: 0.1}, 'enc*': {lr: 0.2}, enc: {lr: 0.3}}\n");
    QVERIFY2(!groups, "enc takes what '*.conv.bias*' names");
    const auto both = groupsOf("optim_param_groups: {'enc*': {lr: 0.2}, enc: {lr: 0.3}}\n");
    QVERIFY2(both, both ? "" : both.error().message.c_str());
    QCOMPARE((*both)[1].parameters.size(), size_t { 1 }); // encoder.weight
    QCOMPARE((*both)[2].parameters.size(), size_t { 2 });
}

void TstParameterGroups::mistakes_areNamedWithTheirLine_data()
{
    QTest::addColumn<QString>("group");
    QTest::addColumn<QString>("words");
    QTest::newRow("name") << "con: {lr: 0.1}"
                          << "'con' names no trainable parameter";
    QTest::newRow("covered") << "enc: {lr: 0.1}, enc.conv: {lr: 0.2}"
                             << "'enc' names only parameters that more specific names have taken";
    QTest::newRow("no rate") << "enc: {}"
                             << "takes a learning rate and nothing else";
    QTest::newRow("bare number") << "enc: 0.1"
                                 << "takes a learning rate and nothing else";
    QTest::newRow("other setting") << "enc: {lr: 0.1, momentum: 0.5}"
                                   << "takes a learning rate and nothing else";
    QTest::newRow("zero") << "enc: {lr: 0}"
                          << "freeze_param";
    QTest::newRow("not finite") << "enc: {lr: .nan}"
                                << "needs an lr above 0";
    QTest::newRow("text") << "enc: {lr: high}"
                          << "needs an lr above 0";
}

void TstParameterGroups::mistakes_areNamedWithTheirLine()
{
    QFETCH(QString, group);
    QFETCH(QString, words);
    const auto groups = groupsOf("optim_param_groups: {" + group.toStdString() + "}\n");
    QVERIFY(!groups);
    const QString message = QString::fromStdString(groups.error().message);
    QVERIFY2(message.startsWith("recipe.yaml:2: optim_param_groups: "), qPrintable(message));
    QVERIFY2(message.contains(words), qPrintable(message));
}

void TstParameterGroups::rates_keepTheirProportion_data()
{
    QTest::addColumn<QString>("optimizer");
    QTest::newRow("SGD") << "SGD\n    lr: 0.1\n    momentum: 0.9\n";
    QTest::newRow("damped SGD") << "SGD\n    lr: 0.1\n    momentum: 0.9\n    dampening: 0.5\n";
    QTest::newRow("AdamW") << "AdamW\n    lr: 0.1\n";
    QTest::newRow("Adadelta") << "Adadelta\n    lr: 0.1\n";
}

/// A group at a fifth of the optimizer's rate moves as it would under an optimizer at that rate.
void TstParameterGroups::rates_keepTheirProportion()
{
    QFETCH(QString, optimizer);
    const std::string text = "x: !name:torch.optim." + optimizer.toStdString();
    const recipe::NodePtr node = recipe::find(*recipe::parse(text, "r").root, "x");
    std::vector<recipe::Diagnostic> diagnostics;
    const torch::Tensor own = torch::ones({ 3 });
    const torch::Tensor rest = torch::ones({ 3 });
    const torch::Tensor alone = torch::ones({ 3 });
    const auto grouped = train::makeOptimizer(
        *node, std::vector<train::ParameterGroup> { { { rest } }, { { own }, 0.02 } }, diagnostics);
    const auto single
        = train::makeOptimizer(*node, std::vector<torch::Tensor> { alone }, diagnostics);
    QVERIFY(grouped && single);
    train::setLearningRate(*grouped, 0.5);
    QCOMPARE(train::learningRate(*grouped), 0.5);
    train::setLearningRate(*single, 0.1);
    for (int step = 0; step < 3; ++step) {
        for (const torch::Tensor& parameter : { own, rest, alone })
            torch::Tensor(parameter).mutable_grad() = torch::tensor({ 0.5F, -1.0F, 2.0F });
        grouped->step();
        single->step();
    }
    QVERIFY(torch::allclose(own, alone, 1e-5, 1e-7));
    QVERIFY(!torch::allclose(rest, alone, 1e-3, 1e-3));
}

std::map<std::string, torch::Tensor> TstParameterGroups::trainedWith(
    const std::string& setting, const std::vector<std::string>& overrides) const
{
    const std::string name
        = std::to_string(std::hash<std::string>()(setting + join(overrides, " ")));
    const std::string recipe = m_folder.filePath("r" + QString::fromStdString(name)).toStdString();
    const Result<std::string> text = readFile(EARWRIGHT_CASES_DIR "/train/equal/conformer.yaml");
    if (!text || !writeFileAtomically(recipe, *text + setting))
        qFatal("no recipe");
    RankRun run { .folder = recipe + "-run",
        .data = m_folder.filePath("data").toStdString(),
        .recipe = recipe,
        .overrides = overrides };
    run.overrides.push_back("--optimizer_step_limit=1");
    const QString error = run.train();
    if (!error.isEmpty())
        qFatal("%s", qPrintable(error));
    return run.model();
}

void TstParameterGroups::nameOfNoParameter_endsTheRunWithItsPlace()
{
    const std::string recipe = m_folder.filePath("typo.yaml").toStdString();
    const Result<std::string> text = readFile(EARWRIGHT_CASES_DIR "/train/equal/conformer.yaml");
    QVERIFY(text
        && writeFileAtomically(recipe, "optim_param_groups: {ctc_lin.v: {lr: 0.1}}\n" + *text));
    const RankRun run { .folder = recipe + "-run",
        .data = m_folder.filePath("data").toStdString(),
        .recipe = recipe,
        .overrides = {} };
    QCOMPARE(run.train(),
        QString::fromStdString(recipe)
            + ":1: optim_param_groups: 'ctc_lin.v' names no trainable parameter; do you mean "
              "'ctc_lin.w'?");
}

/// After one step of SGD weights lie on a line over the rate.
void TstParameterGroups::run_trainsEachGroupAtItsRate()
{
    const auto first = trainedWith(""); // at 0.05
    const auto second = trainedWith("optim_param_groups: {ctc_lin: {lr: 0.1}}\n");
    const auto third = trainedWith("optim_param_groups: {ctc_lin: {lr: 0.15}}\n");
    QVERIFY(!first.empty());
    for (const auto& [name, weight] : first) {
        if (!name.starts_with("ctc_lin.")) {
            QVERIFY2(torch::equal(weight, second.at(name)), name.c_str());
            continue;
        }
        QVERIFY2(!torch::allclose(weight, second.at(name)), name.c_str());
        QVERIFY2(torch::allclose(weight + third.at(name), 2 * second.at(name), 1e-4, 1e-6),
            name.c_str());
    }
}

void TstParameterGroups::run_leavesVectorsUndecayed()
{
    const std::vector<std::string> decay { "--opt_class.weight_decay=0.5" };
    const auto plain = trainedWith("");
    const auto decayed = trainedWith("", decay);
    for (const std::string groups : { "", "optim_param_groups: {ctc_lin: {lr: 0.05}}\n" }) {
        const auto found = trainedWith("remove_vector_weight_decay: True\n" + groups, decay);
        int vectors = 0;
        for (const auto& [name, weight] : found) {
            vectors += weight.dim() == 1 ? 1 : 0;
            const auto& expected = weight.dim() == 1 ? plain : decayed;
            QVERIFY2(torch::allclose(weight, expected.at(name), 1e-6, 1e-7), name.c_str());
        }
        QVERIFY(vectors > 0 && vectors < std::ssize(found));
    }
    QVERIFY(!torch::allclose(plain.at("ctc_lin.w.bias"), decayed.at("ctc_lin.w.bias"), 1e-4));
}

EARWRIGHT_TEST(TstParameterGroups)
#include "tst_parameter_groups.moc"
