// Finds boxes by their text.
import {element} from './panel.js';

const mostShown = 60;

export class Search {
  found = new Set();  // matching boxes of the active drawing
  #input;
  #list;
  #page;  // {entries(): {box, text, detail}[], changed(), go(box)}

  constructor(input, list, page) {
    this.#input = input;
    this.#list = list;
    this.#page = page;
    input.addEventListener('input', () => this.#search());
    input.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.clear();
      if (event.key === 'Enter') this.#list.querySelector('button')?.click();
      if (event.key === 'ArrowDown') this.#focus(0, event);
    });
    list.addEventListener('keydown', (event) => {
      const buttons = [...list.querySelectorAll('button')], at = buttons.indexOf(document.activeElement);
      if (event.key === 'ArrowDown') this.#focus(at + 1, event);
      if (event.key === 'ArrowUp') this.#focus(at - 1, event);
      if (event.key === 'Escape') this.clear();
    });
    document.addEventListener('pointerdown', (event) => {
      if (!list.contains(event.target) && event.target !== input) list.hidden = true;
    });
  }

  #focus(index, event) {
    event.preventDefault();
    event.stopPropagation();
    const buttons = this.#list.querySelectorAll('button');
    (index < 0 ? this.#input : buttons[Math.min(index, buttons.length - 1)])?.focus();
  }

  clear() {
    this.#input.value = '';
    this.#search();
  }
  /** Repeats the search after the active drawing changed. */
  again() {
    this.#search();
    this.#list.hidden = true;
  }

  #search() {
    const words = this.#input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const entries = words.length === 0 ? [] : this.#page.entries().filter(({text, detail}) => {
      const all = `${text} ${detail}`.toLowerCase();
      return words.every((word) => all.includes(word));
    });
    this.found = new Set(entries.map(({box}) => box));
    const rest = entries.length - mostShown;
    this.#list.replaceChildren(
      element('p', {role: 'status'}, entries.length === 0 ? 'Nothing found' : `${entries.length} found`),
      ...entries.slice(0, mostShown).map(({box, text, detail}) => element('button', {type: 'button', onclick: () => {
        this.#list.hidden = true;
        this.#page.go(box);
      }}, text, element('small', {}, detail))),
      rest > 0 && element('p', {}, `and ${rest} more`) || '');
    this.#list.hidden = words.length === 0;
    this.#page.changed();
  }
}
