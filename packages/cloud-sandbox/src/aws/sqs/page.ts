import { invalidParameter } from './errors.ts';

/** One page of a sorted list. Paging is asked for by `MaxResults`; the token is where the next page begins. */
export function page<T>(
  items: readonly T[],
  {
    MaxResults: maximum,
    NextToken: token,
  }: { MaxResults?: number | undefined; NextToken?: string | undefined },
): { readonly items: readonly T[]; readonly nextToken: string | undefined } {
  const start = token === undefined ? 0 : Number(Buffer.from(token, 'base64').toString('utf8'));
  if (!Number.isInteger(start)) throw invalidParameter('Invalid or expired next token.');
  const end = start + (maximum ?? 1000);
  const nextToken =
    maximum !== undefined && end < items.length ? Buffer.from(String(end)).toString('base64') : undefined;
  return { items: items.slice(start, end), nextToken };
}
