// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "io/files/csv.h"
#include "io/frames/frame_writer.h"
#include "io/pictures/picture_scene.h"
#include "io/records/run_json.h"
#include "io/report/report.h"
#include "io/report/report_plot.h"
#include "sample.h"
#include "temporary_folder.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <regex>

using namespace sluice;
namespace fs = std::filesystem;

namespace {

/// A run of a column that slides to the right, with series, a gauge and excluded particles.
void write_reported_run(const fs::path& dir, bool two_d, int frames = 6) {
    ParticleSet set = sample::column(0.05);
    set.two_d = two_d;
    if (!two_d)
        for (std::size_t i = 0; i < set.position.size(); ++i) set.position[i].y = 0.05 * static_cast<double>(i % 7);
    set.boundary_count = 100;
    set.blocks = {{{11, 0, ParticleType::fixed, 0, 100}, {}, {}, {}},
                  {{1, 0, ParticleType::fluid, 100, set.size() - 100}, {}, {}, {}}};
    FrameWriter writer(dir, set);
    CsvWriter flow(dir / "flow.csv", {"time [s]", "step", "x_front [m]", "z_max [m]", "kinetic_energy [J]",
                                      "potential_energy [J]", "gravity_work [J]", "dissipated_energy [J]"});
    CsvWriter gauge(dir / "gauges" / "wall.csv", {"time [s]", "x [m]", "y [m]", "z [m]"}, {"about"});
    for (int n = 0; n < frames; ++n) {
        Frame frame = sample::still_frame(set);
        frame.number = n;
        frame.time = 0.1 * n;
        for (std::size_t i = 100; i < frame.size(); ++i) {
            frame.position[i].x += 0.1 * n;
            frame.velocity[i] = {static_cast<float>(set.position[i].z), 0, 0};
        }
        writer.write(frame);
        flow.write_row({frame.time, std::int64_t{100 * n}, 1 + 0.1 * n, 2.0, 0.5 * n, 100 - 0.6 * n, 0.0, 0.1 * n});
        // a surface that is not there at first, looked for at an x that is not quite the same each time
        gauge.write_row({frame.time, n == 0 ? std::nan("") : 0.5 + 1e-9 * n, 0.0, 2 - 0.1 * n});
    }
    CsvWriter(dir / "excluded.csv", {"id", "cause", "time [s]"}).write_row({std::int64_t{7}, "position", 0.2});
    RunSummary summary;
    summary.case_name = "a <b>bold</b> case";
    summary.outcome = Outcome::finished;
    summary.particles = set.size();
    summary.phases = {{"interaction", 8}, {"update", 1}};
    summary.excluded = {{"position", 1}, {"density", 0}};
    summary.constants.emplace();
    summary.ledger.emplace();
    summary.ledger->last.fluid.momentum = {1.25, 0, 0};
    summary.ledger->last.balance.dissipated = 0.625;
    summary.ledger->also_held = {"work_of_moving_walls_on_bodies"};
    write_run_json(dir / "run.json", summary);
}

std::string output_of(const std::string& command) {
    std::string text;
    FILE* pipe = popen(command.c_str(), "r");
    if (!pipe) return text;
    std::array<char, 4096> part;
    while (const std::size_t n = std::fread(part.data(), 1, part.size(), pipe)) text.append(part.data(), n);
    pclose(pipe);
    return text;
}

std::string browser() {
    for (const char* name : {"chromium", "chromium-browser", "google-chrome"})
        if (std::system(fmt::format("command -v {} >/dev/null 2>&1", name).c_str()) == 0) return name;
    return "";
}

// Runs before the page's own scripts: errors of any kind are collected.
constexpr const char* watch_errors = R"html(<script>
window.problems = [];
window.addEventListener("error", (event) => problems.push("error: " + event.message));
window.addEventListener("unhandledrejection", (event) => problems.push("rejection: " + event.reason));
for (const kind of ["error", "warn"]) console[kind] = (...words) => problems.push(kind + ": " + words.join(" "));
</script>)html";

