#include "core/recipe/override.h"
#include "core/recipe/resolve.h"
#include "tests/registry.h"

#include <QTest>

using namespace earwright;
using namespace earwright::recipe;

namespace {

Resolved resolveWith(const std::string& text, const std::vector<std::string>& words,
    const ResolveOptions& options = {})
{
    const auto overrides = parseOverrides(words);
    return resolve(text, "x.yaml", overrides ? *overrides : std::vector<Override> {}, options);
}

std::string resolvedText(const std::string& text, const std::vector<std::string>& words)
{
    const Resolved resolved = resolveWith(text, words);
    return resolved.diagnostics.empty() ? emitYaml(*resolved.root)
                                        : resolved.diagnostics[0].message;
}

} // namespace

class TstOverride final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void words_areRead_data();
    void words_areRead();
    void brokenWord_isNamed_data();
    void brokenWord_isNamed();
    void value_isSet_data();
    void value_isSet();
    void unknownKey_namesTheNearest();
    void addableKey_isAdded();
    void optionsKey_isAdded();
    void overriddenNode_remembersWhere();
    void overriddenKey_isSeenByReferences();
    void sameOverride_servesTwoRecipes();
};

void TstOverride::words_areRead_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("value");
    QTest::newRow("dashes") << QStringList { "--a.b=3" } << "a.b"
                            << "3";
    QTest::newRow("bare") << QStringList { "a.b=3" } << "a.b"
                          << "3";
    QTest::newRow("hydra") << QStringList { "++a.b=3" } << "a.b"
                           << "3";
    QTest::newRow("two words") << QStringList { "--a", "-3" } << "a"
                               << "-3";
    QTest::newRow("equals in the value") << QStringList { "--p=a=b" } << "p"
                                         << "a=b";
    QTest::newRow("mapping") << QStringList { "--a", "{b: 3}" } << "a"
                             << "b: 3";
    QTest::newRow("list") << QStringList { "--a=[1, x]" } << "a"
                          << "[1, x]";
    QTest::newRow("empty") << QStringList { "--a=" } << "a"
                           << "null";
    QTest::newRow("quoted") << QStringList { "--a='3'" } << "a"
                            << "'3'";
    QTest::newRow("path") << QStringList { "--d=/data/x y/ü" } << "d"
                          << "/data/x y/ü";
    QTest::newRow("no-break space in a hotword")
        << QStringList { QStringLiteral("--hotword=a\u00a0b") } << "hotword"
        << "\"a\\xa0b\"";
    QTest::newRow("no-break space in one of several hotwords")
        << QStringList { QStringLiteral("--hotword.0=a\u00a0b") } << "hotword.0"
        << "\"a\\xa0b\"";
}

void TstOverride::words_areRead()
{
    QFETCH(QStringList, words);
    QFETCH(QString, path);
    QFETCH(QString, value);
    std::vector<std::string> plain;
    for (const QString& word : words)
        plain.push_back(word.toStdString());
    const auto overrides = parseOverrides(plain);
    QVERIFY2(overrides, overrides ? "" : overrides.error().message.c_str());
    QCOMPARE(overrides->size(), size_t { 1 });
    const Override& first = (*overrides)[0];
    QStringList parts;
    for (const std::string& part : first.path)
        parts << QString::fromStdString(part);
    QCOMPARE(parts.join('.'), path);
    QCOMPARE(QString::fromStdString(emitYaml(*first.value)).trimmed(), value);
    QCOMPARE(QString::fromStdString(first.text), words.join(' '));
}

