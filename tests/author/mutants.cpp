// Tests of mutants: what is changed in a solution and what is not, what a change is called, the reasons of
// those that may survive, and how they are judged.
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "author/mutants/tables.h"
#include "author/regions.h"

namespace doctest {
template <>
struct StringMaker<std::vector<std::string>> {
    static String convert(const std::vector<std::string>& lines) {
        std::string text;
        for (const std::string& line : lines)
            text += "\n    " + line;
        return text.c_str();
    }
};
}  // namespace doctest

namespace fs = std::filesystem;

using strings = std::vector<std::string>;

/// A folder of its own, which is the working directory.
struct own_folder {
    fs::path before = fs::current_path(),
             root = fs::temp_directory_path() / ("mutants-" + std::to_string(getpid()));
    own_folder() {
        fs::create_directories(root);
        fs::current_path(root);
    }
    ~own_folder() {
        fs::current_path(before);
        fs::remove_all(root);
    }
};

static std::vector<author::mutant> mutants_in(const std::string& text) {
    const own_folder folder;
    author::write_text("07_fake/fake.cu", text);
    return author::mutants_of("07_fake/fake.cu");
}

static std::string joined(const strings& lines) {
    std::string text;
    for (const std::string& line : lines)
        text += (text.empty() ? "" : " / ") + line;
    return text;
}

/// The mutants of a function with these lines, each as "operator: the line after the change", in order.
static strings changed(const std::string& lines) {
    strings all;
    for (const author::mutant& one : mutants_in("void f(int n, int width, int height) {\n" + lines + "\n}\n"))
        all.push_back(one.change + ": " + joined(one.after));
    std::sort(all.begin(), all.end());
    return all;
}

TEST_CASE("a test loses its relation, its limit and its say") {
    CHECK(changed("if (a >= n) return;") ==
          strings{"condition: if (false) return;", "condition: if (true) return;",
                  "limit: if (a >= n - 1) return;", "relation: if (a <= n) return;",
                  "relation: if (a > n) return;"});
    CHECK(changed("return a == b && c != d;") ==
          strings{"condition: return a == b;", "condition: return c != d;", "logic: return a == b || c != d;",
                  "relation: return a != b && c != d;", "relation: return a == b && c == d;"});
    CHECK(changed("return a ? b : c;") ==
          strings{"condition: return false ? b : c;", "condition: return true ? b : c;"});
}

TEST_CASE("numbers grow and shrink by one; 0 is no negative number but in a comparison") {
    CHECK(changed("return 2;") == strings{"number: return 1;", "number: return 3;"});
    CHECK(changed("return 0;") == strings{"number: return 1;"});
    CHECK(changed("return 0.5f;") == strings{"number: return 0.0f;", "number: return 1.5f;"});
    CHECK(changed("return a < 0;") == strings{"number: return a < -1;", "number: return a < 1;",
                                              "relation: return a <= 0;", "relation: return a > 0;"});
    CHECK(changed("return true;") == strings{"number: return false;"});
}

TEST_CASE("signs, factors and terms") {
    CHECK(changed("return -a;") == strings{"sign: return a;"});
    CHECK(changed("return a + b * c;") ==
          strings{"arithmetic: return a + b + c;", "arithmetic: return a + b / c;", "sign: return a - b * c;",
                  "term: return a + b;", "term: return a + c;", "term: return a;", "term: return b * c;"});
    CHECK(changed("return a % b - c / d;") ==
          strings{"arithmetic: return a % b - c * d;", "arithmetic: return a * b - c / d;",
                  "arithmetic: return a / b - c / d;", "sign: return a % b + c / d;"});
}

TEST_CASE("loops are never entered, run too far, too short and backwards") {
    CHECK(changed("for (int k = -n; k <= n; k++) {\n}") ==
          strings{"limit: for (int k = -n; k <= n + 1; k++) {", "loop: for (int k = -n; false; k++) {",
                  "relation: for (int k = -n; k < n; k++) {", "relation: for (int k = -n; k >= n; k++) {",
                  "sign: for (int k = n; k <= n; k++) {", "step: for (int k = -n; k <= n; k--) {"});
}

