// SPDX-License-Identifier: Apache-2.0
// What `sluice watch` adds to the report: a line that tells how far the run is, and the page anew once there is more to
// see. The player stays where it is (player.js, "page-leaves"); browsers keep the place on the page.
"use strict";
(function () {
  const every = 1000, least = 3000; // ms: between looks, and from one page to the next
  const bar = document.createElement("p");
  bar.className = "live";
  document.body.prepend(bar);
  const shown = document.body.dataset.version, begin = performance.now();
  let held = false; // somebody turns the view or pulls a slider
  addEventListener("pointerdown", () => { held = true; });
  for (const name of ["pointerup", "pointercancel"]) addEventListener(name, () => { held = false; });

  async function look() {
    try {
      const now = await (await fetch("/state", { cache: "no-store" })).json();
      bar.textContent = now.text;
      bar.dataset.state = now.state;
      if (now.version !== shown && !held && performance.now() - begin >= least) {
        document.dispatchEvent(new CustomEvent("page-leaves"));
        location.reload();
        return;
      }
    } catch (error) {
      bar.textContent = "sluice watch does not answer any more";
      bar.dataset.state = "gone";
    }
    setTimeout(look, every);
  }
  look();
})();
