// Tests of make setup, make doctor and of what is refused for want of a package: with pretended package managers and a
// pretended compiler, and once where this machine's packages are hidden.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "pretended.h"

namespace fs = std::filesystem;

namespace {

constexpr const char* USUAL_PROGRAMS =
    "sh bash env awk sed grep head tail tr cat mktemp rm mkdir rmdir ln readlink cp chmod touch dirname df "
    "uname "
    "nproc flock";

/// A machine with the usual programs and a g++ whose headers are the words of the file `headers`. What its package
/// managers are told is written to `told`.
struct machine : pretended_workbook {
    machine()
        : pretended_workbook("setup",
                             {"common/build/packages.txt", "common/build/missing.sh", "common/build/need.sh",
                              "common/build/setup.sh", "common/build/fetch.sh", "common/build/link_flags.sh",
                              "common/build/doctor.sh", "common/build/plot.sh", "common/build/worker.sh"}) {
        fs::create_directories(root / "bin");
        run(std::string("sh -c 'for name in ") + USUAL_PROGRAMS +
            "; do ln -s $(command -v $name) bin/; done'");
        tool("bin/g++", R"sh(case "$*" in *--version*) echo "g++ $(cat version)" ;; esac
while read -r line; do
    case $line in
        __GNUC__) cat version ;;
        *__has_include*) header=${line#*<}; header=${header%%>*} ;;
        '"'*) ! grep -qx "$header" headers || echo "$line" ;;
    esac
done)sh");
        is(1000);
        author::write_text(root / "version", "12\n");
        author::write_text(root / "headers", "");
    }
    /// All that it has comes with these headers; commands are tools.
    void has_headers() const {
        author::write_text(
            root / "headers",
            "doctest/doctest.h\nstb/stb_image.h\nnlohmann/json.hpp\nCLI/CLI.hpp\nfmt/format.h\n");
    }
    void is(int user) const { tool("bin/id", "echo " + std::to_string(user)); }
    /// The exit code of a line for sh on this machine alone.
    int sh(const std::string& line) const {
        author::write_text(root / "line", line);
        author::write_text(root / "told", "");
        return WEXITSTATUS(run("env -i PATH=" + (root / "bin").string() + " bash line"));
    }
    bool says(const std::string& what) const { return text("said").find(what) != std::string::npos; }
    bool was_told(const std::string& what) const { return text("told").find(what) != std::string::npos; }
};

constexpr char BUILD_PACKAGES[] =
    "doctest-dev libstb-dev nlohmann-json3-dev libcli11-dev libfmt-dev libdw-dev libfftw3-dev gnuplot-nox";

/// A copy of the workbook where an ordinary user sees nothing of this machine's packages; deps/ has those that are needed.
struct bare_machine {
    const fs::path root = fs::absolute("build/tmp/bare-" + std::to_string(getpid()));

    bare_machine() {
        fs::create_directories(root);
        author::write_text(root / "make", R"sh(
mkdir -p deps/include deps/lib tests labs data/images
cp -a ../../../Makefile ../../../common .
cp -a ../../../data/images/camera.png data/images
cp -a ../../../labs/01_conv1d_basic labs
usr=/usr/include lib=$(dirname "$(${CXX:-g++} -print-file-name=libdw.so)")
for name in doctest stb nlohmann CLI fmt elfutils dwarf.h libelf.h gelf.h; do cp -a $usr/$name deps/include || exit; done
cp -a $lib/libfmt*.so* $lib/libdw*.so* deps/lib || exit
{
    printf '%s\n' --die-with-parent --unshare-user --uid 1000 --gid 1000 --bind / / --dev /dev --proc /proc
    for name in $usr/doctest $usr/stb $usr/nlohmann $usr/CLI $usr/fmt $usr/elfutils; do printf '%s\n' --tmpfs $name; done
    for name in $lib/libfmt.so* $lib/libdw*.so* $(command -v gnuplot) $(command -v sudo); do
        printf '%s\n' --ro-bind /dev/null "$(readlink -f "$name")"
    done
} >hidden
xargs -a hidden sh -c 'exec bwrap "$@" true' bwrap)sh");
        const int status = std::system(("cd '" + root.string() + "' && sh make >said 2>&1").c_str());
        INFO(said());
        REQUIRE(status == 0);
    }
    ~bare_machine() { fs::remove_all(root); }
    bare_machine(const bare_machine&) = delete;