TEST_CASE("assignments and indices") {
    CHECK(changed("sum += a[k];") == strings{"assignment: sum -= a[k];", "assignment: sum = a[k];",
                                             "index: sum += a[k + 1];", "index: sum += a[k - 1];",
                                             "statement: ;"});
    CHECK(changed("a = b;") == strings{"assignment: a += b;", "statement: ;"});
    CHECK(changed("const float a = b;") == strings{"initial: const float a;", "type: const int a = b;"});
    CHECK(changed("float* d_a = nullptr;") == strings{});
}

TEST_CASE("names that are taken for each other are swapped where they are used, if there is such a name") {
    CHECK(changed("return width;") == strings{"swap: return height;"});
    CHECK(changed("const int s_width = s_height;") ==
          strings{"initial: const int s_width;", "swap: const int s_width = s_width;"});
    CHECK(changed("return in_width;") == strings{});
    CHECK(changed("return threadIdx.x;") == strings{"swap: return blockIdx.x;", "swap: return threadIdx.y;"});
    CHECK(changed("return in.size();") ==
          strings{"choice: return in.size_bytes();"});  // the spans of a contract are equally long
}

TEST_CASE("arguments change places, in calls and launches") {
    CHECK(changed("call(a, b + c, b);") == strings{"arguments: call(a, b, b + c);",
                                                   "arguments: call(b + c, a, b);",
                                                   "sign: call(a, b - c, b);", "statement: ;",
                                                   "term: call(a, b, b);", "term: call(a, c, b);"});
    CHECK(changed("std::min(a, b);") == strings{"statement: ;", "swap: std::max(a, b);"});
    CHECK(changed("kernel<a, 4><<<grid, block, bytes>>>(d_a);") ==
          strings{"launch: kernel<a, 4><<<1, block, bytes>>>(d_a);",
                  "launch: kernel<a, 4><<<block, grid, bytes>>>(d_a);",
                  "launch: kernel<a, 4><<<grid, 1, bytes>>>(d_a);",
                  "launch: kernel<a, 4><<<grid, block, 0>>>(d_a);",
                  "launch: kernel<a, 4><<<grid, bytes, block>>>(d_a);",
                  "number: kernel<a, 3><<<grid, block, bytes>>>(d_a);",
                  "number: kernel<a, 5><<<grid, block, bytes>>>(d_a);", "statement: ;"});
    CHECK(changed("return ceil_div(n, a);") ==
          strings{"arguments: return ceil_div(a, n);", "rounding: return ((n) / (a));"});
}

TEST_CASE("what is called is taken out under the name of what is lost") {
    const auto names = [](const std::string& line) {
        strings all;
        for (const std::string& one : changed(line))
            if (one.ends_with(": ;")) all.push_back(one.substr(0, one.find(':')));
        return joined(all);
    };
    CHECK(names("__syncthreads();") == "barrier");
    CHECK(names("CUDA_CHECK(cudaFree(d_a));") == "free");
    CHECK(names("cudaDestroyTextureObject(a);") == "free");
    CHECK(names("CUDA_CHECK(cudaMemcpy(d_a, a, size, cudaMemcpyHostToDevice));") == "copy");
    CHECK(names("d_out.copy_to(out);") == "copy");
    CHECK(names("continue;") == "statement");
    CHECK(names("const dim3 block(a, b);") == "");
    CHECK(names("device_buffer<float> d_a(a);") == "");
    CHECK(names("std::vector<std::pair<int, int>> pairs(a);") == "");
    CHECK(names("std::vector<float> padded(a);") == "");
    CHECK(names("throw std::invalid_argument(a);") == "");
}

