// Gallery: Beukman's figures 1 to 5, Ichimura's figure 6 and Camerino's filters, method by method, each
// compared with the serial loop, bit by bit where that is due.
#include "check/modes/gallery_mode.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "check/method.h"
#include "check/modes/demo_files.h"
#include "problem/compare.h"

namespace check {

namespace {

std::vector<filter> filters_of_the_sources() {
    return {
        identity_filter(3),      box_filter(3),           box_filter(5),           box_filter(23),
        gaussian_filter(3, 0.8), gaussian_filter(5, 1.1), gaussian_filter(7, 1.4), gaussian_filter(27, 3.2),
        sobel_x_filter(),        sobel_y_filter(),        laplacian_filter(),      sharpen_filter(),
        emboss_filter(),         edge_filter(),           gradient_filter()};
}

/// Whether two filters are one but for roundings, as of a column times a row.
bool same_taps(const filter& a, const filter& b) {
    constexpr float ROUNDINGS = 8.0f / (1 << 24);
    return std::equal(a.taps.begin(), a.taps.end(), b.taps.begin(), b.taps.end(),
                      [](float x, float y) { return std::abs(x - y) <= ROUNDINGS * std::abs(y); });
}

struct gallery {
    const gallery_options& options;
    session& run;
    bool bits_must_agree;
    int pictures = 0, identical = 0, wrong = 0;

    /// All methods of the lab that work on so many channels; one that would make another filter of this one refuses it.
    void add_problem(const problem_2d& p, const std::string& photo) {
        problem_2d last;  // methods often take the same one
        std::vector<float> serial;
        for (const method_2d* method : methods_2d()) {
            if (method->channels != p.in.channels) continue;
            problem_2d posed = method->posed(p);
            if (!same_taps(posed.filter, p.filter)) continue;
            posed.filter.name = p.filter.name;
            if (posed != last) serial = serial_values(posed);
            add(*method, posed, serial, photo);
            last = std::move(posed);
        }
    }

    void add(const method_2d& method, const problem_2d& p, const std::vector<float>& serial,
             const std::string& photo) {
        std::vector<float> out(p.in.pixels.size(), NAN);
        const call_result result = method.run(run.active(), {}, out, p);
        if (result.how == call_end::refused) return;  // a filter that the method does not take
        const bool same = std::memcmp(out.data(), serial.data(), out.size() * sizeof(float)) == 0;
        const std::string trouble = same && result.returned() ? "" : trouble_of(method, result, out, p);
        pictures++;
        identical += same;
        if (!trouble.empty()) {
            wrong++;
            std::printf("%s, %s, %s: %s\n", method.name.c_str(), photo.c_str(), p.filter.name.c_str(),
                        trouble.c_str());
        }
        append_csv(options.out + "/gallery.csv", "lab,method,device,date,image,filter,identical,verdict",
                   fmt::format("{},\"{}\",\"{}\",{},{},{},{},{}", run.lab(), method.name,
                               run.active().device(), options.date, photo, file_name(p.filter.name),
                               same ? "yes" : "no", trouble.empty() ? "right" : "wrong"));
        write_image(
            {p.in.width, p.in.height, p.in.channels, out},
            fmt::format("{}/{}.{}.{}.png", options.out, photo, file_name(p.filter.name), method.name));
    }

    /// "" if other bits than the serial loop's are allowed and the values lie within their bounds. Who does more than
    /// sum up products tap by tap may do it in another order.
    std::string trouble_of(const method_2d& method, const call_result& result, const std::vector<float>& out,
                           const problem_2d& p) const {
        if (!result.returned()) return result.trouble;
        if (bits_must_agree && !method.pose) return "other bits than the serial loop's";
        const reference truth = convolve_cpu(p);
        return first_wrong(out, truth, compare(out, truth), shape_of(p));
    }
};

}  // namespace

int run_gallery(const gallery_options& options, session& run) {
    if (methods_2d().empty()) return 0;
    std::filesystem::create_directories(options.out);
    gallery shown{options, run, run.no_fmad || !run.active().is_for_gpu()};
    for (const std::string& path : options.images) {
        for (const int channels : {1, 3}) {
            const image photo = read_image(path, channels);
            for (const filter& f : filters_of_the_sources())
                shown.add_problem({photo, f}, std::filesystem::path(path).stem());
        }
    }
    std::printf("%-20s %4d pictures, %4d with the serial loop's bits, %d wrong\n", run.lab().c_str(),
                shown.pictures, shown.identical, shown.wrong);
    return shown.wrong == 0 ? 0 : 1;
}

}  // namespace check
