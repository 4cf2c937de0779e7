// A generator of random numbers, the same in every browser.
export function randomOf(seed) {
  let state = (seed * 2654435761) >>> 0 || 1;
  const below = (limit) => {  // xorshift
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
  const pick = (list) => list[below(list.length)];
  return {below, pick, isOneOf: (count) => below(count) === 0};
}
