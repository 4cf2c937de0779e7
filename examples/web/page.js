// Helpers of the demo pages: elements, bars, medians and times.

export const byId = (id) => document.getElementById(id);

/** Creates an element, for instance element('td', {className: 'number'}, 'text'). */
export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** The list of files that `make web-demo` copied: see scripts/web_demo.mjs. */
export const files = await fetch('files.json').then((response) => (response.ok ? response.json() : {}), () => ({}));

/** Shows a list of [name, number from 0 to 1] as bars, in the list's order. */
export function showBars(list, named) {
  const best = Math.max(...named.map(([, value]) => value));
  list.replaceChildren(...named.map(([name, value]) => {
    const bar = element('div', {className: 'bar'});
    bar.style.width = `${100 * value}%`;
    return element('li', {className: value > 0 && value === best ? 'best' : ''}, element('span', {className: 'name'}, name),
                   element('div', {}, bar), element('span', {className: 'value'}, `${(100 * value).toFixed(1)} %`));
  }));
}

export const milliseconds = (time) => `${time < 10 ? time.toFixed(2) : time.toFixed(1)} ms`;

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}
