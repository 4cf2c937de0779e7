// Draws the visible part of a drawing on a canvas. The level of detail depends on the scale.
import {colours, styleOf} from './colours.js';
import {fonts, headHeight, labelPlace, lineHeight, radius, trace} from './measure.js';

const bandHeight = 1024;  // pixels; boxes and edges are indexed by horizontal bands
const readable = 0.42, boxes = 0.12;  // smallest scales at which text and the shapes of boxes are drawn
const manyBoxes = 2500;  // above this number of visible boxes, moving the view shifts a cached picture

export class View {
  scale = 1;
  x = 0;
  y = 0;  // with x: position of the drawing's origin, in CSS pixels
  #canvas;
  #context;
  #page;  // {scaleOf(), markOf(drawing, box)}
  #bands = [];
  #stamp = 0;
  #requested = false;
  #picture;  // picture of an earlier view: {canvas, scale, width, height, x, y}
  #settled;
  #lastWidth = 0;
  #isMoved = false;  // once the user has moved the view, fit() is not called automatically

  constructor(canvas, page) {
    this.#canvas = canvas;
    this.#context = canvas.getContext('2d', {alpha: false});
    this.#page = page;
  }

  /** Sets the drawing, which must be laid out. */
  show(drawing) {
    this.drawing = drawing;
    this.#bands = Array.from({length: Math.ceil(drawing.height / bandHeight) + 1}, () => ({boxes: [], edges: []}));
    const add = (list, item, top, bottom) => {
      for (let band = Math.floor(top / bandHeight); band <= Math.floor(bottom / bandHeight); ++band) this.#bands[band]?.[list].push(item);
    };
    drawing.boxes.forEach((box, number) => {
      box.number = number;
      add('boxes', box, box.y, box.y + box.height);
    });
    for (const edge of drawing.edges) add('edges', edge, edge.points[1], edge.points.at(-1));
    this.fit();
  }

  get width() { return this.#canvas.clientWidth; }
  get height() { return this.#canvas.clientHeight; }
  get hasPlace() { return this.drawing?.height !== undefined && this.width > 0; }

  /** Called when the canvas changes its size. Calls fit(), or once the user has moved the view, keeps its middle. */
  resize() {
    if (this.#lastWidth > 0 && this.width > 0) this.x += (this.width - this.#lastWidth) / 2;
    const isNew = !this.#isMoved || !(this.#lastWidth > 0);
    this.#lastWidth = this.width;
    if (isNew) this.fit();
    else this.redraw();
  }

  /** Shows the whole drawing. Without `whole`, shows its top at a readable scale if the whole drawing would be smaller. */
  fit(whole = false) {
    if (!this.hasPlace) return;
    this.#isMoved = whole;
    const {width, height} = this.drawing;
    const all = Math.min(this.width / width, this.height / height, 1.25);
    this.scale = whole ? all : Math.max(all, Math.min(0.75, this.width / 240));
    this.x = (this.width - width * this.scale) / 2;
    this.y = height * this.scale < this.height ? (this.height - height * this.scale) / 2 : 0;
    const first = this.drawing.boxes[0];
    if (!whole && first && this.scale > all) this.x = this.width / 2 - (first.x + first.width / 2) * this.scale;
    this.redraw();
  }

  zoom(factor, x = this.width / 2, y = this.height / 2) {
    if (!this.hasPlace) return;
    this.#isMoved = true;
    const least = Math.min(this.width / this.drawing.width, this.height / this.drawing.height, 1) / 2;
    const scale = Math.min(Math.max(this.scale * factor, least), 4);
    this.x = x - (x - this.x) * scale / this.scale;
    this.y = y - (y - this.y) * scale / this.scale;
    this.scale = scale;
    this.redraw(true);
  }

  move(dx, dy) {
    this.#isMoved = true;
    this.x += dx;
    this.y += dy;
    this.#keepInView();
    this.redraw(true);
  }

  #keepInView() {
    if (!this.hasPlace) return;
    const margin = 60;
    const keep = (at, size, room) => Math.min(Math.max(at, margin - size * this.scale), room - margin);
    this.x = keep(this.x, this.drawing.width, this.width);
    this.y = keep(this.y, this.drawing.height, this.height);
  }

  /** Moves the view so that the box is visible, or in the middle with `isCentred`. Zooms in until text is readable. */
  reveal(number, isCentred = false) {
    const box = this.drawing?.boxes[number];
    if (!box || !this.hasPlace) return;
    this.#isMoved = true;
    if (this.scale < readable) this.scale = 0.8;
    const left = box.x * this.scale + this.x, top = box.y * this.scale + this.y;
    const isVisible = left >= 0 && top >= 0 && left + box.width * this.scale <= this.width && top + box.height * this.scale <= this.height;
    if (!isVisible || isCentred) {
      this.x = this.width / 2 - (box.x + box.width / 2) * this.scale;
      this.y = this.height / 2 - (box.y + box.height / 2) * this.scale;
    }
    this.redraw();
  }

  /** Returns the index of the box at a position on the canvas, or undefined. */
  boxAt(left, top) {
    if (!this.hasPlace) return undefined;
    const x = (left - this.x) / this.scale, y = (top - this.y) / this.scale, slack = 3 / this.scale;
    return this.#bands[Math.floor(y / bandHeight)]?.boxes.find((box) => x >= box.x - slack && x <= box.x + box.width + slack &&
      y >= box.y - slack && y <= box.y + box.height + slack)?.number;
  }

  /** Draws in the next frame. `isMoving`: many boxes may be drawn as a cached picture until the movement stops. */
  redraw(isMoving = false) {
    if (!isMoving) this.#picture = undefined;
    clearTimeout(this.#settled);
    if (isMoving) {
      this.#settled = setTimeout(() => {
        if (this.#picture) this.redraw();
      }, 120);
    }
    if (this.#requested) return;
    this.#requested = true;
    requestAnimationFrame(() => {
      this.#requested = false;
      this.#draw();
    });
  }

  #draw() {
    if (!this.hasPlace) return;
    const ratio = Math.min(devicePixelRatio || 1, 2);
    const width = Math.round(this.width * ratio), height = Math.round(this.height * ratio);
    if (this.#canvas.width !== width || this.#canvas.height !== height) {
      this.#canvas.width = width;
      this.#canvas.height = height;
      this.#picture = undefined;
    }
    if (this.#picture && this.#drawPicture(ratio)) return;
    const seen = this.#seen(-this.y / this.scale, (this.height - this.y) / this.scale, -this.x / this.scale, (this.width - this.x) / this.scale);
    if (seen.boxes.length > manyBoxes) {
      this.#takePicture(ratio);
      this.#drawPicture(ratio);
    } else {
      this.#paint(this.#context, this, ratio, seen);
    }
  }

  // Makes the cached picture. It is twice as wide and high as the view, so it extends beyond each side by half a view.
  #takePicture(ratio) {
    const picture = {canvas: document.createElement('canvas'), scale: this.scale, width: 2 * this.width, height: 2 * this.height,
                     x: this.x + this.width / 2, y: this.y + this.height / 2};
    picture.canvas.width = picture.width * ratio;
    picture.canvas.height = picture.height * ratio;
    const seen = this.#seen(-picture.y / picture.scale, (picture.height - picture.y) / picture.scale, -picture.x / picture.scale,
                            (picture.width - picture.x) / picture.scale);
    this.#paint(picture.canvas.getContext('2d', {alpha: false}), picture, ratio, seen);
    this.#picture = picture;
  }

