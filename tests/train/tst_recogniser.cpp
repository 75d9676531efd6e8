#include <QTemporaryDir>
#include <QTest>

#include "core/data/audio.h"
#include "core/train/recogniser.h"
#include "tests/registry.h"
#include "tests/train/rank_run.h"

#include <set>

using namespace earwright;
using earwright::tests::RankRun;
using train::DecodeSetting;
using train::Heard;
using train::Recogniser;

namespace {

constexpr const char* kJoint = EARWRIGHT_CASES_DIR "/train/equal/joint.yaml";
constexpr const char* kCtc = EARWRIGHT_CASES_DIR "/train/equal/crdnn.yaml";
const std::string kSearch = "test_search: !new:speechbrain.decoders.S2STransformer%1Searcher\n"
                            "    modules: [!ref <Transformer>, !ref <seq_lin>]\n"
                            "    bos_index: 1\n"
                            "    eos_index: 2\n"
                            "    min_decode_ratio: 0.0\n"
                            "    max_decode_ratio: 1.0\n";

std::string searchBy(const std::string& name, const std::string& more = "")
{
    std::string text = kSearch + more;
    return text.replace(text.find("%1"), 2, name);
}

std::vector<std::string> textsOf(const Result<std::vector<Heard>>& heard)
{
    if (!heard)
        return { heard.error().message };
    std::vector<std::string> texts;
    for (const Heard& one : *heard)
        texts.push_back(one.text());
    return texts;
}

} // namespace

/// A small trained model that listens.
class TstRecogniser : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void shortSounds_costTheirOwnTexts();
    void ownSearch_hasScoresWhereAsked();
    void searchOfTheValidation_isNotLoaded();
    void greedySearch_isSaidWhereItIsNotRun();
    void ownBeams_listenForTheRecipesHotwords();
    void nBest_holdsNoTextTwice();
    void longSound_isTheTextsOfItsSegments();
    void longSound_endsWhereItIsStopped();

private:
    std::string path(const char* name) const { return m_folder.filePath(name).toStdString(); }
    /// The weights trained in `run` under this recipe.
    Result<Recogniser> recogniserOf(
        const char* run, const std::string& recipe, const DecodeSetting& setting) const;
    /// The joint model's under its recipe with `more`.
    Result<Recogniser> recogniser(const std::string& more, const DecodeSetting& setting) const
    {
        return recogniserOf("run", m_recipe + more, setting);
    }
    QString train(const char* run, const char* recipe) const;
    std::vector<std::string> texts(const std::string& more, const DecodeSetting& setting) const;
    data::Utterance longSound() const;

    QTemporaryDir m_folder;
    std::string m_recipe;
    std::string m_ctcRecipe;
    std::vector<data::Utterance> m_utterances;
};

void TstRecogniser::initTestCase()
{
    tests::writeNoises(path("data"), 8);
    m_recipe = *readFile(kJoint);
    m_ctcRecipe = *readFile(kCtc);
    QCOMPARE(train("run", kJoint), QString());
    QCOMPARE(train("ctc", kCtc), QString());
    m_utterances = *data::readManifest(path("data/train.csv"), "");
}

QString TstRecogniser::train(const char* run, const char* recipe) const
{
    const RankRun training { .folder = path(run),
        .data = path("data"),
        .recipe = recipe,
        .overrides = { "--batch_size=4", "--optimizer_step_limit=2" } };
    return training.train();
}

Result<Recogniser> TstRecogniser::recogniserOf(
    const char* run, const std::string& recipe, const DecodeSetting& setting) const
{
    const std::string file = path("recipe.yaml");
    if (!writeFileAtomically(file, recipe))
        return Error { "cannot write the recipe" };
    const RankRun trained {
        .folder = path(run), .data = path("data"), .recipe = file, .overrides = {}
    };
    std::string errors;
    const plan::Plan plan = trained.plan(errors);
    if (!errors.empty())
        return Error { errors };
    return Recogniser::load(plan, trained.folder,
        *train::lastCheckpoint(run::RunFolder { trained.folder }.checkpoints()), at::kCPU, setting);
}

std::vector<std::string> TstRecogniser::texts(
    const std::string& more, const DecodeSetting& setting) const
{
    Result<Recogniser> made = recogniser(more, setting);
    if (!made)
        return { made.error().message };
    return textsOf(made->recognise(m_utterances, 4));
}

