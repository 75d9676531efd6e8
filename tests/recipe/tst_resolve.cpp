#include "core/recipe/resolve.h"
#include "tests/recipe/tree_comparison.h"
#include "tests/registry.h"

#include <map>
#include <nlohmann/json.hpp>
#include <QTest>

using namespace earwright;
using namespace earwright::recipe;

namespace {

Resolved resolveText(const std::string& text, const ResolveOptions& options = {})
{
    return resolve(text, "x.yaml", {}, options);
}

/// The value of key "k" as YAML, or the first rule broken.
QString valueOfK(const QString& recipe)
{
    const Resolved resolved = resolveText(recipe.toStdString());
    if (!resolved.diagnostics.empty())
        return QString::fromStdString("[" + resolved.diagnostics[0].rule + "]");
    return QString::fromStdString(emitYaml(*find(*resolved.root, "k"))).trimmed();
}

ResolveOptions readingFrom(const std::map<std::string, std::string>& files)
{
    ResolveOptions options;
    options.readInclude = [files](const std::string& path) -> Result<std::string> {
        if (const auto file = files.find(path); file != files.end())
            return file->second;
        return Error { "cannot read '" + path + "'" };
    };
    return options;
}

} // namespace

class TstResolve final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void reference_hasPythonsValue_data();
    void latinEscapes_areUtf8();
    void sharedTuple_isWrittenAsItsTextTwice();
    void questionMark_isQuotedBetweenBrackets();
    void reference_hasPythonsValue();
    void brokenReference_isReported_data();
    void brokenReference_isReported();
    void pureReference_isTheSameObject();
    void copy_isAnotherObject();
    void attribute_becomesACall();
    void tuple_isASequence();
    void parenthesesInABlock_areText();
    void token_isNoReference();
    void include_isReadRelativeToItsFile();
    void includeBody_overridesTheFile();
    void includeOfItself_ends();
    void missingInclude_isReportedAtItsTag();
    void includedNode_remembersItsFile();
    void placeholder_isReportedOnceAndSpreads();
    void placeholderInAnInclude_isNamedByItsPath();
    void hiddenKeys_canBeDropped();
    void endlessReferences_areRefused_data();
    void endlessReferences_areRefused();
    void recipeThatIsNoMapping_isRefused();
    void emittedTree_resolvesToItself_data();
    void emittedTree_resolvesToItself();
    void json_hasTypedValues();
};

void TstResolve::reference_hasPythonsValue_data()
{
    QTest::addColumn<QString>("recipe");
    QTest::addColumn<QString>("value");
    const auto row = [](const char* recipe, const char* value) {
        QTest::newRow(recipe) << QString::fromUtf8(recipe) << QString::fromUtf8(value);
    };
    row("a: 0x1F\nk: !ref <a>", "0x1F");
    row("a: 0x1F\nk: !ref <a>x", "31x");
    row("a: {b: {c: 3}}\nk: !ref <a[b][c]>", "3");
    row("k: !ref <a>\na: !ref <b>\nb: !ref <c>/x\nc: 1986", "1986/x");
    row("a: results\nb: 1986\nk: !ref <a>/x/<b>", "results/x/1986");
    row("a: true\nk: !ref x-<a>", "x-True");
    row("a: true\nk: !ref <a>-<a>", "0");
    row("a: null\nk: !ref x<a>", "xNone");
    row("a: 1.e-8\nk: !ref x<a>", "x1e-08");
    row("a: 1e20\nk: !ref x<a>", "x1e+20");
    row("a: [1, x, null, 1.5, true]\nk: !ref <a>/y", "'[1, ''x'', None, 1.5, True]/y'");
    row("a: {p: 1}\nk: !ref x<a>", "'x{''p'': 1}'");
    row("a: (1, 2)\nk: !ref x<a>", "x(1, 2)");
    row("k: !ref 3", "'3'");
    row("k: !ref 2 * 3", "2 * 3");
    row("a: \"<c>\"\nk: !ref <a>\nc: 4", "4");
    row("a: 3\nk: !ref <a><a>", "33");
    row("a: 'true'\nk: !ref <a>", "'true'");
    row("a: True\nk: !apply:operator.not_ [!ref <a>]", "false");
    row("a: False\nb: !apply:operator.not_ [!ref <a>]\nk: !ref <b>", "true");
    row("k: !apply:operator.not_ [x]", "!apply:operator.not_ [x]");
    row("a: 6\nb: 3\nk: !ref <a>/<b>", "2.0");
    row("a: 7\nk: !ref <a> // 2", "3");
    row("a: 7\nk: !ref <a> % 4 + 1 * 2", "5");
    row("a: 7\nk: !ref (0 - <a>) // 2", "-4");
    row("a: 7\nk: !ref (0 - <a>) % 4", "1");
    row("a: 7.5\nk: !ref (0 - <a>) % 2", "0.5");
    row("a: 7.5\nk: !ref <a> // 0.1", "74.0");
    row("a: 2\nk: !ref <a> ** 3 ** 2", "512");
    row("a: 2\nk: !ref <a> ** (0 - 1)", "0.5");
    row("a: 10\nk: !ref <a> ** 0.1", "1.2589254117941673");
    row("a: 0.1\nk: !ref <a> + 0.2", "0.30000000000000004");
    row("a: 4\nk: !ref (<a> + 1) * 2", "10");
    row("a: true\nk: !ref <a> + 1", "2");
    row("a: 5\nk: !ref <a>.5", "5.5");
    row("a: 5\nk: !ref <a>e3", "5000.0");
    row("a: 5\nk: !ref <a>_0", "50");
    row("a: 5\nk: !ref <a>.", "5.0");
    row("a: 5\nk: !ref 0<a>", "'05'");
    row("a: 5\nk: !ref <a> 6", "5 6");
    row("a: 7\nk: !ref -<a>", "'-7'");
    row("a: 2\nk: !ref <a> - -<a>", "2 - -2");
    row("a: 2024\nk: !ref <a>-01-02", "2024-01-02");
    row("a: true\nk: !ref \"<a> \"", "true");
    row("a: abc\nk: !ref \"'<a>' + 'd'\"", "abcd");
    row("a: 7\nk: !ref (<a>, 2)", "(7, 2)");
    row("a: dir\nk: !ref <a>/shard-{000000..999999}.tar", "dir/shard-{000000..999999}.tar");
    row("a: {<<: &d {x: 1}}\nk: !ref <a[x]>", "1");
}

