import {
  askParameterOf,
  type Reading,
  type Roll,
  type RollPaths,
  type RollSeen,
  readRoll,
  readSeen,
  rollNamePattern,
  seenParameterOf,
} from './roll.ts';

/** A roll as its parameters show it. */
export interface StoredRoll {
  readonly name: string;
  readonly ask: Reading<Roll>;
  /** Undefined until a pass has seen this roll. That of an earlier roll of the same name does not count. */
  readonly seen?: RollSeen;
}

/** The rolls among the parameters below `rolls`, by name. One with a name that no roll may have cannot be read. Pure. */
export function rollsIn(texts: ReadonlyMap<string, string>, paths: RollPaths): readonly StoredRoll[] {
  const names = [...texts.keys()].flatMap((parameter) => {
    const name = parameter.slice(paths.rolls.length + 1).split('/')[0] ?? '';
    return parameter === askParameterOf(paths, name) ? name : [];
  });
  return names.toSorted().flatMap((name) => {
    const ask = texts.get(askParameterOf(paths, name));
    return ask === undefined ? [] : storedRoll(name, ask, texts.get(seenParameterOf(paths, name)));
  });
}

/** Such a parameter was not written by a command of this version. */
const misnamed: Reading<Roll> = {
  kind: 'unreadable',
  why: 'its name cannot be the value of a taint: delete its parameters',
};

/** A roll of this name with the texts of its parameters. Pure. */
export function storedRoll(name: string, askText: string, seenText: string | undefined): StoredRoll {
  const ask = rollNamePattern.test(name) ? readRoll(askText, name) : misnamed;
  const seen = seenText === undefined ? undefined : readSeen(seenText);
  const isOfThis =
    ask.kind === 'read' && seen?.kind === 'read' && seen.value.startedAt === ask.value.startedAt;
  return { name, ask, ...(isOfThis && { seen: seen.value }) };
}

/**
 * Whether nothing is done for the roll any more. A roll that was stopped may be asked to continue; one that cannot be read may not have ended.
 * Pure.
 */
export function hasEnded({ ask, seen }: StoredRoll): boolean {
  if (seen === undefined) return false;
  if (seen.state !== 'stopped') return seen.state === 'done' || seen.state === 'aborted';
  return !(ask.kind === 'read' && (ask.value.resumedAt ?? 0) > seen.since);
}

/** The name of a roll that has not ended and has this group. Pure. */
export const rollWith = (autoScalingGroupName: string, rolls: readonly StoredRoll[]): string | undefined =>
  rolls.find(
    (one) =>
      !hasEnded(one) &&
      one.ask.kind === 'read' &&
      one.ask.value.groups.some((group) => group.autoScalingGroupName === autoScalingGroupName),
  )?.name;

/** What people call the state of a roll, and why it is in it. */
export interface RollState {
  readonly state: RollSeen['state'] | 'starting' | 'pausing' | 'resuming' | 'aborting' | 'unreadable';
  readonly reason: string;
  /** Epoch milliseconds. */
  readonly since?: number;
}

/** The state of a roll: what the newest pass has said, unless people have asked for something else since. Pure. */
export function rollStateOf(stored: StoredRoll): RollState {
  const { ask, seen } = stored;
  if (ask.kind === 'unreadable') return { state: 'unreadable', reason: ask.why };
  if (seen !== undefined && hasEnded(stored)) return seen;
  const { wanted, startedAt } = ask.value;
  if (wanted === 'aborted') {
    const last = seen === undefined ? '' : `; the last pass: ${seen.reason}`;
    return { state: 'aborting', reason: `it ends once no node has a taint or a mark of it${last}` };
  }
  if (seen === undefined) return { state: 'starting', reason: 'no pass has seen it yet', since: startedAt };
  if (wanted === 'paused' && seen.state !== 'paused')
    return { state: 'pausing', reason: 'no further node is replaced' };
  if (seen.state === 'stopped') return { state: 'resuming', reason: 'no pass has seen that yet' };
  return seen;
}
