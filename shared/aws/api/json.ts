import type { Reader } from './shape.ts';

/** Times are seconds since the epoch (AWS JSON protocols). A scalar of another kind than was asked for is not there. */
export const jsonReader: Reader<unknown> = {
  member: (node, name) => (isObject(node) ? (node[name] ?? undefined) : undefined),
  items: (node) => (Array.isArray(node) ? node : []),
  scalar: (node, kind) => {
    if (kind === 'date') return typeof node === 'number' ? new Date(node * 1000) : undefined;
    return typeof node === typeOf[kind] ? node : undefined;
  },
};

const typeOf = { string: 'string', integer: 'number', boolean: 'boolean' } as const;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
