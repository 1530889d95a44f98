import { AwsError } from './service.ts';

export interface Page<T> {
  readonly items: T[];
  readonly nextToken?: string;
}

export interface PageRequest {
  readonly nextToken: string | undefined;
  readonly size: number;
  /** What the service says to a token that it did not give. */
  readonly invalidToken: () => AwsError;
}

/** One page of a list. The token names the position, so that a list that shrinks in between ends and never repeats. */
export function page<T>(items: readonly T[], { nextToken, size, invalidToken }: PageRequest): Page<T> {
  const start = nextToken === undefined ? 0 : decode(nextToken, invalidToken);
  const end = start + size;
  const found = items.slice(start, end);
  return end < items.length ? { items: found, nextToken: encode(end) } : { items: found };
}

function encode(position: number): string {
  return Buffer.from(`position:${position}`).toString('base64url');
}

function decode(token: string, invalidToken: () => AwsError): number {
  const match = /^position:(\d+)$/.exec(Buffer.from(token, 'base64url').toString('utf8'));
  if (match?.[1] === undefined) throw invalidToken();
  return Number(match[1]);
}

/** A size between 1 and the maximum; the default if none is given. */
export function pageSize(asked: number | undefined, limits: { default: number; maximum: number }): number {
  return Math.max(1, Math.min(asked ?? limits.default, limits.maximum));
}
