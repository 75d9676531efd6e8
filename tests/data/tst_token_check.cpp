#include "tests/data/piece_texts.h"
#include "tests/expected.h"
#include "tests/registry.h"

#include "core/base/file.h"
#include "core/check/check.h"
#include "core/check/rule_table.h"
#include "core/data/encoder_recipe.h"
#include "core/data/token_check.h"
#include "core/data/token_list.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace earwright;
using data::TextEncoder;

// tests/cases/data/tokens: a recipe and what is to be said of its tokens. Their `tokenizers` is a
// folder made here: plain.model (60 pieces, <unk> is 0), marks.model (60; <pad>, <s>, </s>, <unk>),
// 60_unigram.model (the same as plain), broken.model, labels.txt (<blank>, <bos>, <eos>, a, b),
// ctc_labels.txt (<blank>, a, b), run/label_encoder.txt (the same), tokens.json and tokens.txt
// (FunASR's), repeated.json, and in no UTF-8 gbk_tokens.txt and latin1_labels.txt.

namespace {

const QString kTokenCases = QString(EARWRIGHT_CASES_DIR) + "/data/tokens";

catalog::SentencePieceConfig withMarks()
{
    catalog::SentencePieceConfig config = tests::bpe();
    config.padId = 0;
    config.bosId = 1;
    config.eosId = 2;
    config.unkId = 3;
    return config;
}

QStringList caseNames()
{
    QStringList names;
    for (const QString& file : QDir(kTokenCases).entryList({ "*.yaml" }))
        names << file.chopped(5);
    return names;
}

std::string textOf(const QString& name)
{
    const auto text = readFile((kTokenCases + "/" + name + ".yaml").toStdString());
    if (!text)
        qFatal("%s", text.error().message.c_str());
    return *text;
}

} // namespace

class TstTokenCheck : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_tokenizers;

    void write(const char* name, const std::string& text) const
    {
        QVERIFY(writeFileAtomically(m_tokenizers.filePath(name).toStdString(), text));
    }

    recipe::NodePtr resolved(const std::string& text) const
    {
        const recipe::Override folder { { "tokenizers" },
            recipe::makeScalar(m_tokenizers.path().toStdString()), "", recipe::Origin::Override };
        return recipe::resolve(text, "recipe.yaml", { folder }, {}).root;
    }

    std::vector<recipe::Diagnostic> found(const std::string& text) const
    {
        return data::checkTokens(*resolved(text), "recipe.yaml");
    }

    QString shown(const std::string& text) const
    {
        QString all;
        for (const recipe::Diagnostic& diagnostic : found(text))
            all += QString::fromStdString(recipe::formatDiagnostic(diagnostic, text)).trimmed()
                + "\n";
        return all.replace(m_tokenizers.path(), "TOKENIZERS");
    }

private Q_SLOTS:
    void initTestCase();
    void recipe_givesTheExpectedText_data();
    void recipe_givesTheExpectedText();
    void fix_mendsWhatItIsFor_data();
    void fix_mendsWhatItIsFor();
    void everyDiagnostic_isOfTheTable();
    void run_refusesWhatIsUnusable_data();
    void run_refusesWhatIsUnusable();
    void check_asksWhereFilesAreLookedAt();
    void openModel_isForTheUserToName();
    void tokenList_isReadInBothForms();
    void brokenTokenList_isAnError_data();
    void brokenTokenList_isAnError();
};

void TstTokenCheck::initTestCase()
{
    const std::string plain = tests::trained(tests::bpe()).modelBytes();
    write("plain.model", plain);
    write("60_unigram.model", plain);
    write("marks.model", tests::trained(withMarks()).modelBytes());
    write("broken.model", "no model");
    write("labels.txt",
        TextEncoder::fromTexts({ "ab" }, { .blank = 0, .bos = 1, .eos = 2 }).fileText());
    QVERIFY(QDir(m_tokenizers.path()).mkdir("run"));
    for (const char* name : { "ctc_labels.txt", "run/label_encoder.txt" })
        write(name, TextEncoder::fromTexts({ "ab" }, 0).fileText());
    write("tokens.json", R"(["<blank>", "<s>", "</s>", "我", "们", "<unk>"])");
    write("tokens.txt", "<blank>\n<s>\n</s>\n我\n们\n<unk>\n");
    write("repeated.json", R"(["<blank>", "我", "我"])");
    write("gbk_tokens.txt", "<blank>\n<s>\n</s>\n\xce\xd2\n<unk>\n");
    write("latin1_labels.txt", "'<blank>' => 0\n'a' => 1\n'\xe9' => 2\n");
}

void TstTokenCheck::recipe_givesTheExpectedText_data()
{
    QTest::addColumn<QString>("name");
    for (const QString& name : caseNames())
        QTest::newRow(qPrintable(name)) << name;
}

void TstTokenCheck::recipe_givesTheExpectedText()
{
    QFETCH(QString, name);
    const QString text = shown(textOf(name));
    compareWithFile(text, kTokenCases + "/" + name + ".expected");
    QVERIFY(!name.startsWith("clean_") || text.isEmpty());
}

void TstTokenCheck::fix_mendsWhatItIsFor_data()
{
    recipe_givesTheExpectedText_data();
}

void TstTokenCheck::fix_mendsWhatItIsFor()
{
    QFETCH(QString, name);
    const std::string text = textOf(name);
    const auto before = found(text);
    for (const recipe::Diagnostic& diagnostic : before) {
        if (!diagnostic.fix)
            continue;
        const auto after = found(recipe::applyFix(text, *diagnostic.fix));
        QVERIFY2(after.size() < before.size(), diagnostic.message.c_str());
        for (const recipe::Diagnostic& left : after)
            QVERIFY2(left.message != diagnostic.message, left.message.c_str());
    }
}