    int sh(const std::string& lines) const {
        author::write_text(root / "lines", "export BACKEND=cpu\n" + lines + "\n");
        const std::string enter =
            "cd '" + root.string() + "' && env -u MAKEFLAGS -u MAKELEVEL -u WHO -u DEPS ";
        const char* const boxed =
            "xargs -a hidden sh -c 'exec bwrap \"$@\" sh lines' bwrap >said 2>&1 </dev/null";
        return WEXITSTATUS(std::system((enter + boxed).c_str()));
    }
    std::string said() const { return author::read_text(root / "said"); }
    bool says(const std::string& what) const { return said().find(what) != std::string::npos; }
};

/// Whether packages can be hidden: by a box, and if they are the system's. Says why not.
bool can_hide() {
    const char* why = nullptr;
    if (!fs::exists("/usr/include/fmt") || !fs::exists("/usr/include/elfutils"))
        why = "the packages here are none of the system's";
    else if (std::system("bwrap --unshare-user --uid 1000 --dev-bind / / true 2>/dev/null") != 0)
        why = "bwrap makes no box here";
    if (why != nullptr) std::printf("skipped, no machine without packages: %s\n", why);
    return why == nullptr;
}

}  // namespace

TEST_CASE("what pages need is asked for by them alone, and make setup gets it for them") {
    const machine here;
    here.has_headers();
    CHECK(here.sh("common/build/need.sh pages") == 2);
    CHECK(here.text("said") ==
          "missing: pandoc, weasyprint, pdfinfo (no make handouts, no make slides); run: make setup "
          "FOR=pages\n");
    CHECK(here.sh("common/build/setup.sh pages") == 2);
    CHECK(here.says("conda create -y -p build/deps -c conda-forge pandoc weasyprint poppler\n"));
    here.is(0);
    here.tool("bin/apt-get",
              "echo $* >told; for name in pandoc weasyprint pdfinfo; do ln -s env bin/$name; done");
    CHECK(here.sh("common/build/setup.sh pages") == 0);
    CHECK(here.was_told("--no-install-recommends pandoc weasyprint poppler-utils\n"));
    CHECK(here.sh("common/build/need.sh pages") == 0);
}

TEST_CASE("a group asks for its packages alone") {
    const machine here;
    here.has_headers();
    CHECK(here.sh("common/build/need.sh build") == 0);
    CHECK(here.text("said").empty());
    CHECK(here.sh("common/build/need.sh lines") == 2);
    CHECK(here.text("said") ==
          "missing: elfutils/libdwfl.h (crashes and findings name no line, copied structs may be counted "
          "wrong); run: make setup\n");
    CHECK(here.sh("common/build/plot.sh any.gp any.csv out") == 2);
    CHECK(here.text("said") == "missing: gnuplot (no charts and no pictures are drawn); run: make setup\n");
    CHECK(here.sh("common/build/need.sh") == 2);
    CHECK_FALSE(here.says("xmllint"));  // who has no tests of the grader
    CHECK_FALSE(here.says("pandoc"));   // who makes no pages
    here.sh("mkdir -p tests/grade common/grade; common/build/need.sh");
    CHECK(here.says("; xmllint, unzip (no make test); archive.h, bwrap (no make grade); run: make setup\n"));
    author::write_text(here.root / "version", "10\n");
    CHECK(here.sh("common/build/need.sh build") == 2);
    CHECK(here.text("said").starts_with("g++ is version 10, 11 or newer is needed"));
}

