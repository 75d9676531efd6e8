#include "app/cli/command.h"
#include "app/cli/interrupts.h"
#include "app/cli/terminal.h"
#include "core/base/keep_memory.h"
#include "core/base/text.h"
#include "core/cuda/cuda_library.h"
#include "core/engine/device_failure.h"
#include "core/engine/rank_main.h"

#include <algorithm>
#include <c10/util/Exception.h>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <iomanip>
#include <iostream>
#include <unistd.h>

namespace earwright::cli {

namespace {

/// Of the commands that read a recipe.
constexpr const char* kRunOptions = R"(

  --devices D          cpu | cpu:N (N ranks) | cuda | cuda:0,1 | auto (default: auto)
  --precision P        fp32 | tf32 | fp16 | bf16: sets the recipe's key `precision`
  --eval-precision P   the same for validation and test
  --key=value          any key of the recipe, any run option; also key=value, --a.b=value, --a "{b: 1}"
  ++key=value          the same, and adds a key that Earwright reads where the recipe has it not)";

constexpr const char* kRunDirOptions = R"(
  --run-dir DIR        the run's folder, which is made (default: a new one in --runs-dir)
  --runs-dir DIR       where runs are kept (default: $EARWRIGHT_RUNS_DIR, else ./runs))";

/// Of the commands that take a run by its name.
constexpr const char* kRunsDirOption = R"(

  --runs-dir DIR       where runs are kept (default: $EARWRIGHT_RUNS_DIR, else ./runs))";

