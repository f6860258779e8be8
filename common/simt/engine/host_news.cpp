// Each question is held against the last of its kind, and where it differs against all that the host knows.
#include "simt/engine/host_news.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace simt {
namespace {

constexpr size_t WORD = sizeof(uint32_t);
constexpr size_t SHORT_QUESTION = 64;  // too short to repeat much
constexpr size_t SHORT_RUN = 2 * WORD;
constexpr ptrdiff_t MOST_PLACES = 16;  // where a run may have begun

/// Bytes in which a run of others is found.
class known_bytes {
public:
    void begin(byte_list bytes) {
        bytes_ = std::move(bytes);
        places_.clear();
    }
    void add(std::span<const std::byte> bytes) {
        bytes_.resize((bytes_.size() + WORD - 1) / WORD * WORD);
        bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
        places_.clear();
    }

    /// How many of the first of these bytes stand there one after another; 0 if they are few.
    size_t run_of(std::span<const std::byte> bytes) {
        if (bytes.size() < SHORT_RUN || bytes_.size() < SHORT_RUN) return 0;
        if (places_.empty()) note_places();
        const uint32_t first = word_at(bytes, 0);
        auto next = std::ranges::lower_bound(places_, first, {}, &place::word);
        const auto end = next + std::min(MOST_PLACES, places_.end() - next);
        size_t longest = 0;
        for (; next != end && next->word == first; ++next) {
            const auto here = bytes_.begin() + ptrdiff_t(next->at);
            const auto differs = std::mismatch(here, bytes_.end(), bytes.begin(), bytes.end()).first;
            longest = std::max(longest, size_t(differs - here));
        }
        return longest < SHORT_RUN ? 0 : longest;
    }

private:
    struct place {
        uint32_t word;
        size_t at;
    };
    byte_list bytes_;
    std::vector<place> places_;  // of every word, sorted

    static uint32_t word_at(std::span<const std::byte> bytes, size_t at) {
        uint32_t word;
        std::memcpy(&word, &bytes[at], sizeof word);
        return word;
    }
    void note_places() {
        for (size_t at = 0; at + WORD <= bytes_.size(); at += WORD)
            places_.push_back({word_at(bytes_, at), at});
        std::ranges::sort(places_, {}, [](const place& one) { return std::tuple(one.word, one.at); });
    }
};

/// A host that has read no more of its input than this has nothing to tell of many outputs.
constexpr size_t FEW_BYTES = 64;

bool is_watching = false, is_change = true;
size_t bytes_read = 0;
known_bytes known;
std::map<std::pair<uint64_t, size_t>, byte_list> last_questions;  // by number and size
uint64_t news = 0;

uint64_t news_of(std::span<const std::byte> question, const byte_list& before) {
    uint64_t told = 0;
    bool goes_on = false;  // the byte before was news
    for (size_t at = 0; at < question.size(); at++) {
        const bool is_old = !before.empty() && before[at] == question[at];
        const bool is_one_of_zeros = at > 0 && question[at] == std::byte{} && question[at - 1] == std::byte{};
        if (is_old || is_one_of_zeros) {
            goes_on = false;
            continue;
        }
        told += goes_on ? 1 : WORD;
        const size_t run = question.size() < SHORT_QUESTION ? 0 : known.run_of(question.subspan(at));
        goes_on = run == 0;
        if (run > 0) at += run - 1;
    }
    return told;
}

}  // namespace

void watch_for_news(byte_list bytes) {
    is_watching = !bytes.empty();
    bytes_read = 0;
    known.begin(std::move(bytes));
    last_questions.clear();
    news = 0;
}

void changes_nothing() {
    is_change = false;
}

void host_has_read(std::span<const std::byte> bytes) {
    changes_nothing();
    if (!is_watching) return;
    bytes_read += bytes.size();
    known.add(bytes);
}

void host_asked(uint64_t number, const byte_list& question) {
    const bool counts = std::exchange(is_change, true);
    if (!is_watching || !counts) return;
    byte_list& before = last_questions[{number, question.size()}];
    const uint64_t told = bytes_read > FEW_BYTES ? news_of(question, before) : 0;
    news += std::max<uint64_t>(told, 1);
    before = question;
}

uint64_t bytes_of_news() {
    return news;
}

}  // namespace simt
