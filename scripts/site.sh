#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes a site of docs/ that can be searched: build/site/html, to be opened from disk or put on any web server. Installs
# what is missing (Debian, Ubuntu); takes nothing from a network. A link that leads nowhere, in the pages or in the site, is an error.
set -euo pipefail
# shellcheck source=scripts/lib/setup.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib/setup.sh"

install_packages site
say "Building the site"
python3 tests/docs/test_links.py
SLUICE_SITE=$root/build/site python3 tests/docs/test_site.py
note "open build/site/html/index.html"
