import { activeHolds } from '../capacity/holds/bounds.ts';
import * as holdChanges from '../capacity/holds/change-holds.ts';
import { endAfter, refuseEnd, refuseHold } from '../capacity/holds/check-hold.ts';
import type { FloorReading } from '../capacity/holds/floor-record.ts';
import type { Hold, HoldReading } from '../capacity/holds/hold.ts';
import { holdsIn, holdsOfGroup, recordsIn } from '../capacity/holds/parameters.ts';
import { isForPods } from '../capacity/holds/pod-floor.ts';
import { compactRequest, podRequestOf } from '../capacity/pod-holds/pod-request.ts';
import type { AutoScalingGroup } from '../groups/group.ts';
import {
  holdNotFound,
  holdResult,
  refusedHold,
  viewHold,
  viewHolds,
  viewPage,
  viewWithState,
} from './hold-views.ts';
import { type HttpCall, type HttpResult, json } from './http-call.ts';
import { keyBefore, pageOf } from './paging.ts';
import { pollSeconds, waitSecondsOf, waitUntil } from './polling.ts';
import { ProblemError } from './problem.ts';
import type { RouteRequest } from './router.ts';
import {
  findManagedGroup,
  findManagedGroupIfAny,
  groupNotFound,
  listManagedGroups,
  makeChange,
  readNodes,
  type ScaleContext,
} from './scale-context.ts';
import type {
  dryRunQuery,
  holdExtension,
  holdPutQuery,
  holdRequest,
  pageQuery,
  waitQuery,
} from './schemas/requests.ts';

/** The holds of every group, by group and name. */
export async function listHolds(
  context: ScaleContext,
  { query }: RouteRequest<never, typeof pageQuery>,
): Promise<HttpResult> {
  const page = pageOf(query);
  const after = keyBefore(page);
  const { parameters, paths } = context.holds();
  const [texts, groups, nodes] = await Promise.all([
    parameters.listBelow(paths.holds),
    listManagedGroups(context),
    readNodes(context),
  ]);
  const readings = holdsIn(texts, paths);
  const facts = { groups, nodes, records: await readRecords(context, readings), now: context.now() };
  return json(200, viewPage(readings, { ...facts, after, limit: page.limit }));
}

/** The holds of one group, by name. */
export async function listHoldsOfGroup(
  context: ScaleContext,
  { path, query }: RouteRequest<'group', typeof pageQuery>,
): Promise<HttpResult> {
  const page = pageOf(query);
  const after = keyBefore(page);
  const group = await findManagedGroup(context, path.group);
  const [readings, nodes] = await Promise.all([readHolds(context, group), readNodes(context)]);
  const records = await readRecords(context, readings);
  const facts = { groups: [group], nodes, records, now: context.now() };
  return json(200, viewPage(readings, { ...facts, after, limit: page.limit }));
}

async function readHolds(
  context: ScaleContext,
  { autoScalingGroupName }: Pick<AutoScalingGroup, 'autoScalingGroupName'>,
): Promise<readonly HoldReading[]> {
  const { parameters, paths } = context.holds();
  return holdsIn(await parameters.listBelow(holdsOfGroup(paths, autoScalingGroupName)), paths);
}

/** Only a hold for pods needs the records: its state is what prewarm found. */
async function readRecords(
  context: ScaleContext,
  readings: readonly HoldReading[],
): Promise<ReadonlyMap<string, FloorReading>> {
  if (!readings.some((one) => one.kind === 'hold' && isForPods(one.hold))) return new Map();
  const { parameters, paths } = context.holds();
  return recordsIn(await parameters.listBelow(paths.floors), paths);
}

/**
 * The holds of a group that are active now, for a change that makes the group smaller. A hold that cannot be read may forbid it.
 *
 * @throws ProblemError with status 409 if a hold of the group cannot be read.
 */
export async function readActiveHolds(
  context: ScaleContext,
  group: AutoScalingGroup,
): Promise<readonly Hold[]> {
  const readings = await readHolds(context, group);
  const unreadable = readings.flatMap((one) =>
    one.kind === 'unreadable' ? [`the hold ${one.name} cannot be read (${one.why})`] : [],
  );
  if (unreadable.length === 0) return activeHolds(readings, context.now());
  throw new ProblemError({
    code: 'held',
    detail: `${unreadable.join(', and ')}: end it, or write its parameter again`,
  });
}

/** One hold and its state. Waits until it is met, or for as long as the caller asks. */
export async function getHold(
  context: ScaleContext,
  { path, query }: RouteRequest<'group' | 'name', typeof waitQuery>,
): Promise<HttpResult> {
  const view = await waitUntil(context, {
    seconds: waitSecondsOf(query),
    observe: () => observeHold(context, path),
    isOver: ({ state }) => state !== 'waiting' && state !== 'unknown',
  });
  return json(200, view, view.state === 'waiting' ? { 'retry-after': String(pollSeconds) } : {});
}

/**
 * One hold and its state, as the list shows it also after its group was deleted. If it waits, the reason says why the newest launch failed.
 *
 * @throws ProblemError with status 404.
 */