TEST_CASE("root installs, and so does who may use sudo without a password") {
    const machine here;
    here.tool("bin/apt-get",
              "echo \"$*\" >>told; case $1 in install) [ -f lists ] ;; update) touch lists ;; esac && "
              "if [ $1 = install ]; then cp all headers; touch bin/gnuplot; chmod +x bin/gnuplot; fi");
    here.has_headers();
    here.sh("{ cat headers; echo elfutils/libdwfl.h; echo fftw3.h; } >all; : >headers");
    here.is(0);
    CHECK(here.sh("common/build/setup.sh") == 0);
    CHECK(here.text("said") == std::string("installing ") + BUILD_PACKAGES + "\n");
    const std::string install = std::string("install -y --no-install-recommends ") + BUILD_PACKAGES + "\n";
    CHECK(here.text("told") == install + "update\n" + install);
    CHECK(here.sh("common/build/setup.sh") == 0);
    CHECK(here.text("told").empty());

    here.is(1000);
    here.sh(": >headers; rm bin/gnuplot");
    here.tool("bin/sudo",
              "if [ \"$1\" = -n ]; then shift; [ -f free ] || exit 1; fi; echo sudo >>told; \"$@\"");
    CHECK(here.sh("common/build/setup.sh") == 2);
    CHECK_FALSE(here.was_told("sudo"));
    CHECK(here.sh("touch free; common/build/setup.sh") == 0);
    CHECK(here.was_told("sudo\n" + install));
}

TEST_CASE("who is not root gets packages, and what these need, into build/deps") {
    const machine here;
    here.tool("bin/apt-get", R"sh(case "$*" in
    *"-s install"*)
        case "$*" in *Dir::State::Lists=*) ;; *) echo "E: no such package" >&2; exit 100 ;; esac
        for name in libfmt-dev libfmt9 gnuplot-nox libgd3 libc6-dev gcc-12; do echo "Inst $name (1.0)"; done ;;
    *" download "*) all=$*; for name in ${all##* download }; do : >$name.deb; done ;;
esac)sh");
    here.tool("bin/dpkg", R"sh(usr=$3/usr
mkdir -p "$usr/bin" "$usr/lib/made-up-linux-gnu" "$3/lib/made-up-linux-gnu" "$usr/include/fmt"
echo "$2" >>"${usr%/packages/usr}/extracted"
: >"$3/lib/made-up-linux-gnu/libold.so"
printf '#!/bin/sh\necho "gnuplot $LD_LIBRARY_PATH $*"\n' >"$usr/bin/gnuplot-nox"
chmod +x "$usr/bin/gnuplot-nox")sh");
    here.has_headers();
    here.sh("sed -i /fmt/d headers");
    CHECK(here.sh("common/build/setup.sh") == 2);  // for this compiler finds no header there
    CHECK(here.says("fetching libfmt-dev libdw-dev libfftw3-dev gnuplot-nox into build/deps\n"));
    CHECK(here.text("build/deps/extracted") == "gnuplot-nox.deb\nlibfmt-dev.deb\nlibfmt9.deb\nlibgd3.deb\n");
    const std::string deps = (here.root / "build/deps").string();
    CHECK(fs::exists(here.root / "build/deps/lib/libold.so"));
    CHECK(fs::is_directory(here.root / "build/deps/include/fmt"));
    CHECK_FALSE(fs::exists(here.root / "build/deps/downloads"));
    CHECK(here.sh("common/build/need.sh charts && build/deps/bin/gnuplot a.gp") == 0);
    CHECK(here.text("said") == "gnuplot " + deps + "/lib a.gp\n");
}

TEST_CASE("of a library that is here and was not fetched the link that a linker looks for is mended") {
    const machine here;
    const char* const folders[] = {"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"};
    const auto* folder =
        std::ranges::find_if(folders, [](const fs::path& one) { return fs::exists(one / "libc.so.6"); });
    if (folder == std::end(folders)) return;
    here.tool("bin/apt-get", R"sh(case "$*" in
    *"-s install"*) echo "Inst libfmt-dev (1.0)" ;;
    *" download "*) : >libfmt-dev.deb ;;
