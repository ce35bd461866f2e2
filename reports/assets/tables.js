// Tables that the reader sorts, and cards with what stands behind a number.
//
// Without this script the tables keep the order of the report, and a number is a link to its row
// among all values. Nothing here makes markup of text.

"use strict";

(() => {
  const NUMBER = /^[<>]?\s*([+\u2212-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?:\s?([kMGTPE])\b)?/;
  const PREFIXES = { k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18 };

  /** What a cell is sorted by: its number ("26.4 k", "<0.001"), else its text; null where empty. */
  function keyOf(cell) {
    const text = cell.textContent.trim();
    if (text === "" || text === "–") return null;
    const found = NUMBER.exec(text);
    if (!found) return text;
    return Number(found[1].replace("\u2212", "-")) * (PREFIXES[found[2]] ?? 1);
  }

  /** Text by text and number by number: "rate=0.3" comes before "rate=2", and that before "rate=10". */
  function compare(a, b) {
    if (typeof a === "number" && typeof b === "number") return a - b;
    const parts = [a, b].map((each) => String(each).split(/(\d+(?:\.\d+)?)/)); // numbers: at odd places
    for (let i = 0; i < Math.min(parts[0].length, parts[1].length); ++i) {
      const [left, right] = [parts[0][i], parts[1][i]];
      const order = i % 2 === 1 ? left - right : left.localeCompare(right);
      if (order !== 0) return order;
    }
    return parts[0].length - parts[1].length;
  }

  /** The rows by the cells at `index`; empty cells stay last in both directions. */
  function sorted(rows, index, descending) {
    const keyed = rows.map((row) => ({ row, key: keyOf(row.cells[index]) }));
    keyed.sort((a, b) => {
      if (a.key === null || b.key === null) return (a.key === null) - (b.key === null);
      return descending ? compare(b.key, a.key) : compare(a.key, b.key);
    });
    return keyed.map((each) => each.row);
  }

  /** Puts a button into every head of a column: ascending, descending, the order of the report. */
  function makeSortable(table) {
    const body = table.tBodies[0];
    const original = [...body.rows];
    const heads = [...table.tHead.rows[0].cells];
    let index = 0; // of the column's first cell: an estimate takes two
    for (const head of heads) {
      const column = index;
      index += head.colSpan;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      const mark = document.createElement("span"); // an arrow, by the style sheet
      mark.className = "order";
      button.insertBefore(mark, button.querySelector(".unit"));
      button.addEventListener("click", () => {
        const before = head.getAttribute("aria-sort");
        const next = { ascending: "descending", descending: null }[before];
        const order = next === undefined ? "ascending" : next;
        for (const each of heads) each.removeAttribute("aria-sort");
        if (order !== null) head.setAttribute("aria-sort", order);
        body.append(
          ...(order === null ? original : sorted(original, column, order === "descending"))
        );
      });
    }
  }

  /** "trial 3f2a81c0", of the trial whose row a link leads to. */
  function trialText(link) {
    const row = document.getElementById(link.hash.slice(1));
    const heads = [...row.closest("table").tHead.rows[0].cells];
    const column = heads.findIndex((head) => head.textContent.trim() === "trial");
    if (column < 0) return "";
    return `, trial ${row.cells[column].textContent.slice(0, 8)}`;
  }

  /** What a cell with a link is, where its table says what its numbers are: "mlm, steps", and that. */
  function aboutOf(link) {
    const cell = link.closest("td");
    const source = cell?.closest(".table").querySelector(".source");
    if (!source) return "";
    const width = (cells) => cells.reduce((sum, each) => sum + each.colSpan, 0);
    const before = [...cell.parentElement.cells].slice(0, cell.cellIndex);
    const heads = [...cell.closest("table").tHead.rows[0].cells];
    const head = heads.find((each, i) => width(heads.slice(0, i + 1)) > width(before));
    return `${before[0].textContent}, ${head.textContent}. ${source.textContent}`;
  }

  /** The cells of a row under the heads of their columns; links lead where they led. */
  function fillCard(card, row, about) {
    const heads = row.closest("table").tHead.rows[0].cells;
    const title = document.createElement("p");
    title.textContent = row.cells[0].textContent;
    const list = document.createElement("dl");
    for (let i = 1; i < row.cells.length; ++i) {
      if (row.cells[i].textContent.trim() === "") continue;
      const term = document.createElement("dt");
      term.textContent = heads[i].textContent;
      const value = document.createElement("dd");
      value.append(...row.cells[i].cloneNode(true).childNodes);
      for (const link of value.querySelectorAll("a")) link.after(trialText(link));
      list.append(term, value);
    }
    const more = document.createElement("a");
    more.href = "#" + row.id;
    more.textContent = "Among all values";
    more.setAttribute("autofocus", "");
    const note = document.createElement("p");
    note.className = "about";
    note.textContent = about;
    card.replaceChildren(title, ...(about ? [note] : []), list, more);
    card.setAttribute("aria-label", "Behind this number");
  }

  /** Below the link, within the page's width. */
  function place(card, link) {
    const at = link.getBoundingClientRect();
    const room = document.documentElement.clientWidth - card.offsetWidth - 8;
    card.style.left = `${Math.max(8, Math.min(at.left, room)) + window.scrollX}px`;
    card.style.top = `${at.bottom + 6 + window.scrollY}px`;
  }

  function showCards() {
    const card = document.createElement("div");
    if (!("popover" in card)) return; // links stay links
    card.popover = "auto"; // Escape and a click elsewhere close it, and focus goes back
    card.className = "card";
    card.setAttribute("role", "dialog");
    document.querySelector("main").append(card);
    document.addEventListener("click", (event) => {
      const link = event.target.closest("a");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (card.contains(link)) {
        card.hidePopover();
      } else if (link.classList.contains("origin")) {
        const row = document.getElementById(link.hash.slice(1));
        if (!row) return;
        event.preventDefault();
        fillCard(card, row, aboutOf(link));
        card.showPopover({ source: link });
        place(card, link);
      }
    });
  }

  /** The keyboard stops at a table only where there is something to scroll. */
  const stops = new ResizeObserver((entries) => {
    for (const { target } of entries)
      if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
      else target.removeAttribute("tabindex");
  });

  /** Opens the part of the page that the address leads into. */
  function reveal() {
    const target = document.getElementById(location.hash.slice(1));
    const part = target?.closest("details") ?? target?.querySelector(":scope > details");
    if (!part || part.open) return;
    part.open = true;
    target.scrollIntoView();
  }

  addEventListener("hashchange", reveal);
  document.querySelector("nav").addEventListener("click", () => setTimeout(reveal)); // the address may stay the same
  reveal();
  for (const table of document.querySelectorAll("table.sortable")) makeSortable(table);
  for (const scroll of document.querySelectorAll(".scroll")) stops.observe(scroll);
  showCards();
})();
