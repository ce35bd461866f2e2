#!/usr/bin/env python3
"""Reads and drives pages in a headless Chromium, as people with and without a mouse, eyes or scripts do.

    tests/web/check_pages.py --programs build/release [--keep FOLDER]

Every page, narrow and wide, light and dark, with and without scripts: axe-core finds no violation, the
page does not scroll sideways, asks for nothing, and the browser has no complaint. Then sorting, cards,
axes, the slider and print are driven by keys. Exits with 77, which CTest counts as skipped, where
Chromium or axe-core is absent.
"""
import argparse
import itertools
import pathlib
import shutil
import subprocess
import sys
import tempfile

from browser import Browser, Fault, Page

SKIPPED = 77
HERE = pathlib.Path(__file__).parent
AXE = HERE / "node_modules" / "axe-core" / "axe.min.js"
WIDTHS = (390, 1280)
PAPER = 718  # pixels of the width of A4 between margins of 1 cm
TOO_BIG = 100_000  # bytes of scripts and styles


def expect(found, wanted, what):
    if found != wanted:
        raise Fault(f"{what}: expected {wanted!r}, found {found!r}")


def axe_violations(page):
    page.evaluate(AXE.read_text(encoding="utf-8") + ";0")
    return page.evaluate(
        """axe.run(document, {resultTypes: ['violations']}).then(found => found.violations.flatMap(
             each => each.nodes.map(node => `${each.id}: ${node.html.slice(0, 200)} ${node.failureSummary}`)))""")


def check_appearance(browser, file, width, dark, scripts):
    with Page(browser, file, width, dark, scripts) as page:
        page.unfold()
        expect(page.complaints(), [], "complaints of the browser")
        expect(page.requests(), [], "requests")
        if (wide := page.size()["width"]) > width:
            raise Fault(f"the page is {wide} pixels wide")
        expect(axe_violations(page)[:3], [], "violations of accessibility")
        live = page.evaluate("document.querySelectorAll('.live').length")
        charts = page.evaluate("document.querySelectorAll('.chart-data').length")
        expect(live, charts if scripts else 0, "live figures")
        hidden = "[...document.querySelectorAll('.figure')].filter(f => ![...f.children].some(c => c.offsetHeight > 50)).length"
        expect(page.evaluate(hidden), 0, "figures that show nothing")


def check_axe(browser, file):
    """axe-core finds what is planted: a picture without words, and text that is too faint."""
    with Page(browser, file, 1280) as page:
        page.evaluate("document.querySelector('h1').style.color = '#eee'; document.querySelector('main').append(new Image()); 0")
        found = {violation.split(":")[0] for violation in axe_violations(page)}
        expect(found, {"color-contrast", "image-alt"}, "what axe-core finds")


def check_nothing_else_runs(browser, file):
    """The names of the hostile page are text, and its policy lets no other script run."""
    with Page(browser, file, 1280) as page:
        page.settle()
        expect(page.evaluate("document.querySelectorAll('img, iframe, object, style ~ script').length"), 0, "foreign elements")
        shown = page.evaluate("document.querySelector('.legend').textContent + document.querySelector('h1').textContent")
        expect(shown.count("<img src=x onerror=alert(1)>"), 2, "hostile names that are shown as text")
        page.evaluate("""{ const script = document.createElement('script'); script.textContent = 'window.ran = true';
                           document.body.append(script); }""")
        expect(page.evaluate("window.ran === true"), False, "a script that is none of the page's ran")
        # Code in a string, run later: what DevTools itself evaluates is not bound by the policy.
        page.evaluate("setTimeout('window.late = true'); new Promise(done => setTimeout(done, 100))")
        expect(page.evaluate("window.late === true"), False, "code in a string ran")


def first_column(page, table):
    return page.evaluate(f"[...document.querySelectorAll('#{table} tbody th')].map(cell => cell.textContent)")


