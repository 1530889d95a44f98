import type { ObservedNodes } from '../capacity/observed-nodes.ts';
import { type HttpResult, json } from './http-call.ts';
import { type Part, readPart } from './part.ts';
import { type ObservedPasses, observePasses } from './passes.ts';
import { listManagedGroups, type ManagedGroup, readNodes, type ScaleContext } from './scale-context.ts';
import { credentialStatuses, etcdStatus, type ObservedStatus, viewStatus } from './status-view.ts';

/** The state of the cluster in one word, with its reasons. */
export const getStatus = async (context: ScaleContext): Promise<HttpResult> =>
  json(200, viewStatus(context.clusterName, await observeStatus(context)));

/** API Gateway gives up after 30 seconds. Passes are read after groups and Nodes, so the two times add up. */
const firstSeconds = 12;
const passesSeconds = 10;

/** Reads the parts of the status concurrently. */
async function observeStatus(context: ScaleContext): Promise<ObservedStatus> {
  const part = <Value>(what: string, read: () => Promise<Value>): Promise<Part<Value>> =>
    readPart(context, { what, seconds: firstSeconds, read });
  const { bootstrap, etcdMembers } = context;
  const [groups, nodes, publishedAt, members] = await Promise.all([
    part('the groups', () => listManagedGroups(context)),
    part('the Nodes of the cluster', () => readNodes(context)),
    bootstrap && part('the published credentials', () => bootstrap.readPublishedAt()),
    etcdMembers && part('the members of etcd', etcdMembers),
  ]);
  return {
    groups,
    nodes,
    passes: await readPasses(context, groups, nodes),
    at: context.now(),
    published:
      bootstrap && publishedAt?.kind === 'known'
        ? bootstrap.parameters.map((one) => ({
            ...one,
            publishedAt: publishedAt.value.get(one.parameterName),
            rotationSeconds: bootstrap.rotationSeconds,
          }))
        : [],
    credentials: bootstrap && publishedAt ? credentialStatuses(bootstrap, publishedAt, context.now()) : [],
    etcd: etcdStatus(groups, members),
  };
}

async function readPasses(
  context: ScaleContext,
  groups: Part<readonly ManagedGroup[]>,
  nodes: Part<ObservedNodes>,
): Promise<Part<ObservedPasses>> {
  if (groups.kind === 'unknown') return groups;
  const seen = nodes.kind === 'known' ? nodes.value : ({ status: 'unknown', reason: nodes.reason } as const);
  return await readPart(context, {
    what: 'what joins and leaves',
    seconds: passesSeconds,
    read: () => observePasses(context, groups.value, seen),
  });
}