// Runs after them: works the controls as a user would and tells what the canvas shows each time.
constexpr const char* work_controls = R"html(<script>
(async function () {
  const get = (id) => document.getElementById(id);
  const next = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const result = {};
  function look() {
    const canvas = get("view"), gl = canvas.getContext("webgl");
    const pixels = new Uint8Array(4 * canvas.width * canvas.height);
    gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    const colours = new Set();
    let hash = 0;
    for (let k = 0; k < pixels.length; k += 4) {
      const colour = pixels[k] << 16 | pixels[k + 1] << 8 | pixels[k + 2];
      colours.add(colour);
      hash = (hash * 31 + colour) | 0;
    }
    return { colours: colours.size, hash, glError: gl.getError() };
  }
  async function after(name, act) { act(); await next(); result[name] = look(); }
  const send = (id, kind, value) => { get(id).value = value; get(id).dispatchEvent(new Event(kind, { bubbles: true })); };
  const pointer = (kind, x, y, more) => get("view").dispatchEvent(
    new PointerEvent(kind, { pointerId: 1, clientX: x, clientY: y, buttons: 1, bubbles: true, ...more }));
  try {
    await after("start", () => {});
    await after("scrubbed", () => send("scrub", "input", 3));
    result.clock = get("clock").textContent;
    await after("field", () => send("field", "change", 1));
    result.fieldName = get("field-name").textContent;
    send("field", "change", 0);
    await after("noWalls", () => send("walls", "input", 0));
    send("walls", "input", 0.5);
    await after("before", () => {});
    await after("turned", () => { pointer("pointerdown", 300, 200); pointer("pointermove", 380, 240); pointer("pointerup", 380, 240); });
    await after("moved", () => { pointer("pointerdown", 300, 200); pointer("pointermove", 340, 200, { shiftKey: true }); pointer("pointerup", 340, 200); });
    await after("zoomed", () => get("view").dispatchEvent(new WheelEvent("wheel", { deltaY: -300, cancelable: true })));
    await after("reset", () => get("look-home").click());
    const drag = (more) => { pointer("pointerdown", 300, 200, more); pointer("pointermove", 340, 220, more); pointer("pointerup", 340, 220, more); };
    await after("dragged", () => drag({}));
    get("look-home").click();
    await after("shiftDragged", () => drag({ shiftKey: true }));
    get("look-home").click();
    await after("frameRange", () => send("field-range", "change", "frame"));
    await after("ownRange", () => { send("field-low", "change", -1); send("field-high", "change", 50); });
    result.rangeFrom = get("field-range").value;
    await after("runRange", () => send("field-range", "change", "run"));
    const plot = document.querySelector("svg.plot[data-x]"), box = plot.getBoundingClientRect();
    plot.dispatchEvent(new PointerEvent("pointermove", { clientX: box.left + 0.5 * box.width, clientY: box.top + 0.5 * box.height, bubbles: true }));
    result.readout = [...plot.querySelectorAll("text.readout tspan")].map((row) => row.textContent);
    result.widths = [400, 800].map((width) => {
      document.documentElement.style.width = width + "px";
      return Math.max(...[...document.body.children].map((part) => part.getBoundingClientRect().right + part.scrollWidth - part.clientWidth));
    });
    document.documentElement.style.width = "";
    window.dispatchEvent(new Event("resize"));
    await after("top", () => get("look-top").click());
    await after("front", () => get("look-front").click());
    get("view").dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", cancelable: true }));
    await next();
    result.afterArrow = get("player").dataset.frame;
    const from = get("player").dataset.frame;
    get("play").click();
    result.playLabel = get("play").textContent;
    for (let k = 0; k < 120 && get("player").dataset.frame === from; ++k) await next();
    result.played = get("player").dataset.frame !== from;
    get("play").click();
    result.pauseLabel = get("play").textContent;
  } catch (error) { problems.push("test: " + error); }
  result.problems = problems;
  console.log("OUTCOME" + JSON.stringify(result) + "END");
})();
</script>)html";

