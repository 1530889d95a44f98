import { holdsOfGroup } from '../capacity/holds/parameter-names.ts';
import { holdsIn } from '../capacity/holds/read-holds.ts';
import { observeNodes } from '../capacity/observed-nodes.ts';
import { findHold } from './find-hold.ts';
import { viewPage } from './hold-views.ts';
import type { HttpCall } from './http-call.ts';
import { json } from './json-result.ts';
import { keyBefore } from './key-pages.ts';
import { pollSeconds } from './poll-seconds.ts';
import type { Route } from './router.ts';
import { findManagedGroup, listManagedGroups, type ScaleContext } from './scale-context.ts';
import { pageOf, pageQuery } from './schemas/paging.ts';
import { waitQuery, waitSecondsOf } from './schemas/parameters.ts';
import { readQuery } from './validate.ts';
import { waitUntil } from './wait.ts';

/** GET of the holds of all groups, of one group, and of one hold. */
export const holdReadingRoutes = (context: ScaleContext): readonly Route[] => [
  {
    method: 'GET',
    path: '/holds',
    role: 'viewer',
    answer: async (call) => {
      const { limit, after } = pageAsked(call);
      const { parameters, paths } = context.holds();
      const [texts, groups, nodes] = await Promise.all([
        parameters.listBelow(paths.holds),
        listManagedGroups(context),
        observeNodes(context.cluster, context.onClusterFailure),
      ]);
      const facts = { groups, nodes, now: context.now() };
      return json(200, viewPage(holdsIn(texts, paths), { ...facts, after, limit }));
    },
  },
  {
    method: 'GET',
    path: '/groups/{group}/holds',
    role: 'viewer',
    answer: async (call, { group: groupName }) => {
      const { limit, after } = pageAsked(call);
      const group = await findManagedGroup(context, groupName);
      const { parameters, paths } = context.holds();
      const [texts, nodes] = await Promise.all([
        parameters.listBelow(holdsOfGroup(paths, group.autoScalingGroupName)),
        observeNodes(context.cluster, context.onClusterFailure),
      ]);
      const facts = { groups: [group], nodes, now: context.now() };
      return json(200, viewPage(holdsIn(texts, paths), { ...facts, after, limit }));
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

function pageAsked(call: HttpCall) {
  const page = pageOf(readQuery(call, pageQuery()));
  return { limit: page.limit, after: keyBefore(page) };
}