/// A batch of nothing else, whose halves the front end takes no more than the whole.
void TstRecogniser::shortSounds_costTheirOwnTexts()
{
    std::vector<data::Utterance> all = m_utterances;
    for (const char* name : { "a", "b" }) {
        QVERIFY(tests::writeSound(path(name), { 0.1F }, { .sampleRateHz = 8000 }));
        all.push_back({ .id = name, .wav = path(name), .speaker = "", .text = "" });
    }
    Result<Recogniser> made = recogniser("", {});
    QVERIFY2(made, made ? "" : made.error().message.c_str());
    std::map<size_t, int> told;
    const auto heard = made->recognise(all, 2, [&](size_t utterance, const Heard&) -> Status {
        ++told[utterance];
        return Done {};
    });
    QVERIFY2(heard, heard ? "" : heard.error().message.c_str());
    QCOMPARE(told.size(), all.size());
    for (size_t i = 0; i < all.size(); ++i) {
        QCOMPARE(told[i], 1);
        const bool isShort = i >= m_utterances.size();
        QCOMPARE((*heard)[i].problem,
            isShort ? "utterance '" + all[i].id + "' is too short for this model" : "");
    }
}

void TstRecogniser::ownSearch_hasScoresWhereAsked()
{
    const std::string beams = searchBy("Beam", "    beam_size: 4\n");
    DecodeSetting scored;
    scored.wantsScores = true;
    Result<Recogniser> plain = recogniser(beams, {});
    Result<Recogniser> made = recogniser(beams, scored);
    QVERIFY2(made, made ? "" : made.error().message.c_str());
    QVERIFY(!plain->isSearch());
    QVERIFY(made->isSearch());
    QCOMPARE(texts(beams, scored), texts(beams, {}));
    QVERIFY(!recogniser("", scored)->isSearch()); // of the best path there are none
    // Only the test of `task: ctc` goes by it.
    const std::string ofCtc
        = "test_beam_search: {beam_size: 20, kenlm_model_path: " EARWRIGHT_CASES_DIR
          "/decode/tiny.arpa}\n";
    QVERIFY(!recogniser(ofCtc, scored)->isSearch());
    QCOMPARE(texts(ofCtc, scored), texts("", {}));
    DecodeSetting wide;
    wide.beamSize = 4;
    QCOMPARE(texts(ofCtc, wide), texts("", wide));
}

/// Its language model may be gone, or be no language model.
void TstRecogniser::searchOfTheValidation_isNotLoaded()
{
    std::string search = searchBy("Beam",
        "    beam_size: 4\n    scorer: !new:speechbrain.decoders.scorer.ScorerBuilder\n"
        "        full_scorers:\n            - !new:speechbrain.decoders.scorer.KenLMScorer\n"
        "                lm_path: "
            + std::string(kJoint)
            + "\n                vocab_size: 10\n"
              "                token_list: [a, b, c, d, e, f, g, h, i, j]\n"
              "        weights: {kenlm: 1.0}\n");
    const Result<Recogniser> testing = recogniser(search, {});
    QVERIFY(!testing); // it is no n-gram
    search.replace(0, std::string("test_search").size(), "valid_search");
    const Result<Recogniser> made = recogniser(search, {});
    QVERIFY2(made, made ? "" : made.error().message.c_str());
    QCOMPARE(texts(search, {}), texts("", {}));
}

void TstRecogniser::greedySearch_isSaidWhereItIsNotRun()
{
    DecodeSetting beams;
    beams.beamSize = 4;
    const auto said = recogniser(searchBy("Greedy"), beams);
    QVERIFY2(said, said ? "" : said.error().message.c_str());
    QVERIFY2(said->warning().find("test_search, which keeps a single text, is not run")
            != std::string::npos,
        said->warning().c_str());
    QCOMPARE(recogniser("", beams)->warning(), std::string());
    const std::string own = searchBy("Beam", "    beam_size: 4\n");
    QCOMPARE(recogniser(own, beams)->warning(), std::string());
}

/// Of `task: ctc`; another list takes the place of the recipe's.
void TstRecogniser::ownBeams_listenForTheRecipesHotwords()
{
    const auto heard = [&](const std::string& more, const DecodeSetting& setting) {
        Result<Recogniser> made = recogniserOf("ctc", m_ctcRecipe + more, setting);
        return made ? textsOf(made->recognise(m_utterances, 4))
                    : std::vector<std::string> { made.error().message };
    };
    const std::string search = "test_beam_search: {beam_size: 20}\n";
    const std::string listening = search + "hotword: [" + m_utterances.front().text + "]\n";
    DecodeSetting scored;
    scored.wantsScores = true;
    DecodeSetting silent;
    silent.hotwords.emplace();
    QVERIFY(heard(search, {}) != heard(listening, {}));
    QCOMPARE(heard(listening, scored), heard(listening, {}));
    QCOMPARE(heard(listening, silent), heard(search, {}));
}

