// Tables in handouts, made from recorded files: our times
// beside the best published ones, and those of some methods.
#include "author/handout_tables.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "author/regions.h"

namespace {

/// Files of a lab 98 and a lab 99 with two filters; the GPU copies 100 x 50 pixels in 0.2 ms.
struct recorded_files {
    const std::filesystem::path root = std::filesystem::temp_directory_path() / "workbook_peers";
    const std::string steps = (root / "steps.csv").string(), published = (root / "published.csv").string(),
                      measured = root.string();

    recorded_files() {
        std::filesystem::remove_all(root);
        std::filesystem::create_directories(root);
        author::write_text(steps,
                           "step,lab,worker,method\none thread,98_slow,solution,naive\n"
                           "half,99_fast,right_half,fast\nall of it,99_fast,solution,fast\n");
        author::write_text(published, "filter_width,filter_height,ms,by\n3,3,0.1,\"A, B\"\n7,9,3,C\n");
        author::write_text(root / "ceilings.csv",
                           "# Of what.\nwhat,value,unit\ncopy_100x50,0.2,ms\nffma,0.63,GFLOP/s\n");
        const std::string columns = "lab,method,channels,width,height,filter_width,filter_height,kernel_ms\n";
        author::write_text(root / "98_slow.csv", columns + "98_slow,\"naive\",1,100,50,3,3,4\n");
        author::write_text(root / "99_fast.csv",
                           columns + "99_fast,\"fast\",1,100,50,3,3,0.25\n99_fast,\"fast\",1,50,100,7,9,9\n" +
                               "99_fast,\"fast\",3,100,50,7,9,9\n99_fast,\"other\",1,100,50,7,9,9\n" +
                               "99_fast,\"fast\",1,100,50,7,9,2\n");
    }
    ~recorded_files() { std::filesystem::remove_all(root); }
};

}  // namespace

TEST_CASE("a row for each published filter, a column for each step that is a solution") {
    const recorded_files files;
    CHECK(author::peers_table(files.steps, files.measured, files.published) ==
          "| filter (w x h) | one thread, 98 | all of it, 99 | of the roofline | best published | times "
          "faster |\n"
          "| --- | --- | --- | --- | --- | --- |\n"
          "| 3 x 3 | 4.000 | 0.250 | 80 % | 0.100, A, B | 0.40 |\n"
          "| 7 x 9 | - | 2.000 | 50 % | 3.000, C | 1.50 |\n");
}

TEST_CASE("a handout gets the table between its two lines") {
    const recorded_files files;
    const std::string opening =
        "<!-- peers " + files.steps + " " + files.measured + " " + files.published + ": make readme -->\n";
    const std::string handout =
        author::handout_with_tables("before\n" + opening + "old\n<!-- /peers -->\nafter\n");
    CHECK(handout.starts_with("before\n" + opening + "| filter"));
    CHECK(handout.ends_with("1.50 |\n<!-- /peers -->\nafter\n"));
    CHECK(handout.find("old") == std::string::npos);
}

TEST_CASE("what is missing is named") {
    const recorded_files files;
    author::write_text(files.root / "ceilings.csv", "what,value,unit\nffma,0.63,GFLOP/s\n");
    CHECK_THROWS_WITH(author::peers_table(files.steps, files.measured, files.published),
                      doctest::Contains("copy_WxH or ffma is missing"));
    const recorded_files more;
    author::write_text(more.published, "width,height,ms,by\n3,3,1,A\n");
    CHECK_THROWS_WITH(author::peers_table(more.steps, more.measured, more.published),
                      doctest::Contains("no column 'filter_width'"));
    author::write_text(more.steps, "step,lab,worker,method\nhalf,99_fast,right_half,fast\n");
    CHECK_THROWS_WITH(author::peers_table(more.steps, more.measured, more.published),
                      doctest::Contains("no step is a solution"));
}

TEST_CASE("times of some methods for some filters") {
    const recorded_files files;
    CHECK(author::times_table(files.measured, "100x50", "7x9,3x3", {"99_fast/fast", "98_slow/naive"}) ==
          "| filter (w x h) | `fast` (99) | `naive` (98) |\n| --- | --- | --- |\n"
          "| 7 x 9 | 2.000 | - |\n| 3 x 3 | 0.250 | 4.000 |\n");
    CHECK(author::times_table(files.measured, "8x1", "5x1", {"99_fast/fast"}) ==
          "| taps | `fast` (99) |\n| --- | --- |\n| 5 | - |\n");
    CHECK_THROWS_WITH(author::times_table(files.measured, "100", "3x3", {"99_fast/fast"}),
                      doctest::Contains("'100' in a table of times: must be WIDTHxHEIGHT"));
    CHECK_THROWS_WITH(author::times_table(files.measured, "100x50", "3", {"99_fast/fast"}),
                      doctest::Contains("'3' in a table of times: must be WIDTHxHEIGHT"));
    CHECK_THROWS_WITH(author::times_table(files.measured, "100x50", "3x3", {"fast"}),
                      doctest::Contains("'fast' in a table of times: must be LAB/METHOD"));
    const std::string words = "times " + files.measured + " 100x50 3x3 98_slow/naive";
    CHECK(author::handout_with_tables("<!-- " + words + ": make readme -->\n<!-- /times -->\n") ==
          "<!-- " + words + ": make readme -->\n| filter (w x h) | `naive` (98) |\n| --- | --- |\n" +
              "| 3 x 3 | 4.000 |\n<!-- /times -->\n");
}

