import type { ObservedNodes } from '../capacity/observed-nodes.ts';
import { type ProblemObservation, scheduledActionsIn } from '../problems/observation.ts';
import { scheduledActionLine } from '../problems/scheduled-actions.ts';
import { type HttpResult, json } from './http-call.ts';
import { type Part, readPart } from './part.ts';
import { clusterNodesOf, type ObservedPasses, observePasses, problemsIn } from './passes.ts';
import { notRead, readDependent, readIndependent, unreadSources } from './problem-sources.ts';
import {
  listTaggedGroups,
  type ManagedGroup,
  readNodes,
  type StatusContext,
  type TaggedGroups,
} from './scale-context.ts';
import {
  type CredentialSettings,
  credentialStatuses,
  etcdStatus,
  type ObservedStatus,
  viewStatus,
} from './status-view.ts';

/** The state of the cluster in one word, with its reasons. */
export const getStatus = async (context: StatusContext): Promise<HttpResult> =>
  json(200, viewStatus(context.clusterName, await observeStatus(context)));

/** API Gateway gives up after 30 seconds. Passes are read after groups and Nodes, so the two times add up. */
const firstSeconds = 12;
const passesSeconds = 10;

/** Reads the parts of the status concurrently. */
export async function observeStatus(context: StatusContext): Promise<ObservedStatus> {
  const part = <Value>(what: string, read: () => Promise<Value>): Promise<Part<Value>> =>
    readPart(context, { what, seconds: firstSeconds, read });
  const { bootstrap, etcdMembers } = context;
  const [tagged, nodes, publishedAt, members, independent] = await Promise.all([
    part('the groups', () => listTaggedGroups(context)),
    part('the Nodes of the cluster', () => readNodes(context)),
    bootstrap && part('the published credentials', () => bootstrap.readPublishedAt()),
    etcdMembers && part('the members of etcd', etcdMembers),
    readIndependent(context),
  ]);
  const groups: Part<readonly ManagedGroup[]> =
    tagged.kind === 'known' ? { kind: 'known', value: tagged.value.managed } : tagged;
  const [passes, dependent] = await Promise.all([
    readPasses(context, tagged, nodes),
    readDependent(
      context,
      groups.kind === 'known' ? groups.value : [],
      nodes.kind === 'known' ? clusterNodesOf(nodes.value) : undefined,
    ),
  ]);
  const sources = { ...independent, ...dependent };
  const observation: ProblemObservation = {
    ...(passes.kind === 'known' ? passes.value.observation : withoutPasses(context, passes.reason)),
    ...sources,
    ...(bootstrap &&
      publishedAt?.kind === 'known' && { credentials: published(bootstrap, publishedAt.value) }),
  };
  return {
    groups,
    nodes,
    passes,
    scheduledActions:
      independent.scheduledActions?.kind === 'known' && passes.kind === 'known'
        ? scheduledActionsIn(observation).map(scheduledActionLine)
        : undefined,
    problems: problemsIn(observation),
    unread: unreadSources(sources),
    notLookedAt: notRead(context),
    credentials: bootstrap && publishedAt ? credentialStatuses(bootstrap, publishedAt, context.now()) : [],
    etcd: etcdStatus(groups, members),
  };
}

const withoutPasses = ({ now }: StatusContext, reason: string): ProblemObservation => ({
  at: now(),
  groups: { kind: 'unknown', reason },
  nodes: { kind: 'unknown', reason },
});

const published = (
  { parameters, rotationSeconds }: CredentialSettings,
  publishedAt: ReadonlyMap<string, number>,
) => ({
  kind: 'known' as const,
  value: parameters.map((one) => ({
    ...one,
    publishedAt: publishedAt.get(one.parameterName),
    rotationSeconds,
  })),
});

async function readPasses(
  context: StatusContext,
  groups: Part<TaggedGroups>,
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