/// Few steps: some beams end in the last, which upstream's search lists twice.
void TstRecogniser::nBest_holdsNoTextTwice()
{
    std::string search = searchBy("Beam", "    beam_size: 8\n");
    search.replace(search.find("max_decode_ratio: 1.0"), 21, "max_decode_ratio: 0.3");
    DecodeSetting five;
    five.topk = 5;
    Result<Recogniser> made = recogniser(search, five);
    QVERIFY2(made, made ? "" : made.error().message.c_str());
    const auto heard = made->recognise(m_utterances, 4);
    QVERIFY2(heard, heard ? "" : heard.error().message.c_str());
    for (const Heard& one : *heard) {
        QCOMPARE(one.hypotheses.size(), size_t(5));
        std::set<std::string> texts;
        for (const decode::CtcHypothesis& hypothesis : one.hypotheses)
            QVERIFY2(texts.insert(hypothesis.text).second, hypothesis.text.c_str());
    }
}

/// All noises with pauses between, 6 s.
data::Utterance TstRecogniser::longSound() const
{
    std::vector<float> samples;
    while (samples.size() < 6 * 8000)
        for (const data::Utterance& utterance : m_utterances) {
            const data::Audio audio = *data::readAudio(utterance.wav, 8000);
            samples.insert(samples.end(), audio.samples.begin(), audio.samples.end());
            samples.insert(samples.end(), 2400, 0.0F);
        }
    const std::string file = path("long.wav");
    if (!tests::writeSound(
            file, samples, { .sampleRateHz = 8000, .format = SF_FORMAT_WAV | SF_FORMAT_FLOAT }))
        qFatal("no sound");
    return { .id = "long",
        .wav = file,
        .durationSeconds = static_cast<double>(samples.size()) / 8000,
        .speaker = "",
        .text = "" };
}

/// One by one, as a batch's padding may change a text. Words have the whole sound's times.
void TstRecogniser::longSound_isTheTextsOfItsSegments()
{
    DecodeSetting setting;
    setting.beamSize = 4;
    setting.maxSegmentSeconds = 2;
    Result<Recogniser> made = recogniserOf("ctc", m_ctcRecipe, setting);
    QVERIFY2(made, made ? "" : made.error().message.c_str());
    const data::Utterance whole = longSound();
    std::vector<size_t> told;
    const auto heard = made->recognise({ whole, m_utterances[0], m_utterances[1] }, 1,
        [&](size_t utterance, const Heard&) -> Status {
            told.push_back(utterance);
            return Done {};
        });
    QVERIFY2(heard, heard ? "" : heard.error().message.c_str());
    QCOMPARE(told.size(), size_t(3));
    QCOMPARE(told.back(), size_t(0)); // the long one is the last
    const Heard& joined = heard->front();
    QVERIFY2(joined.problem.empty(), joined.problem.c_str());
    QVERIFY(joined.segments.size() >= 3);
    const data::Audio audio = *data::readAudio(whole.wav, 8000);
    size_t word = 0;
    for (const train::HeardSegment& segment : joined.segments) {
        const auto from = audio.samples.begin() + std::lround(segment.beginSeconds * 8000);
        const auto to = audio.samples.begin() + std::lround(segment.endSeconds * 8000);
        QVERIFY(to - from <= 2 * 8000);
        QVERIFY(tests::writeSound(path("part.wav"), { from, to },
            { .sampleRateHz = 8000, .format = SF_FORMAT_WAV | SF_FORMAT_FLOAT }));
        data::Utterance part = whole;
        part.wav = path("part.wav");
        part.durationSeconds = 1;
        const auto alone = made->recognise({ part }, 1);
        QVERIFY2(alone, alone ? "" : alone.error().message.c_str());
        QCOMPARE(segment.text, alone->front().text());
        const double perFrame = joined.secondsPerFrame;
        QVERIFY(perFrame > 0);
        for (const decode::WordFrames& own : alone->front().hypotheses.front().words) {
            const decode::WordFrames& placed = joined.hypotheses.front().words.at(word++);
            QCOMPARE(placed.word, own.word);
            const double place = (placed.begin - own.begin) * perFrame;
            QVERIFY2(std::abs(place - segment.beginSeconds) < perFrame / 2,
                std::to_string(place).c_str());
        }
    }
    QCOMPARE(word, joined.hypotheses.front().words.size());
    QVERIFY(word > 0);
    QCOMPARE((*heard)[1].text(), made->recognise({ m_utterances[0] }, 1)->front().text());
}

void TstRecogniser::longSound_endsWhereItIsStopped()
{
    DecodeSetting setting;
    setting.maxSegmentSeconds = 2;
    Result<Recogniser> made = recogniserOf("ctc", m_ctcRecipe, setting);
    QVERIFY2(made, made ? "" : made.error().message.c_str());
    int batches = 0;
    const auto heard = made->recognise({ longSound() }, 1, {}, [&] { return ++batches < 2; });
    QVERIFY(!heard);
    QCOMPARE(batches, 2);
}

EARWRIGHT_TEST(TstRecogniser)
#include "tst_recogniser.moc"
