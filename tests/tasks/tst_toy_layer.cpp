#include <QTest>

#include "core/catalog/catalog.h"
#include "core/catalog/shape.h"
#include "core/check/check.h"
#include "core/train/module_set.h"
#include "tests/registry.h"

using namespace earwright;

namespace earwright::tasks::toy {
bool isWidenRegistered();
}

/// A layer class that is one file is one everywhere.
class TstToyLayer final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(tasks::toy::isWidenRegistered()); }
    void wrongArgument_isNamed();
    void shape_isKnown();
    void recipe_buildsIt();
};

namespace {

recipe::NodePtr resolved(const std::string& text)
{
    return recipe::resolve(text, "toy.yaml", {}).root;
}

} // namespace

void TstToyLayer::wrongArgument_isNamed()
{
    const auto root = resolved("widen: !new:toy.Widen\n    input_size: 4\n    times: 0\n");
    const catalog::ClassInfo* info = catalog::findClass("toy.Widen");
    QVERIFY(info && info->ownsParameters && info->trainable);
    QCOMPARE(info->fields.size(), size_t { 2 });
    std::vector<recipe::Diagnostic> found;
    info->checkArguments(*recipe::find(*root, "widen"), found);
    QCOMPARE(found.size(), size_t { 1 });
    QVERIFY2(found[0].message.starts_with("'times'"), found[0].message.c_str());
}

void TstToyLayer::shape_isKnown()
{
    const auto root = resolved("widen: !new:toy.Widen\n    input_size: 4\n    times: 3\n");
    const catalog::FrameRule rule = catalog::frameRule(recipe::find(*root, "widen"), { 5 });
    QCOMPARE(rule.given, catalog::FrameShape { 12 });
    QCOMPARE(int(rule.taken), 4);
    QCOMPARE(int(rule.arriving), 5);
    QVERIFY(catalog::hasShapeRule("toy.Widen"));
}

void TstToyLayer::recipe_buildsIt()
{
    const auto root
        = resolved("widen: !new:toy.Widen\n    input_size: 4\nmodules:\n    widen: !ref <widen>\n");
    const auto modules = train::ModuleSet::build(*root, { "widen" });
    QVERIFY2(modules, modules ? "" : modules.error().message.c_str());
    const torch::Tensor given = modules->find("widen")->forward(torch::ones({ 1, 2, 4 }));
    QVERIFY(given.equal(torch::ones({ 1, 2, 8 })));
}

EARWRIGHT_TEST(TstToyLayer)
#include "tst_toy_layer.moc"
