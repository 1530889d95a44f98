import { isDeepStrictEqual } from 'node:util';
import { route53Errors } from './errors.ts';
import { keyOf, type RecordSets, type StoredSet, type Zone } from './model.ts';
import { isInZone, nameProblem } from './names.ts';
import type { ReadChange } from './record-set.ts';
import { valueProblems } from './values.ts';
import { zoneProblems } from './zone-rules.ts';

const maximumRecords = 1000;
const maximumCharacters = 32_000;

/**
 * The sets of a zone after a batch: all of its changes, one after the other, or none.
 *
 * @throws AwsError InvalidChangeBatch with everything that is wrong
 */
export function applyBatch(zone: Pick<Zone, 'name' | 'sets'>, changes: readonly ReadChange[]): RecordSets {
  refuse(sizeProblems(changes));
  refuse(repeatProblems(changes));
  const sets = new Map(zone.sets);
  refuse(changes.flatMap((change) => applyChange(sets, change, zone.name)));
  refuse(zoneProblems(sets, changes, zone.name));
  return sets;
}

function refuse(messages: readonly string[]): void {
  if (messages.length > 0) throw route53Errors.invalidBatch([...new Set(messages)]);
}

/** "When the value of the Action element is UPSERT, each ResourceRecord element is counted twice", and each character. */
function sizeProblems(changes: readonly ReadChange[]): readonly string[] {
  const weigh = (measure: (set: StoredSet) => number): number =>
    changes.reduce((sum, { action, set }) => sum + measure(set) * (action === 'UPSERT' ? 2 : 1), 0);
  if (weigh(({ values }) => Math.max(1, values.length)) > maximumRecords)
    return [`Number of records limit of ${maximumRecords} exceeded.`];
  if (weigh(({ values }) => values.join('').length) > maximumCharacters)
    return [`RDATA character limit of ${maximumCharacters} exceeded.`];
  return [];
}

/** One set may be deleted and then made again in a batch; nothing else may happen to it twice. */
function repeatProblems(changes: readonly ReadChange[]): readonly string[] {
  const actions = new Map<string, ReadChange[]>();
  for (const change of changes)
    actions.set(keyOf(change.set), [...(actions.get(keyOf(change.set)) ?? []), change]);
  return [...actions.values()].flatMap(([first, second, third]) => {
    const isReplacement = first?.action === 'DELETE' && second?.action === 'CREATE' && !third;
    return !second || isReplacement
      ? []
      : [
          `The request contains an invalid set of changes for a resource record set '${second.set.type} ${second.set.name}'`,
        ];
  });
}

function applyChange(
  sets: Map<string, StoredSet>,
  { action, set }: ReadChange,
  zoneName: string,
): readonly string[] {
  const key = keyOf(set);
  const problems = setProblems(set, zoneName);
  if (problems.length > 0) return problems;
  const standing = sets.get(key);
  const named = `resource record set [name='${set.name}', type='${set.type}'${set.setIdentifier === undefined ? '' : `, set identifier='${set.setIdentifier}'`}]`;
  if (action === 'DELETE') {
    if (standing === undefined) return [`Tried to delete ${named} but it was not found`];
    if (!isSame(standing, set))
      return [`Tried to delete ${named} but the values provided do not match the current values`];
    sets.delete(key);
    return [];
  }
  if (action === 'CREATE' && standing !== undefined)
    return [`Tried to create ${named} but it already exists`];
  sets.set(key, set);
  return [];
}

function setProblems(set: StoredSet, zoneName: string): readonly string[] {
  const problem = nameProblem(set.name);
  if (problem !== undefined) return [`FATAL problem: ${problem} encountered with '${set.name}'`];
  if (!isInZone(set.name, zoneName))
    return [`RRSet with DNS name ${set.name} is not permitted in zone ${zoneName}`];
  return valueProblems(set.type, set.values);
}

/** Values are a set: their order says nothing. */
function isSame(one: StoredSet, other: StoredSet): boolean {
  const comparable = ({ values, ...rest }: StoredSet) => ({ ...rest, values: values.toSorted() });
  return isDeepStrictEqual(comparable(one), comparable(other));
}
