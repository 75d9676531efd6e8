#pragma once

#include "core/base/file.h"
#include "core/base/keep_memory.h"
#include "core/model/layer_set.h"
#include "core/recipe/resolve.h"

#include <cstdio>
#include <ctime>
#include <functional>
#include <stdexcept>

namespace earwright::bench {

// What the programs share that time one piece of Earwright on one thread.

template <class T>
T orThrow(Result<T> result)
{
    if (!result)
        throw std::runtime_error(result.error().message);
    return std::move(*result);
}

/// Of the command line.
struct Words {
    std::vector<std::string> all;
    const std::string& text(size_t place) const { return all.at(place); }
    int64_t number(size_t place) const { return std::stoll(all.at(place)); }
};

struct Timed {
    std::function<void()> pass;
    int64_t passes = 1;
};

inline recipe::NodePtr recipeOf(const std::string& path)
{
    const recipe::NodePtr root = recipe::resolve(orThrow(readFile(path)), path, {}).root;
    if (!root)
        throw std::runtime_error("cannot read the recipe " + path);
    return root;
}

inline recipe::NodePtr nodeOf(const recipe::NodePtr& root, const std::string& key)
{
    const recipe::NodePtr node = recipe::find(*root, key);
    if (!node)
        throw std::runtime_error("the recipe has no " + key);
    return node;
}

inline std::shared_ptr<model::Layer> layerOf(const recipe::Node& node)
{
    std::vector<recipe::Diagnostic> diagnostics;
    std::shared_ptr<model::Layer> made = model::LayerSet(diagnostics).get(node);
    if (!made)
        throw std::runtime_error(diagnostics.at(0).message);
    return made;
}

/// Prints the seconds of CPU of one pass, after one that does not count. Returns the exit code.
inline int run(int argc, char** argv, const std::function<Timed(const Words&)>& timedOf)
{
    try {
        keepFreedMemory(); // as the program does
        torch::set_num_threads(1);
        const Timed timed = timedOf({ { argv + 1, argv + argc } });
        timed.pass();
        const std::clock_t begin = std::clock();
        for (int64_t i = 0; i < timed.passes; ++i)
            timed.pass();
        std::printf("%.6f\n",
            static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC
                / static_cast<double>(timed.passes));
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}

} // namespace earwright::bench
