// Pasted text is a message, not a query: a colon would name a field, quotes a phrase, and a hyphen an excluded word, so that a whole
// message would find nothing. Short words would find "notEqual" rather than the message.
document.addEventListener('paste', (event) => {
  const field = event.target;
  if (!field.matches?.('[data-md-component=search-query]')) return;
  const words = event.clipboardData.getData('text').split(/(?![_.])[^\p{L}\p{N}]+|\.(?=\s|$)/u).filter(Boolean);
  const long = words.filter((word) => word.length > 3);
  event.preventDefault();
  field.setRangeText((long.length > 1 ? long : words).join(' '), field.selectionStart, field.selectionEnd, 'end');
  for (const name of ['input', 'keyup']) field.dispatchEvent(new Event(name, {bubbles: true}));
});
