import { isDeepStrictEqual } from 'node:util';
import { type HoldParameters, HoldParametersError } from '../capacity/holds/context.ts';
import {
  askParameterOf,
  formatRoll,
  mostRollBytes,
  type Roll,
  type RollGroup,
  type RollPaths,
  readRoll,
  seenParameterOf,
} from './roll.ts';
import {
  hasEnded,
  type RollState,
  rollStateOf,
  rollsIn,
  rollWith,
  type StoredRoll,
  storedRoll,
} from './rolls-in.ts';

/** A parameter as it was read. */
export interface VersionedText {
  readonly text: string;
  /** The first is 1, and each write adds one. */
  readonly version: number;
}

/** Parameter Store, as rolls use it. */
export interface RollParameters extends HoldParameters {
  readVersion(name: string): Promise<VersionedText | undefined>;
  /** Replaces the version that was read. False if another caller was faster: then what that caller has written is there. */
  replace(name: string, text: string, read: VersionedText): Promise<boolean>;
}

/** The parameters of rolls. Its methods reject with a HoldParametersError if Parameter Store refuses or does not respond. */
export interface RollStore {
  readonly parameters: RollParameters;
  readonly paths: RollPaths;
}

/** All rolls of the cluster by name, with those that have ended lately. */
export const readRolls = async ({ parameters, paths }: RollStore): Promise<readonly StoredRoll[]> =>
  rollsIn(await parameters.listBelow(paths.rolls), paths);

/** The roll of this name; undefined if there is none. */
export async function findRoll(
  { parameters, paths }: RollStore,
  name: string,
): Promise<StoredRoll | undefined> {
  return rollsIn(await parameters.listBelow(`${paths.rolls}/${name}`), paths)[0];
}

/**
 * - `begun`: done;
 * - `taken`: a roll of that name has not ended;
 * - `too-long`: it names more groups or instances than a parameter holds;
 * - `invalid`: no pass would understand it.
 */
export type BeginResult =
  | { readonly kind: 'begun' }
  | { readonly kind: 'too-long' }
  | { readonly kind: 'invalid'; readonly why: string }
  | { readonly kind: 'taken'; readonly stored: StoredRoll };

/** Someone who is faster three times in a row is a program. */
const mostTries = 3;

/**
 * Begins a roll. One that has ended gives its name free. If two callers begin one name at the same time, also that of a roll that has ended, one
 * of them finds it taken.
 *
 * @throws HoldParametersError also if the parameter is another one at each try.
 */
export async function beginRoll(store: RollStore, roll: Roll): Promise<BeginResult> {
  const text = formatRoll(roll);
  if (Buffer.byteLength(text) > mostRollBytes) return { kind: 'too-long' };
  const reading = readRoll(text, roll.name);
  if (reading.kind === 'unreadable') return { kind: 'invalid', why: reading.why };
  const { parameters, paths } = store;
  const parameter = askParameterOf(paths, roll.name);
  for (let tries = 0; tries < mostTries; tries += 1) {
    const before = await parameters.readVersion(parameter);
    if (before === undefined) {
      if (await parameters.create(parameter, text)) return { kind: 'begun' };
      continue;
    }
    // The SDK has repeated a call whose answer was lost, and heard that the parameter exists.
    if (before.text === text) return { kind: 'begun' };
    // A list may be older than what was read by name, so only the text of this version says whether its roll has ended.
    const seen = await parameters.read(seenParameterOf(paths, roll.name));
    const stored = storedRoll(roll.name, before.text, seen);
    if (!hasEnded(stored)) return { kind: 'taken', stored };
    if (await parameters.replace(parameter, text, before)) return { kind: 'begun' };
  }
  throw new HoldParametersError('unavailable', `parameter ${parameter} changes at this moment: ask again`, {
    cause: undefined,
  });
}

/** What people ask of a roll that has begun. */
export type Asked =
  | { readonly kind: 'pause' | 'resume' | 'abort' }
  /** Begins again with what the groups launch now. */
  | {
      readonly kind: 'retarget';
      readonly groups: readonly RollGroup[];
      /** When the newest of their instances was launched, in epoch milliseconds. */
      readonly newestLaunch?: number;
    };

interface Refused {
  readonly kind: 'refused';
  /** A clause for people. */
  readonly why: string;
}

type Accepted =
  | { readonly kind: 'changed'; readonly roll: Roll }
  /** It is so already. */
  | { readonly kind: 'unchanged'; readonly why: string };

export type RollChange = Accepted | Refused;

interface Known {
  /** Epoch milliseconds. */
  readonly now: number;
  /** All rolls of the cluster. */
  readonly rolls: readonly StoredRoll[];
}