  // Copies the cached picture into the view if the picture is large and sharp enough. Returns whether it did.
  #drawPicture(ratio) {
    const {canvas, scale, x, y, width, height} = this.#picture;
    const factor = this.scale / scale;
    const left = this.x - x * factor, top = this.y - y * factor;
    const isWide = (at, size, room, from, drawn) => (at <= 0 || from * this.scale >= 0) && (at + size >= room || from * this.scale + drawn * this.scale <= room);
    const fits = factor < 2.5 && factor > 0.4 && isWide(left, width * factor, this.width, this.x / this.scale, this.drawing.width) &&
      isWide(top, height * factor, this.height, this.y / this.scale, this.drawing.height);
    if (!fits) {
      this.#picture = undefined;
      return false;
    }
    this.#context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.#context.fillStyle = colours().page;
    this.#context.fillRect(0, 0, this.width, this.height);
    this.#context.drawImage(canvas, left, top, width * factor, height * factor);
    return true;
  }

  #seen(top, bottom, left, right) {
    const seen = {boxes: [], edges: []}, stamp = ++this.#stamp;
    const first = Math.max(0, Math.floor(top / bandHeight)), last = Math.min(this.#bands.length - 1, Math.floor(bottom / bandHeight));
    for (let band = first; band <= last; ++band) {
      for (const box of this.#bands[band].boxes) {
        if (box.stamp === stamp || box.x > right || box.x + box.width < left || box.y > bottom || box.y + box.height < top) continue;
        box.stamp = stamp;
        seen.boxes.push(box);
      }
      for (const edge of this.#bands[band].edges) {
        if (edge.stamp === stamp || edge.left > right || edge.right < left || edge.points[1] > bottom || edge.points.at(-1) < top) continue;
        edge.stamp = stamp;
        seen.edges.push(edge);
      }
    }
    return seen;
  }

  #paint(context, {scale, x, y}, ratio, seen) {
    const paint = colours();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = paint.page;
    context.fillRect(0, 0, context.canvas.width, context.canvas.height);
    context.setTransform(scale * ratio, 0, 0, scale * ratio, x * ratio, y * ratio);
    this.#paintEdges(context, scale, seen.edges, paint);
    if (scale < boxes) {
      this.#paintDots(context, scale, seen.boxes);
    } else {
      for (const box of seen.boxes) this.#paintBox(context, box, scale, paint);
    }
    this.#paintMarks(context, scale, seen.boxes, paint);
  }

  #paintEdges(context, scale, edges, paint) {
    context.lineWidth = Math.max(1.2, 0.8 / scale);
    context.strokeStyle = paint.edge;
    context.beginPath();
    for (const {points} of edges) {
      if (scale >= boxes) {
        trace(points, context);
      } else if ((points.at(-1) - points[1]) * scale > 1.5 || Math.abs(points.at(-2) - points[0]) * scale > 1.5) {
        context.moveTo(points[0], points[1]);
        for (let i = 2; i < points.length; i += 2) context.lineTo(points[i], points[i + 1]);
      }
    }
    context.stroke();
    if (scale < readable) return;
    context.fillStyle = paint.edge;
    context.beginPath();
    for (const {points} of edges) arrow(points, context);
    context.fill();
    context.font = fonts.edge;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.lineWidth = 4;
    context.lineJoin = 'round';
    context.strokeStyle = paint.page;
    context.fillStyle = paint.pale;
    for (const edge of edges) {
      const at = labelPlace(edge);
      context.strokeText(edge.text, at.x, at.y);
      context.fillText(edge.text, at.x, at.y);
    }
  }

  // Draws the boxes as plain rectangles, one colour after the other.
  #paintDots(context, scale, list) {
    const least = 1 / scale, byColour = new Map();
    for (const box of list) {
      const {fill} = styleOf(box, this.#page.scaleOf());
      if (!byColour.has(fill)) byColour.set(fill, []);
      byColour.get(fill).push(box);
    }
    for (const [fill, some] of byColour) {
      context.fillStyle = fill;
      for (const box of some) context.fillRect(box.x, box.y, Math.max(box.width, least), Math.max(box.height, least));
    }
  }

  #paintBox(context, box, scale, paint) {
    const style = styleOf(box, this.#page.scaleOf());
    context.beginPath();
    context.roundRect(box.x, box.y, box.width, box.height, radius);
    context.fillStyle = style.isWhole || box.lines.length === 0 ? style.fill : paint.box;
    context.fill();
    if (!style.isWhole && box.lines.length > 0) {
      context.beginPath();
      context.roundRect(box.x, box.y, box.width, headHeight, [radius, radius, 0, 0]);
      context.fillStyle = style.fill;
      context.fill();
    }
    context.beginPath();
    context.roundRect(box.x, box.y, box.width, box.height, radius);
    context.lineWidth = style.differs ? 2.5 : 1;
    context.strokeStyle = style.differs ? paint.bad : paint.line;
    context.stroke();
    if (scale < readable * 0.6) return;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillStyle = style.ink;
    context.font = fonts.title;
    context.fillText(box.title, box.x + box.width / 2, box.y + headHeight / 2 + 0.5);
    if (scale < readable) return;
    context.font = fonts.line;
    box.lines.forEach((line, i) => {
      context.fillStyle = style.isWhole ? style.ink : i === 0 && box.lines.length > 1 ? paint.ink : paint.pale;
      context.fillText(line, box.x + box.width / 2, box.y + headHeight + 4 + (i + 0.5) * lineHeight);
    });
  }

  #paintMarks(context, scale, list, paint) {
    for (const box of list) {
      const mark = this.#page.markOf(this.drawing, box);
      if (!mark) continue;
      const around = Math.max(3, 3 / scale);
      context.beginPath();
      context.roundRect(box.x - around, box.y - around, box.width + 2 * around, box.height + 2 * around, radius + around);
      context.lineWidth = Math.max(mark === 'chosen' ? 3 : 2, 2 / scale);
      context.strokeStyle = mark === 'found' ? paint.found : paint.accent;
      context.setLineDash(mark === 'same' ? [7 / Math.min(scale, 1), 4 / Math.min(scale, 1)] : []);
      context.stroke();
    }
    context.setLineDash([]);
  }
}

function arrow(points, context) {
  const x = points.at(-2), y = points.at(-1), dx = x - points.at(-4), dy = y - points.at(-3), length = Math.hypot(dx, dy) || 1;
  const ux = dx / length * 7, uy = dy / length * 7;
  context.moveTo(x, y);
  context.lineTo(x - ux - uy * 0.45, y - uy + ux * 0.45);
  context.lineTo(x - ux + uy * 0.45, y - uy - ux * 0.45);
}
