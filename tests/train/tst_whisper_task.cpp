#include "core/tasks/whisper/task_texts.h"

#include "core/data/fine_tuning.h"
#include "core/score/text_scores.h"
#include "core/train/inspect.h"
#include "tests/registry.h"
#include "tests/train/whisper_run.h"

#include <QTest>

using namespace earwright;
using earwright::tests::checkpointOf;
using earwright::tests::heardLines;
using earwright::tests::kStoredWeights;
using earwright::tests::kWhisperCases;
using earwright::tests::RankRun;
using earwright::tests::whisperRecipe;

namespace {

train::Recogniser recogniserOf(const RankRun& run, const train::DecodeSetting& setting = {})
{
    std::string errors;
    auto recogniser = train::Recogniser::load(
        run.plan(errors), run.folder, checkpointOf(run), at::kCPU, setting);
    if (!recogniser)
        qFatal("%s", recogniser.error().message.c_str());
    return std::move(*recogniser);
}

bool isLogged(const RankRun& run, const std::string& part)
{
    const run::Snapshot snapshot = run.snapshot();
    return std::any_of(snapshot.log.begin(), snapshot.log.end(),
        [&](const auto& line) { return line.text.find(part) != std::string::npos; });
}

} // namespace

/// Whisper as upstream's train_with_whisper.py train it: all of it, and CTC on its encoder.
class TstWhisperTask final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void decoder_learnsAndTheFrozenEncoderStays();
    void schedule_changesTheRateAfterEachStep();
    void wholeModel_learns();
    void run_isResumed();
    void texts_areWrittenBySearches();
    void heardText_dependsOnItsSoundAlone();
    void run_needsItsFolderNoMore();
    void longBatch_isMeasured();
    void longUtterances_areLeftOutAndCut();
    void longText_isNamed();
    void targets_areTheTextBehindItsBeginning();
    void ctcEncoder_learnsByItsOwnOptimizer();
    void frozenCtcEncoder_stays();
    void folder_becomesARecipeThatTrains();
    void setting_isRefused_data();
    void setting_isRefused();

private:
    RankRun runOf(const QString& name, int steps, const std::vector<std::string>& overrides = {},
        const std::string& text = whisperRecipe("whisper")) const;
    /// How many weights whose names begin so are, bit for bit, those of the folder, and how many
    /// are not.
    std::pair<int, int> keptAndChanged(const RankRun& run, const std::string& part) const;
    std::filesystem::path at(const char* name) const
    {
        return m_folder.filePath(name).toStdString();
    }

    QTemporaryDir m_folder;
};

void TstWhisperTask::initTestCase()
{
    tests::writeNoises(at("data"), 19);
    tests::makeWhisperFolder(at("hub"));
}

RankRun TstWhisperTask::runOf(const QString& name, int steps,
    const std::vector<std::string>& overrides, const std::string& text) const
{
    return tests::whisperRun(m_folder, name, steps, overrides, text);
}

std::pair<int, int> TstWhisperTask::keptAndChanged(
    const RankRun& run, const std::string& part) const
{
    const auto stored = model::readTensorFile(at("hub") / kStoredWeights);
    const auto trained = run.model();
    std::pair<int, int> counts { 0, 0 };
    for (const auto& [name, tensor] : stored->tensors)
        if (const auto found = trained.find("whisper." + name);
            name.starts_with(part) && found != trained.end())
            ++(torch::equal(found->second, tensor) ? counts.first : counts.second);
    return counts;
}

void TstWhisperTask::decoder_learnsAndTheFrozenEncoderStays()
{
    const RankRun run = runOf("frozen", 3);
    QCOMPARE(run.train(), QString());
    const auto [kept, changed] = keptAndChanged(run, "model.encoder.");
    QVERIFY(kept > 15);
    QCOMPARE(changed, 0);
    QVERIFY(keptAndChanged(run, "model.decoder.").second > 30);
}

/// Noam's, which leaves the first step the optimizer's own rate, as upstream's other scripts do.
void TstWhisperTask::schedule_changesTheRateAfterEachStep()
{
    const RankRun run = runOf("schedule", 2);
    QCOMPARE(run.train(), QString());
    const auto points = run.snapshot().series.at("train/lr").points();
    QVERIFY(qFuzzyCompare(points.back().value, 0.001 / 4));
}

/// Its positions too: `transformers` freezes them as it makes a model, and forgets it as it loads
/// one.
void TstWhisperTask::wholeModel_learns()
{
    const RankRun run = runOf("whole", 2, { "--freeze_encoder=False" });
    QCOMPARE(run.train(), QString());
    QVERIFY(keptAndChanged(run, "model.encoder.").second > 15);
    QCOMPARE(keptAndChanged(run, "model.encoder.embed_positions").second, 1);
}

