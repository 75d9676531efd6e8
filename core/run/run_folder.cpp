#include "core/run/run_folder.h"

#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/base/text.h"
#include "core/recipe/resolve.h"
#include "core/run/event_codec.h"
#include "core/run/hold.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <sys/utsname.h>
#include <tuple>

namespace earwright::run {
namespace {

std::string nowText(const char* format)
{
    const std::time_t now = std::time(nullptr);
    std::tm local {};
    ::localtime_r(&now, &local);
    char text[64] = {};
    std::strftime(text, sizeof(text), format, &local);
    return text;
}

/// What wrote and ran the run, for whoever looks at it later.
std::string versionsJson()
{
    utsname system {};
    ::uname(&system);
    JsonWriter writer;
    writer("earwright", std::string(EARWRIGHT_VERSION));
#ifdef EARWRIGHT_TORCH_VERSION
    writer("libtorch", std::string(EARWRIGHT_TORCH_VERSION));
#endif
    writer("event_format", int64_t { kEventFormatVersion });
    writer("compiler", std::string(__VERSION__));
    writer("system", std::string(system.sysname) + " " + system.release + " " + system.machine);
    writer("host", hostName());
    writer("created", timeText());
    return writer.text(2) + "\n";
}

/// A folder's name: what a shell or a file manager would trip over becomes "_".
std::string asFileName(const std::string& name)
{
    std::string result = name.empty() ? "run" : name;
    for (char& c : result) {
        if (c == '/' || c == '\\' || static_cast<unsigned char>(c) < ' ')
            c = '_';
    }
    if (result.front() == '.' || result.front() == '-')
        result.front() = '_';
    return result;
}

/// A run outlives the folder that it was started from. One whose name plan.json cannot hold is left
/// out.
plan::Plan withPlaces(plan::Plan plan)
{
    plan.recipeFile = std::filesystem::absolute(plan.recipeFile).string();
    std::error_code isGone;
    const std::string here = std::filesystem::current_path(isGone).string();
    if (brokenUtf8At(here) == std::string::npos)
        plan.workingFolder = here;
    return plan;
}

using NamedTexts = std::vector<std::pair<const char*, std::string>>;

/// plan.json comes last: it makes the folder a run.
NamedTexts textsOf(plan::Plan plan)
{
    std::string resolved = plan.recipe ? recipe::emitYaml(*plan.recipe) : std::string();
    plan.recipeSha256 = sha256Hex(plan.recipeText);
    plan.resolvedSha256 = sha256Hex(resolved);
    return { { "recipe.yaml", plan.recipeText }, { "resolved.yaml", std::move(resolved) },
        { "plan.json", plan::planToJson(plan) } };
}

Status writeAll(const std::filesystem::path& path, const NamedTexts& texts)
{
    for (const auto& [name, text] : texts) {
        if (const Status status = writeFileAtomically(path / name, text); !status)
            return status;
    }
    return Done {};
}

Status writePlan(const std::filesystem::path& path, const plan::Plan& plan)
{
    const Status versions = writeAll(path, { { "versions.json", versionsJson() } });
    return versions ? writeAll(path, textsOf(plan)) : versions;
}

std::string asComment(const plan::Revision& revision)
{
    std::string text = "# Resumed at " + revision.time + " after step "
        + std::to_string(revision.step) + " with other settings:\n";
    for (const std::string& change : revision.changes) {
        std::string line = change; // of one line, whatever a value has
        std::replace(line.begin(), line.end(), '\n', ' ');
        text += "#   " + line + "\n";
    }
    return text;
}

Error holdsARun(const std::filesystem::path& path)
{
    return Error { "'" + path.string()
        + "' holds a run already; give another folder, or resume that run (`earwright resume` also "
          "takes --number_of_epochs=…)" };
}

} // namespace

std::filesystem::path RunFolder::events(int64_t rank) const
{
    return path / "events" / (rank < 0 ? "supervisor" : "rank" + std::to_string(rank));
}

std::filesystem::path RunFolder::log(int64_t rank) const
{
    return path / "logs" / (rank < 0 ? "supervisor.log" : "rank" + std::to_string(rank) + ".log");
}

std::filesystem::path RunFolder::placement(int64_t rank) const
{
    return path / "placement" / ("rank" + std::to_string(rank) + ".tsv");
}

bool isRunFolder(const std::filesystem::path& path)
{
    std::error_code error;
    return std::filesystem::exists(path / "plan.json", error);
}

Result<RunFolder> createRunFolder(const std::filesystem::path& path, const plan::Plan& plan)
{
    if (isRunFolder(path))
        return holdsARun(path);
    std::error_code error;
    for (const char* folder : { "events", "checkpoints", "alignments", "logs" }) {
        std::filesystem::create_directories(path / folder, error);
        if (error)
            return Error { "cannot create the run folder '" + path.string()
                + "': " + error.message() };
    }
    // Of two that make a run here at once, the second would train by the first one's plan.
    const Result<Descriptor> alone = holdRun(RunFolder { path }, {});
    if (!alone)
        return alone.error();
    if (isRunFolder(path))
        return holdsARun(path);
    if (const Status written = writePlan(path, withPlaces(plan)); !written)
        return written.error();
    return RunFolder { path };
}

Result<plan::Plan> readPlan(const RunFolder& folder)
{
    const Result<std::string> json = readFile(folder.path / "plan.json");
    if (!json)
        return Error { "'" + folder.path.string() + "' is no run folder: " + json.error().message };
    const Result<std::string> resolved = readFile(folder.path / "resolved.yaml");
    if (!resolved)
        return resolved.error();
    const Result<std::string> text = readFile(folder.path / "recipe.yaml");
    if (!text)
        return text.error();
    Result<plan::Plan> plan = plan::planFromJson(*json, *resolved);
    if (!plan)
        return Error { "'" + (folder.path / "plan.json").string() + "': " + plan.error().message };
    plan->recipeText = *text;
    return plan;
}

Result<Edits> editsOf(const RunFolder& folder, const plan::Plan& plan)
{
    Edits edits;
    for (const auto& [name, sum, isEdited] :
        { std::tuple { "recipe.yaml", &plan.recipeSha256, &edits.recipe },
            { "resolved.yaml", &plan.resolvedSha256, &edits.resolved } }) {
        const Result<std::string> text = readFile(folder.path / name);
        if (!text)
            return text.error();
        *isEdited = !sum->empty() && sha256Hex(*text) != *sum;
    }
    return edits;
}

Status revisePlan(const RunFolder& folder, plan::Plan plan)
{
    if (!plan.recipeText.ends_with('\n'))
        plan.recipeText += '\n';
    if (!plan.revisions.empty())
        plan.recipeText += asComment(plan.revisions.back());
    return writeAll(folder.path, textsOf(std::move(plan)));
}

std::string timeText()
{
    return nowText("%Y-%m-%dT%H:%M:%S%z");
}

std::filesystem::path defaultRunsRoot()
{
    const char* root = std::getenv("EARWRIGHT_RUNS_DIR");
    return std::filesystem::absolute(root && *root ? root : "runs");
}

std::filesystem::path freshRunPath(const std::filesystem::path& root, const std::string& name)
{
    const std::string stem = asFileName(name) + "-" + nowText("%Y%m%d-%H%M%S");
    std::filesystem::path path = root / stem;
    for (int n = 2; std::filesystem::exists(path); ++n)
        path = root / (stem + "-" + std::to_string(n));
    return path;
}

} // namespace earwright::run
