'use strict';

// The maximum number of characters of a message. If the middle is omitted, `end` characters at its end remain.
const longest = 4000, end = 1000;

// Characters that are invisible or change how adjacent text is displayed. The C++ library escapes the same characters.
const harmful =
  /[\u{0}-\u{1F}\u{7F}-\u{9F}\u{61C}\u{200B}-\u{200F}\u{2028}-\u{202E}\u{2060}-\u{206F}\u{FEFF}\u{FFF9}-\u{FFFB}\u{E0000}-\u{E0FFF}]/gu;

function escaped(text) {
  const safe = text.replace(harmful, (c) => `\\u{${c.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}}`);
  const short = safe.length <= longest ? safe : `${safe.slice(0, longest - end - 5)} ... ${safe.slice(-end)}`;
  return short.toWellFormed();
}

const typeError = (message) => new TypeError(escaped(message));

// If the error is about an open dimension, adds a hint on how to set its size in JavaScript.
function withCure(error) {
  const [, name] = error instanceof TypeError ? /the dimension "(.*?)" has no size/.exec(error.message) ?? [] : [];
  return name === undefined ? error
    : typeError(`${error.message} Give the sizes as in {dimensions: {${/^\w+$/.test(name) ? name : `'${name}'`}: 1}}.`);
}

module.exports = {typeError, withCure};
