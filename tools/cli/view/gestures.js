// Moves and zooms a view by mouse, touch and wheel, and selects boxes.
const slack = 5;  // pixels; a pointer that moves further drags the view instead of clicking

export function listen(canvas, view, choose) {
  const pointers = new Map();
  let moved = 0;
  const placeOf = (event) => {
    const {left, top} = canvas.getBoundingClientRect();
    return {x: event.clientX - left, y: event.clientY - top};
  };
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, placeOf(event));
    if (pointers.size === 1) moved = 0;
  });
  canvas.addEventListener('pointermove', (event) => {
    const place = placeOf(event), before = pointers.get(event.pointerId);
    if (!before) {
      canvas.style.cursor = view.boxAt(place.x, place.y) === undefined ? 'grab' : 'pointer';
      return;
    }
    const others = [...pointers].filter(([id]) => id !== event.pointerId).map(([, other]) => other);
    moved += Math.hypot(place.x - before.x, place.y - before.y);
    if (moved > slack && others.length <= 1) view.move((place.x - before.x) / (others.length + 1), (place.y - before.y) / (others.length + 1));
    if (others.length === 1) {
      const [other] = others;
      const distance = (from) => Math.max(10, Math.hypot(from.x - other.x, from.y - other.y));
      view.zoom(distance(place) / distance(before), (place.x + other.x) / 2, (place.y + other.y) / 2);
    }
    pointers.set(event.pointerId, place);
  });
  const end = (event) => {
    const place = pointers.get(event.pointerId);
    pointers.delete(event.pointerId);
    if (event.type === 'pointerup' && place && moved <= slack && event.button === 0) choose(view.boxAt(place.x, place.y));
  };
  canvas.addEventListener('pointerup', end);
  canvas.addEventListener('pointercancel', end);
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? view.height : 1, {x, y} = placeOf(event);
    if (event.ctrlKey || event.metaKey) {
      view.zoom(Math.exp(-Math.min(Math.max(event.deltaY * unit, -120), 120) / 200), x, y);
    } else {
      const isSideways = event.shiftKey && event.deltaX === 0;
      view.move(-(isSideways ? event.deltaY : event.deltaX) * unit, isSideways ? 0 : -event.deltaY * unit);
    }
  }, {passive: false});
}

/** Returns the index of the box that an arrow key selects: up and down follow an edge, left and right go to the nearest box. */
export function neighbour({boxes, edges}, number, key) {
  if (number === undefined) return 0;
  if (key === 'ArrowDown') return edges.find((edge) => edge.from === number)?.to;
  if (key === 'ArrowUp') return edges.find((edge) => edge.to === number)?.from;
  const box = boxes[number], middle = box.y + box.height / 2, sign = key === 'ArrowRight' ? 1 : -1;
  let nearest, least = Infinity;
  boxes.forEach((other, i) => {
    const distance = (other.x + other.width / 2 - box.x - box.width / 2) * sign;
    const isBeside = distance > 0 && other.y < box.y + box.height && other.y + other.height > box.y;
    if (isBeside && distance + Math.abs(other.y + other.height / 2 - middle) < least) {
      least = distance + Math.abs(other.y + other.height / 2 - middle);
      nearest = i;
    }
  });
  return nearest;
}
