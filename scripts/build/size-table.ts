import Table from 'cli-table3';
import type { BuiltFunction } from './functions.ts';

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} KB`;

/** How large each function is, and which file takes the most of it. */
export function sizeTable(functions: readonly BuiltFunction[]): string {
  const table = new Table({
    head: ['function', 'bundle', 'zip', 'largest part'],
    colAligns: ['left', 'right', 'right', 'left'],
    style: { head: [], border: [] },
  });
  for (const { functionName, bundleBytes, zipBytes, inputs } of functions) {
    const [largest] = inputs;
    const part = largest
      ? `${kilobytes(largest.bytes)} ${largest.path.replace('node_modules/', '')}`
      : 'nothing';
    table.push([functionName, kilobytes(bundleBytes), kilobytes(zipBytes), part]);
  }
  return table.toString();
}
