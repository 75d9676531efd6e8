// Each override either changes the resolved recipe as asked or is refused with what to try, and
// the place where there is one.
#include "core/recipe/override.h"
#include "core/recipe/resolve.h"
#include "tests/registry.h"

#include <map>
#include <QTest>

using namespace earwright;
using namespace earwright::recipe;

namespace {

const std::map<std::string, std::string> kFiles {
    { "part.yaml", "x: 1\nsub: {k: 1}\nlr: !ref <x>\n" },
    { "outer.yaml", "inner: !include:part.yaml\n" },
    { "lists.yaml",
        "s: !new:q.Speed {rate: 16000, speeds: [90, 100, 110]}\nt: (1, 2)\nof: !ref "
        "<s[speeds]>\n" },
    { "deep.yaml", "aug: !include:lists.yaml\n" },
};

ResolveOptions options()
{
    ResolveOptions options;
    options.readInclude = [](const std::string& path) -> Result<std::string> {
        const auto file = kFiles.find(path);
        return file == kFiles.end() ? Result<std::string>(Error { "no such file" }) : file->second;
    };
    options.acceptedKeys = [](const std::vector<std::string>&, const Node& mapping,
                               const std::string&) -> std::optional<std::vector<std::string>> {
        if (newClass(mapping) == "q.Linear")
            return std::vector<std::string> { "n_neurons", "bias" };
        if (mapping.tag.empty() && !mapping.entries.empty())
            return std::vector<std::string> {};
        return std::nullopt;
    };
    return options;
}

/// The resolved recipe, or every message.
QString seen(const QString& recipe, const QStringList& words)
{
    std::vector<std::string> plain;
    for (const QString& word : words)
        plain.push_back(word.toStdString());
    const auto overrides = parseOverrides(plain);
    if (!overrides)
        return QString::fromStdString(overrides.error().message);
    const Resolved resolved = resolve(recipe.toStdString(), "x.yaml", *overrides, options());
    QString messages;
    for (const Diagnostic& diagnostic : resolved.diagnostics) {
        if (diagnostic.span.begin.line == 0)
            messages += QStringLiteral("no place: ");
        messages += QString::fromStdString(diagnostic.message);
    }
    return messages.isEmpty() ? QString::fromStdString(emitYaml(*resolved.root)) : messages;
}

} // namespace

class TstOverrideEffect final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyForm_reachesTheNestedKey_data();
    void everyForm_reachesTheNestedKey();
    void override_takesEffect_data();
    void override_takesEffect();
    void overrideWithoutEffect_isRefused_data();
    void overrideWithoutEffect_isRefused();

private:
    static void columns()
    {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("result");
    }
    static void row(const char* recipe, const QStringList& words, const char* result)
    {
        QTest::newRow(qPrintable(QString::fromUtf8(recipe) + words.join(u' ')))
            << QString::fromUtf8(recipe) << words << QString::fromUtf8(result);
    }
};

void TstOverrideEffect::everyForm_reachesTheNestedKey_data()
{
    columns();
    const char* const recipe = "a: {b: 1, c: 2}\nd: !ref <a[b]>\n";
    const char* const result = "a:\n  b: 3\n  c: 2\nd: 3\n";
    row(recipe, { "--a.b=3" }, result);
    row(recipe, { "a.b=3" }, result);
    row(recipe, { "++a.b=3" }, result);
    row(recipe, { "--a.b", "3" }, result);
    row(recipe, { "--a", "{b: 3}" }, result);
    row(recipe, { "--a={b: 3}" }, result);
    row(recipe, { "a={b: 3}" }, result);
    row(recipe, { "++a={b: 3}" }, result);
}

void TstOverrideEffect::everyForm_reachesTheNestedKey()
{
    QFETCH(QString, recipe);
    QFETCH(QStringList, words);
    QTEST(seen(recipe, words), "result");
}

