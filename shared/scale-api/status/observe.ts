import type { ObservedNodes } from '../../capacity/observed-nodes.ts';
import { observeNodes } from '../../capacity/observed-nodes.ts';
import { type ObservedPasses, observePasses } from '../observe-passes.ts';
import { listManagedGroups, type ManagedGroup, type ScaleContext } from '../scale-context.ts';
import { type CredentialStatus, credentialStatuses } from './credentials.ts';
import { type EtcdStatus, etcdStatus } from './etcd.ts';
import { type Part, readPart } from './part.ts';

/** API Gateway gives up after 30 seconds. Passes are read after groups and Nodes, so both times count together. */
const firstSeconds = 12;
const passesSeconds = 10;

export interface ObservedStatus {
  readonly groups: Part<readonly ManagedGroup[]>;
  readonly nodes: Part<ObservedNodes>;
  readonly passes: Part<ObservedPasses>;
  readonly credentials: readonly CredentialStatus[];
  readonly etcd: EtcdStatus;
}

/** Reads the parts of GET /status side by side. */
export async function observeStatus(context: ScaleContext): Promise<ObservedStatus> {
  const part = <Value>(what: string, read: () => Promise<Value>): Promise<Part<Value>> =>
    readPart(context, { what, seconds: firstSeconds, read });
  const { bootstrap, etcdMembers } = context;
  const [groups, nodes, publishedAt, members] = await Promise.all([
    part('the groups', () => listManagedGroups(context)),
    part('the Nodes of the cluster', () => observeNodes(context.cluster, context.onClusterFailure)),
    bootstrap && part('the published credentials', () => bootstrap.readPublishedAt()),
    etcdMembers && part('the members of etcd', etcdMembers),
  ]);
  return {
    groups,
    nodes,
    passes: await readPasses(context, groups, nodes),
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
