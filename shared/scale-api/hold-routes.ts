import {
  createHold,
  endHold,
  extendHold,
  findHold,
  type HoldChange,
  type HoldStore,
  planExtension,
  planHold,
} from '../capacity/holds/change-holds.ts';
import type { Hold } from '../capacity/holds/hold.ts';
import { endAfter, refuseEnd, refuseHold } from '../capacity/holds/wish.ts';
import { makeChange } from './changes.ts';
import { holdResult, refusedHold } from './hold-results.ts';
import { viewHold } from './hold-views.ts';
import type { HttpCall, HttpResult } from './http-call.ts';
import type { Route } from './router.ts';
import { findManagedGroup, type ScaleContext } from './scale-context.ts';
import { holdExtension, holdRequest } from './schemas/hold.ts';
import { dryRunQuery } from './schemas/parameters.ts';
import { readBody, readQuery } from './validate.ts';

const onHold = '/groups/{group}/holds/{name}';

/** PUT, PATCH and DELETE of one hold. */
export const holdRoutes = (context: ScaleContext): readonly Route[] => [
  {
    method: 'PUT',
    path: onHold,
    role: 'operator',
    answer: async (call, { group: groupName, name = '' }) => {
      const { dryRun } = readQuery(call, dryRunQuery());
      const body = readBody(call, holdRequest());
      const { nodes, raiseMaxSize = false, durationSeconds } = body;
      const group = await findManagedGroup(context, groupName);
      const now = context.now();
      const hold: Hold = {
        autoScalingGroupName: group.autoScalingGroupName,
        name,
        nodes,
        until: endOf(body, now),
        raiseMaxSize,
        createdAt: now,
        ...(call.callerArn !== undefined && { by: call.callerArn.slice(0, 512) }),
      };
      const refusal = refuseHold(group, hold, { now, maxSizeLimit: context.maxSizeLimit });
      if (refusal) throw refusedHold(refusal);
      const wanted = { hold, durationSeconds };
      return await changing(context, call, {
        action: 'create hold',
        place: hold,
        after: viewHold(hold),
        dryRun: dryRun === 'true',
        plan: (store) => planHold(store, wanted),
        make: (store) => createHold(store, wanted),
      });
    },
  },
  {
    method: 'PATCH',
    path: onHold,
    role: 'operator',
    answer: async (call, { group: groupName, name = '' }) => {
      const { dryRun } = readQuery(call, dryRunQuery());
      const body = readBody(call, holdExtension());
      const { autoScalingGroupName } = await findManagedGroup(context, groupName);
      const place = { autoScalingGroupName, name };
      const now = context.now();
      const until = endOf(body, now);
      const refusal = refuseEnd(until, now);
      if (refusal) throw refusedHold(refusal);
      return await changing(context, call, {
        action: 'extend hold',
        place,
        after: { until: new Date(until).toISOString() },
        dryRun: dryRun === 'true',
        plan: (store) => planExtension(store, place, until),
        make: (store) => extendHold(store, place, until),
      });
    },
  },
  {
    method: 'DELETE',
    path: onHold,
    role: 'operator',
    answer: async (call, { group: groupName, name = '' }) => {
      const { dryRun } = readQuery(call, dryRunQuery());
      const { autoScalingGroupName } = await findManagedGroup(context, groupName);
      const place = { autoScalingGroupName, name };
      return await changing(context, call, {
        action: 'end hold',
        place,
        after: {},
        dryRun: dryRun === 'true',
        plan: async (store) => {
          const { kind } = await findHold(store, place);
          return { kind: kind === 'missing' ? kind : 'ended' };
        },
        make: (store) => endHold(store, place),
      });
    },
  },
];

/** The schemas ask for exactly one of the two. */
const endOf = (
  {
    until,
    durationSeconds = 0,
  }: { readonly until?: string | undefined; readonly durationSeconds?: number | undefined },
  now: number,
): number => (until === undefined ? endAfter(durationSeconds, now) : Date.parse(until));

type Place = Pick<Hold, 'autoScalingGroupName' | 'name'>;
type OnStore = (store: HoldStore) => Promise<HoldChange>;

async function changing(
  context: ScaleContext,
  call: HttpCall,
  change: {
    readonly action: string;
    readonly place: Place;
    readonly after: object;
    readonly dryRun: boolean;
    readonly plan: OnStore;
    readonly make: OnStore;
  },
): Promise<HttpResult> {
  const { action, place, after, dryRun, plan, make } = change;
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