/** What a roll becomes if people ask this of it. Pure. */
export function planChange(stored: StoredRoll, asked: Asked, { now, rolls }: Known): RollChange {
  const { ask } = stored;
  const { state, reason } = rollStateOf(stored);
  if (ask.kind === 'unreadable') return { kind: 'refused', why: `its parameter cannot be read: ${ask.why}` };
  const roll = ask.value;
  if (state === 'done' || state === 'aborted')
    return asked.kind === 'abort'
      ? { kind: 'unchanged', why: `it has ended: ${reason}` }
      : { kind: 'refused', why: `it has ended: ${reason}` };
  if (asked.kind === 'abort')
    return state === 'aborting'
      ? { kind: 'unchanged', why: 'it is being aborted' }
      : { kind: 'changed', roll: { ...roll, wanted: 'aborted' } };
  if (state === 'aborting') return { kind: 'refused', why: 'it is being aborted' };
  if (asked.kind === 'pause') {
    if (state === 'stopped') return { kind: 'refused', why: `it has stopped: ${reason}` };
    return roll.wanted === 'paused'
      ? { kind: 'unchanged', why: 'it is paused' }
      : { kind: 'changed', roll: { ...roll, wanted: 'paused' } };
  }
  const other = roll.groups
    .map(({ autoScalingGroupName }) => rollWith(autoScalingGroupName, rolls))
    .find((name) => name !== undefined && name !== roll.name);
  if (other !== undefined) return { kind: 'refused', why: `roll ${other} replaces nodes of its groups now` };
  const { resumedAt: _, ...rest } = roll;
  if (
    asked.kind === 'retarget' &&
    isRunning(roll, state, now) &&
    isDeepStrictEqual(asked.groups, roll.groups)
  )
    return { kind: 'unchanged', why: 'it runs with what its groups launch now' };
  if (asked.kind === 'retarget') {
    const { groups, newestLaunch = 0 } = asked;
    // The nodes that it has launched until now may be of the former template, and this clock may be slow.
    const startedAt = Math.max(now, roll.startedAt + 1, newestLaunch + 1);
    return { kind: 'changed', roll: { ...rest, groups, startedAt, wanted: 'run' } };
  }
  // The clock of this computer may be behind that of the pass.
  if (state === 'stopped')
    return {
      kind: 'changed',
      roll: { ...roll, wanted: 'run', resumedAt: Math.max(now, (stored.seen?.since ?? 0) + 1) },
    };
  if (roll.wanted === 'paused') return { kind: 'changed', roll: { ...roll, wanted: 'run' } };
  return state === 'paused'
    ? {
        kind: 'refused',
        why: `it has paused by itself, and goes on once the cause is over (${reason}); --retarget begins again with what its groups launch now`,
      }
    : { kind: 'unchanged', why: 'it runs' };
}

/** A request that is repeated may come in the same second. */
const sameSecondMilliseconds = 1000;

/** Not if it waits because the clock of the computer that asked for it was ahead: asked again, it begins at once. */
const isRunning = (
  { wanted, startedAt, resumedAt = 0 }: Roll,
  state: RollState['state'],
  now: number,
): boolean =>
  wanted === 'run' &&
  (state === 'starting' || state === 'running') &&
  Math.max(startedAt, resumedAt) <= now + sameSecondMilliseconds;

/** The result of a change, and the roll before it; or there is no such roll. */
export type ChangeResult =
  | (Accepted & { readonly asked: Asked; readonly stored: StoredRoll })
  | Refused
  | { readonly kind: 'missing' };

export interface ChangeRequest {
  readonly name: string;
  /** What is asked of the roll as it was read. */
  readonly ask: (stored: StoredRoll) => Promise<Asked>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Has the change written, or not in a dry run. False if someone else was faster, as `write` resolves. */
  readonly make?: (
    changed: Extract<ChangeResult, { readonly kind: 'changed' }>,
    write: () => Promise<boolean>,
  ) => Promise<boolean>;
}

/**
 * Changes a roll. Only what was planned on is replaced: if someone else changes the roll meanwhile, a change of that is planned. Resolves
 * with `refused` if others were faster each time.
 */
export async function changeRoll(store: RollStore, request: ChangeRequest): Promise<ChangeResult> {
  const { parameters, paths } = store;
  const { name, ask, now, make = (_, write) => write() } = request;
  const parameter = askParameterOf(paths, name);
  for (let plans = 0; plans < mostTries; plans += 1) {
    const read = await parameters.readVersion(parameter);
    if (read === undefined) return { kind: 'missing' };
    const seen = await parameters.read(seenParameterOf(paths, name));
    const stored = storedRoll(name, read.text, seen);
    const asked = await ask(stored);
    // What the groups launch takes seconds to read. Not to overwrite an abort, even for a moment, is worth a call.
    if (asked.kind === 'retarget' && (await parameters.readVersion(parameter))?.version !== read.version)
      continue;
    const change = planChange(stored, asked, { now: now(), rolls: await readRolls(store) });
    if (change.kind === 'refused') return change;
    const result = { ...change, asked, stored };
    if (result.kind === 'unchanged') return result;
    if (await make(result, () => parameters.replace(parameter, formatRoll(result.roll), read))) return result;
  }
  return { kind: 'refused', why: 'others change it at this moment: ask again' };
}