void TstWhisperTask::run_isResumed()
{
    const RankRun whole = runOf("whole run", 8);
    QCOMPARE(whole.train(), QString());
    QCOMPARE(runOf("stopped", 3).train(), QString());
    const RankRun resumed = runOf("stopped", 8);
    QCOMPARE(resumed.train(), QString());
    const auto wanted = whole.model();
    const auto found = resumed.model();
    QVERIFY(!wanted.empty());
    for (const auto& [key, tensor] : wanted)
        QVERIFY2(torch::equal(tensor, found.at(key)), key.c_str());
}

/// The greedy one after the epoch, and the test's, whose texts are scored as the key says and
/// written as they are.
void TstWhisperTask::texts_areWrittenBySearches()
{
    const RankRun run
        = runOf("searches", 5, { "--number_of_epochs=1", "--test_loader_kwargs.batch_size=1" });
    QCOMPARE(run.train(), QString());
    const run::Snapshot snapshot = run.snapshot();
    QVERIFY(snapshot.series.at("valid/WER").points().back().value > 0);
    train::Recogniser recogniser = recogniserOf(run);
    const auto utterances = data::readManifest((run.data / "train.csv").string(), "");
    QVERIFY(utterances);
    const auto heard = recogniser.recognise(*utterances, 1);
    QVERIFY2(heard, heard ? "" : heard.error().message.c_str());
    std::vector<score::TextPair> pairs;
    bool isRaw = false;
    for (size_t i = 0; i < heard->size(); ++i) {
        const std::string text = (*heard)[i].text();
        pairs.push_back({ (*utterances)[i].id, recogniser.scored((*utterances)[i].text),
            recogniser.scored(text) });
        isRaw = isRaw || pairs.back().hypothesis != text;
    }
    QVERIFY(isRaw);
    QCOMPARE(snapshot.series.at("test/WER").points().back().value,
        score::summarise(score::scoreTexts(pairs, {}).byWord).percent());
}

/// A quiet sound is heard beside a loud one as it is alone.
void TstWhisperTask::heardText_dependsOnItsSoundAlone()
{
    const RankRun run = runOf("alone", 2);
    QCOMPARE(run.train(), QString());
    tests::writeNoises(at("pair"), 2);
    auto utterances = data::readManifest((at("pair") / "train.csv").string(), "");
    QVERIFY(utterances);
    std::vector<float> quiet(2000, 0);
    for (size_t i = 0; i < quiet.size(); ++i)
        quiet[i] = i % 7 < 3 ? 1e-4F : -1e-4F;
    tests::writeSound((*utterances)[0].wav, quiet,
        { .sampleRateHz = 8000, .format = SF_FORMAT_WAV | SF_FORMAT_FLOAT });
    train::Recogniser recogniser = recogniserOf(run, { .wantsScores = true });
    const auto alone = recogniser.recognise(*utterances, 1);
    const auto together = recogniser.recognise(*utterances, 2);
    QVERIFY(alone && together);
    for (size_t i = 0; i < 2; ++i) {
        QCOMPARE((*together)[i].text(), (*alone)[i].text());
        QVERIFY(
            std::abs((*together)[i].hypotheses.front().score - (*alone)[i].hypotheses.front().score)
            < 1e-4);
    }
}

/// What it keeps of the folder and its checkpoints are enough.
void TstWhisperTask::run_needsItsFolderNoMore()
{
    std::filesystem::copy(at("hub"), at("lent"));
    RankRun run = runOf("lent run", 2);
    run.overrides.front() = "--whisper_hub=" + at("lent").string();
    QCOMPARE(run.train(), QString());
    QCOMPARE(*readFile(run.folder / "config.json"), *readFile(at("hub") / "config.json"));
    std::string errors;
    const plan::Plan plan = run.plan(errors);
    QCOMPARE(errors, std::string());
    const QString before = heardLines(plan, run.folder, checkpointOf(run), run.data);
    QCOMPARE(before.count('\n') >= 19, true);
    std::filesystem::remove_all(at("lent"));
    QCOMPARE(heardLines(plan, run.folder, checkpointOf(run), run.data), before);
}

/// Longer than it hears, and with a text that its decoder has places for.
void TstWhisperTask::longBatch_isMeasured()
{
    std::string errors;
    const plan::Plan plan = runOf("measured", 1).plan(errors);
    QCOMPARE(errors, std::string());
    const auto inspected = train::inspect(
        plan, { .batch = train::BatchSize { .rows = 2, .seconds = 100 }, .measure = true });
    QVERIFY2(inspected, inspected ? "" : inspected.error().message.c_str());
    QVERIFY(!inspected->error);
    QVERIFY(!inspected->memory.empty());
}