void TstTokenCheck::everyDiagnostic_isOfTheTable()
{
    int count = 0;
    for (const QString& name : caseNames()) {
        for (const recipe::Diagnostic& diagnostic : found(textOf(name))) {
            ++count;
            QVERIFY2(check::findRule(diagnostic.rule), diagnostic.rule.c_str());
            QVERIFY2(diagnostic.span.begin.line > 0, diagnostic.message.c_str());
        }
    }
    QVERIFY(count > 10);
}

void TstTokenCheck::run_refusesWhatIsUnusable_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("isRefused");
    for (const char* name : { "text_pieces", "beyond_the_last", "broken_model", "labels",
             "labels_without_marks", "paraformer", "broken_labels", "missing_model",
             "unnamed_model", "pretrained_model" })
        QTest::newRow(name) << name << true;
    // What trains all the same, and what the model's layers tell.
    for (const char* name : { "clean_unknown_for_all", "clean_marks", "clean_ctc", "clean_labels",
             "mixed_up", "shared_mark", "few_outputs", "referred" })
        QTest::newRow(name) << name << false;
}

/// The check and the run are of one mind.
void TstTokenCheck::run_refusesWhatIsUnusable()
{
    QFETCH(QString, name);
    QFETCH(bool, isRefused);
    const std::string text = textOf(name);
    const auto made = data::makeEncoder(*resolved(text), {});
    QVERIFY2(bool(made) != isRefused, made ? "" : made.error().message.c_str());
    const auto diagnostics = found(text);
    QVERIFY(!isRefused || recipe::hasErrors(diagnostics));
    if (!isRefused)
        return;
    const auto first = std::find_if(diagnostics.begin(), diagnostics.end(),
        [](const auto& one) { return one.severity == recipe::Severity::Error; });
    QVERIFY(QString::fromStdString(made.error().message)
                .endsWith(QString::fromStdString(first->message)));
}

void TstTokenCheck::check_asksWhereFilesAreLookedAt()
{
    check::Request request;
    request.text = textOf("text_pieces");
    request.fileName = "recipe.yaml";
    request.overrides = { { { "tokenizers" }, recipe::makeScalar(m_tokenizers.path().toStdString()),
        "", recipe::Origin::Override } };
    const auto count = [&] {
        const auto all = check::check(request, {}).diagnostics;
        return std::count_if(all.begin(), all.end(),
            [](const recipe::Diagnostic& one) { return one.rule == "label-index"; });
    };
    QCOMPARE(count(), 0); // a program without the library
    request.tokenRule = data::checkTokens;
    QCOMPARE(count(), 4);
    request.checkFiles = false;
    QCOMPARE(count(), 0);
}

/// The placeholder is said; what it will be cannot be missed yet.
void TstTokenCheck::openModel_isForTheUserToName()
{
    check::Request request;
    request.text = textOf("missing_model");
    request.fileName = "recipe.yaml";
    request.tokenRule = data::checkTokens;
    const auto says = [&](const char* rule) {
        const auto all = check::check(request, {}).diagnostics;
        return std::any_of(all.begin(), all.end(),
            [&](const recipe::Diagnostic& one) { return one.rule == rule; });
    };
    QVERIFY(says("placeholder"));
    QVERIFY(!says("tokenizer-file"));
    request.overrides = { { { "tokenizers" }, recipe::makeScalar(m_tokenizers.path().toStdString()),
        "", recipe::Origin::Override } };
    QVERIFY(says("tokenizer-file"));
    request.checkFiles = false;
    QVERIFY(!says("tokenizer-file"));
}

void TstTokenCheck::tokenList_isReadInBothForms()
{
    for (const char* name : { "tokens.json", "tokens.txt" }) {
        const auto list = data::readTokenList(m_tokenizers.filePath(name).toStdString());
        QVERIFY2(list, name);
        QVERIFY((list->labels
            == std::vector<std::string> { "<blank>", "<s>", "</s>", "我", "们", "<unk>" }));
        QVERIFY((list->special == std::set<int64_t> { 0, 1, 2, 5 }));
        QVERIFY(list->blank == 0);
        QVERIFY(list->bos == 1);
        QVERIFY(list->eos == 2);
        QVERIFY(list->unknown == 5);
    }
}

void TstTokenCheck::brokenTokenList_isAnError_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("message");
    QTest::newRow("object") << R"({"a": 0})"
                            << "it is no JSON list of tokens";
    QTest::newRow("cut off") << R"(["a", )"
                             << "it is no JSON list of tokens";
    QTest::newRow("number") << R"(["a", 7])"
                            << "its entry 1 is no text";
    QTest::newRow("twice") << R"(["a", "b", "a"])"
                           << "the token 'a' is there twice, as 0 and 2";
}

void TstTokenCheck::brokenTokenList_isAnError()
{
    QFETCH(QString, text);
    QFETCH(QString, message);
    write("wrong.json", text.toStdString());
    const std::string file = m_tokenizers.filePath("wrong.json").toStdString();
    const auto list = data::readTokenList(file);
    QVERIFY(!list);
    QCOMPARE(QString::fromStdString(list.error().message),
        QString("token list '%1': %2").arg(QString::fromStdString(file), message));
}

EARWRIGHT_TEST(TstTokenCheck)
#include "tst_token_check.moc"