/// Opens the report in a headless browser and returns what the scripts above found.
nlohmann::json try_in_browser(const fs::path& dir) {
    std::string page = sample::content_of(write_report({dir, {}, 4}));
    page.insert(page.find("<head>") + 6, watch_errors);
    page.insert(page.rfind("</body>"), work_controls);
    std::ofstream(dir / "tested.html") << page;
    // The browser stays until its page has logged the outcome.
    const std::string log = output_of(fmt::format(
        "cd '{}' && {} --headless=new --no-sandbox --use-angle=swiftshader --enable-unsafe-swiftshader "
        "--user-data-dir=profile "
        "--window-size=900,700 --host-resolver-rules='MAP * ~NOTFOUND' --enable-logging=stderr 'file://{}' >/dev/null "
        "2>log & "
        "pid=$!; for i in $(seq 2400); do grep -q 'OUTCOME.*END' '{}' 2>/dev/null && break; sleep 0.1; done; "
        "kill $pid; wait $pid 2>/dev/null; cat '{}'",
        dir.string(), browser(), (dir / "tested.html").string(), (dir / "log").string(), (dir / "log").string()));
    const std::size_t from = log.rfind("OUTCOME"), to = log.rfind("}END");
    if (from == std::string::npos || to == std::string::npos || to < from) return log;
    const std::string text = log.substr(from + 7, to - from - 6);
    return nlohmann::json::parse(text, nullptr, false);
}

void expect_it_works(const fs::path& dir, bool two_d) {
    const nlohmann::json seen = try_in_browser(dir);
    ASSERT_TRUE(seen.is_object()) << "the page's test did not finish: " << seen;
    EXPECT_TRUE(seen["problems"].empty()) << seen["problems"];
    for (const char* state :
         {"start", "scrubbed", "field", "noWalls", "turned", "moved", "zoomed", "reset", "top", "front"}) {
        ASSERT_TRUE(seen.contains(state)) << state << ": " << seen;
        // background, walls and fluid, which has one pressure
        EXPECT_GE(seen[state]["colours"], 3) << state << ": the canvas is blank";
        EXPECT_EQ(seen[state]["glError"], 0) << state;
    }
    const auto differ = [&](const char* a, const char* b) {
        EXPECT_NE(seen[a]["hash"], seen[b]["hash"]) << a << " looks like " << b;
    };
    differ("start", "scrubbed");
    differ("scrubbed", "field");
    differ("scrubbed", "noWalls");
    EXPECT_EQ(seen["scrubbed"]["hash"], seen["before"]["hash"]);
    differ("before", "turned");
    differ("turned", "moved");
    differ("moved", "zoomed");
    EXPECT_EQ(seen["reset"]["hash"], seen["before"]["hash"]) << "the view did not come back";
    // what lies in a plane is moved in it, whichever way it is dragged, and is not turned
    EXPECT_EQ(seen["reset"]["hash"] == seen["top"]["hash"], two_d);
    EXPECT_EQ(seen["dragged"]["hash"] == seen["shiftDragged"]["hash"], two_d);
    differ("reset", "dragged");
    differ("reset", "ownRange");
    EXPECT_EQ(seen["reset"]["hash"], seen["runRange"]["hash"]);
    EXPECT_EQ(seen["rangeFrom"], "own");
    // half way through the first plot: front and height at 0.3 s or 0.2 s
    ASSERT_EQ(seen["readout"].size(), 3u) << seen["readout"];
    const char* rows[] = {"time \\(s\\) 0\\..*", "front, largest x 1\\.[23].*", "height, largest z (2\\.00|1\\.99).*"};
    for (std::size_t k = 0; k < 3; ++k)
        EXPECT_TRUE(std::regex_match(seen["readout"][k].get<std::string>(), std::regex(rows[k]))) << seen["readout"][k];
    EXPECT_LE(seen["widths"][0], 400);
    EXPECT_LE(seen["widths"][1], 800);
    EXPECT_EQ(seen["clock"], "t = 0.300 s");
    EXPECT_EQ(seen["fieldName"], "pressure (Pa)");
    EXPECT_EQ(seen["afterArrow"], "4");
    EXPECT_EQ(seen["playLabel"], "Pause");
    EXPECT_EQ(seen["pauseLabel"], "Play");
    EXPECT_EQ(seen["played"], true);
}

} // namespace