TEST_CASE("other choices of the same kind") {
    CHECK(changed("throw std::invalid_argument(a);") ==
          strings{"exception: throw std::logic_error(a);", "exception: throw std::runtime_error(a);"});
    CHECK(changed("f(cudaMemcpyHostToDevice);") == strings{"choice: f(cudaMemcpyDeviceToHost);", "copy: ;"});
    CHECK(changed("return m == border::zero ? border::clamp : a;").size() == 5);
    CHECK(changed("return sizeof(float) * size_t(a);") ==
          strings{"arithmetic: return sizeof(float) + size_t(a);",
                  "arithmetic: return sizeof(float) / size_t(a);", "term: return size_t(a);",
                  "term: return sizeof(float);", "type: return 1 * size_t(a);",
                  "type: return sizeof(float) * int(a);"});
}

TEST_CASE("of a message only the numbers are taken out") {
    CHECK(changed("return \"only \" + a + \" of \" + b;") ==
          strings{"term: return \" of \" + b;", "term: return \"only \" + \" of \" + b;",
                  "term: return \"only \" + a + \" of \";", "term: return b;"});
}

TEST_CASE("comments, texts, directives, assertions, templates and declarations are left alone") {
    CHECK(mutants_in("// Lab 07 - 1 < 2.\n"
                     "#include <vector>\n"
                     "#define ONE 1\n"
                     "static_assert(ONE + 1 < 3, \"a + b\");\n"
                     "template <class T, int N>\n"
                     "void f(T* out, const std::vector<T>& in, int a = 0);\n"
                     "struct pair {\n"
                     "    int* first = nullptr;\n"
                     "};\n"
                     "void g(int x, int y) {\n"
                     "    /* x + y */\n"
                     "    const char* text = R\"(x + y)\" \"0\";\n"
                     "    device_buffer<float> d_a(z);\n"
                     "#pragma unroll\n"
                     "    static_assert(ONE + 1 < 3);\n"
                     "    const float* a = b;\n"
                     "}\n")
              .size() == 1);  // the initial value of a
}

TEST_CASE("constants outside of functions are numbers too") {
    strings all;
    for (const author::mutant& one :
         mutants_in("constexpr int SIZE = 8;\nconstexpr size_t MOST = 48 * 1024;\n"))
        all.push_back(joined(one.after));
    CHECK(all == strings{"constexpr int SIZE = 9;", "constexpr int SIZE = 7;",
                         "constexpr size_t MOST = 49 * 1024;", "constexpr size_t MOST = 47 * 1024;",
                         "constexpr size_t MOST = 48 + 1024;", "constexpr size_t MOST = 48 / 1024;",
                         "constexpr size_t MOST = 48 * 1025;", "constexpr size_t MOST = 48 * 1023;"});
}

static const std::string SOLUTION =
    "// Lab 07 - title.\n"            // 1
    "void f(int n) {\n"               // 2
    "    // begin 07.1 Do it.\n"      // 3
    "    copy_to(a);  // a reason\n"  // 4
    "    run([&] {\n"                 // 5
    "        copy_to(a);\n"           // 6
    "    });\n"                       // 7
    "    // end 07.1\n"               // 8
    "    copy_to(a);\n"               // 9
    "}\n";

TEST_CASE("a mutant knows its line, its region and its text, which has as many lines as the solution") {
    const auto all = mutants_in(SOLUTION);
    REQUIRE(all.size() == 4);
    CHECK(all[0].line == 4);
    CHECK(all[0].region == "07.1");
    CHECK(all[0].before == strings{"copy_to(a);"});
    CHECK(all[1].line == 5);
    CHECK(all[1].before == strings{"run([&] {", "copy_to(a);", "});"});
    CHECK(all[1].after == strings{";"});
    CHECK(all[3].region == "-");
    for (const author::mutant& one : all) {
        CHECK(one.text.starts_with("#line 1 \"07_fake/fake.cu\"\n// Lab 07"));
        CHECK(std::count(one.text.begin(), one.text.end(), '\n') == 11);
    }
}

TEST_CASE("a mutant keeps its id when other lines change, and no two have the same") {
    const auto all = mutants_in(SOLUTION);
    CHECK(all[0].id.starts_with("copy_"));
    CHECK(all[0].id != all[2].id);
    CHECK(all[2].id != all[3].id);
    std::string longer = SOLUTION;
    longer.insert(longer.find("    // begin"), "    n = 1;\n");
    longer.replace(longer.find("a reason"), 8, "another");
    const auto later = mutants_in(longer);
    REQUIRE(later.size() > all.size());
    for (const author::mutant& one : all)
        CHECK(std::count_if(later.begin(), later.end(),
                            [&](const auto& other) { return other.id == one.id; }) == 1);
}