void TstOverride::brokenWord_isNamed_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QString>("message");
    QTest::newRow("no value") << QStringList { "a=1", "--lr" } << "'--lr' has no value";
    QTest::newRow("option follows") << QStringList { "--lr", "--b=1" } << "'--lr' has no value";
    QTest::newRow("no key") << QStringList { "--=3" } << "names no key";
    QTest::newRow("gap") << QStringList { "--a..b=3" } << "names no key";
    QTest::newRow("bare word") << QStringList { "train" } << "'train' is no override";
    QTest::newRow("control character")
        << QStringList { QStringLiteral("--a\x01=1") } << "a control character stands here";
    QTest::newRow("no UTF-8") << QStringList { QStringLiteral("--data_folder=\u00e9") }
                              << "' is not UTF-8, as all of a recipe must be";
    QTest::newRow("control character of the second set")
        << QStringList { QString::fromLatin1(QStringLiteral("--a=\u0085").toUtf8()) }
        << "a control character stands here";
    QTest::newRow("no-break space before a key")
        << QStringList { QString::fromLatin1(QStringLiteral("--\u00a0a=1").toUtf8()) }
        << "U+00A0 (NO-BREAK SPACE) stands in it";
    QTest::newRow("zero-width space in a key")
        << QStringList { QString::fromLatin1(QStringLiteral("--a.b\u200b=1").toUtf8()) }
        << "U+200B (ZERO WIDTH SPACE) stands in it";
    QTest::newRow("no-break space behind a number")
        << QStringList { QString::fromLatin1(QStringLiteral("--a=1\u00a0").toUtf8()) }
        << "U+00A0 (NO-BREAK SPACE) stands in the value of 'a'";
    QTest::newRow("no-break space in a folder") << QStringList {
        QString::fromLatin1(QStringLiteral("--a.output_folder=results/my\u00a0run 2").toUtf8())
    } << "U+00A0 (NO-BREAK SPACE) stands in the value of 'output_folder'; write a space";
    QTest::newRow("zero-width space in a class")
        << QStringList { QString::fromLatin1(QStringLiteral("--a=!new:x.\u200bY").toUtf8()) }
        << "U+200B (ZERO WIDTH SPACE) stands in line 1";
    QTest::newRow("broken value") << QStringList { "--a=[1" } << "'--a=[1': the bracket";
}

void TstOverride::brokenWord_isNamed()
{
    QFETCH(QStringList, words);
    QFETCH(QString, message);
    std::vector<std::string> plain;
    for (const QString& word : words)
        plain.push_back(word.toLatin1().toStdString());
    const auto overrides = parseOverrides(plain);
    QVERIFY(!overrides);
    const QString text = QString::fromStdString(overrides.error().message);
    QVERIFY2(text.contains(message), qPrintable(text));
}

void TstOverride::value_isSet_data()
{
    QTest::addColumn<QString>("recipe");
    QTest::addColumn<QString>("word");
    QTest::addColumn<QString>("result");
    QTest::newRow("scalar") << "a: 1"
                            << "--a=2"
                            << "a: 2\n";
    QTest::newRow("nested") << "a: {b: 1, c: 2}"
                            << "--a.b=3"
                            << "a:\n  b: 3\n  c: 2\n";
    QTest::newRow("nested, added") << "a: {b: 1}"
                                   << "--a.c.d=3"
                                   << "a:\n  b: 1\n  c:\n    d: 3\n";
    QTest::newRow("arguments are merged") << "a: !new:x.Y {b: 1}"
                                          << "--a={b: 2, c: 3}"
                                          << "a: !new:x.Y\n  b: 2\n  c: 3\n";
    QTest::newRow("object without arguments") << "a: !new:x.Y"
                                              << "--a.b=2"
                                              << "a: !new:x.Y\n  b: 2\n";
    QTest::newRow("scalar for a mapping") << "a: !new:x.Y {b: 1}"
                                          << "--a=3"
                                          << "a: 3\n";
    QTest::newRow("another object") << "a: !new:x.Y {b: 1}"
                                    << "--a=!new:x.Z {c: 1}"
                                    << "a: !new:x.Z\n  c: 1\n";
    QTest::newRow("bare object") << "a: 1\nb: !ref <a>"
                                 << "--a=!new:x.Z"
                                 << "a: &id001 !new:x.Z\nb: *id001\n";
    QTest::newRow("bare object for another") << "a: !new:x.Y {b: 1}"
                                             << "--a=!new:x.Z"
                                             << "a: !new:x.Z\n";
    QTest::newRow("bare name") << "a: 1"
                               << "--a=!name:x.y"
                               << "a: !name:x.y\n";
    QTest::newRow("bare call") << "a: 1"
                               << "--a=!apply:x.y"
                               << "a: !apply:x.y\n";
    QTest::newRow("bare module") << "a: 1"
                                 << "--a=!module:x"
                                 << "a: !module:x\n";
    QTest::newRow("bare, with blanks and a comment") << "a: 1"
                                                     << "--a= !name:x.y # why"
                                                     << "a: !name:x.y\n";
    QTest::newRow("bare, with an anchor") << "a: 1"
                                          << "--a=&z !name:x.y"
                                          << "a: !name:x.y\n";
    QTest::newRow("bare reference") << "a: 1"
                                    << "--a=!ref"
                                    << "a: ''\n";
    QTest::newRow("bare, nested key") << "a: {b: 1}"
                                      << "--a.b=!new:x.Z"
                                      << "a:\n  b: !new:x.Z\n";
    QTest::newRow("bare, nested value")
        << "a: 1"
        << "--a={b: !new:x.Z , c: [!name:x.y , !apply:x.z ]}"
        << "a:\n  b: !new:x.Z\n  c:\n    - !name:x.y\n    - !apply:x.z\n";
    QTest::newRow("bare include") << "a: 1"
                                  << "--a=!include:nosuch.yaml"
                                  << "cannot read 'nosuch.yaml': No such file or directory";
    QTest::newRow("bare placeholder")
        << "a: 1"
        << "--a=!PLACEHOLDER"
        << "'--a=!PLACEHOLDER' gives 'a' no value; write one in place of !PLACEHOLDER";
    QTest::newRow("placeholder") << "a: !PLACEHOLDER"
                                 << "--a=x"
                                 << "a: x\n";
    QTest::newRow("null becomes a mapping") << "a: null"
                                            << "--a.b=1"
                                            << "a:\n  b: 1\n";
    QTest::newRow("key with a dot") << "a.b: 1"
                                    << "--a.b=2"
                                    << "a.b: 2\n";
    QTest::newRow("reference") << "a: 1\nb: 2"
                               << "--a=!ref <b>"
                               << "a: 2\nb: 2\n";
    QTest::newRow("into a text") << "a: x"
                                 << "--a.b=1"
                                 << "'--a.b=1': 'a' has no keys to set; override it as a whole";
    QTest::newRow("into a reference") << "a: !ref <b>\nb: {c: 1}"
                                      << "--a.c=1"
                                      << "'--a.c=1': 'a' refers to <b>; write --b.c=1 instead";
}