def check_sorting(browser, file):
    with Page(browser, file, 1280) as page:
        original = first_column(page, "table-main")
        orders = {}
        for column in (2, 0):
            page.evaluate(f"document.querySelectorAll('#table-main thead button')[{column}].focus()")
            for wanted in ("ascending", "descending", None):
                page.press("Enter" if wanted else " ")
                sort = page.evaluate(f"document.querySelectorAll('#table-main thead th')[{column}].getAttribute('aria-sort')")
                expect(sort, wanted, "aria-sort")
                orders[column, wanted] = first_column(page, "table-main")
            expect(orders[column, None], original, "the order after three presses")
        names = ["clm (baseline)", "mlm", *(f"mlm[rate={rate}]" for rate in (0.15, 0.3, 2, 10))]
        expect(orders[0, "ascending"], names, "names, ascending")
        expect(orders[0, "descending"], names[::-1], "names, descending")
        expect(sorted(orders[2, "ascending"]), sorted(original), "rows after sorting")
        means = [float(text.replace("\u2212", "-")) for text in page.evaluate(
            "(document.querySelectorAll('#table-main thead button')[2].click(),"
            " [...document.querySelectorAll('#table-main tbody tr')].map(row => row.cells[2].textContent))")]
        expect(means, sorted(means), "numbers, ascending")
        sortable = page.evaluate("document.querySelectorAll('#table-provenance button').length")
        expect(sortable, 0, "buttons of a table whose columns hold unlike things")


MOST_WORDS = 900  # on the page of two arms, before anything is opened

# What stands behind a sentence, a verdict and an amount.
CARDS = {
    ".answer .origin": ("SQLSELECT arm, seed, value FROM result", "report.json/differences/"),
    "#table-main td:is(.good, .bad, .neutral, .quiet) .origin": ("sign-flip test", "p adjusted", "verdict"),
    "#table-ledger td .origin": ("Source: means over an arm", "seed 1, trial"),
}


def check_dynamics(browser, file):
    """What was measured in training is drawn over any of the axes, with its interval."""
    with Page(browser, file, 1280) as page:
        page.unfold()
        place = "document.querySelector('#dynamics .place').textContent"
        expect(page.evaluate(place), "At 1.6 M text tokens read: mean (95 % t-interval)", "the position")
        page.evaluate("document.querySelector('#dynamics .controls select').focus()")
        for wanted in ("At 100 steps", "At 10 k scored targets", "At 100 M training FLOPs", "At 100 seconds of training"):
            page.press("ArrowDown")
            page.settle()
            if not page.evaluate(place).startswith(wanted):
                raise Fault(f"after an arrow: {page.evaluate(place)}, not '{wanted}'")
        expect(page.complaints(), [], "complaints of the browser")


def check_widths(browser, file):
    """Names of arms keep to a line, beside the columns that scroll."""
    for width in WIDTHS:
        with Page(browser, file, width) as page:
            page.settle()
            name = "[...document.querySelectorAll('#table-main tbody th')].find(th => th.textContent === 'mlm[rate=0.15]')"
            lines = page.evaluate(f"(r => {{ r.selectNodeContents({name}); return new Set([...r.getClientRects()].map(b => b.top)).size }})(document.createRange())")
            expect(lines, 1, f"lines of a name at {width} pixels")
            left = f"{name}.getBoundingClientRect().left"
            before = page.evaluate(left)
            page.evaluate("document.querySelector('#table-main .scroll').scrollLeft = 200; 0")
            expect(page.evaluate(left), before, f"the place of a name at {width} pixels after scrolling")


def check_cards(browser, file):
    with Page(browser, file, 390) as page:
        page.unfold()
        dotted = page.evaluate("document.querySelectorAll('.origin').length")
        if dotted < 10:
            raise Fault(f"{dotted} numbers lead to their values")
        page.evaluate("document.querySelector('.mean .origin').focus()")
        page.press("Enter")
        opened = "document.querySelector('.card').matches(':popover-open')"
        expect(page.evaluate(opened), True, "the card after Enter")
        text = page.evaluate("document.querySelector('.card').textContent")
        for part in ("n6", "95 % t-interval", "seed 1", "trial"):
            if part not in text:
                raise Fault(f"the card lacks '{part}': {text}")
        expect(page.evaluate("document.querySelector('.card').contains(document.activeElement)"), True, "focus in the card")
        expect(axe_violations(page)[:3], [], "violations of accessibility with a card")
        right = page.evaluate("document.querySelector('.card').getBoundingClientRect().right")
        if right > 390:
            raise Fault(f"the card ends at {right} pixels")
        page.press("Escape")
        expect(page.evaluate(opened), False, "the card after Escape")
        expect(page.evaluate("document.activeElement.className"), "origin", "focus after Escape")
        for cell, parts in CARDS.items():
            page.evaluate(f"document.querySelector('{cell}').focus()")
            page.press("Enter")
            text = page.evaluate("document.querySelector('.card').textContent")
            for part in parts:
                if part not in text:
                    raise Fault(f"the card of {cell} lacks '{part}': {text}")
            page.press("Escape")
    with Page(browser, file, 390, scripts=False) as page:
        lost = "[...document.querySelectorAll('a[href^=\"#\"]')].filter(a => !document.getElementById(a.hash.slice(1))).length"
        expect(page.evaluate(lost), 0, "links to nowhere")