void TstResolve::reference_hasPythonsValue()
{
    QFETCH(QString, recipe);
    QFETCH(QString, value);
    QCOMPARE(valueOfK(recipe), value);
}

void TstResolve::brokenReference_isReported_data()
{
    QTest::addColumn<QString>("recipe");
    QTest::addColumn<QString>("rule");
    const auto row = [](const char* recipe, const char* rule) {
        QTest::newRow(recipe) << QString::fromUtf8(recipe) << QString::fromUtf8(rule);
    };
    row("k: !ref <zz>", "[unknown-reference]");
    row("a: {b: 1}\nk: !ref <a[c]>", "[unknown-reference]");
    row("a: [1]\nk: !ref <a[0]>", "[unknown-reference]");
    row("1: x\nk: !ref <1>", "[unknown-reference]");
    row("a: x\nk: !ref <a[x]>", "[unknown-reference]");
    row("k: !ref {a: 1}", "[unknown-reference]");
    row("k: !ref <k>", "[reference-cycle]");
    row("k: !ref x<k>", "[reference-cycle]");
    row("k: !ref <b>\nb: !ref <k>", "[reference-cycle]");
    row("k: {b: !ref <k>}", "[reference-cycle]");
    row("k: {b: !ref <c>}\nc: {d: !ref <k>}", "[reference-cycle]");
    row("k: !copy <b>\nb: [!ref <k>]", "[reference-cycle]");
    row("k: !ref <u>\nu: <u>", "[reference-cycle]");
    row("a: 0\nk: !ref 1 / <a>", "[arithmetic]");
    row("a: 0\nk: !ref 1 // <a>", "[arithmetic]");
    row("a: 0\nk: !ref 1.5 % <a>", "[arithmetic]");
    row("a: 2\nk: !ref <a> ** 70", "[arithmetic]");
    row("a: 9223372036854775807\nk: !ref <a> + 1", "[arithmetic]");
    row("k: !PLACEHOLDER", "[placeholder]");
}

void TstResolve::brokenReference_isReported()
{
    QFETCH(QString, recipe);
    QFETCH(QString, rule);
    QCOMPARE(valueOfK(recipe), rule);
}

void TstResolve::pureReference_isTheSameObject()
{
    const Resolved resolved = resolveText("m: [!ref <enc>]\nenc: !new:a.B\n  x: !ref <n>\nn: 3\n");
    const NodePtr enc = find(*resolved.root, "enc");
    QCOMPARE(find(*resolved.root, "m")->items[0], enc);
    QCOMPARE(find(*enc, "x")->text, std::string("3"));
}