void TstOverride::value_isSet()
{
    QFETCH(QString, recipe);
    QFETCH(QString, word);
    QFETCH(QString, result);
    QCOMPARE(
        QString::fromStdString(resolvedText(recipe.toStdString(), { word.toStdString() })), result);
}

void TstOverride::unknownKey_namesTheNearest()
{
    const Resolved resolved = resolveWith("precision: fp32\n", { "--presicion=bf16" });
    QCOMPARE(resolved.diagnostics.size(), size_t { 1 });
    QCOMPARE(resolved.diagnostics[0].rule, std::string("unknown-override"));
    QVERIFY(resolved.diagnostics[0].message.ends_with("did you mean 'precision'?"));
}

void TstOverride::addableKey_isAdded()
{
    ResolveOptions options;
    options.addableKeys = { "find_unused_parameters" };
    const Resolved resolved = resolveWith("a: 1\n", { "--find_unused_parameters=true" }, options);
    QVERIFY(resolved.diagnostics.empty());
    QCOMPARE(find(*resolved.root, "find_unused_parameters")->text, std::string("true"));
    const Resolved misspelt = resolveWith("a: 1\n", { "--find_unused_parameter=true" }, options);
    QVERIFY(misspelt.diagnostics.at(0).message.ends_with("'find_unused_parameters'?"));
}

void TstOverride::optionsKey_isAdded()
{
    Override option { { "precision" }, makeScalar("bf16"), "--precision bf16", Origin::Option };
    const Resolved resolved = resolve("a: 1\n", "x.yaml", { option });
    QVERIFY(resolved.diagnostics.empty());
    QVERIFY(find(*resolved.root, "precision")->origin == Origin::Option);
}

void TstOverride::overriddenNode_remembersWhere()
{
    const Resolved resolved = resolveWith("a:\n  b: 1\n  c: 2\n", { "--a={b: [5]}" });
    const NodePtr b = findPath(*resolved.root, "a.b");
    for (const Node* node : { b.get(), b->items[0].get() }) {
        QVERIFY(node->origin == Origin::Override);
        QCOMPARE(node->originText, std::string("--a={b: [5]}"));
        QCOMPARE(node->span.file, std::string("x.yaml"));
    }
    QVERIFY(findPath(*resolved.root, "a.c")->origin == Origin::Recipe);
    const Resolved scalar = resolveWith("a:\n  b: 1\n", { "--a.b=2" });
    QCOMPARE(findPath(*scalar.root, "a.b")->span.begin, (Position { 2, 6 }));
}

void TstOverride::overriddenKey_isSeenByReferences()
{
    QCOMPARE(resolvedText("seed: 1\nout: !ref results/<seed>\n", { "--seed=7" }),
        std::string("seed: 7\nout: results/7\n"));
}

void TstOverride::sameOverride_servesTwoRecipes()
{
    const auto overrides = parseOverrides({ "--a={b: !ref <c>}" });
    const Resolved first = resolve("a: {}\nc: 1\n", "x.yaml", *overrides);
    const Resolved second = resolve("a: {}\nc: 2\n", "x.yaml", *overrides);
    QCOMPARE(findPath(*first.root, "a.b")->text, std::string("1"));
    QCOMPARE(findPath(*second.root, "a.b")->text, std::string("2"));
}

EARWRIGHT_TEST(TstOverride)
#include "tst_override.moc"