esac)sh");
    here.tool("bin/dpkg", "lib=$3" + std::string(*folder) +
                              "\nmkdir -p \"$lib\"\nln -s libc.so.6 \"$lib/libmine.so\"\n"
                              "ln -s libnowhere.so.6 \"$lib/libnowhere.so\"");
    here.sh("common/build/setup.sh");
    INFO(here.text("said"));
    CHECK(fs::exists(here.root / "build/deps/lib/libmine.so"));
    CHECK_FALSE(fs::exists(here.root / "build/deps/lib/libnowhere.so"));
}

TEST_CASE("why nothing could be fetched is told") {
    const machine here;
    here.tool("bin/apt-get",
              R"sh(case "$*" in *"-s install"*) echo "E: Unmet dependencies." >&2; exit 100 ;; esac)sh");
    CHECK(here.sh("common/build/setup.sh") == 2);
    CHECK(here.says(" into build/deps\nE: Unmet dependencies.\nmissing: "));
    CHECK_FALSE(fs::exists(here.root / "build/deps"));
}

TEST_CASE("a system without apt is told its packages' names") {
    const machine here;
    here.tool("bin/dnf", "exit 1");
    CHECK(here.sh("common/build/setup.sh") == 2);
    INFO(here.text("said"));
    CHECK(here.says("missing: doctest/doctest.h, "));
    CHECK(
        here.says("\nas root:      dnf install doctest-devel stb-devel json-devel cli11-devel fmt-devel "
                  "elfutils-devel fftw-devel gnuplot\n"));
    CHECK(here.says(
        "\nwithout root: conda create -y -p build/deps -c conda-forge doctest nlohmann_json cli11 fmt "
        "elfutils fftw gnuplot\n"));
    CHECK(here.says("git clone --depth 1 https://github.com/nothings/stb build/deps/include/stb\n"));
    CHECK_FALSE(here.says("pacman"));
    // A compiler of a version has a package of its own; DEPS is where the packages are to be.
    CHECK(here.sh("mkdir -p mine/conda-meta; CXX=g++-14 DEPS=mine common/build/setup.sh") == 2);
    CHECK(here.says("missing: g++-14, doctest/doctest.h, "));
    CHECK(here.says("dnf install gcc-c++ doctest-devel "));
    CHECK(here.says("conda install -y -p mine -c conda-forge gxx doctest "));
    CHECK(here.says(" mine/include/stb\n"));
    here.tool("bin/apt-get", "echo \"$*\" >>told");
    CHECK(here.sh("CXX=g++-14 DEPS=mine common/build/setup.sh") == 2);
    CHECK(here.says("apt-get install g++-14 doctest-dev "));
    CHECK_FALSE(here.says("fetching"));
    CHECK(here.sh("CXX=g++-14 common/build/setup.sh") == 2);
    CHECK(here.says("fetching doctest-dev "));
    here.sh("rm bin/apt-get");
    // What can be done without is told, and is no failure.
    here.has_headers();
    CHECK(here.sh("common/build/setup.sh") == 0);
    CHECK(here.says("conda-forge elfutils fftw gnuplot\n"));
}

TEST_CASE(
    "programs are linked with libdw and FFTW where they are, and find libraries of DEPS, whatever that is "
    "called") {
    const machine here;
    CHECK(here.sh("DEPS=/nowhere common/build/link_flags.sh") == 0);
    CHECK(here.text("said") == "-lpthread -ldl\n");
    author::write_text(here.root / "headers", "elfutils/libdwfl.h\n");
    CHECK(here.sh("mkdir -p \"it's a/lib\"; DEPS=\"it's a\" common/build/link_flags.sh") == 0);
    CHECK(here.says("-Lit\\'s\\ a/lib\n-Xlinker\n-rpath=it\\'s\\ a/lib\n"));
    CHECK(here.says(" -ldw "));
    CHECK_FALSE(here.says("fftw"));
    author::write_text(here.root / "headers", "fftw3.h\n");
    CHECK(here.sh("DEPS=/nowhere common/build/link_flags.sh") == 0);
    CHECK(here.says("-Xlinker --as-needed -lfftw3f "));
    CHECK_FALSE(here.says("-ldw"));
}

