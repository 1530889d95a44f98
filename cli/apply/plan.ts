import { isDeepStrictEqual } from 'node:util';
import { type HoldReading, isActive, isOfSchedule } from '../../shared/capacity/holds/hold.ts';
import { type PodRequest, podRequestJson } from '../../shared/capacity/pod-holds/pod-request.ts';
import { previewOf } from '../../shared/capacity/schedules/preview.ts';
import { formatDefinition, readSchedule } from '../../shared/capacity/schedules/schedule.ts';
import type { ListedSchedule, ShownSchedule } from '../schedule/schedules.ts';
import { type Declarations, type Declared, type DeclaredSchedule, keyOf } from './declared.ts';

/** The holds and schedules of the cluster. */
export interface LiveRecords {
  readonly holds: readonly HoldReading[];
  readonly schedules: readonly ListedSchedule[];
}

export interface Difference {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** A record that a set owns and the files do not declare. */
export interface Undeclared {
  readonly kind: 'hold' | 'schedule';
  /** Empty for a schedule. */
  readonly autoScalingGroupName: string;
  readonly name: string;
  readonly set: string;
}

/**
 * - `create`, `replace`: the record is missing, or differs;
 * - `adopt`: it is as declared, and only the owner changes;
 * - `unchanged`: nothing to do;
 * - `over`: the declared end has passed, so nothing is made of it;
 * - `refuse`: nothing at all is applied while there is such a step;
 * - `prune`: the set does not declare it any more, and it is ended or deleted;
 * - `keep`: the same without `--prune`;
 * - `left`: it was to be pruned, and does not belong to the set any more since the plan was made.
 */
export type Step =
  | {
      readonly action: 'create' | 'replace' | 'adopt' | 'unchanged' | 'over';
      readonly declared: Declared;
      readonly differences: readonly Difference[];
      /** The owner before: a set, or who made it by hand. Undefined if the owner stays. */
      readonly from?: Owner | undefined;
    }
  | { readonly action: 'refuse'; readonly declared: Declared; readonly why: string }
  | { readonly action: 'prune' | 'keep' | 'left'; readonly record: Undeclared };

export type Owner = { readonly set: string } | { readonly by: string | undefined };

export interface PlanOptions {
  readonly prune: boolean;
  /** Takes over records of other sets. */
  readonly force: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** What makes the cluster as the files declare. Records of other sets, and those made by hand, are never pruned. Pure. */
export function planApply(
  { records, sets }: Declarations,
  live: LiveRecords,
  options: PlanOptions,
): readonly Step[] {
  const steps = records.map((declared) => stepFor(declared, live, options));
  // What is over counts as no longer declared: a hold that was extended by hand is pruned like any other.
  const kept = new Set(
    steps.flatMap((step) => ('declared' in step && step.action !== 'over' ? [keyOf(step.declared)] : [])),
  );
  const action = options.prune ? 'prune' : 'keep';
  const left = ownedBy(sets, live, options.now).filter((record) => !kept.has(keyOf(record)));
  return [...steps, ...left.map((record) => ({ action, record }) as const)];
}

/** Whether a step changes the cluster. */
export const isChange = ({ action }: Step): boolean =>
  action === 'create' || action === 'replace' || action === 'adopt' || action === 'prune';

function stepFor(declared: Declared, live: LiveRecords, options: PlanOptions): Step {
  if (isOver(declared, options.now)) return { action: 'over', declared, differences: [] };
  const found = liveOf(declared, live, options.now);
  if (found === undefined) return { action: 'create', declared, differences: [] };
  if ('why' in found) return { action: 'refuse', declared, why: found.why };
  if (found.isOver)
    return {
      action: 'refuse',
      declared,
      why: 'the hold of that name has just ended and is deleted within minutes: apply again then, or choose another name',
    };
  const from = ownerBefore(declared, found);
  if (from !== undefined && 'set' in from && !options.force)
    return {
      action: 'refuse',
      declared,
      why: `it belongs to set ${from.set}: remove it there, or take it over with --force-conflicts`,
    };
  const differences = differencesOf(found.asked, askedBy(declared));
  const action = differences.length > 0 ? 'replace' : from === undefined ? 'unchanged' : 'adopt';
  return { action, declared, differences, from };
}

interface Found {
  readonly asked: Asked;
  readonly isOver: boolean;
  readonly set: string | undefined;
  readonly by: string | undefined;
}

const ownerBefore = ({ set }: Declared, found: Found): Owner | undefined =>
  found.set === set ? undefined : found.set === undefined ? { by: found.by } : { set: found.set };

/** The end of a hold, or the last hold of a schedule for one time, has passed. */
function isOver(declared: Declared, now: number): boolean {
  if (declared.kind === 'hold') return declared.until <= now;
  if (!declared.expression.startsWith('at(')) return false;
  const reading = readSchedule(recordOf(declared));
  if (reading.kind === 'unreadable') return false;
  const running = now - declared.durationSeconds * 1000;
  return previewOf(reading.schedule, { now: running, leadSeconds: 0, count: 1 }).length === 0;
}

/** A declared schedule as EventBridge Scheduler keeps it. */
export const recordOf = ({ name, expression, timeZone, ...definition }: DeclaredSchedule, by?: string) => ({
  name,
  expression,
  timeZone,
  enabled: true,
  input: formatDefinition({ ...definition, ...(by !== undefined && { by }) }),
});

function liveOf(
  declared: Declared,
  { holds, schedules }: LiveRecords,
  now: number,
): Found | { readonly why: string } | undefined {
  if (declared.kind === 'schedule') {
    const found = schedules.find((one) => nameOf(one) === declared.name);
    if (found?.kind === 'unreadable')
      return { why: `the schedule of that name cannot be read (${found.why}): delete it first` };
    if (found === undefined) return undefined;
    const { set, by } = found.schedule;
    return { asked: askedBy({ kind: 'schedule', ...found.schedule }), isOver: false, set, by };
  }
  const found = holds.find((one) => keyOf({ ...holdIn(one), kind: 'hold' }) === keyOf(declared));
  if (found === undefined) return undefined;
  if (found.kind === 'unreadable')
    return { why: `the parameter of that name does not contain a hold (${found.why}): end it first` };
  const { hold } = found;
  return {
    asked: askedBy({ ...hold, kind: 'hold' }),
    isOver: !isActive(hold, now),
    set: hold.set,
    by: hold.by,
  };
}

const nameOf = (listed: ListedSchedule): string =>
  listed.kind === 'unreadable' ? listed.name : listed.schedule.name;

const holdIn = (reading: HoldReading) => (reading.kind === 'hold' ? reading.hold : reading);

/** What a record asks for, field by field, as JSON. */
type Asked = Readonly<Record<string, unknown>>;

type Asking =
  | Pick<Extract<Declared, { kind: 'hold' }>, 'kind' | 'nodes' | 'pods' | 'until' | 'raiseMaxSize'>
  | ({ readonly kind: 'schedule' } & Omit<ShownSchedule, 'paused' | 'name' | 'by' | 'set'>);

function askedBy(record: Asking): Asked {
  const asked = record.pods ? { pods: podsJson(record.pods) } : { nodes: record.nodes };
  const { raiseMaxSize } = record;
  if (record.kind === 'hold') return { ...asked, until: new Date(record.until).toISOString(), raiseMaxSize };
  const { autoScalingGroupName, expression, timeZone, durationSeconds, lead, exceptions } = record;
  const when = { expression, timeZone, durationSeconds, lead, exceptions: [...exceptions].sort() };
  return { autoScalingGroupName, ...asked, ...when, raiseMaxSize };
}

/** Without fields that are undefined, as after a parameter was read. */
const podsJson = (pods: PodRequest): unknown => JSON.parse(JSON.stringify(podRequestJson(pods)));

function differencesOf(before: Asked, after: Asked): readonly Difference[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...fields].flatMap((field) =>
    isDeepStrictEqual(before[field], after[field])
      ? []
      : [{ field, before: before[field], after: after[field] }],
  );
}

/** The records of the sets that still have an effect. */
function ownedBy(
  sets: ReadonlySet<string>,
  { holds, schedules }: LiveRecords,
  now: number,
): readonly Undeclared[] {
  return [
    ...holds.flatMap((one): readonly Undeclared[] => {
      if (one.kind === 'unreadable' || !isActive(one.hold, now) || isOfSchedule(one.hold)) return [];
      const { autoScalingGroupName, name, set } = one.hold;
      return set !== undefined && sets.has(set) ? [{ kind: 'hold', autoScalingGroupName, name, set }] : [];
    }),
    ...schedules.flatMap((one): readonly Undeclared[] => {
      if (one.kind === 'unreadable') return [];
      const { name, set } = one.schedule;
      return set !== undefined && sets.has(set)
        ? [{ kind: 'schedule', autoScalingGroupName: '', name, set }]
        : [];
    }),
  ];
}
