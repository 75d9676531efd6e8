#include "app/cli/command.h"
#include "core/engine/rank_main.h"

#include <algorithm>
#include <cstdio>
#include <iostream>

namespace kymo::cli {

namespace {

constexpr const char* kRunOptions = R"(
  --devices D          cpu | cpu:N (N ranks) | cuda | cuda:0,1 | auto (default: auto)
  --precision P        fp32 | tf32 | fp16 | bf16: sets the recipe's key `precision`
  --eval-precision P   the same for validation and test
  --key=value          any recipe key; also key=value, ++key=value, --a.b=value, --a "{b: 1}")";

const std::vector<Command>& commands()
{
    static const std::vector<Command> all {
        { "check", "check a recipe",
            std::string("kymo check RECIPE [overrides] [--format text|json|sarif] [--no-files] "
                        "[--coverage]\n")
                + kRunOptions
                + "\n  --no-files           look at neither manifests nor audio"
                  "\n  --coverage           list what is moved, optimised, checkpointed, wrapped",
            runCheck },
        { "explain", "say where settings come from and who reads them",
            std::string("kymo explain RECIPE [KEY…] [overrides] [--format text|json]\n\nKEY is a "
                        "run option or a path (opt_class.lr); without one: all.\n")
                + kRunOptions,
            runExplain },
        { "resolve", "print a recipe with every reference resolved",
            "kymo resolve RECIPE [overrides] [--format yaml|json]", runResolve },
        { "inspect", "build a recipe's model and say what it is and needs",
            std::string("kymo inspect RECIPE [overrides] [--batch ROWSxSECONDS] [--measure] "
                        "[--tensors]\n")
                + kRunOptions
                + "\n  --batch B              forecast memory for this padded batch (default: the "
                  "largest of the training set)\n  --measure              also run a step with a "
                  "batch of that size\n  --tensors              list every parameter and buffer",
            runInspect },
        { "lsp", "serve editors over the Language Server Protocol",
            "kymo lsp [--stdio]\n\nStarted by an editor: diagnostics, completion, hover, "
            "definition, references, rename and fixes on stdin and stdout.",
            runLsp },
        { "convert", "write a configuration of FunASR, WeNet or ESPnet as a recipe",
            "kymo convert CONFIG [overrides] [--out FILE]\n\nWithout --out the recipe goes to "
            "standard output. What has no counterpart is named.",
            runConvert },
        { "plan", "write a run folder without starting it",
            std::string("kymo plan RECIPE --run-dir DIR [overrides]\n") + kRunOptions, runPlan },
        { "train", "train a recipe",
            std::string("kymo train RECIPE [overrides] [--run-dir DIR]\n") + kRunOptions
                + "\n  --run-dir DIR        where the run is kept (default: a new folder in "
                  "$KYMO_RUNS_DIR, else ./runs)\n\n"
                  "Ctrl-C stops after the step with a checkpoint; a second one at once.",
            runTrain },
        { "compare", "train a recipe in several precisions and compare them",
            std::string("kymo compare --precisions fp32,bf16 RECIPE [overrides] [--runs-dir DIR]\n")
                + kRunOptions,
            runCompare },
        { "runs", "list runs, or print every logged point of one",
            "kymo runs [--runs-dir DIR] [--format text|json]\n       kymo runs RUN\n\nWith a RUN: "
            "its curves as CSV (tag,step,wall_time,value).",
            runRuns },
        { "stop", "stop a run after its step, with a checkpoint",
            "kymo stop RUN [--now]\n\n  --now   kill its ranks at once", runStop },
        { "resume", "go on with a stopped or failed run from its last checkpoint",
            "kymo resume RUN", runResume },
        { "devices", "what this machine has", "kymo devices [--json]", runDevices },
        { "prepare", "make manifests from a corpus",
            "kymo prepare prompts [--lang en|es|fr|it|ru] [--sounds DIR] [--transcripts FILE] "
            "--out DIR\n"
            "kymo prepare speech-commands|fsdd --corpus DIR --out DIR\n"
            "kymo prepare csv --csv FILE --out DIR",
            runPrepare },
        { "rank",
            "one rank of a planned run (started by kymo train, torchrun --no-python, srun, mpirun)",
            "kymo rank RUN_DIR\n\nReads RANK, LOCAL_RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT.",
            runRank },
    };
    return all;
}

int help()
{
    std::cout << "kymo " KYMO_VERSION
                 ": speech-recognition training runs on a workstation\n\nusage: kymo COMMAND …\n\n";
    for (const Command& command : commands())
        std::printf("  %-9s %s\n", command.name.c_str(), command.summary.c_str());
    std::fflush(stdout);
    std::cout << "\nkymo COMMAND --help says more. Exit codes: 0 done, 1 the recipe or the data "
                 "has errors, 2 wrong usage,\n"
                 "3 the run failed, 130 stopped by the user.\n";
    return engine::kDone;
}

int dispatch(const std::vector<std::string>& words)
{
    if (words.empty() || words[0] == "--help" || words[0] == "-h" || words[0] == "help")
        return words.empty() ? (help(), engine::kUsage) : help();
    if (words[0] == "--version") {
        std::cout << "kymo " KYMO_VERSION "\n";
        return engine::kDone;
    }
    const auto command = std::find_if(
        commands().begin(), commands().end(), [&](const Command& c) { return c.name == words[0]; });
    if (command == commands().end())
        return usageError("", "unknown command '" + words[0] + "'");
    const std::vector<std::string> rest(words.begin() + 1, words.end());
    if (std::find(rest.begin(), rest.end(), "--help") != rest.end()
        || std::find(rest.begin(), rest.end(), "-h") != rest.end()) {
        std::cout << command->summary << "\n\nusage: " << command->usage << "\n";
        return engine::kDone;
    }
    return command->run(rest);
}

} // namespace

int usageError(const std::string& command, const std::string& message)
{
    std::cerr << "kymo: " << message << "\nTry: kymo " << command << (command.empty() ? "" : " ")
              << "--help\n";
    return engine::kUsage;
}

} // namespace kymo::cli

int main(int argc, char** argv)
{
    return kymo::cli::dispatch({ argv + 1, argv + argc });
}
