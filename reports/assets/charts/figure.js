// Curves whose axes the reader chooses, in place of the drawings of the page.
//
// A figure with charts holds their numbers as JSON (reports/web/chart_data.h). All controls are
// those of forms, so that keyboards and screen readers reach them; the cursor of a chart is a slider
// whose value is said in words. uPlot draws; colours and dashes are those of the style sheet.
// Nothing here makes markup of text, and without this script, and on paper, the drawings stay.

function enliven(figure) {
  const data = JSON.parse(figure.querySelector(".chart-data").textContent);
  const drawings = [...figure.querySelectorAll(".panels svg")];
  const chosen = { axis: 0, logX: false, logY: false };
  const charts = data.charts.map((each, i) => new Chart(each, drawings[i], data, chosen));
  const draw = () => charts.forEach((chart) => chart.draw());
  const note = make("p", { class: "axis-note" });

  const select = make("select");
  data.axes.forEach((axis, i) => {
    const lines = data.charts.flatMap((chart) => chart.lines);
    if (lines.some((line) => line.positions[i].length > 0))
      select.append(make("option", { value: String(i) }, axis.title));
  });
  const choose = (change) => {
    Object.assign(chosen, change);
    note.textContent = data.axes[chosen.axis].note;
    draw();
  };
  select.addEventListener("change", () => choose({ axis: Number(select.value) }));
  const controls = make("div", { class: "controls" }, make("label", {}, "Over ", select));
  controls.append(check("logarithmic across", (logX) => choose({ logX })));
  controls.append(check("logarithmic upwards", (logY) => choose({ logY })));

  const elements = charts.map((chart) => chart.element);
  figure.prepend(make("div", { class: "live" }, controls, note, make("div", { class: "charts" }, ...elements)));
  figure.classList.add("enlivened");

  let width = 0;
  new ResizeObserver(([entry]) => {
    if (Math.abs(entry.contentRect.width - width) < 1) return;
    width = entry.contentRect.width;
    draw();
  }).observe(figure.querySelector(".charts"));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
}

for (const data of document.querySelectorAll(".chart-data")) enliven(data.closest("figure"));