void TstOverrideEffect::override_takesEffect_data()
{
    columns();
    // An alias is one object under two names; a merge is a copy of one level, as upstream has it.
    row("a: &x {b: 1}\nc: *x\n", { "--c.b=2" }, "a: &id001\n  b: 2\nc: *id001\n");
    row("a: &x {b: 1}\nc: *x\n", { "--c=2" }, "a:\n  b: 1\nc: 2\n");
    row("a: &x {b: 1}\nc: {<<: *x, d: 1}\n", { "--c.b=2" }, "a:\n  b: 1\nc:\n  d: 1\n  b: 2\n");
    row("a: &x {b: 1}\nc: {<<: *x, d: 1}\n", { "--a.b=2" }, "a:\n  b: 2\nc:\n  d: 1\n  b: 1\n");
    row("a: {b: 1}\nc: !copy <a>\nd: !ref <a>\n", { "--a.b=2" },
        "a: &id001\n  b: 2\nc:\n  b: 2\nd: *id001\n");
    row("a: [1, {b: 2}, 3]\n", { "--a.0=x", "--a.1.b=4" }, "a:\n  - x\n  - b: 4\n  - 3\n");
    row("a: [[1, 2], [3, 4]]\n", { "--a.1.0=x" }, "a:\n  - [1, 2]\n  - [x, 4]\n");
    row("a: !apply:f.seed [1]\n", { "--a.0=2" }, "a: !apply:f.seed [2]\n");
    row("a: (1, 2)\nb: !ref x<a>\n", { "--a.1=7" }, "a: (1, 7)\nb: x(1, 7)\n");
    row("a: (1, 2)\n", { "--a.1=7", "--a.0=6" }, "a: (6, 7)\n");
    row("a: !tuple (1, 2)\n", { "--a.0=5" }, "a: !tuple (5, 2)\n");
    row("m: !include:part.yaml\n", { "--m.x=5" }, "m:\n  x: 5\n  sub:\n    k: 1\n  lr: 5\n");
    row("m: !include:part.yaml\n  x: 2\n", { "--m.x=5" },
        "m:\n  x: 5\n  sub:\n    k: 1\n  lr: 5\n");
    row("m: !include:part.yaml\n", { "--m.sub.k=5" }, "m:\n  x: 1\n  sub:\n    k: 5\n  lr: 1\n");
    row("m: !include:part.yaml\n", { "--m={sub: {k: 5}}" },
        "m:\n  x: 1\n  sub:\n    k: 5\n  lr: 1\n");
    row("m: !include:outer.yaml\n", { "--m.inner.x=5" },
        "m:\n  inner:\n    x: 5\n    sub:\n      k: 1\n    lr: 5\n");
    row("m: !include:part.yaml\n", { "--m=3" }, "m: 3\n");
    row("m: !include:lists.yaml\n", { "--m.s.speeds.0=95", "--m.t.1=7" },
        "m:\n  s: !new:q.Speed\n    rate: 16000\n    speeds: &id001 [95, 100, 110]\n  t: (1, 7)\n"
        "  of: *id001\n");
    row("m: !include:deep.yaml\n", { "--m.aug.s.speeds.2=95", "--m.aug.of=1" },
        "m:\n  aug:\n    s: !new:q.Speed\n      rate: 16000\n      speeds: [90, 100, 95]\n"
        "    t: (1, 2)\n    of: 1\n");
    row("m: [!include:part.yaml ]\n", { "--m.0.x=5" },
        "m:\n  - x: 5\n    sub:\n      k: 1\n    lr: 5\n");
    row("m: !include:part.yaml\nv: 7\n", { "--m.x=!ref <v>" },
        "m:\n  x: 7\n  sub:\n    k: 1\n  lr: 7\nv: 7\n");
    row("m: !include:part.yaml\n", { "--m.x=!name:q.f" },
        "m:\n  x: &id001 !name:q.f\n  sub:\n    k: 1\n  lr: *id001\n");
    row("l: !new:q.Linear\n", { "--l.bias=false" }, "l: !new:q.Linear\n  bias: false\n");
    row("l: !new:q.Linear {n_neurons: 3}\nm: [!ref <l>]\n", { "--l.bias=false" },
        "l: &id001 !new:q.Linear\n  n_neurons: 3\n  bias: false\nm:\n  - *id001\n");
    row("l: &x !new:q.Linear\nm: *x\n", { "--m.bias=false" },
        "l: &id001 !new:q.Linear\n  bias: false\nm: *id001\n");
    row("l: !new:q.Unknown {a: 1}\n", { "--l.b=2" }, "l: !new:q.Unknown\n  a: 1\n  b: 2\n");
    row("a: {b.c: 1, b: {c: 2}}\n", { "--a.b.c=3" }, "a:\n  b.c: 3\n  b:\n    c: 2\n");
    row("a: {b: {c: 1, d: 2}}\n", { "--a.b={c: 3}", "--a.b.d=4" },
        "a:\n  b:\n    c: 3\n    d: 4\n");
    row("a: !PLACEHOLDER\n", { "--a.b=1" }, "a:\n  b: 1\n");
    row("a: !ref <b>\nb: 1\n", { "--a=3" }, "a: 3\nb: 1\n");
    row("a: {b: !ref <c>}\nc: 1\n", { "--a.b=3" }, "a:\n  b: 3\nc: 1\n");
}

