// One chart: its plot, its slider and its legend.

const THUMB = 14; // of the slider: CSS pixels, as in charts.css

/** `chosen`: {axis, logX, logY} of the figure. */
class Chart {
  constructor(data, drawing, { axes, band }, chosen) {
    this.axes = axes;
    this.band = band;
    this.chosen = chosen;
    this.quantity = data.quantity;
    this.levels = data.levels;
    this.title = drawing.querySelector("title").textContent;
    const words = `${this.title}. ${drawing.querySelector("desc").textContent}`;
    this.plot = make("div", { class: "plot", role: "img", "aria-label": words });
    this.slider = make("input", { type: "range", min: "0", step: "1", value: "0" });
    this.slider.setAttribute("aria-label", `Position in: ${this.title}`);
    this.slider.addEventListener("input", () => this.moveTo(Number(this.slider.value)));
    this.place = make("p", { class: "place" });
    this.lines = data.lines.map((line) => this.legendOf(line));
    const legend = make("ul", { class: "legend" }, ...this.lines.map((line) => line.item));
    const name = make("p", { class: "name" }, this.title);
    this.element = make("div", { class: "chart" }, name, this.plot, this.slider);
    this.element.append(this.place, legend);
  }

  legendOf(line) {
    const { svg, stroke } = swatchOf(line.style);
    const box = make("input", { type: "checkbox" });
    box.checked = true;
    box.addEventListener("change", () => this.draw());
    const value = make("span", { class: "value" });
    const label = make("label", {}, box, svg, make("span", {}, line.name));
    return { line, box, stroke, value, item: make("li", {}, label, value) };
  }

  /** Draws all anew: after a choice, in another width, in other colours. */
  draw() {
    const { axis, logX, logY } = this.chosen;
    this.shown = this.lines.filter((each) => {
      each.points = pointsOf(each.line, axis, logX, logY);
      return each.box.checked && each.points[0].length > 0;
    });
    if (this.uplot) this.uplot.destroy();
    this.uplot = null;
    this.slider.disabled = this.shown.length === 0;
    if (this.shown.length > 0) {
      const data = uPlot.join(this.shown.map((each) => each.points));
      this.positions = data[0];
      this.uplot = new uPlot(plotOptions(this), data, this.plot);
    }
    this.slider.max = String(this.shown.length > 0 ? this.positions.length - 1 : 0);
    this.moveTo(Number(this.slider.max));
  }

  /** Its ends lie under those of the plot. */
  alignSlider(plot) {
    const { left, width } = plot.over.getBoundingClientRect();
    const start = left - this.plot.getBoundingClientRect().left - THUMB / 2;
    this.slider.style.marginLeft = `${start}px`;
    this.slider.style.width = `${width + THUMB}px`;
  }

  moveTo(index) {
    if (!this.uplot) {
      this.place.textContent = "No curve is chosen.";
      for (const each of this.lines) each.value.textContent = "";
      return;
    }
    this.uplot.setCursor({ left: this.uplot.valToPos(this.positions[index], "x"), top: 0 });
    this.say(index);
  }

  /** Says what the curves are at a position: in the legend, and as the slider's value. */
  say(index) {
    const x = this.positions[index];
    const words = [`${amountText(x)} ${this.axes[this.chosen.axis].title}`];
    for (const each of this.lines) {
      each.value.textContent = "";
      if (!this.shown.includes(each)) continue;
      const [positions, mean, low, high] = each.points;
      const i = nearest(positions, x);
      each.value.textContent = `${lossText(mean[i])} (${lossText(low[i])} to ${lossText(high[i])})`;
      words.push(`${each.line.name} ${lossText(mean[i])}`);
    }
    this.slider.value = String(index);
    this.slider.setAttribute("aria-valuetext", words.join(", "));
    this.place.textContent = `At ${words[0]}: mean (${this.band})`;
  }
}
