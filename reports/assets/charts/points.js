// The points of lines on the axis that is chosen.

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
