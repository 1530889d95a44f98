import { createHash } from 'node:crypto';
import type { Random } from '../simulation/random.ts';

/**
 * "If a function is invoked approximately 16 times in the same chain of requests, Lambda automatically stops the next
 * invocation" (Lambda developer guide, recursive loop detection).
 */
export const maximumHops = 16;

const lineagePattern = /(?:^|;)Lineage=([^;]*)/;
const rootPattern = /(?:^|;)(Root=[^;]*)/;

const keyOf = (functionArn: string): string =>
  createHash('sha256').update(functionArn).digest('hex').slice(0, 8);

function lineageOf(traceHeader: string): Map<string, number> {
  const text = lineagePattern.exec(traceHeader)?.[1] ?? '';
  const hops = text.split('|').flatMap((part): [string, number][] => {
    const [key, count] = part.split(':');
    return key && Number.isSafeInteger(Number(count)) ? [[key, Number(count)]] : [];
  });
  return new Map(hops);
}

/** How often the function has been invoked in the chain that these trace headers belong to; the longest counts. */
export function hopsOf(traceHeaders: readonly string[], functionArn: string): number {
  return Math.max(0, ...traceHeaders.map((header) => lineageOf(header).get(keyOf(functionArn)) ?? 0));
}

/** The trace header of an invocation that these led to: theirs with one hop more. */
export function extendLineage(traceHeaders: readonly string[], functionArn: string, random: Random): string {
  const lineage = new Map<string, number>();
  for (const header of traceHeaders)
    for (const [key, count] of lineageOf(header)) lineage.set(key, Math.max(count, lineage.get(key) ?? 0));
  lineage.set(keyOf(functionArn), hopsOf(traceHeaders, functionArn) + 1);
  const [first = ''] = traceHeaders;
  const root = rootPattern.exec(first)?.[1] ?? `Root=1-${random.hex(8)}-${random.hex(24)}`;
  const hops = Array.from(lineage, ([key, count]) => `${key}:${count}`).join('|');
  return `${root};Parent=${random.hex(16)};Sampled=0;Lineage=${hops}`;
}