void TstResolve::copy_isAnotherObject()
{
    const Resolved resolved = resolveText("a: {x: !ref <b>}\nb: [1]\nc: !copy <a>\n");
    const NodePtr a = find(*resolved.root, "a");
    const NodePtr c = find(*resolved.root, "c");
    QVERIFY(a != c && find(*a, "x") != find(*c, "x"));
    QCOMPARE(find(*a, "x"), find(*resolved.root, "b"));
    QCOMPARE(find(*c, "x")->items[0]->text, std::string("1"));
}

void TstResolve::attribute_becomesACall()
{
    const Resolved resolved = resolveText("a: !new:x.Y\nk: !ref <a.size>\n");
    const NodePtr k = find(*resolved.root, "k");
    QCOMPARE(std::string(applyClass(*k)), std::string("getattr"));
    QCOMPARE(k->items[0], find(*resolved.root, "a"));
    QCOMPARE(k->items[1]->text, std::string("size"));
}

void TstResolve::tuple_isASequence()
{
    const Resolved resolved
        = resolveText("a: (64, 2.5, x y)\nb: ()\nc: (a) text (b)\nd: !!python/tuple [1]\n");
    const NodePtr a = find(*resolved.root, "a");
    QVERIFY(a->kind == Kind::Sequence);
    QCOMPARE(a->tag, std::string("!tuple"));
    QCOMPARE(a->items.size(), size_t { 3 });
    QCOMPARE(asInt(*a->items[0]), std::optional<int64_t>(64));
    QCOMPARE(a->items[2]->text, std::string("x y"));
    QCOMPARE(a->items[0]->span.begin, a->span.begin);
    QVERIFY(find(*resolved.root, "b")->items.empty());
    QCOMPARE(find(*resolved.root, "c")->items.at(0)->text, std::string("a) text (b"));
    QCOMPARE(find(*resolved.root, "d")->tag, std::string("!tuple"));
}

void TstResolve::parenthesesInABlock_areText()
{
    const Resolved resolved = resolveText("a: |-\n  (1, 2)\nb: '(1, 2)'\n");
    QVERIFY(find(*resolved.root, "a")->kind == Kind::Scalar);
    QCOMPARE(find(*resolved.root, "b")->tag, std::string("!tuple"));
    const Resolved again = resolveText(emitYaml(*resolved.root));
    QVERIFY(find(*again.root, "a")->kind == Kind::Scalar);
}

void TstResolve::token_isNoReference()
{
    const Resolved resolved = resolveText("tokens: {<blank>: 0, <unk>: 1}\nunk: <unk>\n");
    QVERIFY(resolved.diagnostics.empty());
    QCOMPARE(find(*resolved.root, "unk")->text, std::string("<unk>"));
    QCOMPARE(find(*find(*resolved.root, "tokens"), "<blank>")->text, std::string("0"));
}

void TstResolve::include_isReadRelativeToItsFile()
{
    const auto options = readingFrom(
        { { "r/parts/a.yaml", "x: 1\ny: !include:b.yaml\n" }, { "r/parts/b.yaml", "z: 2\n" } });
    const Resolved resolved
        = resolve("k: !ref <m[y][z]>\nm: !include:parts/a.yaml\n", "r/main.yaml", {}, options);
    QVERIFY(resolved.diagnostics.empty());
    QCOMPARE(find(*resolved.root, "k")->text, std::string("2"));
    QCOMPARE(findPath(*resolved.root, "m.x")->text, std::string("1"));
}

void TstResolve::includeBody_overridesTheFile()
{
    const auto options
        = readingFrom({ { "a.yaml", "n: 1\nenc: !new:a.B {x: 1}\nk: !ref <n>-<added>\n" } });
    const Resolved resolved = resolveText(
        "size: 5\nm: !include:a.yaml\n  n: !ref <size>\n  enc: {y: 2}\n  added: new\n", options);
    QVERIFY(resolved.diagnostics.empty());
    QCOMPARE(findPath(*resolved.root, "m.k")->text, std::string("5-new"));
    QCOMPARE(std::string(newClass(*findPath(*resolved.root, "m.enc"))), std::string("a.B"));
    QCOMPARE(findPath(*resolved.root, "m.enc")->entries.size(), size_t { 2 });
}

void TstResolve::includeOfItself_ends()
{
    const auto options = readingFrom({ { "a.yaml", "b: !include:a.yaml\n" } });
    const Resolved resolved = resolveText("m: !include:a.yaml\n", options);
    QCOMPARE(resolved.diagnostics.size(), size_t { 1 });
    QCOMPARE(resolved.diagnostics[0].rule, std::string("include"));
    QCOMPARE(resolved.diagnostics[0].span.file, std::string("a.yaml"));
}

