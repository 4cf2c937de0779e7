// Users paste messages here, but the search would read a colon, quotes or a hyphen in them as query syntax and then find
// nothing. This replaces pasted text by its words. It drops short ones: "not" would find "notEqual" rather than the message.
document.addEventListener('paste', (event) => {
  const field = event.target;
  if (!field.matches?.('[data-md-component=search-query]')) return;
  const words = event.clipboardData.getData('text').split(/(?![_.])[^\p{L}\p{N}]+|\.(?=\s|$)/u).filter(Boolean);
  const long = words.filter((word) => word.length > 3);
  event.preventDefault();
  field.setRangeText((long.length > 1 ? long : words).join(' '), field.selectionStart, field.selectionEnd, 'end');
  for (const name of ['input', 'keyup']) field.dispatchEvent(new Event(name, {bubbles: true}));
});
