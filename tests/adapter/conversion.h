#pragma once

#include "core/adapter/command_keys.h"
#include "core/adapter/convert.h"
#include "core/check/check.h"
#include "core/recipe/resolve.h"
#include "tests/expected.h"

namespace earwright::tests {

/// `words`: overrides.
inline adapter::Converted converted(
    const QString& name, const std::vector<std::string>& words = {}, int64_t numRanks = 1)
{
    const std::string text
        = bytesOf(QString(EARWRIGHT_CASES_DIR) + "/check/" + name + ".yaml").toStdString();
    const std::string fileName = name.toStdString() + ".yaml";
    recipe::ResolveOptions options;
    options.addableKeys = adapter::commandKeys();
    const recipe::Resolved resolved
        = recipe::resolve(text, fileName, *recipe::parseOverrides(words), options);
    const auto toolkit = adapter::toolkitOf(*resolved.root);
    return toolkit ? adapter::convert(resolved.root, *toolkit, fileName, { .numRanks = numRanks })
                   : adapter::Converted();
}

/// Of a text of FunASR's.
inline adapter::Converted convertedText(const std::string& text)
{
    const recipe::Resolved resolved = recipe::resolve(text, "c.yaml", {});
    return adapter::convert(resolved.root, adapter::Toolkit::FunAsr, "c.yaml");
}

/// The recipe, then what was said.
inline QString shown(const adapter::Converted& converted)
{
    QString text = QString::fromStdString(converted.text) + "--- not converted\n";
    for (const recipe::Diagnostic& diagnostic : converted.diagnostics)
        text += QString::number(diagnostic.span.begin.line) + ": "
            + QString::fromStdString(diagnostic.message) + "\n";
    return text.replace(EARWRIGHT_CASES_DIR, "CASES");
}

/// With what the conversion asks its user for.
inline check::Findings checked(const std::string& recipe)
{
    check::Request request;
    request.text = recipe;
    const auto fill = [&](const std::string& asked, const std::string& value) {
        if (const size_t at = request.text.find("\n" + asked); at != std::string::npos)
            request.text.replace(at + 1, asked.size(), value);
    };
    fill("vocab_size: -1\n", "vocab_size: 8404\n");
    fill("data_folder: !PLACEHOLDER", "data_folder: .");
    request.fileName = "converted.yaml";
    request.checkFiles = false;
    return check::check(request, check::Machine());
}

} // namespace earwright::tests
