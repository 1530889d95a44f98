import type { PlannedPod } from './types.ts';

/** The pod with its shape, under which a placement keeps what it has found out about nodes. */
export function withShape({ name, ...rest }: Omit<PlannedPod, 'shape'>): PlannedPod {
  return { name, ...rest, shape: JSON.stringify(rest, plain) };
}

/** Maps and sets as lists. */
const plain = (_key: string, value: unknown): unknown =>
  value instanceof Map || value instanceof Set ? [...(value as Iterable<unknown>)] : value;
