// Curves whose axes the reader chooses, in place of the drawings of the page.
//
// A figure with charts holds their numbers as JSON (reports/web/chart_data.h). All controls are
// those of forms, so that keyboards and screen readers reach them; the cursor of a chart is a slider
// whose value is said in words. uPlot draws; colours and dashes are those of the style sheet.
// Nothing here makes markup of text, and without this script, and on paper, the drawings stay.

"use strict";

(() => {
  const HEIGHT = 300;
  const THUMB = 14; // of the slider: CSS pixels, as in charts.css
  const PREFIXES = ["", "k", "M", "G", "T", "P", "E", "Z", "Y"];

  function make(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  /** A count with a prefix, as elsewhere on the page: 812, 26.4 k, 1.05 M. */
  function amountText(value) {
    let scaled = Math.abs(value);
    let prefix = 0;
    while (scaled >= 999.5 && prefix + 1 < PREFIXES.length) {
      scaled /= 1000;
      ++prefix;
    }
    const digits = Number((Math.sign(value) * scaled).toPrecision(3));
    return `${digits} ${PREFIXES[prefix]}`.trim().replace("-", "\u2212");
  }

  const lossText = (value) => Number(value.toPrecision(4)).toString().replace("-", "\u2212");

  /** Round values within a range: at steps of 1, 2 or 5 times a power of ten. */
  function ticks(low, high, logarithmic, wanted) {
    if (logarithmic) {
      const found = [];
      for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); ++power)
        for (const digit of [1, 2, 5]) found.push(digit * 10 ** power);
      const inside = found.filter((value) => value >= low && value <= high);
      const powers = inside.filter((value) => Number.isInteger(Math.log10(value)));
      if (inside.length >= 3) return inside.length > 2 * wanted ? powers : inside;
    }
    const rough = (high - low) / wanted;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].find((digit) => digit * power >= rough) * power;
    const found = [];
    for (let i = Math.ceil(low / step); i * step <= high; ++i)
      found.push(Number((i * step).toPrecision(12)));
    return found;
  }

  /** A line's points on an axis, [positions, means, lows, highs]: ascending, and fit for logarithms. */
  function pointsOf(line, axis, logX, logY) {
    const points = [[], [], [], []];
    let last = logX ? 0 : -Infinity;
    line.positions[axis].forEach((x, i) => {
      const values = [line.mean[i], line.low[i], line.high[i]];
      if (x === null || x <= last || values.some((y) => y === null || (logY && y <= 0))) return;
      last = x;
      points[0].push(x);
      values.forEach((y, k) => points[k + 1].push(y));
    });
    return points;
  }

  /** The index of the point that is nearest to x. */
  function nearest(positions, x) {
    let best = 0;
    positions.forEach((each, i) => {
      if (Math.abs(each - x) < Math.abs(positions[best] - x)) best = i;
    });
    return best;
  }

  function rangeOf(values, logarithmic, margin) {
    const low = Math.min(...values);
    const high = Math.max(...values);
    if (logarithmic) {
      const factor = (high / low) ** margin || 1;
      return low < high ? [low / factor, high * factor] : [low / 2, high * 2];
    }
    const room = low < high ? (high - low) * margin : Math.abs(low) / 2 || 1;
    return [low - room, high + room];
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

  /** One chart: its plot, its slider and its legend. `chosen`: {axis, logX, logY} of the figure. */
  class Chart {
    constructor(data, drawing, axes, chosen) {
      this.axes = axes;
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
        this.uplot = new uPlot(this.options(), data, this.plot);
      }
      this.slider.max = String(this.shown.length > 0 ? this.positions.length - 1 : 0);
      this.moveTo(Number(this.slider.max));
    }

    options() {
      const { axis, logX, logY } = this.chosen;
      const values = this.shown.flatMap((each) => [...each.points[2], ...each.points[3]]);
      const levels = this.levels.map((level) => level.value).filter((y) => y !== null);
      const xRange = rangeOf(logX ? this.positions : [0, ...this.positions], logX, 0);
      const yRange = rangeOf([...values, ...levels.filter((y) => !logY || y > 0)], logY, 0.04);
      const style = getComputedStyle(this.plot);
      const scale = (logarithmic, range) => ({
        time: false,
        distr: logarithmic ? 3 : 1,
        range: () => range,
      });
      const axisOf = (logarithmic, range, label, text, more) => ({
        stroke: style.color,
        font: "11px system-ui, sans-serif",
        labelFont: "11px system-ui, sans-serif",
        label,
        labelSize: 18,
        ticks: { stroke: style.color, width: 1, size: 4 },
        splits: () => ticks(...range, logarithmic, 5),
        filter: (plot, splits) => splits,
        values: (plot, splits) => splits.map(text),
        ...more,
      });
      const grid = style.getPropertyValue("--hair");
      return {
        width: this.plot.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        padding: [8, 14, 0, 0],
        cursor: {
          y: false,
          drag: { x: false, y: false },
          points: { show: (plot, i) => i % 3 === 1 && make("div") }, // on means alone
        },
        scales: { x: scale(logX, xRange), y: scale(logY, yRange) },
        axes: [
          axisOf(logX, xRange, this.axes[axis].title, amountText, {
            grid: { show: false },
            size: 24,
          }),
          axisOf(logY, yRange, this.quantity, lossText, {
            grid: { stroke: grid, width: 1 },
            size: 44,
          }),
        ],
        ...this.series(),
        hooks: {
          ready: [(plot) => this.alignSlider(plot)],
          draw: [(plot) => this.drawLevels(plot)],
          setCursor: [(plot) => plot.cursor.idx !== null && this.say(plot.cursor.idx)],
        },
      };
    }

    /** Its ends lie under those of the plot. */
    alignSlider(plot) {
      const { left, width } = plot.over.getBoundingClientRect();
      const start = left - this.plot.getBoundingClientRect().left - THUMB / 2;
      this.slider.style.marginLeft = `${start}px`;
      this.slider.style.width = `${width + THUMB}px`;
    }

    /** Each line is a mean, a low and a high; the last two bound its band. */
    series() {
      const series = [{}];
      const bands = [];
      for (const { stroke } of this.shown) {
        const { stroke: colour, strokeDasharray } = getComputedStyle(stroke);
        const dash = strokeDasharray === "none" ? [] : strokeDasharray.split(/[ ,]+/).map(parseFloat);
        const bound = { stroke: colour, width: 0, spanGaps: true, points: { show: false } };
        series.push({ ...bound, width: 2, dash }, bound, bound);
        const fill = colour.replace("rgb(", "rgba(").replace(")", ", .2)");
        bands.push({ series: [series.length - 1, series.length - 2], fill });
      }
      return { series, bands };
    }

    drawLevels(plot) {
      const { ctx, bbox } = plot;
      const ratio = uPlot.pxRatio;
      ctx.save();
      const style = getComputedStyle(this.plot);
      ctx.fillStyle = style.color;
      ctx.font = `${11 * ratio}px system-ui, sans-serif`;
      ctx.textAlign = "right";
      for (const { name, value } of this.levels) {
        if (value === null || (this.chosen.logY && value <= 0)) continue;
        const y = plot.valToPos(value, "y", true);
        ctx.strokeStyle = style.color;
        ctx.lineWidth = 1.2 * ratio;
        ctx.setLineDash([ratio, 3 * ratio]);
        ctx.beginPath();
        ctx.moveTo(bbox.left, y);
        ctx.lineTo(bbox.left + bbox.width, y);
        ctx.stroke();
        ctx.strokeStyle = style.getPropertyValue("--paper"); // a halo, where curves pass
        ctx.lineWidth = 4 * ratio;
        ctx.setLineDash([]);
        ctx.lineJoin = "round";
        for (const write of ["strokeText", "fillText"])
          ctx[write](name, bbox.left + bbox.width - 2 * ratio, y - 5 * ratio);
      }
      ctx.restore();
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
      this.place.textContent = `At ${words[0]}: mean (minimum to maximum)`;
    }
  }

  function check(text, changed) {
    const box = make("input", { type: "checkbox" });
    box.addEventListener("change", () => changed(box.checked));
    return make("label", {}, box, ` ${text}`);
  }

  function enliven(figure) {
    const data = JSON.parse(figure.querySelector(".chart-data").textContent);
    const drawings = [...figure.querySelectorAll(".panels svg")];
    const chosen = { axis: 0, logX: false, logY: false };
    const charts = data.charts.map((each, i) => new Chart(each, drawings[i], data.axes, chosen));
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
})();
