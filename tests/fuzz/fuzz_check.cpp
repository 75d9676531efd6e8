// Every rule on any text, without files.
#include "core/check/check.h"
#include "tests/fuzz/fuzz.h"

using namespace earwright;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    check::Machine machine;
    machine.gpus.push_back({ .name = "GPU", .uuid = "0", .capabilityMajor = 8 });
    const std::string text(fuzz::textOf(data, size));
    const check::Findings findings = check::check(
        { .text = text, .fileName = "x.yaml", .overrides = {}, .checkFiles = false }, machine);
    for (const recipe::Diagnostic& diagnostic : findings.diagnostics) {
        fuzz::require(!diagnostic.rule.empty() && !diagnostic.message.empty(), "a rule says why");
        recipe::formatDiagnostic(diagnostic, text);
        if (diagnostic.fix)
            recipe::applyFix(text, *diagnostic.fix);
    }
    recipe::diagnosticsToJson(findings.diagnostics);
    return 0;
}
