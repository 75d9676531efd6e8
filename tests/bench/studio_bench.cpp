// What the window costs with thousands of runs: listing and painting them, sorting, filtering, and
// comparing. A line for each: p50, p99 and the slowest in milliseconds, the target, and the same
// with a tenth of the runs, so that growth shows.

#include "core/base/file.h"
#include "core/recipe/resolve.h"
#include "ui/compare/compare_page.h"
#include "ui/runs/run_list_model.h"
#include "ui/runs/runs_page.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <QApplication>
#include <QElapsedTimer>
#include <QListView>
#include <QScrollBar>
#include <QTableView>
#include <QTemporaryDir>
#include <random>
#include <stdexcept>

using namespace earwright;
using namespace earwright::ui;

namespace {

namespace fs = std::filesystem;
constexpr size_t kListed = 10'000;
constexpr size_t kCompared = 2'000;
constexpr int kRepeats = 30;
constexpr int kFrames = 200;
constexpr int kPoints = 500; ///< of a curve
constexpr double kLeastWorkMs = 0.05; ///< of a turn of the event loop that counts

using Times = std::vector<double>;

double elapsedMs(const std::function<void()>& act)
{
    QElapsedTimer timer;
    timer.start();
    act();
    return static_cast<double>(timer.nsecsElapsed()) * 1e-6;
}

Times repeated(int count, const std::function<void(int)>& act)
{
    Times times;
    for (int i = 0; i < count; ++i)
        times.push_back(elapsedMs([&] { act(i); }));
    return times;
}

double percentile(Times times, double share)
{
    std::sort(times.begin(), times.end());
    return times.at(static_cast<size_t>(share * static_cast<double>(times.size() - 1)));
}

std::string text(const Times& times)
{
    char line[80];
    std::snprintf(line, sizeof line, "p50 %.1f, p99 %.1f, slowest %.1f ms", percentile(times, 0.5),
        percentile(times, 0.99), percentile(times, 1));
    return line;
}

void print(const char* what, size_t count, double targetMs, const std::function<Times(size_t)>& of)
{
    const Times tenth = of(count / 10);
    const Times all = of(count);
    std::printf("%s, %zu runs: %s (target %.0f); %zu runs: %s\n", what, count, text(all).c_str(),
        targetMs, count / 10, text(tenth).c_str());
    std::fflush(stdout);
}

/// One run as `earwright train` leaves it, without its events.
fs::path firstRun(const fs::path& folder)
{
    plan::Plan plan;
    plan.name = "demo";
    plan.recipeFile = "demo.yaml";
    plan.recipeText = "lr: 0.1\nseed: 1\nnumber_of_epochs: 3\n";
    plan.overrides = { "--seed=SEED" };
    plan.recipe = recipe::resolve(plan.recipeText, "demo.yaml", {}).root;
    plan.devices = { "cpu" };
    if (const auto made = run::createRunFolder(folder, plan); !made)
        throw std::runtime_error(made.error().message);
    return folder;
}

void writeText(const fs::path& path, std::string text, const std::string& seed)
{
    for (size_t at = 0; (at = text.find("SEED", at)) != std::string::npos;)
        text.replace(at, 4, seed);
    std::ofstream(path) << text;
}

/// Copies, without waiting for the disk after each.
void makeRuns(const fs::path& root, size_t count)
{
    const fs::path first = firstRun(root.parent_path() / "first");
    const std::vector<std::string> names { "plan.json", "recipe.yaml", "resolved.yaml" };
    std::vector<std::string> texts;
    for (const std::string& name : names)
        texts.push_back(*readFile(first / name));
    for (size_t i = 0; i < count; ++i) {
        const fs::path folder = root / ("demo-" + std::to_string(i));
        const std::string number = std::to_string(i);
        fs::create_directories(folder);
        for (size_t k = 0; k < names.size(); ++k)
            writeText(folder / names[k], texts[k], number);
        writeText(folder / "result.json",
            R"({"version": 1, "state": "done", "name": "demo", "precision": "fp32", "devices": ["cpu"],
"start_time": 17SEED, "epoch": 3, "step": 300, "total_steps": 300, "test_wer": 0.SEED, "test_cer": 1,
"test_rate": "WER", "error": "", "metrics": {"valid/loss": 1.SEED, "train/loss": 1}})",
            number);
    }
}

std::vector<run::RunSummary> listed(const fs::path& root)
{
    const auto runs = run::listRuns(root);
    if (!runs)
        throw std::runtime_error(runs.error().message);
    return *runs;
}

struct Listed {
    explicit Listed(size_t count)
    {
        root = fs::path(folder.path().toStdString()) / "runs";
        makeRuns(root, count);
        runs = listed(root);
    }
    QTemporaryDir folder;
    fs::path root;
    std::vector<run::RunSummary> runs;
};

/// From the summaries to the first frame, in the side bar's list and in the table.
Times opening(const Listed& of)
{
    return repeated(10, [&](int) {
        RunListModel list;
        QListView view;
        view.setUniformItemSizes(true);
        view.setModel(&list);
        view.resize(270, 800);
        RunsPage page(list);
        page.resize(1360, 860);
        page.show();
        view.show();
        list.setRuns(of.runs);
        page.grab();
        view.grab();
    });
}