void TstWhisperTask::longUtterances_areLeftOutAndCut()
{
    tests::writeNoises(at("long"), 4);
    const std::vector<float> samples(31 * 8000, 0.01F);
    tests::writeSound(at("long") / "long.wav", samples, { .sampleRateHz = 8000 });
    std::ofstream csv(at("long") / "train.csv", std::ios::app);
    csv << "long,31," << (at("long") / "long.wav").string() << ",s,AB\n";
    csv.close();
    RankRun run = runOf("long ones", 1, { "--number_of_epochs=1" });
    run.data = at("long");
    QCOMPARE(run.train(), QString());
    QVERIFY(isLogged(run, "1 of 5 utterances are left out by"));
    QVERIFY(isLogged(run, "and for the 30 s that 'whisper' hears"));
    QVERIFY(isLogged(run, "of 1 utterances the model hears the first 30 s, as in SpeechBrain"));
}

/// Of any set, before the first step.
void TstWhisperTask::longText_isNamed()
{
    tests::writeNoises(at("wordy"), 4);
    tests::writeSound(
        at("wordy") / "w.wav", std::vector<float>(2000, 0.01F), { .sampleRateHz = 8000 });
    std::ofstream csv(at("wordy") / "train.csv", std::ios::app);
    csv << "wordy,0.25," << (at("wordy") / "w.wav").string() << ",s," << std::string(23, 'A')
        << "\n";
    csv.close();
    const std::string set = (at("wordy") / "train.csv").string();
    const QString refusal = runOf("wordy ones", 2, { "--test_csv=" + set }).train();
    QVERIFY2(refusal.contains(QString::fromStdString(set)
                 + ":6: utterance 'wordy' has a text of 23 tokens, and the decoder has places for "
                   "22"),
        qPrintable(refusal));
}

/// The end stands behind each text; what follows it does not count.
void TstWhisperTask::targets_areTheTextBehindItsBeginning()
{
    const Result<std::string> config = readFile(kWhisperCases + "/config.json");
    const Result<data::BytePairs> pairs = data::BytePairs::read(kWhisperCases);
    QVERIFY2(pairs, pairs ? "" : pairs.error().message.c_str());
    const auto tokens = data::whisperTokens(*pairs);
    QVERIFY(tokens);
    const train::SpokenWhisper whisper { .model
        = std::make_shared<model::Whisper>(
            catalog::WhisperConfig(), *model::parseWhisperConfig(*config)),
        .pairs = *pairs,
        .tokens = *tokens,
        .prefix = *data::prefixTokens(*tokens, {}) };
    const int64_t end = tokens->endOfText;
    const int64_t start = tokens->startOfTranscript;
    const int64_t silent = tokens->noTimestamps;
    QCOMPARE(whisper.prefix, (std::vector { start, silent }));
    data::Batch batch;
    batch.tokens_BL = torch::tensor({ { 5, 6, 7 }, { 8, 0, 0 } }, torch::kInt64);
    batch.tokenLens_B = torch::tensor({ 1.0F, 1.0F / 3 });
    batch.ids = { "a", "b" };
    const train::SpokenTexts texts = train::spokenTexts(batch, whisper);
    const auto rows = [](std::vector<int64_t> numbers) {
        return torch::tensor(numbers, torch::kInt64).view({ 2, 5 });
    };
    QVERIFY(
        torch::equal(texts.told_BU, rows({ start, silent, 5, 6, 7, start, silent, 8, end, end })));
    QVERIFY(
        torch::equal(texts.targets_BU, rows({ silent, 5, 6, 7, end, silent, 8, end, end, end })));
    QVERIFY(torch::allclose(texts.lengths_B, torch::tensor({ 1.0, 0.6 }, torch::kFloat64)));
}

void TstWhisperTask::ctcEncoder_learnsByItsOwnOptimizer()
{
    const RankRun before = runOf("ctc warm-up", 2, {}, whisperRecipe("whisper_ctc"));
    QCOMPARE(before.train(), QString());
    QCOMPARE(keptAndChanged(before, "model.encoder.").second, 0);
    const RankRun behind = runOf("ctc", 10, {}, whisperRecipe("whisper_ctc"));
    QCOMPARE(behind.train(), QString());
    QVERIFY(keptAndChanged(behind, "model.encoder.").second > 15);
    QCOMPARE(keptAndChanged(behind, "model.decoder."), std::make_pair(0, 0));
    const auto last = train::lastCheckpoint(run::RunFolder { behind.folder }.checkpoints());
    const auto training = train::loadCheckpoint(*last)->training;
    QCOMPARE(training.at("encoder.optimizer.0.step").item<double>(), 8.0);
    QCOMPARE(training.at("lr").item<double>(), 0.008);
    QCOMPARE(training.at("encoder.lr").item<double>(), 0.0005);
}

