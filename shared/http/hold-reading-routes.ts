import { holdsOfGroup } from '../capacity/holds/parameter-names.ts';
import { holdsIn } from '../capacity/holds/read-holds.ts';
import { observeNodes } from '../capacity/observed-nodes.ts';
import { findHold } from './find-hold.ts';
import { viewHolds } from './hold-views.ts';
import { json } from './json-result.ts';
import { pollSeconds } from './poll-seconds.ts';
import type { Route } from './router.ts';
import { findManagedGroup, listManagedGroups, type ScaleContext } from './scale-context.ts';
import { noQuery, waitQuery, waitSecondsOf } from './schemas/parameters.ts';
import { readQuery } from './validate.ts';
import { waitUntil } from './wait.ts';

/** GET of the holds of all groups, of one group, and of one hold. */
export const holdReadingRoutes = (context: ScaleContext): readonly Route[] => [
  {
    method: 'GET',
    path: '/holds',
    role: 'viewer',
    answer: async (call) => {
      readQuery(call, noQuery());
      const { parameters, paths } = context.holds();
      const [texts, groups, nodes] = await Promise.all([
        parameters.listBelow(paths.holds),
        listManagedGroups(context),
        observeNodes(context.cluster, context.onClusterFailure),
      ]);
      return json(200, { holds: viewHolds(holdsIn(texts, paths), { groups, nodes, now: context.now() }) });
    },
  },
  {
    method: 'GET',
    path: '/groups/{group}/holds',
    role: 'viewer',
    answer: async (call, { group: groupName }) => {
      readQuery(call, noQuery());
      const group = await findManagedGroup(context, groupName);
      const { parameters, paths } = context.holds();
      const [texts, nodes] = await Promise.all([
        parameters.listBelow(holdsOfGroup(paths, group.autoScalingGroupName)),
        observeNodes(context.cluster, context.onClusterFailure),
      ]);
      const facts = { groups: [group], nodes, now: context.now() };
      return json(200, { holds: viewHolds(holdsIn(texts, paths), facts) });
    },
  },
  {
    method: 'GET',
    path: '/groups/{group}/holds/{name}',
    role: 'viewer',
    answer: async (call, { group, name = '' }) => {
      const seconds = waitSecondsOf(readQuery(call, waitQuery()));
      const view = await waitUntil(context, {
        seconds,
        look: () => findHold(context, { groupName: group, name }),
        isOver: ({ state }) => state !== 'waiting' && state !== 'unknown',
      });
      return json(200, view, view.state === 'waiting' ? { 'retry-after': String(pollSeconds) } : {});
    },
  },
];
