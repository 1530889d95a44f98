import type { HoldChange } from '../../shared/capacity/holds/change-holds.ts';
import type { Hold, HoldReading } from '../../shared/capacity/holds/hold.ts';
import type { HoldState } from '../../shared/capacity/holds/hold-state.ts';
import { type AccessFlags, usesScaleApi } from '../access/flags.ts';
import type { CliContext } from '../context.ts';
import type { HoldEnd } from './until.ts';

export interface HoldWish extends Pick<Hold, 'autoScalingGroupName' | 'name' | 'nodes' | 'raiseMaxSize'> {
  readonly end: HoldEnd;
}

export type HoldPlace = Pick<Hold, 'autoScalingGroupName' | 'name'>;

/** A dry run answers the same and changes nothing. */
export interface ChangeOptions {
  readonly dryRun: boolean;
}

export type ListedHold =
  | ({ readonly hold: Hold } & HoldState)
  | ({ readonly state: 'unreadable'; readonly reason: string } & Omit<
      Extract<HoldReading, { kind: 'unreadable' }>,
      'kind' | 'why'
    >);

/** The holds of a cluster, by whichever way they are reached. */
export interface Holds {
  /** Those of a group, or of every group. */
  list(group: string | undefined): Promise<readonly ListedHold[]>;
  stateOf(place: HoldPlace): Promise<HoldState>;
  create(wish: HoldWish, options: ChangeOptions): Promise<HoldChange>;
  extend(place: HoldPlace, end: HoldEnd, options: ChangeOptions): Promise<HoldChange>;
  /** Resolves with the schedule that made the hold, if one did. */
  end(
    place: HoldPlace,
    options: ChangeOptions,
  ): Promise<{ readonly kind: HoldChange['kind']; readonly schedule?: string | undefined }>;
}

/** The holds that the flags mean. */
export async function holdsOf(flags: AccessFlags, context: CliContext): Promise<Holds> {
  if (usesScaleApi(flags)) return (await import('./over-api.ts')).holdsOverApi(flags, context);
  return (await import('./direct.ts')).directHolds(flags, context);
}