Times sorting(const Listed& of)
{
    RunTableModel model;
    model.setRuns(of.runs);
    return repeated(kRepeats, [&](int i) {
        model.sort(i % static_cast<int>(model.columns().size()),
            i % 2 ? Qt::DescendingOrder : Qt::AscendingOrder);
    });
}

Times filtering(const Listed& of)
{
    RunTableModel model;
    model.setRuns(of.runs);
    const QStringList typed { QStringLiteral("d"), QStringLiteral("demo-1"),
        QStringLiteral("wer<0.5"), QStringLiteral("valid/loss>1.2 demo"), QString() };
    return repeated(kRepeats, [&](int i) { model.setFilter(typed[i % typed.size()]); });
}

Times scrolling(const Listed& of)
{
    RunListModel list;
    RunsPage page(list);
    page.resize(1360, 860);
    page.show();
    list.setRuns(of.runs);
    auto* table = page.findChild<QTableView*>();
    page.grab();
    return repeated(kFrames, [&](int i) {
        QScrollBar* bar = table->verticalScrollBar();
        bar->setValue(bar->maximum() * i / kFrames);
        table->viewport()->grab(); // the screen may be none
    });
}

std::shared_ptr<const run::Snapshot> snapshotOf(unsigned seed)
{
    run::Snapshot snapshot;
    std::mt19937 random(seed);
    std::normal_distribution<double> noise(0, 0.2);
    for (int64_t step = 1; step <= kPoints; ++step) {
        const auto time = static_cast<double>(step);
        const double loss = 5 * std::exp(-time / 100) + noise(random);
        run::fold(snapshot, 0, { time, run::Scalar { "train/loss", step, loss } });
        if (step % 50 == 0) {
            for (const char* tag : { "valid/loss", "valid/WER", "valid/CER" })
                run::fold(snapshot, 0, { time, run::Scalar { tag, step, loss } });
        }
    }
    return std::make_shared<const run::Snapshot>(std::move(snapshot));
}

/// Turns of the event loop, frames among them, until the page shows all.
Times turnsUntilShown(const ComparePage& page)
{
    Times times;
    QElapsedTimer quiet;
    quiet.start();
    while (!page.isUpToDate() || quiet.elapsed() < 100) {
        const double ms = elapsedMs([] { QCoreApplication::processEvents(); });
        if (ms < kLeastWorkMs)
            continue;
        times.push_back(ms);
        quiet.restart();
    }
    return times;
}

struct Compared {
    explicit Compared(size_t count)
    {
        for (size_t i = 0; i < count; ++i) {
            const QString name = QStringLiteral("seed=%1").arg(i);
            runs.push_back({ QStringLiteral("/runs/") + name, name, Qt::blue, nullptr });
            snapshots.push_back(snapshotOf(static_cast<unsigned>(i)));
        }
        page.resize(1360, 860);
        page.show();
    }
    void open()
    {
        page.setRuns(runs);
        for (size_t i = 0; i < runs.size(); ++i)
            page.setSnapshot(runs[i].path, snapshots[i]);
    }
    ComparePage page;
    std::vector<CompareRun> runs;
    std::vector<std::shared_ptr<const run::Snapshot>> snapshots;
};

/// From runs without events to all of them shown.
Times comparing(size_t count)
{
    Compared compared(count);
    return repeated(3, [&](int) {
        compared.page.setRuns({});
        compared.open();
        while (!compared.page.isUpToDate())
            QCoreApplication::processEvents();
        compared.page.grab();
    });
}

Times comparingTurns(size_t count)
{
    Compared compared(count);
    compared.open();
    return turnsUntilShown(compared.page);
}

/// Ten of them go on.
Times appending(size_t count)
{
    Compared compared(count);
    compared.open();
    turnsUntilShown(compared.page);
    Times all;
    for (unsigned round = 0; round < 20; ++round) {
        for (unsigned i = 0; i < 10; ++i)
            compared.page.setSnapshot(compared.runs[i].path, snapshotOf(round * 10 + i));
        const Times turns = turnsUntilShown(compared.page);
        all.insert(all.end(), turns.begin(), turns.end());
    }
    return all;
}

} // namespace

int main(int argc, char** argv)
{
    const QApplication application(argc, argv);
    const Listed tenth(kListed / 10);
    const Listed all(kListed);
    const auto ofListed = [&](Times (*act)(const Listed&)) {
        return [&, act](size_t count) { return act(count == kListed ? all : tenth); };
    };
    print("listing the folder, in a thread", kListed, 300,
        ofListed([](const Listed& of) { return repeated(5, [&](int) { listed(of.root); }); }));
    print("opening list and table", kListed, 300, ofListed(opening));
    print("sorting the table", kListed, 50, ofListed(sorting));
    print("filtering the table", kListed, 50, ofListed(filtering));
    print("a frame of the table, scrolled", kListed, 33, ofListed(scrolling));
    print("comparing, until all are shown", kCompared, 1000, comparing);
    print("a turn meanwhile", kCompared, 33, comparingTurns);
    print("a turn while ten go on", kCompared, 33, appending);
    return 0;
}
