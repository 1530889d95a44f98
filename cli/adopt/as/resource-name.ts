import { createHash } from 'node:crypto';

/** Small letters, digits and dashes before letters: two of these stay different if only letters and digits are kept. */
const plain = /^[a-z][a-z0-9]*(?:-[a-z][a-z0-9]*)*$/;

/**
 * What a resource's name needs to stay different from that of another group or role, once it is written in the letters that a tool allows:
 * `a-b` and `a_b` would be one resource, and `workers-1` and `workers1` too. Empty for usual names. Pure.
 */
export const distinction = (name: string): string =>
  plain.test(name) ? '' : createHash('sha256').update(name).digest('hex').slice(0, 8);
