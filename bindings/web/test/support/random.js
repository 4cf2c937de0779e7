// Returns a random number generator that gives the same numbers in every browser.
export function randomOf(seed) {
  let state = (seed * 2654435761) >>> 0 || 1;
  const below = (limit) => {  // xorshift: https://en.wikipedia.org/wiki/Xorshift
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
  const pick = (list) => list[below(list.length)];
  return {below, pick, isOneOf: (count) => below(count) === 0};
}