def check_curves(browser, file):
    place = "document.querySelector('.place').textContent"
    with Page(browser, file, 1280) as page:
        page.settle()
        expect(page.evaluate(place), "At 16 k text tokens read: mean (minimum to maximum)", "the position")
        page.evaluate("document.querySelector('.controls select').focus()")
        for wanted in ("At 100 steps", "At 1.6 k scored targets", "At 3 G training FLOPs", "At 21 seconds of training"):
            page.press("ArrowDown")
            page.settle()
            if not page.evaluate(place).startswith(wanted):
                raise Fault(f"after an arrow: {page.evaluate(place)}, not '{wanted}'")
        note = page.evaluate("document.querySelector('.axis-note').textContent")
        if "spread evenly over the steps" not in note:
            raise Fault(f"the note on the axis is '{note}'")

        spoken = "document.querySelector('.chart input[type=range]').getAttribute('aria-valuetext')"
        expect(page.evaluate(spoken), "21 seconds of training, clm 2.035", "the slider's words")
        page.evaluate("document.querySelector('.chart input[type=range]').focus()")
        page.press("ArrowLeft")
        expect(page.evaluate(spoken), "18.9 seconds of training, clm 2.235", "the slider's words after an arrow")
        page.press("Home")
        expect(page.evaluate(spoken), "0 seconds of training, clm 4.035", "the slider's words at the start")

        canvas = "document.querySelector('.chart canvas').toDataURL()"
        drawn = [page.evaluate(canvas)]
        for box in range(2):
            page.evaluate(f"document.querySelectorAll('.controls input')[{box}].focus()")
            page.press(" ")
            page.settle()
            drawn.append(page.evaluate(canvas))
        page.media("screen", dark=True)
        page.settle()
        drawn.append(page.evaluate(canvas))
        expect(len(set(drawn)), 4, "drawings that differ: plain, logarithmic across, upwards too, in the dark")
        expect(page.evaluate(spoken).startswith("21 seconds"), True, "the position on logarithmic axes")

        page.evaluate("document.querySelector('.u-over').scrollIntoView({block: 'center'})")
        box = page.evaluate("(r => [r.left + r.width / 2, r.top + r.height / 2])(document.querySelector('.u-over').getBoundingClientRect())")
        before = page.evaluate(spoken)
        for step in range(2):
            browser.send("Input.dispatchMouseEvent", type="mouseMoved", x=box[0] + step, y=box[1])
        page.settle()
        if page.evaluate(spoken) == before:
            raise Fault("the pointer over a chart changes nothing")

        page.evaluate("document.querySelector('.legend input').focus()")
        page.press(" ")
        page.settle()
        expect(page.evaluate(place), "No curve is chosen.", "the position without curves")
        page.press(" ")
        page.settle()
        expect(page.complaints(), [], "complaints of the browser")


def check_keyboard(browser, file):
    """The Tab key reaches every control, each of which then shows that it has the focus."""
    with Page(browser, file, 1280) as page:
        page.unfold()
        page.evaluate("""document.querySelectorAll('a, button, summary, select, input, [tabindex]').forEach((each, i) => each.dataset.tab = i)""")
        wanted = page.evaluate("document.querySelectorAll('[data-tab]').length")
        reached, invisible = set(), []
        for _ in range(wanted + 5):
            page.press("Tab")
            at = page.evaluate("""(at => [at.dataset.tab ?? null, getComputedStyle(at).outlineStyle, at.outerHTML.slice(0, 80)])(document.activeElement)""")
            if at[0] is not None:
                reached.add(at[0])
                if at[1] == "none":
                    invisible.append(at[2])
        expect(len(reached), wanted, "controls that Tab reaches")
        expect(invisible, [], "controls whose focus is not shown")


def check_folds(browser, file):
    """Parts of the page are closed until a reader opens them, or a link leads into one."""
    with Page(browser, file, 1280) as page:
        page.settle()
        expect(axe_violations(page)[:3], [], "violations of accessibility of a folded page")
        shown = page.evaluate("document.body.innerText").split()
        if len(shown) > MOST_WORDS:
            raise Fault(f"{len(shown)} words are shown before anything is opened, more than {MOST_WORDS}")
        first_open = "document.querySelector('#values details').open"
        expect(page.evaluate(first_open), False, "the values, opened")
        row = page.evaluate("document.querySelector('#values tbody tr[id]').id")
        for link in (row, "values"):
            page.evaluate(f"document.querySelector('#values details').open = false; location.hash = '#{link}'; 0")
            page.settle()
            expect(page.evaluate(first_open), True, f"the values, opened by a link to {link}")
            page.evaluate("location.hash = ''; 0")
            page.settle()
        return f"{len(shown)} words"


