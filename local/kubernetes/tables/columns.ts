import { ageColumn, type Column, nameColumn } from './column.ts';

const byResource: Readonly<Record<string, readonly Column[]>> = {};

/** The columns of a resource; of one without its own: name and age. */
export function columnsOf(resource: string): readonly Column[] {
  return byResource[resource] ?? [nameColumn, ageColumn];
}
