/** The share of a list that a variable names: `NAME=1/4` is the second of four, each n-th item of it; absent: the whole list. */
export function shareOf<T>(variable: string, items: readonly T[]): readonly T[] {
  const [share = 0, shares = 1] = (process.env[variable] ?? '0/1').split('/').map(Number);
  return items.filter((_item, index) => index % shares === share);
}
