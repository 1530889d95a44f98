import type { Hold } from '../../shared/capacity/holds/hold.ts';
import type { Definition } from '../../shared/capacity/schedules/schedule.ts';

/** Where a record is declared, such as `drover.yaml:12`. */
interface At {
  readonly at: string;
  readonly set: string;
}

export interface DeclaredHold
  extends At,
    Pick<Hold, 'autoScalingGroupName' | 'name' | 'nodes' | 'pods' | 'until' | 'raiseMaxSize'> {
  readonly kind: 'hold';
}

export interface DeclaredSchedule extends At, Omit<Definition, 'by' | 'set'> {
  readonly kind: 'schedule';
  readonly name: string;
  readonly expression: string;
  readonly timeZone: string;
}

export type Declared = DeclaredHold | DeclaredSchedule;

/** What the files declare. */
export interface Declarations {
  readonly records: readonly Declared[];
  /** Every set of the files, also one that declares nothing. */
  readonly sets: ReadonlySet<string>;
  /** The clusters that documents name. */
  readonly clusters: readonly { readonly name: string; readonly at: string }[];
}

/** What makes a record distinct within a cluster. */
export const keyOf = (
  record:
    | { readonly kind: 'hold'; readonly autoScalingGroupName: string; readonly name: string }
    | { readonly kind: 'schedule'; readonly name: string },
): string =>
  record.kind === 'hold'
    ? `hold ${record.name} of ${record.autoScalingGroupName}`
    : `schedule ${record.name}`;
