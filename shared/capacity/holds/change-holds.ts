import { satisfies } from './check-hold.ts';
import type { HoldParameters } from './context.ts';
import { formatHold, type Hold, isActive, isOfSchedule, readHold } from './hold.ts';
import { canBeHoldName, type HoldPaths, holdParameterOf } from './parameters.ts';

/** The parameters of holds, and the current time. */
export interface HoldStore {
  readonly parameters: HoldParameters;
  readonly paths: HoldPaths;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * - `created`, `replaced`, `extended`, `ended`: done;
 * - `unchanged`: the hold is already as requested;
 * - `taken`: a hold of that name asks for something else;
 * - `over`: a hold of that name has just ended, and its parameter will be deleted within minutes;
 * - `unreadable`: the content of the parameter is not a hold;
 * - `missing`: there is no such hold.
 */
export type HoldChange =
  | {
      readonly kind: 'created' | 'replaced' | 'extended' | 'unchanged' | 'taken' | 'over';
      readonly hold: Hold;
    }
  | { readonly kind: 'ended' | 'unreadable' | 'missing' };

type Place = Pick<Hold, 'autoScalingGroupName' | 'name'>;

/** A requested hold. */
interface WantedHold {
  readonly hold: Hold;
  /** Given if the end was requested as a duration from now. */
  readonly durationSeconds?: number | undefined;
  /** Replaces an active hold of that name that asks for something else, or belongs to another set. */
  readonly mayReplace?: boolean | undefined;
}

/** Creates a hold. If two callers create one name at the same time, one wins; if both ask for the same, the other gets `unchanged`. */
export async function createHold(store: HoldStore, wanted: WantedHold): Promise<HoldChange> {
  const { hold } = wanted;
  if (await store.parameters.create(holdParameterOf(store.paths, hold), formatHold(hold)))
    return { kind: 'created', hold };
  const found = await findHold(store, hold);
  // If it was deleted in between, the name is free again and the caller may retry.
  if (found.kind !== 'hold') return found;
  const change = compareWith(found.hold, wanted, store);
  if (change.kind === 'replaced')
    await store.parameters.write(holdParameterOf(store.paths, hold), formatHold(change.hold));
  return change;
}

/** The result that `createHold` would have now. Changes nothing. */
export async function planHold(store: HoldStore, wanted: WantedHold): Promise<HoldChange> {
  const found = await findHold(store, wanted.hold);
  if (found.kind === 'missing') return { kind: 'created', hold: wanted.hold };
  return found.kind === 'hold' ? compareWith(found.hold, wanted, store) : found;
}

function compareWith(existing: Hold, wanted: WantedHold, { now }: Pick<HoldStore, 'now'>): HoldChange {
  if (!isActive(existing, now)) return { kind: 'over', hold: existing };
  if (satisfies(existing, wanted)) return { kind: 'unchanged', hold: existing };
  return wanted.mayReplace ? { kind: 'replaced', hold: wanted.hold } : { kind: 'taken', hold: existing };
}

/** Moves the end of a hold to a later time. A hold that has ended is not extended: a pass may be deleting it. */
export async function extendHold(store: HoldStore, place: Place, until: number): Promise<HoldChange> {
  const change = await planExtension(store, place, until);
  if (change.kind === 'extended')
    await store.parameters.write(holdParameterOf(store.paths, place), formatHold(change.hold));
  return change;
}

/** The result that `extendHold` would have now. Changes nothing. */
export async function planExtension(store: HoldStore, place: Place, until: number): Promise<HoldChange> {
  const found = await findHold(store, place);
  if (found.kind !== 'hold') return found;
  const { hold } = found;
  if (!isActive(hold, store.now)) return { kind: 'over', hold };
  return until <= hold.until ? { kind: 'unchanged', hold } : { kind: 'extended', hold: { ...hold, until } };
}

/**
 * Ends a hold immediately, even if it cannot be read. The parameter of a schedule's hold is kept until its time is over: without it, the
 * schedule would create the hold again.
 *
 * @param ofSet ends the hold only if it belongs to this set, as it is read right before; otherwise it is `taken`, or `unreadable`.
 */
export async function endHold(
  store: HoldStore,
  place: Place,
  { ofSet }: { readonly ofSet?: string | undefined } = {},
): Promise<HoldChange> {
  const parameter = holdParameterOf(store.paths, place);
  if (!canBeHoldName(place.name)) return { kind: 'missing' };
  const text = await store.parameters.read(parameter);
  if (text === undefined) return { kind: 'missing' };
  const reading = readHold(text, place);
  if (ofSet !== undefined) {
    if (reading.kind !== 'hold') return { kind: 'unreadable' };
    if (reading.hold.set !== ofSet) return { kind: 'taken', hold: reading.hold };
  }
  if (reading.kind !== 'hold' || !isOfSchedule(reading.hold)) await store.parameters.remove(parameter);
  else if (isActive(reading.hold, store.now))
    await store.parameters.write(parameter, formatHold({ ...reading.hold, endedAt: store.now }));
  return { kind: 'ended' };
}

/** Reads the hold of that name. */
export async function findHold(
  { parameters, paths }: Omit<HoldStore, 'now'>,
  place: Place,
): Promise<{ readonly kind: 'hold'; readonly hold: Hold } | { readonly kind: 'missing' | 'unreadable' }> {
  if (!canBeHoldName(place.name)) return { kind: 'missing' };
  const text = await parameters.read(holdParameterOf(paths, place));
  if (text === undefined) return { kind: 'missing' };
  const reading = readHold(text, place);
  return reading.kind === 'hold' ? reading : { kind: 'unreadable' };
}