TEST_CASE("a sample is the same every time and in order") {
    const auto all = mutants_in(SOLUTION);
    const auto two = author::sample_of(all, "07_fake", 2);
    REQUIRE(two.size() == 2);
    CHECK(two[0].line <= two[1].line);
    CHECK(author::sample_of(all, "07_fake", 99).size() == all.size());
}

TEST_CASE("a sample is as large a part of every operator's mutants, and has a smaller one's") {
    std::vector<author::mutant> all;
    for (int k = 0; k < 600; k++) {
        const char* change = k % 6 == 0 ? "barrier" : k % 2 == 0 ? "index" : "swap";
        all.push_back({std::to_string(k), change, k < 400 ? "07.1" : "07.2", k, {}, {}, ""});
    }
    const auto ids_of = [&](size_t count) {
        std::set<std::string> ids;
        for (const author::mutant& one : author::sample_of(all, "07_fake", count))
            ids.insert(one.id);
        return ids;
    };
    const auto sixty = ids_of(60), ten = ids_of(10);
    CHECK(sixty.size() == 60);
    CHECK(ten.size() == 10);
    CHECK(std::includes(sixty.begin(), sixty.end(), ten.begin(), ten.end()));
    std::map<std::string, int> parts;
    for (const author::mutant& one : author::sample_of(all, "07_fake", 60))
        parts[one.region + one.change]++;
    const std::map<std::string, double> asked = {{"07.1barrier", 400 / 60.}, {"07.1index", 400 / 30.},
                                                 {"07.1swap", 400 / 20.},    {"07.2barrier", 200 / 60.},
                                                 {"07.2index", 200 / 30.},   {"07.2swap", 200 / 20.}};
    for (const auto& [part, count] : asked)
        CHECK_MESSAGE(std::abs(parts[part] - count) <= 2, part << ": " << parts[part] << " of " << count);
}

