#include "ui/editor/recipe_checker.h"

#include "core/data/token_check.h"
#include "core/recipe/override.h"
#include "ui/widgets/when_done.h"

#include <QtConcurrentRun>

namespace earwright::ui {
namespace {

using namespace std::chrono_literals;
/// A check of the largest recipes takes tens of milliseconds in a thread of its own: there is no
/// need to wait long for a pause in typing.
constexpr auto kDebounce = 5ms;

void addOption(std::vector<recipe::Override>& overrides, const char* key, const QString& value)
{
    if (value.isEmpty())
        return;
    const std::string text = value.toStdString();
    overrides.push_back({ .path = { key },
        .value = recipe::makeScalar(text, recipe::Origin::Option),
        .text = std::string("--") + key + "=" + text,
        .origin = recipe::Origin::Option });
}

std::vector<recipe::Override> readOverrides(
    const CheckContext& context, std::vector<recipe::Diagnostic>& diagnostics)
{
    std::vector<recipe::Override> all;
    for (const QString& word : context.overrides) {
        auto parsed = recipe::parseOverrides({ word.toStdString() });
        if (parsed)
            all.insert(all.end(), parsed->begin(), parsed->end());
        else
            diagnostics.push_back(
                { recipe::Severity::Error, "override", parsed.error().message, {}, {} });
    }
    addOption(all, "precision", context.precision);
    addOption(all, "eval_precision", context.evalPrecision);
    return all;
}

} // namespace

CheckResultPtr checkNow(const QString& text, const QString& fileName, const CheckContext& context,
    const language::DocumentPtr& previous)
{
    auto result = std::make_shared<CheckResult>();
    check::Request request;
    request.text = text.toStdString();
    request.fileName = fileName.toStdString();
    request.overrides = readOverrides(context, result->diagnostics);
    request.devices = context.devices.toStdString();
    request.tokenRule = data::checkTokens;
    const bool overridesRead = result->diagnostics.empty();
    result->document = language::analyse(request, context.machine, previous);
    const check::Findings& findings = result->document->findings;
    result->isClean = overridesRead && findings.recipe && !recipe::hasErrors(findings.diagnostics);
    result->diagnostics.insert(
        result->diagnostics.end(), findings.diagnostics.begin(), findings.diagnostics.end());
    result->symbols = std::make_shared<const std::vector<language::Symbol>>(
        language::outline(*result->document));
    return result;
}

RecipeChecker::RecipeChecker(QObject* parent)
    : QObject(parent)
{
    m_debounce.setSingleShot(true);
    m_debounce.setTimerType(Qt::PreciseTimer);
    connect(&m_debounce, &QTimer::timeout, this, &RecipeChecker::run);
}

void RecipeChecker::setContext(const CheckContext& context)
{
    m_context = context;
    ++m_revision;
    if (!m_fileName.isEmpty())
        m_debounce.start(kDebounce);
}

void RecipeChecker::schedule(const QString& text, const QString& fileName)
{
    m_text = text;
    m_fileName = fileName;
    ++m_revision;
    m_debounce.start(kDebounce);
}

void RecipeChecker::hurry()
{
    if (m_debounce.isActive())
        m_debounce.start(0ms);
}

void RecipeChecker::run()
{
    m_isWaiting = m_isRunning;
    if (m_isRunning)
        return;
    m_isRunning = true;
    const auto check
        = [text = m_text, file = m_fileName, context = m_context, previous = m_previous] {
              return checkNow(text, file, context, previous);
          };
    whenDone(QtConcurrent::run(check), this,
        [this, revision = m_revision](const CheckResultPtr& result) { onDone(revision, result); });
}

void RecipeChecker::onDone(quint64 revision, const CheckResultPtr& result)
{
    m_isRunning = false;
    m_previous = result->document;
    if (m_isWaiting)
        run();
    if (revision != m_revision)
        return;
    m_checkedRevision = revision;
    Q_EMIT checked(result);
}

} // namespace earwright::ui
