#include "upstream_recipes.h"

#include "core/catalog/argument_value.h"
#include "core/catalog/shape.h"
#include "core/check/check.h"
#include "core/recipe/parse.h"
#include "core/recipe/resolve.h"
#include "core/recipe/source.h"
#include "core/settings/tree.h"
#include "tests/registry.h"

#include <QTest>

#include <algorithm>

using namespace earwright;
using namespace earwright::tests;

namespace {

/// A size that a layer asks for, as a number that stands in the text or that a reference stands
/// for.
struct AskedSize {
    std::string key; ///< of the layer: "enc", "enc.linear2"
    std::string argument;
    recipe::Span place; ///< of the number or reference
    int line = 0;
    int64_t size = 0;
};

const std::vector<std::string> kSizeArguments
    = { "input_size", "input_shape", "in_channels", "input_dim", "enc_dim" };

void collect(const recipe::Node& written, const recipe::Node& resolved, const std::string& key,
    std::vector<AskedSize>& sizes)
{
    for (const recipe::Entry& entry : written.entries) {
        const std::string name = recipe::asString(*entry.key);
        const recipe::NodePtr value = recipe::find(resolved, name);
        const bool isSize = std::count(kSizeArguments.begin(), kSizeArguments.end(), name) > 0;
        if (value && isSize && catalog::hasShapeRule(catalog::classOf(written))) {
            const auto number = catalog::listItems(*value).back();
            const bool isList = entry.value->kind == recipe::Kind::Sequence;
            const recipe::Node& place = isList ? *entry.value->items.back() : *entry.value;
            if (recipe::asInt(*number))
                sizes.push_back(
                    { key, name, place.span, entry.key->span.begin.line, *recipe::asInt(*number) });
        }
        if (value && !recipe::newClass(*entry.value).empty())
            collect(*entry.value, *value, key.empty() ? name : key + "." + name, sizes);
    }
}

std::vector<AskedSize> askedSizes(const QString& file, const std::string& text)
{
    std::vector<AskedSize> sizes;
    const recipe::Parsed parsed = recipe::parse(text, file.toStdString());
    const recipe::Resolved whole = recipe::resolve(text, file.toStdString(), {}, {});
    if (parsed.root && whole.root)
        collect(*parsed.root, *whole.root, "", sizes);
    return sizes;
}

/// Sizes of which the recipe itself says nothing: the layer before it is not in it, or of a width
/// that its checkpoint knows.
bool isTold(const QString& file, const AskedSize& asked)
{
    const bool isBehindCheckpoint
        = asked.key == "attn_pooling" || (asked.key == "enc" && file.contains("with_wav2vec"));
    const bool isOfWaveforms = asked.key == "generator" || asked.key == "discriminator";
    const bool isOtherKeys = file.endsWith("/pretrained.yaml"); // !ref <enc[input_shape]>
    return !isBehindCheckpoint && !isOfWaveforms && !isOtherKeys;
}

/// The recipe with another number in the size's place; a reference loses its tag.
std::string withSize(const std::string& text, const AskedSize& asked, int64_t size)
{
    const recipe::SourceText source(text);
    size_t begin = source.offset(asked.place.begin);
    const size_t end = source.offset(asked.place.end);
    if (text[begin] == '(') { // "(8, 10, 80)" is one scalar of the text
        begin = text.rfind(' ', end) + 1;
        return text.substr(0, begin) + std::to_string(size) + text.substr(end - 1);
    }
    if (const size_t tag = text.rfind("!ref", begin); tag != std::string::npos && begin - tag < 7)
        begin = tag;
    return text.substr(0, begin) + std::to_string(size) + text.substr(end);
}

std::vector<recipe::Diagnostic> shapeFindings(const QString& file, const std::string& text)
{
    check::Request request;
    request.text = text;
    request.fileName = file.toStdString();
    request.checkFiles = false;
    std::vector<recipe::Diagnostic> found = check::check(request, check::Machine()).diagnostics;
    std::erase_if(found, [](const auto& one) { return !one.rule.starts_with("shape-"); });
    return found;
}

} // namespace

class TstCheckShapes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void unmodifiedRecipes_haveNoWrongSize();
    void wrongInputSize_isFoundAtItsLine();
};

void TstCheckShapes::initTestCase()
{
    if (qEnvironmentVariableIsEmpty("EARWRIGHT_RECIPES_DIR"))
        QSKIP("set EARWRIGHT_RECIPES_DIR to a folder with SpeechBrain's recipes in upstream/");
    QVERIFY2(upstreamRecipes().size() > 10, "EARWRIGHT_RECIPES_DIR holds no recipes");
}

void TstCheckShapes::unmodifiedRecipes_haveNoWrongSize()
{
    QStringList accused;
    for (const QString& file : upstreamRecipes())
        for (const recipe::Diagnostic& diagnostic : shapeFindings(file, readRecipe(file)))
            accused << file + ":" + QString::number(diagnostic.span.begin.line) + ": "
                    + QString::fromStdString(diagnostic.message);
    QVERIFY2(accused.isEmpty(), qPrintable(accused.join('\n')));
}

/// Each size that a layer with a rule asks for, one too large.
void TstCheckShapes::wrongInputSize_isFoundAtItsLine()
{
    int recipes = 0;
    int found = 0;
    QStringList silent;
    for (const QString& file : upstreamRecipes()) {
        const std::string text = readRecipe(file);
        bool isFound = false;
        for (const AskedSize& asked : askedSizes(file, text)) {
            const std::string wrong = withSize(text, asked, asked.size + 1);
            const auto findings = shapeFindings(file, wrong);
            const auto finding = std::find_if(findings.begin(), findings.end(),
                [&](const auto& one) { return one.span.begin.line == asked.line; });
            const QString where = file.section("/upstream/", 1) + ": "
                + QString::fromStdString(asked.key + "." + asked.argument);
            if (!isTold(file, asked)) {
                silent << where;
                continue;
            }
            QVERIFY2(finding != findings.end(), qPrintable(where));
            ++found;
            isFound = true;
            QCOMPARE(finding->severity, recipe::Severity::Error);
            QVERIFY2(finding->fix, qPrintable(file));
            const std::string mended = recipe::applyFix(wrong, *finding->fix);
            QVERIFY(shapeFindings(file, mended).empty());
            const bool isNumber = withSize(text, asked, asked.size) == text;
            QVERIFY2(!isNumber || mended == text, qPrintable(where));
        }
        recipes += isFound ? 1 : 0;
    }
    qInfo("%d wrong sizes found in %d recipes; not known from the recipe: %lld", found, recipes,
        static_cast<long long>(silent.size()));
    for (const QString& size : silent)
        qInfo("  %s", qPrintable(size));
    QVERIFY(found > 90 && recipes > 30);
}

EARWRIGHT_TEST(TstCheckShapes)
#include "tst_check_shapes.moc"