// clang-format off
const Command kCommands[] = {
    { "check", "check a recipe", runCheck,
        "earwright check RECIPE [overrides] [--format text|json|sarif] [--no-files] [--coverage]", true,
        "\n  --no-files           look at neither manifests nor audio"
        "\n  --coverage           list what is moved, optimised, checkpointed, wrapped" },
    { "explain", "say where settings come from and who reads them", runExplain,
        "earwright explain RECIPE [KEY…] [overrides] [--format text|json]\n\n"
        "KEY is a run option or a path (opt_class.lr); without one: all.", true },
    { "resolve", "print a recipe with every reference resolved", runResolve,
        "earwright resolve RECIPE [overrides] [--format yaml|json]" },
    { "inspect", "build a recipe's model and say what it is and needs", runInspect,
        "earwright inspect RECIPE [overrides] [--batch ROWSxSECONDS] [--measure] [--tensors]", true,
        "\n  --batch B            forecast memory for this padded batch (default: the largest of the training set)"
        "\n  --measure            also run a step with a batch of that size"
        "\n  --tensors            list every parameter and buffer" },
    { "convert", "write a configuration of FunASR, WeNet or ESPnet as a recipe", runConvert,
        "earwright convert CONFIG_OR_MODEL_FOLDER [overrides] [--out FILE]\n\n"
        "Without --out the recipe goes to standard output. What has no counterpart is named.\n"
        "FunASR's batches are of each rank; convert writes one rank's." },
    { "new", "write a recipe that trains a model of the Hub on with your data", runNew,
        "earwright new --from FOLDER --data DATA --out RECIPE [--vocab keep|replace] [--keep-text] [--language LANG]\n\n"
        "FOLDER holds Whisper, wav2vec 2.0, HuBERT, WavLM, data2vec or w2v-BERT 2.0 as transformers saves it (config.json, …),\n"
        "or is its name in the Hub's cache on this machine. The recipe is checked and trained as any other, and may be edited.\n\n"
        "  --data DATA          a folder with train.csv, dev.csv (or valid.csv) and test.csv, as `earwright prepare` writes them, or a\n"
        "                       list of recordings: a CSV with the columns wav and text, which is divided into RECIPE-data\n"
        "  --vocab V            replace: a label for each character of the training texts (default); keep: the labels of the\n"
        "                       model's vocab.json, which go to RECIPE-labels.txt\n"
        "  --keep-text          texts of a list as they are, as for Whisper always; else in small letters, without those with digits\n"
        "  --language LANG      of a Whisper of many languages: that of the texts, by name or code (german, de)" },
    { "lsp", "serve editors over the Language Server Protocol", runLsp,
        "earwright lsp [--stdio]\n\nStarted by an editor: diagnostics, completion, hover, definition, references, rename "
        "and fixes on stdin and stdout." },
    { "plan", "write a run folder without starting it", runPlan,
        "earwright plan RECIPE [overrides] [--run-dir DIR | --runs-dir DIR]", true, kRunDirOptions },
    { "train", "train a recipe", runTrain,
        "earwright train RECIPE [overrides] [--run-dir DIR | --runs-dir DIR]\n"
        "       earwright train ++model=FOLDER ++train_data_set_list=FILE.jsonl ++valid_data_set_list=FILE.jsonl …\n\n"
        "FOLDER is that of a released model of FunASR. FunASR's own arguments are understood. Its configuration becomes the run's recipe.\n"
        "Ctrl-C stops after the step with a checkpoint; a second one at once. With --number_of_epochs=0 the weights of\n"
        "--init_param=… are tested and become a checkpoint, as `earwright transcribe` and `earwright export` take them.", true,
        kRunDirOptions },
    { "compare", "compare runs, or train a recipe in several precisions and compare those", runCompare,
        "earwright compare --precisions fp32,bf16 RECIPE [overrides] [--runs-dir DIR]\n"
        "       earwright compare --runs RUN RUN… [--baseline RUN] [--group-by KEY] [--split NAME] [--epoch N]\n"
        "                [--format text|markdown|csv|latex|json] [--runs-dir DIR]\n\n"
        "With --runs nothing is trained: each run is held against the first, in each test, and a sentence says whether they differ\n"
        "beyond chance. That is judged by paired bootstrap over the utterances that both have (p, and the interval of the\n"
        "difference); NIST's MAPSSWE stands beside it. Texts that differ are not compared.", true,
        "\n\n  --baseline RUN       what the others are held against (default: the first)"
        "\n  --group-by KEY       average the runs that differ in that key of the recipe alone, such as seed"
        "\n  --split NAME         valid, test or a test's name (default: each test of the first run, without tests valid)"
        "\n  --epoch N            the evaluation of that epoch, without --split a validation (default: the newest)"
        "\n  --format F           text | markdown | csv | latex | json" },
    { "runs", "list runs, or print every logged point of one", runRuns,
        "earwright runs [--tag TAG] [--filter TEXT] [--archived] [--runs-dir DIR] [--format text|json]\n"
        "       earwright runs RUN [--runs-dir DIR]\n\n"
        "With a RUN: its curves as CSV (tag,step,wall_time,value).\n\n"
        "  --tag TAG            the runs with this tag\n"
        "  --filter TEXT        the runs of which all words are true: fsdd (stands in the name, a tag, the notes or an override),\n"
        "                       key:value (name, tag, note, state, precision, device, a key of the recipe), wer<10, step>=500,\n"
        "                       valid/loss<2 or lr<0.1 (wer and cer are the test's, in percent)\n"
        "  --archived           those that were archived too" },
    { "label", "tag, annotate, rename or archive runs", runLabel,
        "earwright label RUN… [--tag TAGS] [--untag TAGS] [--note TEXT | --no-note] [--name NAME | --no-name]\n"
        "       [--archive | --unarchive]\n\n"
        "TAGS have a comma between two. A run's folder keeps its name. What it computes does not change.", false,
        kRunsDirOption },
    { "stop", "stop a run after its step, with a checkpoint", runStop,
        "earwright stop RUN [--now]\n\nWith --now its ranks are killed at once.", false, kRunsDirOption },
    { "pause", "let a run stand still after its step", runPause,
        "earwright pause RUN\n\nIt keeps its memory and devices until `earwright continue RUN` or `earwright stop RUN`.", false,
        kRunsDirOption },
    { "continue", "go on with a paused run", runContinue, "earwright continue RUN", false, kRunsDirOption },
    { "checkpoint", "save a run after its step", runCheckpoint, "earwright checkpoint RUN", false,
        kRunsDirOption },
    { "set-lr", "change a run's learning rate after its step", runSetLr,
        "earwright set-lr RUN RATE\n\nThe schedule's later rates are scaled in the same ratio.", false,
        kRunsDirOption },
    { "resume", "go on with a run from its last checkpoint, for more epochs too", runResume,
        "earwright resume RUN [--number_of_epochs=20] [overrides]\n\n"
        "What may change: number_of_epochs, optimizer_step_limit, ckpt_interval_minutes, ckpt_interval_steps, num_workers,\n"
        "heartbeat_timeout, max_restarts, min_nproc_per_node, test_search and test_beam_search, also by an edit of the run's\n"
        "recipe.yaml. All else would be another run. The run's plan.json, recipe.yaml and log say what changed and when.\n"
        "A finished run goes on with more epochs or steps; another search or test set is tested.",
        false, kRunsDirOption },
    { "queue", "runs that wait for their devices", runQueue,
        "earwright queue add RUN_OR_RECIPE… [run options] [overrides]\n       earwright queue list\n"
        "       earwright queue move RUN PLACE\n       earwright queue remove RUN…\n       earwright queue start|stop\n\n"
        "A process of its own starts each run when no other has its devices, whatever became of those before it.\n"
        "All take --runs-dir DIR (default: $EARWRIGHT_RUNS_DIR, else ./runs).", true },
    { "transcribe", "write down what a trained model hears", runTranscribe,
        "earwright transcribe RUN_CHECKPOINT_OR_CAPSULE AUDIO_FOLDER_OR_MANIFEST… [options]\n\n"
        "Of a run the weights of its test: its best checkpoint, or the mean of the best where the recipe has\n"
        "avg_checkpoints; a capsule is a file of `earwright export`. Prints ID, tab, text, each as soon as those before it are\n"
        "there; with --nbest also rank and score. Of a folder the folders in it too. A CSV needs the columns ID and wav alone. Where a manifest has transcripts,\n"
        "the error rates with 95 % intervals go to standard error, and how the hotwords were heard. Texts are those of the\n"
        "recipe's own test (test_search, test_beam_search), unless an option asks for another search; a language model and\n"
        "hotwords ask for one over a CTC output. A text may depend on the sounds that share its batch: often where the\n"
        "model sees padding (a Paraformer, ConvEncoder with mask_padding: False), seldom elsewhere. There a length is a\n"
        "fraction of the longest and may be a frame off. --batch-size is the test's; with 1 no text depends on other sounds.\n"
        "Ctrl-C ends after a batch and writes what was heard; a second one ends at once.\n\n"
        "A sound longer than --max-segment-seconds is cut into segments, which are decoded separately, as if each were a file.\n"
        "A segment ends between half of the seconds and all, in the middle of the longest pause there: 0.2 s with at most 3 dB\n"
        "more than the quietest (below -80 dB of full scale all is alike). Texts are joined; times are those of the whole sound.\n"
        "Without that option and --nbest, Whisper hears a sound of more than 30 s by windows: it writes time stamps, and each\n"
        "window begins where the last segment ends that the window before it has heard whole.", false,
        "\n\n  --beam-size N        beams kept (default: the recipe's; of a search that only an option asks for 100)"
        "\n  --nbest N            so many texts an utterance, best first"
        "\n  --lm FILE            n-gram of `earwright lm`, or any that KenLM reads (ARPA, also as .gz, or binary)"
        "\n  --lm-weight A        of its log-probabilities (default: the recipe's, else 0.5)"
        "\n  --word-bonus B       nats for each word, with --lm (default: the recipe's, else 1.5)"
        "\n  --hotwords FILE      a phrase a line, behind a tab its weight; SeACo takes them in place of its recipe's"
        "\n  --hotword-weight W   nats for each letter, of phrases without a weight (default: 1); of SeACo, which"
        "\n                       has one for all, nats by which a whole one is preferred to what is heard otherwise"
        "\n                       (default: its recipe's)"
        "\n  --count-hotwords FILE   the phrases whose recall is told (default: those of --hotwords, else the recipe's)"
        "\n  --format text|json   json: also the error rates, and of a beam search scores; over a CTC output the frames of"
        "\n                       each word and, where they are known, its seconds; of a sound heard in parts its segments"
        "\n  --timestamps         of Whisper: each segment in a line with the seconds where it begins and ends; with json too"
        "\n  --out FILE           in place of standard output"
        "\n  --alignments FILE    error rates with alignments, as a run's alignments/test.txt; of FILE.txt those by"
        "\n                       character in FILE-characters.txt (of texts without words, as Chinese or Thai, FILE itself is)"
        "\n  --print-top-wer N    to standard error the N utterances, with and without output, and the N speakers (spk_id)"
        "\n                       with the highest error rates"
        "\n  --device D           cpu | cuda | cuda:N (default: a GPU where there is one)"
        "\n  --batch-size N       utterances read at a time, and minutes of sound with its padding: fewer where they are long\n"
        "                       (default: the recipe's test_dataloader_opts, else 8)"
        "\n  --max-segment-seconds S   no longer sound is decoded in one piece (default: 60, of Whisper 30; 5 or more)"
        "\n  --data-folder DIR    stands for $data_root in manifests (default: the recipe's)" },
    { "utterances", "print what a run recognised, an utterance a row", runUtterances,
        "earwright utterances RUN [--split NAME] [--epoch N] [--format csv|json] [--sort KEY] [--runs-dir DIR]\n"
        "       earwright utterances RUN --confusions | --by speaker|seconds|rate [--split NAME] [--epoch N] [--format text|csv|json]\n"
        "       earwright utterances --manifest FILE [--tokenizer FILE] [--overlap FILE] [--sounds] [--format csv|json]\n\n"
        "Of the validations that searched texts and of every test: ID, speaker, seconds, error rates and edits, texts, missed\n"
        "hotwords and where the sound is. tokens, substitutions, deletions and insertions are of words, or where texts have no\n"
        "words of characters. Runs of before have IDs, texts and edits alone.\n\n"
        "With --manifest nothing was trained yet: a row says which words a tokenizer cannot write, how many rows have the same\n"
        "text or sound, and with --sounds which share is silent or at full scale. The sums go to standard error.", false,
        "\n\n  --split NAME         valid, test or a test's name (default: the first test, without tests valid)"
        "\n  --epoch N            the evaluation of that epoch, without --split a validation (default: the newest)"
        "\n  --format F           csv (default) | json; of --confusions and --by text (default) | csv | json"
        "\n  --confusions         what was heard in place of what was said, the most frequent first"
        "\n  --by KEY             errors by speaker, by seconds, or by rate: words of the reference a second"
        "\n  --tokenizer FILE     of a run or a model (label_encoder.txt, tokenizer.model, tokens.json): words it cannot write"
        "\n  --overlap FILE       another manifest, which should share no row"
        "\n  --sounds             read all sounds"
        "\n  --data-root DIR      in the place of $data_root in a manifest's paths"
        "\n  --sort KEY           id, speaker; seconds, wer, cer, edits from the greatest down (default: as in the manifest)"
        "\n  --runs-dir DIR       where runs are kept (default: $EARWRIGHT_RUNS_DIR, else ./runs)" },
    { "export", "write a trained model as one file for another machine", runExport,
        "earwright export RUN_OR_CHECKPOINT FILE\n       earwright export RUN_OR_CHECKPOINT FOLDER --format hub\n\n"
        "Of a run the weights of its test, as `earwright transcribe` takes them. FILE (.zip, .earwright) is a zip\n"
        "archive of a run folder with recipe, plan, weights, label encoder, events and metrics.csv;\n"
        "`earwright transcribe FILE AUDIO…` reads it, `earwright-studio FILE` shows it, and unpacked it is a run. A FILE.safetensors has the weights alone, under\n"
        "upstream's names behind those of the recipe's modules, with the labels. No file of the run's folder is replaced.",
        false,
        "\n\n  --format hub         the pretrained model alone, as a folder that transformers loads: config.json, the feature\n"
        "                       extractor's file and model.safetensors. A Whisper also with its tokenizer: it writes the same\n"
        "                       texts. An encoder without the layers behind it and its output_norm. What LoRA adds becomes\n"
        "                       part of the weights; Houlsby's adapters cannot be written" },
    { "average", "average the best checkpoints of a run", runAverage,
        "earwright average RUN [--num N] [--out FILE.safetensors]\n\n"
        "The mean of the weights of the N checkpoints with the least validation error (default: all that are there; the\n"
        "recipe's avg_checkpoints says how many a run keeps and averages for its test). It becomes the checkpoint\n"
        "RUN/checkpoints/avg-N, which `earwright transcribe` and init_param take; or a file of weights, with the labels." },
    { "lm", "train an n-gram language model", runLm,
        "earwright lm MANIFEST_OR_TEXT… --out FILE [--order N] [--prune \"0 0 1\"] [--characters|--words] [--no-ids] [--memory 1G]\n\n"
        "On the transcripts of manifests (.csv, .json), WeNet's data.list and Kaldi's text, and the lines of texts\n"
        "(.gz too), by KenLM's lmplz. FILE.arpa is written as text, any other name in KenLM's binary form, which loads faster.", false,
        "\n\n  --order N            words of an n-gram, 2 to 6 (default: 3)"
        "\n  --prune COUNTS       by order: n-grams seen so often or less are left out"
        "\n  --characters         each character is a word, as Mandarin is scored (default for texts without blanks between words)"
        "\n  --words              what stands between blanks is a word, in such texts too"
        "\n  --no-ids             the lines of texts begin with no IDs, however much their first words look like those of\n"
        "                       Kaldi's text"
        "\n  --memory SIZE        to sort in (default: 1G)" },
    { "devices", "what this machine has", runDevices, "earwright devices [--json]" },
    { "prepare", "make manifests from a corpus", runPrepare,
        "earwright prepare prompts [--lang en|es|fr|it|ru] [--sounds DIR] [--transcripts FILE] --out DIR\n"
        "earwright prepare librispeech|aishell1|common-voice|speech-commands|fsdd|timit|tedlium2|voicebank|parquet --corpus DIR --out DIR\n"
        "                  [--keep-text] [--no-checksums]\n"
        "earwright prepare libriheavy --corpus LISTS --audio-root LIBRILIGHT --out DIR [--no-checksums]\n"
        "earwright prepare kaldi --corpus DIR [--audio-root DIR] --out DIR [--keep-text] [--no-checksums]\n"
        "earwright prepare csv --csv FILE | json --json FILE [--lang CODE] [--audio-root DIR] [--keep-text] [--no-checksums] --out DIR\n"
        "earwright prepare corrections --manifest FILE [--text-column NAME] --out NEW_FILE\n\n"
        "corrections writes a manifest anew: with the transcripts of FILE.corrections.csv (ID,old,new), without the IDs of\n"
        "FILE.quarantine.txt. The window's page of utterances writes both. FILE stays as it is.\n\n"
        "A list of your own needs the columns or members wav and text; id, speaker and split may be there. Names of\n"
        "others are known (audio_filepath, path, transcript, sentence, key, valid, eval); JSON may be lines (WeNet's\n"
        "data.list, NeMo's manifests).\n\n"
        "  --lang CODE          the language of a list's texts, for their letters: tr, az, ar, fa, uz (default: any other)\n"
        "  --text-column NAME   that was corrected (default: the first there is of wrd, transcript, words, text)\n"
        "  --keep-text          texts as they are; else without tags (<COMMA>, [noise], <unk>), of lists and Common Voice in\n"
        "                       lower case only, and those with digits are left out, since they are read as words\n"
        "  --no-checksums       no SHA-256 of the audio is kept or compared; it is read to its end all the same" },
    { "rank", "one rank of a planned run (started by earwright train, torchrun --no-python, srun, mpirun)", runRank,
        "earwright rank RUN_DIR\n\nReads RANK, LOCAL_RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT." },
    { "keep", "keep the ranks of a run together (started by earwright train)", runKeep,
        "earwright keep RUN_DIR\n\nServes the ranks' store. Stops them when the supervisor is killed." },
};
// clang-format on

