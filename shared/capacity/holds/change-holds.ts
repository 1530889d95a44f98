import { standsFor } from './check-hold.ts';
import type { HoldParameters } from './context.ts';
import { formatHold, type Hold, isActive, isOfSchedule, readHold } from './hold.ts';
import { canBeHoldName, type HoldPaths, holdParameterOf } from './parameters.ts';

/** Where holds are kept, and what time it is. */
export interface HoldStore {
  readonly parameters: HoldParameters;
  readonly paths: HoldPaths;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * - `created`, `extended`, `ended`: done;
 * - `unchanged`: the hold is as asked for already;
 * - `taken`: a hold of that name asks for something else;
 * - `over`: a hold of that name has just ended, and its parameter is deleted within minutes;
 * - `unreadable`: the parameter holds something that is no hold;
 * - `missing`: there is no such hold.
 */
export type HoldChange =
  | { readonly kind: 'created' | 'extended' | 'unchanged' | 'taken' | 'over'; readonly hold: Hold }
  | { readonly kind: 'ended' | 'unreadable' | 'missing' };

type Place = Pick<Hold, 'autoScalingGroupName' | 'name'>;

/** A hold that is wanted. */
interface WantedHold {
  readonly hold: Hold;
  /** Where its end counts from now. */
  readonly durationSeconds?: number | undefined;
}

/** Makes a hold. Of two that make one name at once, one wins; where both ask for the same, both are told so. */
export async function createHold(store: HoldStore, wanted: WantedHold): Promise<HoldChange> {
  const { hold } = wanted;
  if (await store.parameters.create(holdParameterOf(store.paths, hold), formatHold(hold)))
    return { kind: 'created', hold };
  const found = await findHold(store, hold);
  // It was deleted in between: the name is free again, and the caller may ask once more.
  return found.kind === 'hold' ? beside(found.hold, wanted, store) : found;
}

/** What `createHold` would answer now; changes nothing. */
export async function planHold(store: HoldStore, wanted: WantedHold): Promise<HoldChange> {
  const found = await findHold(store, wanted.hold);
  if (found.kind === 'missing') return { kind: 'created', hold: wanted.hold };
  return found.kind === 'hold' ? beside(found.hold, wanted, store) : found;
}

function beside(standing: Hold, wanted: WantedHold, { now }: Pick<HoldStore, 'now'>): HoldChange {
  if (!isActive(standing, now)) return { kind: 'over', hold: standing };
  return { kind: standsFor(standing, wanted) ? 'unchanged' : 'taken', hold: standing };
}

/** Moves the end of a hold to a later time. One that has ended stays so: a pass may be deleting it. */
export async function extendHold(store: HoldStore, place: Place, until: number): Promise<HoldChange> {
  const change = await planExtension(store, place, until);
  if (change.kind === 'extended')
    await store.parameters.write(holdParameterOf(store.paths, place), formatHold(change.hold));
  return change;
}

/** What `extendHold` would answer now; changes nothing. */
export async function planExtension(store: HoldStore, place: Place, until: number): Promise<HoldChange> {
  const found = await findHold(store, place);
  if (found.kind !== 'hold') return found;
  const { hold } = found;
  if (!isActive(hold, store.now)) return { kind: 'over', hold };
  return until <= hold.until ? { kind: 'unchanged', hold } : { kind: 'extended', hold: { ...hold, until } };
}

/**
 * Ends a hold at once, also one that cannot be read. That of a schedule keeps its parameter until its time is over: without it, the
 * schedule would make the hold again.
 */
export async function endHold(store: HoldStore, place: Place): Promise<HoldChange> {
  const parameter = holdParameterOf(store.paths, place);
  if (!canBeHoldName(place.name)) return { kind: 'missing' };
  const text = await store.parameters.read(parameter);
  if (text === undefined) return { kind: 'missing' };
  const reading = readHold(text, place);
  if (reading.kind !== 'hold' || !isOfSchedule(reading.hold)) await store.parameters.remove(parameter);
  else if (isActive(reading.hold, store.now))
    await store.parameters.write(parameter, formatHold({ ...reading.hold, endedAt: store.now }));
  return { kind: 'ended' };
}

/** The hold of that name. */
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
