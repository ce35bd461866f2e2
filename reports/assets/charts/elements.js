// Elements of a page, made without markup of text.

function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** A stroke of a line's colour and dashes, which both the legend shows and the canvas copies. */
function swatchOf(style) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  const stroke = document.createElementNS(space, "line");
  for (const [name, value] of Object.entries({ class: "swatch", viewBox: "0 0 28 8" }))
    svg.setAttribute(name, value);
  svg.setAttribute("aria-hidden", "true");
  const ends = { class: `curve ${style}`, x1: 0, y1: 4, x2: 28, y2: 4 };
  for (const [name, value] of Object.entries(ends)) stroke.setAttribute(name, value);
  svg.append(stroke);
  return { svg, stroke };
}

function check(text, changed) {
  const box = make("input", { type: "checkbox" });
  box.addEventListener("change", () => changed(box.checked));
  return make("label", {}, box, ` ${text}`);
}