void TstResolve::missingInclude_isReportedAtItsTag()
{
    const Resolved resolved = resolveText("a: 1\nm: !include:no/such.yaml\n");
    QCOMPARE(resolved.diagnostics.at(0).rule, std::string("include"));
    QCOMPARE(resolved.diagnostics[0].span.begin, (Position { 2, 4 }));
    QVERIFY(resolved.diagnostics[0].message.starts_with("cannot read 'no/such.yaml'"));
}

void TstResolve::includedNode_remembersItsFile()
{
    const auto options = readingFrom({ { "a.yaml", "x: 1\n" } });
    const Resolved resolved = resolveText("m: !include:a.yaml\n", options);
    const NodePtr x = findPath(*resolved.root, "m.x");
    QVERIFY(x->origin == Origin::Include);
    QCOMPARE(x->originText, std::string("a.yaml"));
    QCOMPARE(x->span.file, std::string("a.yaml"));
}

void TstResolve::placeholder_isReportedOnceAndSpreads()
{
    const std::string text
        = "data: !PLACEHOLDER # path\ncsv: !ref <data>/train.csv\nalso: !ref <data>\n";
    const Resolved dropped = resolveText(text);
    QCOMPARE(dropped.diagnostics.size(), size_t { 1 });
    QVERIFY(dropped.diagnostics[0].message.find("--data=value") != std::string::npos);
    ResolveOptions options;
    options.keepPlaceholders = true;
    const Resolved kept = resolveText(text, options);
    for (const char* key : { "data", "csv", "also" }) {
        QVERIFY(isNull(*find(*dropped.root, key)));
        QCOMPARE(find(*kept.root, key)->tag, std::string("!PLACEHOLDER"));
    }
}

void TstResolve::placeholderInAnInclude_isNamedByItsPath()
{
    const auto options = readingFrom({ { "a.yaml", "s: {x: !PLACEHOLDER }\n" } });
    const std::string text = "m: !include:a.yaml\n";
    const Resolved resolved = resolveText(text, options);
    QVERIFY(resolved.diagnostics.at(0).message.find("--m.s.x=value") != std::string::npos);
    const auto overrides = parseOverrides({ "--m.s.x=3" });
    QVERIFY(resolve(text, "x.yaml", *overrides, options).diagnostics.empty());
}

void TstResolve::hiddenKeys_canBeDropped()
{
    const Resolved resolved = resolveText("__seed: 1\nseed: !ref <__seed>\n");
    QVERIFY(find(*resolved.root, "__seed"));
    const NodePtr visible = withoutHiddenKeys(*resolved.root);
    QCOMPARE(emitYaml(*visible), std::string("seed: 1\n"));
    QVERIFY(find(*resolved.root, "__seed"));
}

void TstResolve::latinEscapes_areUtf8()
{
    const Resolved resolved = resolveText("a: \"x\\N\\_\\xe9语\"\n");
    QCOMPARE(find(*resolved.root, "a")->text, std::string("x\xc2\x85\xc2\xa0\xc3\xa9语"));
}

void TstResolve::sharedTuple_isWrittenAsItsTextTwice()
{
    const Resolved resolved = resolveText("a: (1, 2)\nb: !ref <a>\nc: !ref <d>\nd: [1, 2]\n");
    QVERIFY(find(*resolved.root, "a") == find(*resolved.root, "b"));
    QCOMPARE(emitYaml(*resolved.root),
        std::string("a: (1, 2)\nb: (1, 2)\nc: &id001 [1, 2]\nd: *id001\n"));
}

/// yaml-cpp ends a plain scalar there, so the text would not be read again.
void TstResolve::questionMark_isQuotedBetweenBrackets()
{
    QCOMPARE(valueOfK("k: ['x?', 'a?b', c]"), QString("['x?', 'a?b', c]"));
    QCOMPARE(valueOfK("k: a?b"), QString("a?b"));
    const Resolved resolved = resolveText("? a: 1\n  x? : 2\n: v\n");
    QCOMPARE(emitYaml(*resolved.root), std::string("{a: 1, 'x?': 2}: v\n"));
}

