"""Draw the icons of the page as PNG, from the SVG files beside them: phones and app stores want pixels.

Run it after a change of ``app/icon.svg`` or ``app/icon-maskable.svg``.
"""

from __future__ import annotations

import runpy
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "src" / "sapper" / "web" / "static" / "app"
# File to draw from, by the width of the picture. Apple rounds the corners itself, so there must be something in them.
ICONS = {180: "icon-maskable.svg", 192: "icon.svg", 512: "icon.svg"}


def main() -> None:
    """Draw all of them."""
    browser_path = runpy.run_path(str(ROOT / "scripts" / "browser.py"))["find_browser"]()
    flags = runpy.run_path(str(ROOT / "scripts" / "screenshots.py"))["FLAGS"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=flags)
        for width, name in ICONS.items():
            page = browser.new_page(viewport={"width": width, "height": width})
            page.set_content(
                f"<style>body {{ margin: 0 }} svg {{ display: block }}</style>{(FOLDER / name).read_text()}"
            )
            page.screenshot(path=FOLDER / f"icon-{width}.png", omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
