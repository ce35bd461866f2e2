// Numbers as texts, ticks and ranges.

const PREFIXES = ["", "k", "M", "G", "T", "P", "E", "Z", "Y"];

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