async function observeHold(
  context: ScaleContext,
  { group: groupName, name }: RouteRequest<'group' | 'name'>['path'],
): Promise<ReturnType<typeof viewHolds>[number]> {
  const group = await findManagedGroupIfAny(context, groupName);
  const [all, nodes] = await Promise.all([
    readHolds(context, { autoScalingGroupName: groupName }),
    readNodes(context),
  ]);
  const readings = all.filter((one) => (one.kind === 'hold' ? one.hold : one).name === name);
  const facts = { nodes, records: await readRecords(context, readings), now: context.now() };
  const [view] = viewHolds(readings, { groups: group ? [group] : [], ...facts });
  if (view === undefined) throw group ? holdNotFound() : groupNotFound(context);
  const [reading] = readings;
  if (view.state !== 'waiting' || !group || reading?.kind !== 'hold') return view;
  const failedLaunch = await context.groups.readFailedLaunch(group.autoScalingGroupName);
  return viewWithState(reading.hold, { ...facts, group, failedLaunch });
}

/** Makes a hold, replaces it if the caller allows it, or finds that it already exists. */
export async function createHold(
  context: ScaleContext,
  { call, path, query, body }: RouteRequest<'group' | 'name', typeof holdPutQuery, typeof holdRequest>,
): Promise<HttpResult> {
  const { nodes = 0, durationSeconds, raiseMaxSize = false, set } = body;
  const group = await findManagedGroup(context, path.group);
  const now = context.now();
  const hold: Hold = {
    autoScalingGroupName: group.autoScalingGroupName,
    name: path.name,
    nodes,
    ...(body.pods && { pods: compactRequest(podRequestOf(body.pods)) }),
    until: endOf(body, now),
    raiseMaxSize,
    createdAt: now,
    ...(call.callerArn !== undefined && { by: call.callerArn.slice(0, 512) }),
    ...(set !== undefined && { set }),
  };
  const refusal = refuseHold(group, hold, { now, maxSizeLimit: context.maxSizeLimit });
  if (refusal) throw refusedHold(refusal);
  const wanted = { hold, durationSeconds, mayReplace: query.replace === 'true' };
  return await change(context, call, {
    action: 'create hold',
    place: hold,
    after: viewHold(hold),
    dryRun: query.dryRun === 'true',
    plan: (store) => holdChanges.planHold(store, wanted),
    make: (store) => holdChanges.createHold(store, wanted),
  });
}

/** Moves the end of a hold to a later time. */
export async function extendHold(
  context: ScaleContext,
  { call, path, query, body }: RouteRequest<'group' | 'name', typeof dryRunQuery, typeof holdExtension>,
): Promise<HttpResult> {
  const { autoScalingGroupName } = await findManagedGroup(context, path.group);
  const place = { autoScalingGroupName, name: path.name };
  const now = context.now();
  const until = endOf(body, now);
  const refusal = refuseEnd(until, now);
  if (refusal) throw refusedHold(refusal);
  return await change(context, call, {
    action: 'extend hold',
    place,
    after: { until: new Date(until).toISOString() },
    dryRun: query.dryRun === 'true',
    plan: (store) => holdChanges.planExtension(store, place, until),
    make: (store) => holdChanges.extendHold(store, place, until),
  });
}

/** Ends a hold at once, also one whose group was deleted: the path of its parameter is that of this cluster. */
export async function endHold(
  context: ScaleContext,
  { call, path, query }: RouteRequest<'group' | 'name', typeof dryRunQuery>,
): Promise<HttpResult> {
  const group = await findManagedGroupIfAny(context, path.group);
  const place = { autoScalingGroupName: path.group, name: path.name };
  if (!group && (await holdChanges.findHold(context.holds(), place)).kind === 'missing')
    throw groupNotFound(context);
  return await change(context, call, {
    action: 'end hold',
    place,
    after: {},
    dryRun: query.dryRun === 'true',
    plan: async (store) => {
      const { kind } = await holdChanges.findHold(store, place);
      return { kind: kind === 'missing' ? kind : 'ended' };
    },
    make: (store) => holdChanges.endHold(store, place),
  });
}

/** The schemas require exactly one of the two. */
const endOf = (
  {
    until,
    durationSeconds = 0,
  }: { readonly until?: string | undefined; readonly durationSeconds?: number | undefined },
  now: number,
): number => (until === undefined ? endAfter(durationSeconds, now) : Date.parse(until));

type OnStore = (store: holdChanges.HoldStore) => Promise<holdChanges.HoldChange>;

async function change(
  context: ScaleContext,
  call: HttpCall,
  {
    action,
    place,
    after,
    dryRun,
    plan,
    make,
  }: {
    readonly action: string;
    readonly place: Pick<Hold, 'autoScalingGroupName' | 'name'>;
    readonly after: object;
    readonly dryRun: boolean;
    readonly plan: OnStore;
    readonly make: OnStore;
  },
): Promise<HttpResult> {
  const store = { ...context.holds(), now: context.now() };
  if (dryRun) return holdResult(await plan(store), { dryRun });
  const changed = await makeChange(context, call, {
    action,
    subject: `${place.autoScalingGroupName} ${place.name}`,
    before: {},
    after,
    make: () => make(store),
  });
  return holdResult(changed);
}
