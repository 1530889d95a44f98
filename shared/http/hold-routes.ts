import {
  createHold,
  endHold,
  extendHold,
  type HoldChange,
  type HoldStore,
} from '../capacity/holds/change-holds.ts';
import type { Hold } from '../capacity/holds/hold.ts';
import { type HoldRefusal, refuseEnd, refuseHold } from '../capacity/holds/wish.ts';
import { makeChange } from './changes.ts';
import { holdNotFound } from './find-hold.ts';
import { viewHold } from './hold-views.ts';
import type { HttpCall, HttpResult } from './http-call.ts';
import { json, noContent } from './json-result.ts';
import { type ProblemCode, ProblemError } from './problem.ts';
import type { Route } from './router.ts';
import { findManagedGroup, type ScaleContext } from './scale-context.ts';
import { capacityRequestQuery } from './schemas/capacity-request.ts';
import { holdExtension, holdRequest } from './schemas/hold.ts';
import { noQuery } from './schemas/parameters.ts';
import { readBody, readQuery } from './validate.ts';

const onHold = '/groups/{group}/holds/{name}';

/** PUT, PATCH and DELETE of one hold. */
export const holdRoutes = (context: ScaleContext): readonly Route[] => [
  {
    method: 'PUT',
    path: onHold,
    role: 'operator',
    answer: async (call, { group: groupName, name = '' }) => {
      const { dryRun } = readQuery(call, capacityRequestQuery());
      const { nodes, until, raiseMaxSize = false } = readBody(call, holdRequest());
      const group = await findManagedGroup(context, groupName);
      const now = context.now();
      const hold: Hold = {
        autoScalingGroupName: group.autoScalingGroupName,
        name,
        nodes,
        until: Date.parse(until),
        raiseMaxSize,
        createdAt: now,
        ...(call.callerArn !== undefined && { by: call.callerArn.slice(0, 512) }),
      };
      const refusal = refuseHold(group, hold, { now, maxSizeLimit: context.maxSizeLimit });
      if (refusal) throw refusedHold(refusal);
      if (dryRun === 'true') return json(200, viewHold(hold));
      return await changing(context, call, {
        action: 'create hold',
        place: hold,
        after: viewHold(hold),
        make: (store) => createHold(store, hold),
      });
    },
  },
  {
    method: 'PATCH',
    path: onHold,
    role: 'operator',
    answer: async (call, { group: groupName, name = '' }) => {
      readQuery(call, noQuery());
      const { until } = readBody(call, holdExtension());
      const { autoScalingGroupName } = await findManagedGroup(context, groupName);
      const place = { autoScalingGroupName, name };
      const refusal = refuseEnd(Date.parse(until), context.now());
      if (refusal) throw refusedHold(refusal);
      return await changing(context, call, {
        action: 'extend hold',
        place,
        after: { until },
        make: (store) => extendHold(store, place, Date.parse(until)),
      });
    },
  },
  {
    method: 'DELETE',
    path: onHold,
    role: 'operator',
    answer: async (call, { group: groupName, name = '' }) => {
      readQuery(call, noQuery());
      const { autoScalingGroupName } = await findManagedGroup(context, groupName);
      const place = { autoScalingGroupName, name };
      return await changing(context, call, {
        action: 'end hold',
        place,
        after: {},
        make: (store) => endHold(store, place),
      });
    },
  },
];

type Place = Pick<Hold, 'autoScalingGroupName' | 'name'>;

async function changing(
  context: ScaleContext,
  call: HttpCall,
  change: {
    readonly action: string;
    readonly place: Place;
    readonly after: object;
    readonly make: (store: HoldStore) => Promise<HoldChange>;
  },
): Promise<HttpResult> {
  const { action, place, after, make } = change;
  const changed = await makeChange(context, call, {
    action,
    subject: `${place.autoScalingGroupName} ${place.name}`,
    before: {},
    after,
    make: () => make({ ...context.holds(), now: context.now() }),
  });
  return resultOf(changed);
}

/** @throws ProblemError for a change that was not made. */
function resultOf(change: HoldChange): HttpResult {
  switch (change.kind) {
    case 'created':
      return json(201, viewHold(change.hold));
    case 'extended':
    case 'unchanged':
      return json(200, viewHold(change.hold));
    case 'ended':
      return noContent();
    case 'taken':
      throw new ProblemError({
        code: 'hold-taken',
        detail: `that name stands for ${change.hold.nodes} nodes until ${new Date(change.hold.until).toISOString()}: extend it, end it, or choose another name`,
      });
    case 'over':
      throw new ProblemError({
        code: 'hold-over',
        detail: 'the hold of that name has ended, and is put away within minutes: choose another name',
      });
    case 'unreadable':
      throw new ProblemError({
        code: 'hold-taken',
        detail: 'the parameter of that name holds something else than a hold: DELETE removes it',
      });
    case 'missing':
      throw holdNotFound();
  }
}

const refusals: Readonly<Record<HoldRefusal['cause'], ProblemCode>> = {
  invalid: 'invalid-hold',
  etcd: 'etcd-group',
  'out-of-bounds': 'capacity-out-of-bounds',
};

const refusedHold = ({ cause, reason }: HoldRefusal): ProblemError =>
  new ProblemError({ code: refusals[cause], detail: reason });
