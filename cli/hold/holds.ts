import type { HoldChange } from '../../shared/capacity/holds/change-holds.ts';
import type { Hold, HoldReading } from '../../shared/capacity/holds/hold.ts';
import type { HoldState } from '../../shared/capacity/holds/hold-state.ts';
import type { PodsFound } from '../../shared/capacity/holds/pods-found.ts';
import { type AccessFlags, usesScaleApi } from '../access/flags.ts';
import type { CliContext } from '../context.ts';
import type { HoldEnd } from './until.ts';

export interface RequestedHold
  extends Pick<Hold, 'autoScalingGroupName' | 'name' | 'nodes' | 'pods' | 'raiseMaxSize' | 'set'> {
  readonly end: HoldEnd;
}

export type HoldPlace = Pick<Hold, 'autoScalingGroupName' | 'name'>;

/** A dry run has the same result and changes nothing. */
interface ChangeOptions {
  readonly dryRun: boolean;
}

export interface CreateOptions extends ChangeOptions {
  /** Whether a hold of that name that asks for something else is replaced. */
  readonly replace?: boolean;
}

export interface EndOptions extends ChangeOptions {
  /** Ends the hold only if it still belongs to this set. */
  readonly ofSet?: string;
}

export type ListedHold =
  | ({ readonly hold: Hold; readonly found?: PodsFound | undefined } & HoldState)
  | ({ readonly state: 'unreadable'; readonly reason: string } & Omit<
      Extract<HoldReading, { kind: 'unreadable' }>,
      'kind' | 'why'
    >);

/** The holds of a cluster, read and changed directly or through the scale API. */
export interface Holds {
  /** Lists the holds of a group, or of every group. */
  list(group: string | undefined): Promise<readonly ListedHold[]>;
  /** Reads what the holds of every group ask for, without their states. */
  read(): Promise<readonly HoldReading[]>;
  stateOf(place: HoldPlace): Promise<HoldState>;
  create(requested: RequestedHold, options: CreateOptions): Promise<HoldChange>;
  extend(place: HoldPlace, end: HoldEnd, options: ChangeOptions): Promise<HoldChange>;
  /** Resolves with the schedule that created the hold, if one did. A hold that is not of the set is `taken`, or `unreadable`. */
  end(
    place: HoldPlace,
    options: EndOptions,
  ): Promise<{ readonly kind: HoldChange['kind']; readonly schedule?: string | undefined }>;
}

/** Chooses the access to holds by the flags. */
export async function holdsOf(flags: AccessFlags, context: CliContext): Promise<Holds> {
  if (usesScaleApi(flags)) return (await import('./over-api.ts')).holdsOverApi(flags, context);
  return (await import('./direct.ts')).directHolds(flags, context);
}