def check_print(browser, file):
    with Page(browser, file, PAPER) as page:
        page.settle()
        page.media("print")
        shown = "(s => [...document.querySelectorAll(s)].filter(e => getComputedStyle(e).display !== 'none').length)"
        expect(page.evaluate(f"{shown}('.live, .card, nav, .order')"), 0, "controls on paper")
        expect(page.evaluate(f"{shown}('.panels svg') === document.querySelectorAll('.panels svg').length"), True, "drawings on paper")
        wide = "[...document.querySelectorAll('table')].filter(t => t.offsetWidth > t.closest('main').offsetWidth + 1).map(t => t.closest('.table').id)"
        expect(page.evaluate(wide), [], "tables that are wider than the paper")
        background = page.evaluate("getComputedStyle(document.body).backgroundColor")
        expect(background, "rgb(255, 255, 255)", "the paper")
        if not (document := page.pdf()).startswith(b"%PDF"):
            raise Fault("no PDF was printed")
        if shutil.which("pdftotext"):
            text = subprocess.run(["pdftotext", "-layout", "-", "-"], input=document, stdout=subprocess.PIPE, check=True).stdout.decode()
            for cell in page.evaluate("[...document.querySelectorAll('#table-main tbody :is(th, td)')].map(e => e.textContent.trim()).filter(t => !/\\s/.test(t))"):
                if cell not in text:
                    raise Fault(f"'{cell}' is not on the printed page")


def check_size(file):
    text = file.read_text(encoding="utf-8")
    head = sum(len(part.split("</style>")[0]) for part in text.split("<style>")[1:])
    scripts = sum(len(part.split("</script>")[0]) for part in text.split("<script>")[1:])
    if head + scripts > TOO_BIG:
        raise Fault(f"{head + scripts} bytes of scripts and styles, more than {TOO_BIG}")
    return f"{len(text.encode())} bytes, of which {head + scripts} are scripts and styles"


def check_all(chromium, folder):
    faults = 0
    with Browser(chromium) as browser:

        def run(what, check, *arguments):
            nonlocal faults
            try:
                said = check(*arguments)
                print(f"ok    {what}{': ' + said if said else ''}", flush=True)
            except Fault as fault:
                faults += 1
                print(f"FAULT {what}: {fault}", flush=True)

        for file in sorted(folder.rglob("*.html")):
            name = file.relative_to(folder)
            run(f"{name}, size", check_size, file)
            for width, dark, scripts in itertools.product(WIDTHS, (False, True), (True, False)):
                manner = f"{width} pixels, {'dark' if dark else 'light'}, {'with' if scripts else 'without'} scripts"
                run(f"{name}, {manner}", check_appearance, browser, file, width, dark, scripts)
        report = "report.html"
        run("small: axe-core", check_axe, browser, folder / "small" / report)
        run("hostile: nothing else runs", check_nothing_else_runs, browser, folder / "hostile" / report)
        run("sweep: sorting", check_sorting, browser, folder / "sweep" / report)
        run("sweep: cards", check_cards, browser, folder / "sweep" / report)
        run("small: curves", check_curves, browser, folder / "small" / report)
        run("probed: dynamics", check_dynamics, browser, folder / "probed" / report)
        run("sweep: widths", check_widths, browser, folder / "sweep" / report)
        run("small: folds", check_folds, browser, folder / "small" / report)
        run("small: keyboard", check_keyboard, browser, folder / "small" / report)
        for case in ("small", "sweep", "many"):
            run(f"{case}: print", check_print, browser, folder / case / report)
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, required=True, help="the folder with ablate_pages")
    parser.add_argument("--keep", type=pathlib.Path, help="write the pages into this folder and leave them there")
    options = parser.parse_args()
    chromium = shutil.which("chromium")
    if chromium is None:
        print("skipped: there is no chromium (Debian: chromium)")
        return SKIPPED
    if not AXE.exists():
        print("skipped: there is no axe-core: npm ci --prefix tests/web")
        return SKIPPED
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or pathlib.Path(temporary)
        subprocess.run([options.programs / "ablate_pages", folder], check=True)
        return 1 if check_all(chromium, folder) else 0


if __name__ == "__main__":
    sys.exit(main())