int help()
{
    std::cout
        << "earwright " EARWRIGHT_VERSION
           ": speech-recognition training runs on a workstation\n\nusage: earwright COMMAND …\n\n";
    for (const Command& command : kCommands)
        std::cout << "  " << std::left << std::setw(10) << command.name << " " << command.summary
                  << "\n";
    std::cout
        << "\nearwright COMMAND --help says more. Exit codes: 0 done, 1 the recipe or the data "
           "has errors, 2 wrong usage,\n"
           "3 the run failed or its output could not be written, 130 stopped by the user.\n";
    return engine::kDone;
}

std::string meantCommand(const std::string& word)
{
    std::vector<std::string> names;
    for (const Command& command : kCommands)
        names.emplace_back(command.name);
    const std::string near = nearestName(word, names);
    return near.empty() ? "" : "; did you mean " + near + "?";
}

int helpOn(const Command& command)
{
    std::cout << command.summary << "\n\nusage: " << command.usage
              << (command.takesRunOptions ? kRunOptions : "") << command.more << "\n";
    return engine::kDone;
}

int dispatch(const std::vector<std::string>& words)
{
    if (words.empty()) {
        help();
        return engine::kUsage;
    }
    if (words[0] == "help" && words.size() > 1) // as `earwright COMMAND --help`
        return dispatch({ words[1], "--help" });
    if (words[0] == "--help" || words[0] == "-h" || words[0] == "help")
        return help();
    if (words[0] == "--version") {
        std::cout << "earwright " EARWRIGHT_VERSION "\n";
        return engine::kDone;
    }
    const Command* command = std::find_if(std::begin(kCommands), std::end(kCommands),
        [&](const Command& c) { return c.name == words[0]; });
    if (command == std::end(kCommands))
        return usageError("", "unknown command " + inQuotes(words[0]) + meantCommand(words[0]));
    const std::vector<std::string> rest(words.begin() + 1, words.end());
    if (std::find(rest.begin(), rest.end(), "--help") != rest.end()
        || std::find(rest.begin(), rest.end(), "-h") != rest.end())
        return helpOn(*command);
    return command->run(rest);
}

