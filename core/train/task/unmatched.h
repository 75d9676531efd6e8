#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace earwright::train {

/// A tensor that a file of weights has in another shape than a task.
struct Misshapen {
    std::string name;
    std::vector<int64_t> there; ///< in the file
    std::vector<int64_t> here;
};

/// What a file of weights and a task do not share.
struct Unmatched {
    std::vector<std::string> missing {}; ///< the task's, not in the file: they keep what was drawn
    std::vector<std::string> unexpected {}; ///< the file's, of which the task has none
    std::vector<Misshapen> misshapen {}; ///< in both; the task's keep what was drawn

    bool isEmpty() const { return missing.empty() && unexpected.empty() && misshapen.empty(); }
};

/// For people: "; it has none of these, which are drawn: 'enc.w.weight' (it has 'enc.v.weight'),
/// seaco_decoder (131); these have another shape, and are drawn: …; these are not used: …". Names
/// of a layer that is missing as a whole are counted; of others the first are listed, each with the
/// nearest name of the other list. Of a file that has them behind another part of its own, or
/// behind one less: ", but it has all of them below 'model': …". "" where all names match.
std::string describe(const Unmatched& unmatched);

/// "'enc.w' is not in it, 'ctc_lin.w' has the shape [8, 16] there and [12, 16] here": what a task
/// lacks, of more than some dozens the number.
std::string describeLacking(const Unmatched& unmatched);

/// All names, one a line, behind "missing", "not used" or "other shape" and a tab; behind another
/// the name of the other list that may be meant (train/task/counterparts.h), where there is one,
/// or the shapes.
std::string listAll(const Unmatched& unmatched);

} // namespace earwright::train
