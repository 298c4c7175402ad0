// SPDX-License-Identifier: Apache-2.0
// What a plot of the report reads under the pointer: values are had back from the drawn lines and the axes that the
// element names in data-x and data-y (low end, high end, and where they are drawn).
"use strict";
(function () {
  const plots = [...document.querySelectorAll("svg.plot[data-x]")];
  const make = (name, attributes) => {
    const element = document.createElementNS(plots[0].namespaceURI, name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    return element;
  };
  const axis = (text) => {
    const [low, high, begin, end] = text.split(" ").map(Number);
    return { value: (at) => low + (at - begin) / (end - begin) * (high - low), begin, end, step: Math.abs((high - low) / (end - begin)) };
  };
  /// As many digits as a tenth of a pixel can tell.
  const number = (value, step) => {
    const decimals = Math.ceil(-Math.log10(step));
    if (Math.abs(value) >= 1e6 || decimals > 7) return value.toExponential(3);
    return value.toFixed(Math.max(0, decimals));
  };
  const pointsOf = (path) => path.getAttribute("d").split(/[ML]/).slice(1).map((pair) => pair.split(" ").map(Number));

  for (const svg of plots) {
    const x = axis(svg.dataset.x), y = axis(svg.dataset.y);
    const lines = [...svg.querySelectorAll("path.series")].map((path) => ({ path, name: path.dataset.name, points: pointsOf(path) }));
    const rule = make("path", { class: "rule" }), box = make("rect", { class: "readout", rx: 4 }), text = make("text", { class: "readout" });
    const marks = lines.map(({ path }) => make("circle", { r: 3.5, class: path.getAttribute("class").replace("line series", "mark") }));
    const shown = make("g", { visibility: "hidden" });
    shown.append(rule, ...marks, box, text);
    svg.append(shown);

    function read(event) {
      const frame = svg.getBoundingClientRect(), [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
      const at = (event.clientX - frame.left) / frame.width * width;
      const all = lines.flatMap(({ points }) => points);
      if (all.length === 0 || at < x.begin - 8 || at > x.end + 8) { shown.setAttribute("visibility", "hidden"); return; }
      const nearest = (points) => points.reduce((a, b) => Math.abs(b[0] - at) < Math.abs(a[0] - at) ? b : a);
      const here = nearest(all)[0];
      const rows = [svg.dataset.xName + " " + number(x.value(here), x.step)];
      lines.forEach(({ name, points }, k) => {
        const point = points.length > 0 ? nearest(points) : [NaN, NaN];
        const near = Math.abs(point[0] - here) < 2;
        marks[k].setAttribute("visibility", near ? "inherit" : "hidden");
        if (!near) return;
        marks[k].setAttribute("cx", point[0]);
        marks[k].setAttribute("cy", point[1]);
        rows.push(name + " " + number(y.value(point[1]), y.step));
      });
      text.replaceChildren(...rows.map((row, k) => {
        const line = make("tspan", { x: 0, dy: k === 0 ? 0 : 16 });
        line.textContent = row;
        return line;
      }));
      rule.setAttribute("d", "M" + here + " " + y.begin + "V" + y.end);
      const long = Math.max(...rows.map((row) => row.length)) * 7 + 14, tall = 16 * rows.length + 8;
      const left = here + 12 + long > width ? here - 12 - long : here + 12;
      const top = Math.min(y.end + 4, height - tall);
      for (const [key, value] of [["x", left], ["y", top], ["width", long], ["height", tall]]) box.setAttribute(key, value);
      text.setAttribute("transform", "translate(" + (left + 7) + " " + (top + 16) + ")");
      shown.setAttribute("visibility", "visible");
    }
    if (svg.dataset.xName === "time (s)") {
      // where the player stands, and where it goes when somebody clicks
      const now = make("path", { class: "now", visibility: "hidden" });
      svg.insertBefore(now, shown);
      document.addEventListener("frame-shown", (event) => {
        const here = x.begin + (x.end - x.begin) * (event.detail - x.value(x.begin)) / (x.value(x.end) - x.value(x.begin));
        const inside = here >= x.begin - 1 && here <= x.end + 1;
        now.setAttribute("visibility", inside ? "visible" : "hidden");
        if (inside) now.setAttribute("d", "M" + here.toFixed(1) + " " + y.begin + "V" + y.end);
      });
      svg.addEventListener("click", (event) => {
        const frame = svg.getBoundingClientRect(), width = svg.viewBox.baseVal.width;
        const time = x.value((event.clientX - frame.left) / frame.width * width);
        document.dispatchEvent(new CustomEvent("time-chosen", { detail: time }));
      });
    }
    svg.addEventListener("pointermove", read);
    svg.addEventListener("pointerdown", read);
    svg.addEventListener("pointerleave", () => shown.setAttribute("visibility", "hidden"));
  }
})();
