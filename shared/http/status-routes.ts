import type * as z from 'zod/mini';
import { type ObservedNodes, observeNodes } from '../capacity/observed-nodes.ts';
import { pauseOf } from '../lifecycle/pause.ts';
import { json } from './json-result.ts';
import { type ObservedPasses, observePasses } from './observe-passes.ts';
import type { Route } from './router.ts';
import { listManagedGroups, type ManagedGroup, type ScaleContext } from './scale-context.ts';
import type { passList, status } from './schemas/answers/passes.ts';
import { noQuery } from './schemas/parameters.ts';
import { readQuery } from './validate.ts';

/** GET /passes and GET /status. */
export const statusRoutes = (context: ScaleContext): readonly Route[] => [
  {
    method: 'GET',
    path: '/passes',
    role: 'viewer',
    answer: async (call) => {
      readQuery(call, noQuery());
      return json(200, viewPasses(await observe(context)));
    },
  },
  {
    method: 'GET',
    path: '/status',
    role: 'viewer',
    answer: async (call) => {
      readQuery(call, noQuery());
      return json(200, viewStatus(context.clusterName, await observe(context)));
    },
  },
];

interface Observation {
  readonly groups: readonly ManagedGroup[];
  readonly nodes: ObservedNodes;
  readonly passes: ObservedPasses;
}

async function observe(context: ScaleContext): Promise<Observation> {
  const [groups, nodes] = await Promise.all([
    listManagedGroups(context),
    observeNodes(context.cluster, context.onClusterFailure),
  ]);
  return { groups, nodes, passes: await observePasses(context, groups, nodes) };
}

const viewPasses = ({ nodes, passes }: Observation): z.infer<typeof passList> => ({
  leaving: [...passes.leaving],
  joining: [...passes.joining],
  problems: [...passes.problems],
  clusterAnswers: nodes.status === 'seen',
});

function viewStatus(clusterName: string, { groups, nodes, passes }: Observation): z.infer<typeof status> {
  const clusterAnswers = nodes.status === 'seen';
  return {
    clusterName,
    state: passes.problems.length > 0 ? 'attention' : clusterAnswers ? 'ok' : 'unknown',
    groups: groups.length,
    pausedGroups: groups
      .filter(({ tags }) => pauseOf(tags))
      .map(({ autoScalingGroupName }) => autoScalingGroupName),
    instances: groups.reduce((sum, { instances }) => sum + instances.length, 0),
    leaving: passes.leaving.length,
    joining: passes.joining.length,
    clusterAnswers,
    problems: [...passes.problems],
  };
}