void TstResolve::endlessReferences_areRefused_data()
{
    QTest::addColumn<QString>("recipe");
    QTest::addColumn<QString>("rule");
    QString text = "a0: xxxxxxxxxx\n";
    QString list = "a0: [x]\n";
    QString chain;
    QString tower = "a0: [x]\n";
    QString copies = "a0: [x]\n";
    for (int i = 1; i < 1000; ++i) {
        const QString last = QStringLiteral("<a%1>").arg(i - 1);
        const QString key = QStringLiteral("a%1: ").arg(i);
        text += key + "!ref " + last + "-" + last + "\n";
        list += key + "[!ref " + last + ", !ref " + last + "]\n";
        copies += key + "[!copy " + last + ", !copy " + last + "]\n";
        tower += key + "[!ref " + last + "]\n";
        chain.prepend(key + "!ref " + last + "\n");
    }
    QTest::newRow("text") << text << "too-large";
    QTest::newRow("list") << list << "too-large";
    QTest::newRow("copies") << copies << "too-large";
    QTest::newRow("tower") << tower << "too-deep";
    QTest::newRow("chain") << chain + "a0: 1\n"
                           << "too-deep";
}

void TstResolve::endlessReferences_areRefused()
{
    QFETCH(QString, recipe);
    QFETCH(QString, rule);
    const Resolved resolved = resolveText(recipe.toStdString());
    QVERIFY(hasErrors(resolved.diagnostics));
    QCOMPARE(QString::fromStdString(resolved.diagnostics[0].rule), rule);
}

void TstResolve::recipeThatIsNoMapping_isRefused()
{
    const Resolved resolved = resolveText("- 1\n");
    QVERIFY(!resolved.root && hasErrors(resolved.diagnostics));
    const Resolved empty = resolveText("# nothing yet\n");
    QVERIFY(empty.root && empty.root->kind == Kind::Mapping && empty.diagnostics.empty());
}

void TstResolve::emittedTree_resolvesToItself_data()
{
    QTest::addColumn<QString>("recipe");
    const auto row = [](const char* recipe) { QTest::newRow(recipe) << QString::fromUtf8(recipe); };
    row("a: &x !new:q.R\nb: !ref <a>\nc: [!ref <a>, {d: !ref <a>}]");
    row("a: {b: {}, c: [], d: [[1], [2, 3]], e: [{f: 1, g: 2}]}");
    row("a: (1, 2)\nb: '(1, 2)'\nc: [(x)]\nd: ()");
    row("a: '3'\nb: 'true'\nc: ''\nd: ~\ne: ' x '\nf: 'a: b'\ng: 'a #b'\nh: '- x'\ni: "
        "\"x\\ny\\t\\\"\\\\\"");
    row("a: ['a, b', '[', '{', 'x: y', '#', '&', '*', '!', '%', '@', '`', \"'\"]");
    row("a: |\n  two\n  lines\n");
    row("'a: b': 1\n'': 2\n3: x\ntrue: y\n'#': z\n[1, 2]: w");
    row("a: !apply:f [1, !new:g.H {x: 1}]\nb: !name:i.J\n  k: !ref <a>");
    row("b: --x\nc: 'x:'\nd: '...'\ne: .5\nf: x'y\"z\ng: 语音 🎤");
    row("a: !!str 3\nb: !!float 1\nnull: c");
    row("a: &x {b: 1}\nc: &y {d: *x}\ne: [*y, *x]");
    row("a: \"q\\N\\_\\L\\P\\xe9\"");
}

void TstResolve::emittedTree_resolvesToItself()
{
    QFETCH(QString, recipe);
    const Resolved first = resolveText(recipe.toStdString());
    QVERIFY(first.diagnostics.empty());
    const std::string emitted = emitYaml(*first.root);
    const Resolved second = resolveText(emitted);
    QVERIFY2(second.diagnostics.empty(), emitted.c_str());
    const std::string difference = firstDifference(*second.root, *first.root);
    QVERIFY2(difference.empty(), (difference + "\n" + emitted).c_str());
    QCOMPARE(emitYaml(*second.root), emitted);
}

void TstResolve::json_hasTypedValues()
{
    const Resolved resolved = resolveText(
        "a: 1\nb: 1.5\nc: true\nd: null\ne: [x, .inf]\nf: !new:g.H\n  i: (1, 2)\nj: !name:k.L\n");
    const auto json = nlohmann::json::parse(emitJson(*resolved.root));
    const auto expected = nlohmann::json::parse(R"({"a": 1, "b": 1.5, "c": true, "d": null,
        "e": ["x", ".inf"], "f": {"tag": "!new:g.H", "value": {"i": [1, 2]}},
        "j": {"tag": "!name:k.L", "value": null}})");
    QCOMPARE(QString::fromStdString(json.dump()), QString::fromStdString(expected.dump()));
}

EARWRIGHT_TEST(TstResolve)
#include "tst_resolve.moc"