TEST(report, tells_everything_in_one_file) {
    const TemporaryFolder folder;
    write_reported_run(folder.path(), true);
    const fs::path path = write_report({folder.path(), {}, 4});
    EXPECT_EQ(path, folder.path() / "report.html");
    const std::string page = sample::content_of(path);
    for (const char* part :
         {"player-data", "Front and height", "Energy of the fluid", "Time step", "Gauge wall", "Excluded particles",
          "interaction", "Constants", "6 of 6 frames", "a &lt;b&gt;bold&lt;/b&gt; case"})
        EXPECT_NE(page.find(part), std::string::npos) << part;
    for (const char* outside : {"src=", "http:", "https:", "@import", "url("})
        EXPECT_EQ(page.find(outside), std::string::npos) << "not self-contained: " << outside;
}

TEST(report, a_gauge_along_an_upright_line_shows_the_height_alone) {
    const TemporaryFolder folder;
    write_reported_run(folder.path(), true);
    const std::string page = sample::content_of(write_report({folder.path(), {}, 4}));
    const std::size_t plot = page.find("aria-label=\"Gauge wall (y = 0 m)\"");
    ASSERT_NE(plot, std::string::npos);
    const std::string svg = page.substr(plot, page.find("</svg>", plot) - plot);
    EXPECT_NE(svg.find("data-name=\"z (m)\""), std::string::npos) << "x hardly changes and y not at all";
    EXPECT_EQ(svg.find("class=\"line series c1\""), std::string::npos);
    EXPECT_EQ(svg.find(">1<"), std::string::npos) << "the axis begins at the heights";
}

TEST(report, shows_the_energies_and_the_books) {
    const TemporaryFolder folder;
    write_reported_run(folder.path(), true);
    const std::string page = sample::content_of(write_report({folder.path(), {}, 4}));
    const std::size_t plot = page.find("aria-label=\"Energy of the fluid, from the start\"");
    ASSERT_NE(plot, std::string::npos);
    const std::string svg = page.substr(plot, page.find("</svg>", plot) - plot);
    for (const char* name : {"kinetic", "potential", "dissipated"})
        EXPECT_NE(svg.find(fmt::format("data-name=\"{}\"", name)), std::string::npos) << name;
    EXPECT_EQ(svg.find("work of gravity"), std::string::npos) << "there was none";
    EXPECT_NE(page.find("<th>momentum (kg m/s), x</th><td>0</td><td>1.25</td><td>1.25</td>"), std::string::npos);
    EXPECT_NE(page.find("<th>energy dissipated (J)</th><td></td><td></td><td>0.625</td>"), std::string::npos);
    EXPECT_NE(page.find("counted negative: work of moving walls on bodies."), std::string::npos);
    EXPECT_EQ(page.find("energy excluded"), std::string::npos);
    EXPECT_EQ(page.find("energy, bodies"), std::string::npos);
}

