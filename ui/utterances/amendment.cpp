#include "ui/utterances/amendment.h"

#include "core/base/text.h"
#include "core/data/manifest_rows.h"

#include <algorithm>
#include <unordered_set>

namespace earwright::ui {

namespace {

const data::Correction* correctionOf(const data::Amendments& amendments, const std::string& id)
{
    const auto found = std::ranges::find(amendments.corrections, id, &data::Correction::id);
    return found == amendments.corrections.end() ? nullptr : &*found;
}

Result<Amended> carryOutCorrection(const Amendment& amendment, const data::Amendments& before)
{
    const std::string& id = amendment.ids.front();
    auto noted
        = data::correctTranscript(amendment.manifest, id, *amendment.text, amendment.columns);
    if (!noted)
        return noted.error();
    Amendment inverse = amendment;
    const data::Correction* earlier = correctionOf(before, id);
    const data::Correction* now = correctionOf(*noted, id);
    if (earlier)
        inverse.text = earlier->newText;
    else if (now)
        inverse.text = now->oldText;
    return Amended { std::move(*noted), std::move(inverse) };
}

} // namespace

Result<Amended> carryOut(const Amendment& amendment)
{
    const auto before = data::readAmendments(amendment.manifest);
    if (!before)
        return before.error();
    if (amendment.text)
        return carryOutCorrection(amendment, *before);
    auto noted = data::setQuarantined(amendment.manifest, amendment.ids, amendment.isQuarantined);
    if (!noted)
        return noted.error();
    Amendment inverse = amendment;
    inverse.isQuarantined = !amendment.isQuarantined;
    const std::unordered_set<std::string> quarantined(
        before->quarantined.begin(), before->quarantined.end());
    std::erase_if(inverse.ids, [&](const std::string& id) { // as it was before
        return quarantined.contains(id) == amendment.isQuarantined;
    });
    return Amended { std::move(*noted), std::move(inverse) };
}

Result<std::string> ownTextOf(const Amendment& amendment)
{
    const std::string& id = amendment.ids.front();
    std::optional<std::string> own;
    const auto look = [&](const std::string& rowId, const std::string& text) {
        if (rowId == id)
            own = text;
        return false; // nothing is written
    };
    const auto read = data::rewriteManifest(amendment.manifest, amendment.columns, look);
    if (!read)
        return read.error();
    if (!own)
        return Error { inQuotes(amendment.manifest.string()) + " has no utterance "
            + inQuotes(id) };
    return *own;
}

} // namespace earwright::ui