TEST_CASE("a file that asks for cuFFT is told where FFTW is missing, before it is compiled") {
    const machine here;
    here.has_headers();
    author::write_text(here.root / "a.cu", "#include <cufft.h>\n");
    author::write_text(here.root / "build/link.flags", "-lpthread -ldl\n");
    here.tool("build/bin/rewrite", "exit 0");
    here.tool("common/simt/simtcc",
              "echo '# 1 \"common/simt/include/cufft.h\" 1' >\"${!#}\"; echo simtcc >>told; [ \"$5\" = -E ]");
    CHECK(here.sh("common/build/worker.sh plain . glue.o a.cu student.worker") == 2);
    CHECK(here.text("said") ==
          "missing: fftw3.h (no program without a GPU can call cuFFT); run: make setup\n");
    CHECK(here.text("told") == "simtcc\n");
    CHECK_FALSE(fs::exists(here.root / "student.worker.refused"));  // the file is not to blame
}

TEST_CASE("the doctor names what is missing with its remedy, and fails for what is required alone") {
    const machine here;
    CHECK(here.sh("NVCC= common/build/doctor.sh cpu no GPU found") == 2);
    INFO(here.text("said"));
    CHECK(here.says("build     MISSING  doctest/doctest.h, "));
    CHECK(here.says("fmt/format.h (nothing can be built); run: make setup\n"));
    here.has_headers();
    CHECK(here.sh("NVCC= common/build/doctor.sh cpu no GPU found") == 0);
    CHECK(here.says("compiler  ok       g++ 12\n"));
    CHECK(here.says("charts    -        gnuplot (no charts and no pictures are drawn); run: make setup\n"));
    CHECK(here.says("CUDA      -        no nvcc"));
    CHECK(here.says("backend   ok       cpu: no GPU found\n"));
    author::write_text(here.root / "version", "9\n");
    CHECK(here.sh("NVCC= common/build/doctor.sh cpu no GPU found") == 2);
    CHECK(here.says("compiler  MISSING  g++ is version 9, 11 or newer is needed"));
    CHECK(here.sh("rm bin/g++; NVCC= common/build/doctor.sh cpu no GPU found") == 2);
    CHECK(here.says("compiler  MISSING  no g++: "));
}

TEST_CASE(
    "where an ordinary user has none of the packages each is asked for once it is used, and DEPS has them" *
    doctest::skip(!can_hide())) {
    const bare_machine here;
    CHECK(here.sh("! command -v gnuplot && make build/bin/rewrite") != 0);
    CHECK(here.says(
        "missing: doctest/doctest.h, stb/stb_image.h, nlohmann/json.hpp, CLI/CLI.hpp, fmt/format.h (nothing "
        "can be built); run: make setup\n"));
    CHECK_FALSE(here.says("gnuplot"));
    CHECK(here.sh("make lab01") != 0);
    CHECK(here.said().starts_with("missing: doctest/doctest.h, "));  // and not that parts are compiled
    CHECK(std::ranges::count(here.said(), '\n') == 2);
    CHECK(here.sh("make plot01 DEPS=deps") != 0);
    CHECK(here.says("missing: gnuplot (no charts and no pictures are drawn); run: make setup"));
    CHECK(here.sh("make doctor") != 0);
    CHECK(here.says("build     MISSING  doctest/doctest.h, "));
    CHECK(here.sh("make doctor DEPS=deps") == 0);
    CHECK(here.says("lines     ok "));

    CHECK(here.sh("make build/bin/rewrite DEPS=deps && test -x build/bin/rewrite") == 0);
    INFO(here.said());
    author::write_text(here.root / "a.cpp",
                       "#include <elfutils/libdwfl.h>\n#include <fmt/format.h>\nint main() {\n"
                       "    fmt::print(\"{}\\n\", dwfl_errmsg(1) != nullptr);\n}\n");
    CHECK(here.sh("${CXX:-g++} -std=c++20 -isystem deps/include a.cpp -lfmt @build/link.flags -o a && ./a") ==
          0);
    CHECK(here.said() == "true\n");
    CHECK(here.sh("mv deps/lib deps/gone; ./a") != 0);
}
