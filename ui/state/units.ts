import type { GroupView, InstanceView } from './types.ts';
import { counted } from './words.ts';

type Sized = Pick<GroupView, 'countsUnits'>;

/** How much of a desired capacity instances are: their number, or the sum of their weights; undefined where those are unknown. Pure. */
export function unitsOf({ countsUnits }: Sized, instances: readonly InstanceView[]): number | undefined {
  if (!countsUnits) return instances.length;
  return instances.reduce<number | undefined>(
    (sum, { weight }) => (sum === undefined || weight === undefined ? undefined : sum + weight),
    0,
  );
}

/** A number of instances or nodes, or of units where the sizes of the group are those. Pure. */
export const sized = ({ countsUnits }: Sized, count: number, word: string): string =>
  counted(count, countsUnits ? 'unit' : word);
