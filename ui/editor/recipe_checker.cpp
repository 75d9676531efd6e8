#include "ui/editor/recipe_checker.h"

#include "core/recipe/override.h"
#include "core/recipe/resolve.h"

#include <QtConcurrentRun>

namespace kymo::ui {
namespace {

using namespace std::chrono_literals;
constexpr auto kDebounce = 200ms;

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

CheckResultPtr checkNow(const QString& text, const QString& fileName, const CheckContext& context)
{
    auto result = std::make_shared<CheckResult>();
    check::Request request;
    request.text = text.toStdString();
    request.fileName = fileName.toStdString();
    request.overrides = readOverrides(context, result->diagnostics);
    request.devices = context.devices.toStdString();
    const bool overridesRead = result->diagnostics.empty();
    plan::Checked checked = plan::checkRecipe(request, context.machine);
    result->isClean = overridesRead && checked.plan.has_value();
    result->diagnostics.insert(
        result->diagnostics.end(), checked.diagnostics.begin(), checked.diagnostics.end());
    result->resolved = recipe::resolve(request.text, request.fileName, request.overrides).root;
    return result;
}

RecipeChecker::RecipeChecker(QObject* parent)
    : QObject(parent)
{
    m_debounce.setSingleShot(true);
    connect(&m_debounce, &QTimer::timeout, this, &RecipeChecker::run);
}

void RecipeChecker::setContext(const CheckContext& context)
{
    m_context = context;
    if (!m_fileName.isEmpty())
        m_debounce.start(kDebounce);
}

void RecipeChecker::schedule(const QString& text, const QString& fileName)
{
    m_text = text;
    m_fileName = fileName;
    m_debounce.start(kDebounce);
}

void RecipeChecker::run()
{
    const quint64 generation = ++m_generation;
    QtConcurrent::run([text = m_text, file = m_fileName, context = m_context] {
        return checkNow(text, file, context);
    }).then(this, [this, generation](const CheckResultPtr& result) {
        if (generation == m_generation)
            Q_EMIT checked(result);
    });
}

} // namespace kymo::ui
