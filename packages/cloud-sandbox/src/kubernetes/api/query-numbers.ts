import { badRequest } from './errors.ts';

/** A whole number of the query; undefined if it is missing. Throws 400 in Go's words. */
export function wholeNumber(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name) ?? '';
  if (text === '') return undefined;
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing "${text}": invalid syntax`);
  return Number(text);
}
