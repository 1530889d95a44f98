/** The largest count up to `most` for which `holds`, if it holds for all smaller ones. 1, 2, 4 and so on are tried first. */
export function largestCount(most: number, holds: (count: number) => boolean): number {
  let low = 0;
  let high = 1;
  while (high <= most && holds(high)) {
    low = high;
    high = high < most ? Math.min(2 * high, most) : most + 1;
  }
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}