/// Where the caller has closed one of the three, the next file opened would get its number, and
/// what is printed with it. Opened the wrong way round it fails, as a closed one does.
void occupyStandardStreams()
{
    for (const int stream : { STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO })
        if (fcntl(stream, F_GETFD) == -1)
            open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/// What the command returned, unless what it printed never got out: a report of errors too.
int withOutputWritten(int exitCode)
{
    const Status written = flushOutput();
    if (written || (exitCode != engine::kDone && exitCode != engine::kRecipeErrors))
        return exitCode;
    std::cerr << "earwright: " << written.error().message << "\n";
    return engine::kFailed;
}

} // namespace

int usageError(const std::string& command, const std::string& message)
{
    std::cerr << "earwright: " << message << "\nTry: earwright " << command
              << (command.empty() ? "" : " ") << "--help\n";
    return engine::kUsage;
}

Status flushOutput()
{
    errno = 0;
    if (std::cout.flush())
        return Done {};
    // What failed before it says nothing any more.
    const std::string reason = errno == 0 ? "" : ": " + std::string(std::strerror(errno));
    return Error { "cannot write to standard output" + reason };
}

} // namespace earwright::cli

/// What no command expects (a file system's refusal, a damaged file that passed every check) ends
/// it in words, and after its temporary folders are removed.
int main(int argc, char** argv)
{
    earwright::keepFreedMemory();
    earwright::cli::occupyStandardStreams();
    const earwright::cli::PlainTerminal plain;
    (void)earwright::cuda::cudaPart(); // before LibTorch is asked for a GPU
    std::signal(SIGXFSZ, SIG_IGN); // a file of a limited size fails the write, as a full disk does
    try {
        const int exitCode = earwright::cli::withOutputWritten(
            earwright::cli::dispatch({ argv + 1, argv + argc }));
        earwright::cli::endBySecondInterrupt();
        return exitCode;
    } catch (const c10::Error& error) {
        std::cerr << "earwright: "
                  << earwright::engine::deviceFailure(error.what_without_backtrace(), false)
                  << "\n";
    } catch (const std::exception& error) {
        std::cerr << "earwright: " << error.what() << "\n";
    }
    return earwright::engine::kFailed;
}