void TstWhisperTask::frozenCtcEncoder_stays()
{
    const RankRun run
        = runOf("ctc frozen", 3, { "--freeze_whisper=True" }, whisperRecipe("whisper_ctc"));
    QCOMPARE(run.train(), QString());
    const auto [kept, changed] = keptAndChanged(run, "model.encoder.");
    QVERIFY(kept > 15);
    QCOMPARE(changed, 0);
}

/// `earwright new`. Texts stay as they are: Whisper writes capitals and punctuation.
void TstWhisperTask::folder_becomesARecipeThatTrains()
{
    const std::filesystem::path set = at("set");
    std::filesystem::create_directories(set);
    for (const char* split : { "train.csv", "dev.csv" })
        std::filesystem::copy_file(at("data") / "train.csv", set / split);
    data::FineTuning asked { .source = at("hub"), .data = set, .recipe = at("new.yaml") };
    const auto why = [&] {
        const auto written = data::writeFineTuning(asked, data::GoOn([] { return true; }));
        return written ? QString() : QString::fromStdString(written.error().message);
    };
    QCOMPARE(why(), QString());
    const std::string text = *readFile(asked.recipe);
    QVERIFY(text.find("\n    language: en\n") != text.npos);
    QVERIFY(text.find("\nnormalized_transcripts: False\n") != text.npos);
    QVERIFY(text.find("{{") == text.npos);
    RankRun run { .folder = at("new"),
        .data = set,
        .recipe = asked.recipe,
        .overrides = { "--optimizer_step_limit=1" } };
    QCOMPARE(run.train(), QString());
    QVERIFY(keptAndChanged(run, "model.decoder.").second > 30);
    asked.recipe = at("other.yaml");
    asked.language = "german";
    QVERIFY2(why().contains("knows English alone, not 'german'"), qPrintable(why()));
    asked.language = "";
    asked.keepsVocabulary = false;
    QVERIFY2(why().contains("Whisper always keeps its tokenizer"), qPrintable(why()));
}

void TstWhisperTask::setting_isRefused_data()
{
    QTest::addColumn<std::string>("what");
    QTest::addColumn<std::string>("instead");
    QTest::addColumn<QString>("refusal");
    const auto row
        = [](const char* name, const char* what, const char* instead, const char* refusal) {
              QTest::newRow(name) << std::string(what) << std::string(instead) << QString(refusal);
          };
    row("features", "log_softmax: !new",
        "compute_features: !new:speechbrain.lobes.features.Fbank\nlog_softmax: !new",
        "'compute_features' works on features, and the pretrained model 'whisper' is given the "
        "waves");
    row("all layers", "    language: english\n", "    output_all_hiddens: True\n",
        "'output_all_hiddens' of 'whisper' must be False");
    row("rate", "seed: 5\n", "seed: 5\nsample_rate: 8000\n", "'sample_rate' must be 16000");
    row("two optimizers", "whisper_opt_class:",
        "opt_class: !name:torch.optim.SGD\n    lr: 1.0\n"
        "whisper_opt_class:",
        "'whisper_opt_class' trains all of Whisper");
    row("another model in a search", "    module: [!ref <whisper>]\n",
        "    module: [!ref <log_softmax>]\n",
        "'module' of this search must be [!ref <whisper>], the model that is trained");
    row("drawn tokens", "    model: !ref <whisper>\n",
        "    model: !ref <whisper>\n    temperature: 0.5\n", "'temperature'");
    row("another search",
        "!new:speechbrain.decoders.seq2seq.S2SWhisperGreedySearcher\n    model: "
        "!ref <whisper>\n",
        "!new:speechbrain.decoders.seq2seq.S2STransformerGreedySearcher\n    modules: [!ref "
        "<whisper>, !ref <whisper>]\n    bos_index: 1\n    eos_index: 2\n",
        "'valid_search' must be a !new: of speechbrain.decoders.S2SWhisperBeamSearcher or "
        "S2SWhisperGreedySearcher");
    row("tokens", "    beam_size: 2\n", "    beam_size: 2\n    suppress_tokens: [a, b]\n",
        "'suppress_tokens' of a search must be tokens, whole numbers");
}

void TstWhisperTask::setting_isRefused()
{
    QFETCH(std::string, what);
    QFETCH(std::string, instead);
    QFETCH(QString, refusal);
    std::string errors;
    (void)runOf("refused", 2, {}, train::with(whisperRecipe("whisper"), what, instead))
        .plan(errors);
    QVERIFY2(QString::fromStdString(errors).contains(refusal), errors.c_str());
}

EARWRIGHT_TEST(TstWhisperTask)
#include "tst_whisper_task.moc"
