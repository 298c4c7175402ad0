// SPDX-License-Identifier: Apache-2.0
// Draws the formulas of a page with KaTeX, which the site has beside it.
document.addEventListener("DOMContentLoaded", () => {
    for (const place of document.querySelectorAll(".math"))
        katex.render(place.textContent, place, { displayMode: place.dataset.display !== "", throwOnError: false });
});