TEST_CASE("fast.cu has a file and a column of its own") {
    const recorded_files files;
    const std::vector<std::string> methods = {"99_fast/fast", "99_fast.fast/fast"};
    const std::string words =
        "<!-- times " + files.measured + " 100x50 3x3 99_fast/fast 99_fast.fast/fast: make readme -->\n";
    CHECK_THROWS_WITH(author::times_table(files.measured, "100x50", "3x3", methods),
                      doctest::Contains("/99_fast.fast.csv: no such file"));
    CHECK(author::handout_with_tables(words + "old\n<!-- /times -->\n") ==
          words + "Not measured yet: `make record PARTS=bench` on a GPU writes `" + files.measured +
              "/99_fast.fast.csv`.\n<!-- /times -->\n");
    author::write_text(files.root / "99_fast.fast.csv",
                       "lab,method,channels,width,height,filter_width,filter_height,kernel_ms\n"
                       "99_fast,\"fast\",1,100,50,3,3,0.125\n");
    CHECK(author::times_table(files.measured, "100x50", "3x3", methods) ==
          "| filter (w x h) | `fast` (99) | `fast`, `fast.cu` (99) |\n| --- | --- | --- |\n"
          "| 3 x 3 | 0.250 | 0.125 |\n");
    author::write_text(files.steps, "step,lab,worker,method\nlast,99_fast,fast,fast\n");
    CHECK(
        author::peers_table(files.steps, files.measured, files.published).find("| 3 x 3 | 0.125 | 160 % |") !=
        std::string::npos);
}

TEST_CASE("a handout may have several tables of a kind, each with its end") {
    const recorded_files files;
    const std::string first = "<!-- times " + files.measured + " 100x50 3x3 98_slow/naive: make readme -->\n",
                      second = "<!-- times " + files.measured + " 100x50 7x9 99_fast/fast: make readme -->\n",
                      end = "<!-- /times -->\n";
    const std::string filled =
        author::handout_with_tables(first + "old\n" + end + "between\n" + second + end);
    CHECK(filled == first + "| filter (w x h) | `naive` (98) |\n| --- | --- |\n| 3 x 3 | 4.000 |\n" + end +
                        "between\n" + second +
                        "| filter (w x h) | `fast` (99) |\n| --- | --- |\n| 7 x 9 | 2.000 |\n" + end);
    CHECK(author::handout_with_tables(filled) == filled);
    CHECK_THROWS_WITH(author::handout_with_tables(first + "between\n" + second + end),
                      "handout: no line '<!-- /times -->' after a table");
}

TEST_CASE("a row for each method that was chosen for this image and accuracy") {
    const recorded_files files;
    const std::string columns =
        "method,chosen,images,width,height,filter_width,filter_height,filter_kind,accuracy,kernel_ms,row_ms,"
        "error,"
        "loop_error\n";
    const std::string rows =
        "tensor,1,1,100,50,7,9,random,floats,2,1.5,1e-7,2e-7\n"
        "fft,0,1,100,50,7,9,random,floats,4,4,1e-7,2e-7\n"
        "tensor,1,1,100,50,7,9,random,halves,1,1,1e-4,2e-7\n"
        "tensor,1,1,50,100,7,9,random,floats,1,1,1e-7,2e-7\n"
        "tensor,1,8,100,50,7,9,random,floats,1.25,1.25,1e-7,2e-7\n"
        "separable,1,1,100,50,3,3,separable,floats,0.5,0.25,1e-7,1e-7\n";
    CHECK(author::chosen_table(columns + rows, "100x50", "floats", files.published) ==
          "| filter (w x h) | method | ms | one in a row | error | of a plain loop | best published |\n"
          "| --- | --- | --- | --- | --- | --- | --- |\n"
          "| 7 x 9 | tensor | 2.000 | 1.500 | 1e-7 | 2e-7 | 3.000, C |\n"
          "| 3 x 3, separable | separable | 0.500 | 0.250 | 1e-7 | 1e-7 | - |\n");
    CHECK(author::chosen_table(columns + rows, "8x100x50", "floats", "") ==
          "| filter (w x h) | method | ms | one in a row | error | of a plain loop |\n"
          "| --- | --- | --- | --- | --- | --- |\n"
          "| 7 x 9 | tensor | 1.250 | 1.250 | 1e-7 | 2e-7 |\n");
}
