// What uPlot draws of a chart: scales, axes, lines with bands, and levels.

const HEIGHT = 300;

/** Each line is a mean, a low and a high; the last two bound its band. */
function seriesOf(chart) {
  const series = [{}];
  const bands = [];
  for (const { stroke } of chart.shown) {
    const { stroke: colour, strokeDasharray } = getComputedStyle(stroke);
    const dash = strokeDasharray === "none" ? [] : strokeDasharray.split(/[ ,]+/).map(parseFloat);
    const bound = { stroke: colour, width: 0, spanGaps: true, points: { show: false } };
    series.push({ ...bound, width: 2, dash }, bound, bound);
    const fill = colour.replace("rgb(", "rgba(").replace(")", ", .2)");
    bands.push({ series: [series.length - 1, series.length - 2], fill });
  }
  return { series, bands };
}

function drawLevels(chart, plot) {
  const { ctx, bbox } = plot;
  const ratio = uPlot.pxRatio;
  ctx.save();
  const style = getComputedStyle(chart.plot);
  ctx.fillStyle = style.color;
  ctx.font = `${11 * ratio}px system-ui, sans-serif`;
  for (const { name, value, start } of chart.levels) {
    if (value === null || (chart.chosen.logY && value <= 0)) continue;
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
    ctx.textAlign = start ? "left" : "right";
    const x = start ? bbox.left + 4 * ratio : bbox.left + bbox.width - 2 * ratio;
    for (const write of ["strokeText", "fillText"]) ctx[write](name, x, y - 5 * ratio);
  }
  ctx.restore();
}

/** A mark at each point in which the loss of a step was a spike. */
function drawSpikes(chart, plot) {
  const { axis, logY } = chart.chosen;
  const { ctx } = plot;
  const ratio = uPlot.pxRatio;
  ctx.save();
  ctx.fillStyle = getComputedStyle(chart.plot).color;
  ctx.font = `${14 * ratio}px system-ui, sans-serif`;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  for (const { line } of chart.shown)
    for (const i of line.spikes) {
      const [x, y] = [line.positions[axis][i], line.mean[i]];
      if (x === null || y === null || (logY && y <= 0)) continue;
      ctx.fillText("×", plot.valToPos(x, "x", true), plot.valToPos(y, "y", true));
    }
  ctx.restore();
}

/** The options of uPlot for the lines that a chart shows. */
function plotOptions(chart) {
  const { axis, logX, logY } = chart.chosen;
  const values = chart.shown.flatMap((each) => [...each.points[2], ...each.points[3]]);
  const levels = chart.levels.map((level) => level.value).filter((y) => y !== null);
  const xRange = rangeOf(logX ? chart.positions : [0, ...chart.positions], logX, 0);
  const yRange = rangeOf([...values, ...levels.filter((y) => !logY || y > 0)], logY, 0.04);
  const style = getComputedStyle(chart.plot);
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
    width: chart.plot.clientWidth,
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
      axisOf(logX, xRange, chart.axes[axis].title, amountText, {
        grid: { show: false },
        size: 24,
      }),
      axisOf(logY, yRange, chart.quantity, lossText, {
        grid: { stroke: grid, width: 1 },
        size: 44,
      }),
    ],
    ...seriesOf(chart),
    hooks: {
      ready: [(plot) => chart.alignSlider(plot)],
      draw: [(plot) => drawLevels(chart, plot), (plot) => drawSpikes(chart, plot)],
      setCursor: [(plot) => plot.cursor.idx !== null && chart.say(plot.cursor.idx)],
    },
  };
}
