// Draws a sound over time: the level as a surface, the probability of speech as a line, and speech shaded.
const lowest = -70;  // dB, the bottom

const heightOf = (level) => Math.max(0, 1 - level / lowest);

/**
 * Draws points, {level: dB, probability}, from the left edge; `span` points fill the canvas's width. `position`, from 0 to 1, is where a
 * player is in the sound.
 */
export function drawCurve(canvas, points, {span, threshold, position}) {
  const {width, height} = fit(canvas), pen = canvas.getContext('2d');
  const style = getComputedStyle(canvas), color = (name) => style.getPropertyValue(name);
  const columns = Array.from({length: Math.ceil(Math.min(points.length / span, 1) * width)}, (_, x) => {
    const some = points.slice(Math.floor(x * span / width), Math.max(Math.ceil((x + 1) * span / width), 1));
    return {level: Math.max(...some.map(({level}) => level)), probability: Math.max(...some.map(({probability}) => probability))};
  });
  const y = (value) => (1 - value) * (height - 2) + 1;
  pen.clearRect(0, 0, width, height);
  pen.fillStyle = color('--bar');
  for (const [x, {level}] of columns.entries()) pen.fillRect(x, y(heightOf(level)), 1, height);
  pen.fillStyle = color('--best');
  pen.globalAlpha = 0.2;
  for (const [x, {probability}] of columns.entries()) if (probability >= threshold) pen.fillRect(x, 0, 1, height);
  pen.globalAlpha = 1;
  pen.lineWidth = 2 * devicePixelRatio;
  pen.strokeStyle = color('--best');
  line(pen, columns.map(({probability}, x) => [x, y(probability)]));
  pen.lineWidth = devicePixelRatio;
  pen.strokeStyle = color('--text');
  if (position !== undefined) line(pen, [[position * width, 0], [position * width, height]]);
  pen.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio]);
  line(pen, [[0, y(threshold)], [width, y(threshold)]]);
  pen.setLineDash([]);
}

// Gives the canvas as many pixels as it covers on the screen. Returns its width and height in pixels.
function fit(canvas) {
  const width = Math.round(canvas.clientWidth * devicePixelRatio), height = Math.round(canvas.clientHeight * devicePixelRatio);
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, {width, height});
  return {width, height};
}

function line(pen, points) {
  pen.beginPath();
  for (const point of points) pen.lineTo(...point);
  pen.stroke();
}
