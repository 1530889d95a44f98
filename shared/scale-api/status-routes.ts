import type * as z from 'zod/mini';
import { type ObservedNodes, observeNodes } from '../capacity/observed-nodes.ts';
import { json } from './json-result.ts';
import { type ObservedPasses, observePasses } from './observe-passes.ts';
import type { Route } from './router.ts';
import { listManagedGroups, type ScaleContext } from './scale-context.ts';
import type { passList } from './schemas/answers/passes.ts';
import { noQuery } from './schemas/parameters.ts';
import { observeStatus } from './status/observe.ts';
import { viewStatus } from './status/view.ts';
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
      return json(200, viewStatus(context.clusterName, await observeStatus(context)));
    },
  },
];

interface Observation {
  readonly nodes: ObservedNodes;
  readonly passes: ObservedPasses;
}

async function observe(context: ScaleContext): Promise<Observation> {
  const [groups, nodes] = await Promise.all([
    listManagedGroups(context),
    observeNodes(context.cluster, context.onClusterFailure),
  ]);
  return { nodes, passes: await observePasses(context, groups, nodes) };
}

const viewPasses = ({ nodes, passes }: Observation): z.infer<typeof passList> => ({
  leaving: [...passes.leaving],
  joining: [...passes.joining],
  problems: [...passes.problems],
  clusterAnswers: nodes.status === 'seen',
});