static std::string trouble_of(const std::string& survivors) {
    const auto all = mutants_in(SOLUTION);
    const own_folder folder;
    author::write_text("survivors.txt", survivors);
    try {
        author::read_survivors("survivors.txt", all);
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "";
}

TEST_CASE("a reason belongs to one mutant and says of which kind it is") {
    const auto all = mutants_in(SOLUTION);
    const std::string name = "[" + all[0].id + "]\n", reason = "reason: speed\nwhy: It is\n  slower.\n",
                      change = "- copy_to(a);\n+ ;\n";
    CHECK(trouble_of(name + reason + change) == "");
    CHECK(trouble_of("[" + all[1].id + "]\n" + reason + "- run([&] {\n-     copy_to(a);\n- });\n+ ;\n") ==
          "");
    CHECK(trouble_of(name + "reason: none\nwhy: So.\n" + change)
              .find("the reason 'none' is none of compiler, ") != std::string::npos);
    CHECK(trouble_of(name + reason + "- copy_to(b);\n+ ;\n").find("its mutant is another one: 07.1") !=
          std::string::npos);
    CHECK(trouble_of("[copy_000000]\n" + reason + change) ==
          "survivors.txt:1: copy_000000: there is no such mutant; is it " + all[0].id + "?");
    CHECK(trouble_of("[copy_000000]\n" + reason + "- x;\n") ==
          "survivors.txt:1: copy_000000: there is no such mutant: take it out");
    CHECK(trouble_of(name + "reason: speed\n" + change) ==
          "survivors.txt:1: " + all[0].id + " has no line 'why: ..'");
    const own_folder folder;
    CHECK(author::read_survivors("none.txt", all).empty());
    author::write_text("survivors.txt", name + reason + change);
    CHECK(author::read_survivors("survivors.txt", all).at(all[0].id).sentence == "It is slower.");
}

/// A repository with one lab, whose judge has a hole: it never looks at line 9.
struct small_repository : own_folder {
    small_repository() {
        for (const char* room : {"simt", "inspect", "lab", "call", "worker", "problem", "diagnose", "check"})
            fs::create_directories(fs::path("common") / room);
        for (const char* file :
             {"build/compiler", "common/build/worker.sh", "tests/07_fake.cpp", "labs/07_fake/fake.h"})
            author::write_text(file, "text\n");
        author::write_text("solutions/07_fake/fake.cu", SOLUTION);
        const std::string script = "common/build/judge_mutant.sh";
        author::write_text(
            script,
            "#!/bin/sh\n"
            "[ -z \"$3\" ] || exec touch \"$3/solution.plain.code\"\n"
            "echo run >>runs\n"
            "points=0\n"
            "sed -n 7p \"$2\" | grep -q copy_to || { echo stillborn; exit; }\n"
            "sed -n 10p \"$2\" | grep -q copy_to || points=100\n"
            "echo '{\"checks\": [{\"name\": \"all\", \"points\": '$points', \"of\": 100, \"how\": "
            "\"value\", \"wrong_images\": 1, \"diagnoses\": [{\"id\": \"shifted\", \"from\": "
            "\"output\"}]}], \"points\": '$points', \"of\": 100}' >\"${2%.cu}.json\"\n"
            "echo judged\n");
        fs::permissions(script, fs::perms::owner_all);
    }

    static author::settled_lab judged(const std::string& survivors = "") {
        const auto all = author::mutants_of("solutions/07_fake/fake.cu");
        author::write_text("survivors.txt", survivors);
        std::vector<author::judged_lab> labs = {{"07_fake", all, {}}};
        author::judge_mutants(labs, 2, false);
        return {labs[0], author::read_survivors("survivors.txt", all)};
    }

    static long runs() {
        const std::string text = author::read_text("runs");
        return std::count(text.begin(), text.end(), '\n');
    }
};

TEST_CASE("a hole of the checks is seen: its mutant survives, and nothing else") {
    const small_repository here;
    const author::settled_lab lab = here.judged();
    REQUIRE(lab.judged.verdicts.size() == 4);
    CHECK(lab.end_of(0) == "killed");
    CHECK(lab.judged.verdicts[0].check == "all");
    CHECK(lab.judged.verdicts[0].diagnosed == "shifted");
    CHECK(lab.end_of(1) == "stillborn");
    CHECK(lab.end_of(2) == "stillborn");
    CHECK(lab.end_of(3) == "open");
    const strings complaints = author::complaints_of(lab);
    REQUIRE(complaints.size() == 1);
    CHECK(complaints[0].find("fake.cu:9: survives:\n[" + lab.judged.mutants[3].id) != std::string::npos);
    CHECK(author::tables_of({lab}, {}).find("50.0 %") != std::string::npos);
    const std::string csv = author::csv_of({lab}, {});
    CHECK(csv.find("07_fake," + lab.judged.mutants[0].id + ",copy,07.1,4,killed,all,value,1,shifted,") !=
          std::string::npos);
}

TEST_CASE("a survivor with its reason is known; a reason for another mutant is stale") {
    const small_repository here;
    const std::string reason = "reason: speed\nwhy: So.\n- copy_to(a);\n+ ;\n";
    const auto all = author::mutants_of("solutions/07_fake/fake.cu");
    CHECK(author::complaints_of(here.judged("[" + all[3].id + "]\n" + reason)).empty());
    const strings complaints = author::complaints_of(
        here.judged("[" + all[0].id + "]\n" + reason + "[" + all[3].id + "]\n" + reason));
    REQUIRE(complaints.size() == 1);
    CHECK(complaints[0] ==
          "survivors.txt:1: " + all[0].id + ": its mutant does not survive, it is killed: take it out");
}

TEST_CASE("what was judged once is judged again only if the judge or the mutant changed") {
    const small_repository here;
    here.judged();
    CHECK(here.runs() == 4);
    here.judged();
    CHECK(here.runs() == 4);
    // A run that was killed while it wrote.
    std::ofstream("build/mutants/07_fake/verdicts.csv", std::ios::app) << "1234,copy_1,kil";
    here.judged();
    CHECK(here.runs() == 4);
    author::write_text("common/check/expect.cpp", "more\n");
    here.judged();
    CHECK(here.runs() == 8);
    here.judged();
    CHECK(here.runs() == 8);
}

/// A mutant of lab 07's first region.
static author::mutant changed_line(const std::string& change, const std::string& before,
                                   const strings& after) {
    return {change + "_000000", change, "07.1", 9, {before}, after, ""};
}

TEST_CASE("what is true of a mutant is read from a file, the first line that fits") {
    const own_folder folder;
    author::write_text("true.txt",
                       "# a word about it\n\n"
                       "07.1 sign,index | a[...] = ... -> a[x - 1]... | shifted\n"
                       "07 index | ...a[... -> ... | shifted,tile-index-wrong\n"
                       "* statement | ...; -> ; | nothing\n");
    const auto known = author::read_true_causes("true.txt");
    REQUIRE(known.size() == 3);
    const auto worth = [&](const std::string& named, const author::mutant& one,
                           const std::string& lab = "07_fake") {
        return author::judge_naming(named, one, lab, known);
    };
    const author::mutant early = changed_line("index", "a[x] = 1;", {"a[x - 1] = 1;"});
    CHECK(worth("shifted", early) == author::naming::right);
    CHECK(worth("tile-index-wrong", early) == author::naming::wrong);
    CHECK(worth("shifted tile-index-wrong", early) == author::naming::wrong);
    CHECK(worth("", early) == author::naming::unnamed);
    const author::mutant late = changed_line("index", "a[x] = 1;", {"a[x + 1] = 1;"});
    CHECK(worth("shifted tile-index-wrong", late) == author::naming::right);
    CHECK(worth("shifted", late, "08_fake") == author::naming::unjudged);
    CHECK(worth("shifted", changed_line("term", "a[x] = 1;", {"a[x - 1] = 1;"})) == author::naming::unjudged);
    CHECK(worth("", changed_line("statement", "a = 1;", {";"})) == author::naming::unnamed);
    CHECK(worth("shifted", changed_line("statement", "a = 1;", {";"})) == author::naming::wrong);
}

TEST_CASE("a line of another form or an id that nobody knows is refused") {
    const own_folder folder;
    const auto trouble = [](const std::string& line) {
        author::write_text("true.txt", "# one\n" + line + "\n");
        try {
            author::read_true_causes("true.txt");
        } catch (const std::runtime_error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(trouble("* * | ... | shiftet") == "true.txt:2: there is no cause 'shiftet'");
    CHECK(trouble("* * | ...").find("true.txt:2: REGIONS OPERATORS") == 0);
    CHECK(trouble("* | ... | shifted").find("true.txt:2: regions and operators") == 0);
}

TEST_CASE("the table counts causes that are true, that are not, and those that nobody judged") {
    author::settled_lab lab{{"07_fake", {}, {}}, {}};
    for (const char* named : {"shifted", "sign-wrong", "", "shifted"}) {
        lab.judged.mutants.push_back(changed_line("index", "a[x] = 1;", {"a[x - 1] = 1;"}));
        lab.judged.verdicts.push_back({"", "", "killed", "all", "value", 2, named, 0});
    }
    lab.judged.mutants.back().change = "sign";
    const std::vector<author::true_cause> known = {{{"*"}, {"index"}, "...", {"shifted"}}};
    const std::string table = author::tables_of({lab}, known);
    const std::string row = table.substr(table.find("\nindex"), table.find("\nsign") - table.find("\nindex"));
    CHECK(row.find("3     33.3 %     33.3 %     33.3 %          0") != std::string::npos);
    const std::string csv = author::csv_of({lab}, known);
    for (const char* cell : {"shifted,right,", "sign-wrong,wrong,", ",2,,unnamed,", "shifted,unjudged,"})
        CHECK(csv.find(cell) != std::string::npos);
}

TEST_CASE("the file of true causes can be read") {
    CHECK(author::read_true_causes("common/author/mutants/true_causes.txt").size() > 20);
}