TEST(report, keeps_to_its_size_and_says_what_it_leaves_out) {
    const TemporaryFolder folder;
    write_reported_run(folder.path(), false, 40);
    const auto full = fs::file_size(write_report({folder.path(), folder.path() / "full.html", 4}));
    const fs::path small = write_report({folder.path(), folder.path() / "small.html", 0.05});
    EXPECT_LT(fs::file_size(small), 150000u);
    EXPECT_GT(full, fs::file_size(small));
    EXPECT_NE(sample::content_of(small).find("20 of 40 frames, 1 of "), std::string::npos);
}

TEST(report, manages_with_what_there_is) {
    const TemporaryFolder folder;
    EXPECT_THROW(write_report({folder.path(), {}, 4}), InputError);
    write_run_json(folder.path() / "run.json", RunSummary{});
    const std::string page = sample::content_of(write_report({folder.path(), {}, 4}));
    EXPECT_EQ(page.find("player-data"), std::string::npos);
    EXPECT_NE(page.find("</html>"), std::string::npos);
}

TEST(report, plays_in_a_browser_in_two_dimensions) {
    if (browser().empty()) GTEST_SKIP() << "no Chromium";
    const TemporaryFolder folder;
    write_reported_run(folder.path(), true);
    expect_it_works(folder.path(), true);
}

TEST(report, plays_in_a_browser_in_three_dimensions) {
    if (browser().empty()) GTEST_SKIP() << "no Chromium";
    const TemporaryFolder folder;
    write_reported_run(folder.path(), false);
    expect_it_works(folder.path(), false);
}

TEST(report_plot, names_of_many_lines_take_several_rows) {
    Plot plot{"title", "x", "y", {0, 1}, {}};
    for (const char* name : {"kinetic", "work of gravity", "internal", "floating bodies", "excluded", "dissipated"})
        plot.series.push_back({name, {0, 1}});
    const std::string svg = plot_svg(plot);
    EXPECT_NE(svg.find("y=\"38.0\" text-anchor=\"start\">kinetic"), std::string::npos) << svg;
    EXPECT_NE(svg.find("x=\"94.0\" y=\"54.0\" text-anchor=\"start\">floating bodies"), std::string::npos) << svg;
    plot.series.resize(2);
    EXPECT_EQ(plot_svg(plot).find("y=\"54.0\""), std::string::npos);
}

TEST(report_plot, draws_lines_with_gaps_and_nothing_from_nothing) {
    EXPECT_EQ(plot_svg({"t", "x", "y", {}, {}, false}), "");
    const double none = std::nan("");
    const std::string svg = plot_svg({"a < b", "x", "y", {0, 1, 2, 3, 4}, {{"s", {1, 2, none, 3, 4}}}, false});
    EXPECT_NE(svg.find("a &lt; b"), std::string::npos);
    const std::size_t line = svg.find("class=\"line series c0\"");
    ASSERT_NE(line, std::string::npos);
    const std::string path = svg.substr(line, svg.find("/>", line) - line);
    EXPECT_EQ(std::count(path.begin(), path.end(), 'M'), 2);
}

TEST(report_plot, values_that_differ_by_their_last_digit_are_one_level) {
    Plot plot{"level", "t", "z", {0, 1}, {{"z", {1000, std::nextafter(1000.0, 2000.0)}}}};
    const std::string svg = plot_svg(plot);
    EXPECT_NE(svg.find(">1000<"), std::string::npos) << svg;
    plot.x = {1e15, std::nextafter(1e15, 2e15)}; // also on the axis that nobody widens
    EXPECT_FALSE(plot_svg(plot).empty());
}

TEST(report_plot, multiples_of_a_step_are_those_that_can_be_told_apart) {
    EXPECT_EQ(multiples_of(0.5, -0.6, 1), (std::vector<double>{-0.5, 0, 0.5, 1}));
    EXPECT_EQ(multiples_of(0.1, 0.1, 0.3).size(), 3u); // for all that rounding does
    EXPECT_TRUE(multiples_of(1e-13, 1000, std::nextafter(1000.0, 2000.0)).empty());
    EXPECT_TRUE(multiples_of(0, 1, 1).empty());
}