void TstOverrideEffect::override_takesEffect()
{
    QFETCH(QString, recipe);
    QFETCH(QStringList, words);
    QTEST(seen(recipe, words), "result");
}

void TstOverrideEffect::overrideWithoutEffect_isRefused_data()
{
    columns();
    row("l: !new:q.Linear {n_neurons: 3}\n", { "--l.n_neuron=4" },
        "'--l.n_neuron=4': q.Linear takes no 'n_neuron'; did you mean 'n_neurons'?");
    row("l: !new:q.Linear {n_neurons: 3}\n", { "--l", "{zzzzzz: 4}" },
        "'--l {zzzzzz: 4}': q.Linear takes no 'zzzzzz'; it knows bias, n_neurons");
    row("a: {num_workers: 1}\n", { "--a.num_worker=4" },
        "'--a.num_worker=4': 'a' has no key 'num_worker'; did you mean 'num_workers'?");
    row("a: {b: {c: 1}}\n", { "--a={b: {zz: 2}}" },
        "'--a={b: {zz: 2}}': 'a.b' has no key 'zz'; it knows c");
    row("a: {b: 1}\n", { "--a.c.d=3" }, "'--a.c.d=3': 'a' has no key 'c'; it knows b");
    row("a: {b: 1}\n", { "--a={}" },
        "'--a={}': an empty mapping changes nothing of 'a', whose keys stay; override those by "
        "name");
    row("a: {b: 1}\n", { "--a.b=3", "--a=4" },
        "'--a.b=3' has no effect: a later override replaces its value; leave one of them out");
    row("a: 1\n", { "--a=3", "a=4" },
        "'--a=3' has no effect: a later override replaces its value; leave one of them out");
    row("a: {b: 1}\n", { "--a={b: 2}", "--a.b=4" },
        "'--a={b: 2}' has no effect: a later override replaces its value; leave one of them out");
    row("a: {b: 1}\n", { "--a.<<={c: 1}" },
        "'--a.<<={c: 1}': '<<' merges where a file is read; override the keys themselves");
    row("a: [1, 2]\n", { "--a.2=3" },
        "'--a.2=3': 'a' is a list of 2, '2' is none of its items; the first is '0'");
    row("a: [1, 2]\n", { "--a.x=3" },
        "'--a.x=3': 'a' is a list of 2, 'x' is none of its items; the first is '0'");
    row("a: (1, 2)\n", { "--a.2=3" },
        "'--a.2=3': 'a' is a list of 2, '2' is none of its items; the first is '0'");
    row("a: 5\n", { "--a.b=3" }, "'--a.b=3': 'a' has no keys to set; override it as a whole");
    row("a: !ref <b>\nb: {c: 1}\n", { "--a.c=3" },
        "'--a.c=3': 'a' refers to <b>; write --b.c=3 instead");
    row("a: !ref <b>\nb: 1\n", { "--a.c=3" },
        "'--a.c=3': 'a' has no keys to set; override it as a whole");
    row("a: !ref <b>/x\nb: {c: 1}\n", { "--a.c=3" },
        "'--a.c=3': 'a' has no keys to set; override it as a whole");
    row("m: !include:lists.yaml\n", { "--m.of.0=95" },
        "'--m.of.0=95': 'of' of 'lists.yaml' refers to <s[speeds]>; write --m.s.speeds.0=95 "
        "instead");
    row("m: !include:lists.yaml\n", { "--m.s.speeds.3=95" },
        "'--m.s.speeds.3=95': 's.speeds' of 'lists.yaml' is a list of 3, '3' is none of its "
        "items; the first is '0'");
    row("m: !include:lists.yaml\n", { "--m.s.rate.0=95" },
        "'--m.s.rate.0=95': 's.rate' of 'lists.yaml' has no keys to set; override it as a whole");
    row("m: !include:lists.yaml\n", { "--m={}" },
        "'--m={}': an empty mapping changes nothing of 'lists.yaml', whose keys stay; override "
        "those by name");
    row("m: !include:lists.yaml\n", { "--m.s.speeds.0=95", "--m.s.speeds=[1]" },
        "'--m.s.speeds.0=95' has no effect: a later override replaces its value; leave one of "
        "them out");
    row("m: !include:lists.yaml\n", { "--m.s.speeds.0=95", "--m=1" },
        "'--m.s.speeds.0=95' has no effect: a later override replaces its value; leave one of "
        "them out");
    row("m: !include:lists.yaml\n", { "--m.speeds=[95]" },
        "'--m.speeds=[95]': 'lists.yaml' has no key 'speeds' itself; write --m.s.speeds=[95]");
    row("m: !include:lists.yaml\n", { "--speeds=[95]" },
        "no place: '--speeds=[95]': the recipe has no key 'speeds' itself; write "
        "--m.s.speeds=[95]");
    row("m: !include:lists.yaml\n", { "speeds.0=95" },
        "no place: 'speeds.0=95': the recipe has no key 'speeds' itself; write --m.s.speeds.0=95");
    row("l: !new:q.Linear\nm: {a: 1}\n", { "--bias=false" },
        "no place: '--bias=false': the recipe has no key 'bias'; what takes it is set by "
        "--l.bias=false");
    row("d: {max_len: 1}\n", { "--max_len", "20" },
        "no place: '--max_len 20': the recipe has no key 'max_len' itself; write --d.max_len 20");
    row("a: {p: 1}\nb: [{p: 2}]\nc: {d: {p: 3}}\ne: {p: 4}\n", { "--p=0" },
        "no place: '--p=0': the recipe has no key 'p' itself; write --a.p=0 or --b.0.p=0 or "
        "--c.d.p=0; 1 more have it");
    row("m: !include:part.yaml\n", { "--m.y=5" },
        "'--m.y=5': 'part.yaml' has no key 'y'; it knows lr, sub, x");
    row("m: !include:part.yaml\n", { "--m.sub.kk=5" },
        "'--m.sub.kk=5': 'sub' of 'part.yaml' has no key 'kk'; did you mean 'k'?");
    row("lr: 1\n", { "--lr.x.y=5" },
        "'--lr.x.y=5': 'lr' has no keys to set; override it as a whole");
    row("lr: 1\n", { "--zzzz=5" },
        "no place: '--zzzz=5': the recipe has no key 'zzzz'; check the spelling, or add the key to "
        "the recipe");
    row("lr: 1\n", { "--<<={a: 1}" },
        "no place: '--<<={a: 1}': '<<' merges where a file is read; override the keys themselves");
    row("lr: 1\n", { "--l\u0433=5" },
        "'--l\u0433=5': the recipe has no key 'l\u0433', U+0433 (CYRILLIC SMALL LETTER GHE) stands "
        "in "
        "it; write 'lr'");
    row("lr: 1\n", { "--lrr=5" }, "'--lrr=5': the recipe has no key 'lrr'; did you mean 'lr'?");
}

void TstOverrideEffect::overrideWithoutEffect_isRefused()
{
    QFETCH(QString, recipe);
    QFETCH(QStringList, words);
    QTEST(seen(recipe, words), "result");
}

EARWRIGHT_TEST(TstOverrideEffect)
#include "tst_override_effect.moc"
