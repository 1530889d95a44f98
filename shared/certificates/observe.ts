import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { inParts } from '../base/batched.ts';
import type { Clock } from '../base/clock.ts';
import { type AutoScaling, withWarmPools } from '../groups/auto-scaling.ts';
import { type AutoScalingGroup, isManaged, roleOf } from '../groups/group.ts';
import type { DrainCluster } from '../nodes/cluster.ts';
import { isNodeReady } from '../nodes/node-condition.ts';
import { instanceIdOf } from '../nodes/node-names.ts';
import { isPending, requesterOf } from './certificate-request.ts';
import type { CertificateObservation, ListedRequest } from './decide.ts';
import {
  type CertificateSettings,
  canonicalAddress,
  type GroupFacts,
  type InstanceFacts,
  type NodeFacts,
} from './facts.ts';

/** An instance as EC2 describes it, without what only Auto Scaling knows. */
export type NamedInstance = Omit<InstanceFacts, 'group' | 'returnedAt'>;

/** EC2, as decisions need it. A call asks for many names, and nothing is cached: the VPC CNI moves addresses. */
export interface NamedInstances {
  /** Every instance, in any state, that one of these Node names may belong to. */
  find(nodeNames: readonly string[]): Promise<readonly NamedInstance[]>;
  /** The instances that EC2 still knows. */
  findByIds(instanceIds: readonly string[]): Promise<readonly NamedInstance[]>;
}

export interface ObserveContext {
  readonly cluster: Pick<DrainCluster, 'getNode'>;
  readonly instances: NamedInstances;
  readonly autoScaling: Pick<AutoScaling, 'listGroups' | 'describeInstance'>;
  /** When instances of a group last left Standby or the warm pool, in epoch milliseconds. */
  readonly returnsOf: (autoScalingGroupName: string) => Promise<ReadonlyMap<string, number>>;
  readonly clock: Clock;
  readonly clusterName: string;
  readonly settings: CertificateSettings;
}

/** Node names that could not be read, each with its error. Their requests wait for the next pass. */
type Unread = ReadonlyMap<string, unknown>;

const nodesAtOnce = 20;

/** The age that the groups of a pass may have. */
const groupsSeconds = 5;

/** Reads what the decisions about pending requests depend on: with few calls for many requests, and with none if nothing is pending. */
export async function observe(
  context: ObserveContext,
  requests: readonly ListedRequest[],
): Promise<{ readonly observation: CertificateObservation; readonly unread: Unread }> {
  const now = context.clock.now();
  const names = namesOf(requests);
  const nodes = names.length === 0 ? emptyNodes : await readNodes(context, names);
  const instances =
    names.length === 0 ? [] : await readInstances(context, { requests, names, nodes: nodes.read });
  const states = await readStates(context, instances, nodes.read);
  const named = instances.flatMap((instance) =>
    [...new Set(instance.nodeNames)].map((name) => ({ name, instance })),
  );
  const byName = Map.groupBy(named, ({ name }) => name);
  const facts = new Map([...nodes.read].map(([name, node]) => [name, node && toNodeFacts(node, states)]));
  return {
    observation: {
      requests,
      instancesOf: (name) => (byName.get(name) ?? []).map(({ instance }) => instance),
      nodeOf: (name) => facts.get(name),
      settings: context.settings,
      now,
    },
    unread: nodes.unread,
  };
}

const emptyNodes = { read: new Map<string, Node | undefined>(), unread: new Map<string, unknown>() };

/** The names that pending requests of bootstrap credentials and nodes ask for. */
function namesOf(requests: readonly ListedRequest[]): readonly string[] {
  const ours = requests.filter(({ request }) => isPending(request) && requesterOf(request) !== undefined);
  return [...new Set(ours.flatMap(({ nodeName }) => nodeName ?? []))];
}

async function readNodes({ cluster }: ObserveContext, names: readonly string[]) {
  const results = await inParts(names, nodesAtOnce, (name) => cluster.getNode(name));
  const read = new Map<string, Node | undefined>();
  const unread = new Map<string, unknown>();
  for (const [place, name] of names.entries()) {
    const result = results[place];
    if (result?.status === 'fulfilled') read.set(name, result.value);
    else unread.set(name, result?.reason);
  }
  return { read, unread };
}

interface Names {
  readonly requests: readonly ListedRequest[];
  readonly names: readonly string[];
  readonly nodes: ReadonlyMap<string, Node | undefined>;
}

async function readInstances(context: ObserveContext, about: Names): Promise<readonly InstanceFacts[]> {
  const { autoScaling, clock, clusterName } = context;
  const [found, tagged] = await Promise.all([
    context.instances.find(about.names),
    autoScaling.listGroups(clock.now() - groupsSeconds * 1000),
  ]);
  const listed = tagged.filter((group) => isManaged(group, clusterName));
  const groups = groupsByInstance(
    await withWarmPools(
      autoScaling,
      listed,
      found.map(({ instanceId }) => instanceId),
    ),
  );
  const returns = await readReturns(context, { ...about, found, groups });
  return found.map((instance) => ({
    ...instance,
    group: groups.get(instance.instanceId),
    returnedAt: returns.get(instance.instanceId),
  }));
}

function groupsByInstance(groups: readonly AutoScalingGroup[]): ReadonlyMap<string, GroupFacts> {
  return new Map(
    groups.flatMap((group) => {
      const role = roleOf(group);
      const { autoScalingGroupName } = group;
      return role === undefined
        ? []
        : group.instances.map(
            ({ instanceId, lifecycleState }) =>
              [instanceId, { autoScalingGroupName, role, lifecycleState }] as const,
          );
    }),
  );
}

/** Reads the returns only if they can matter: the instance launched long ago, its Node is not Ready, and the credential is shared. */
async function readReturns(
  { returnsOf, clock, settings }: ObserveContext,
  about: Names & {
    readonly found: readonly NamedInstance[];
    readonly groups: ReadonlyMap<string, GroupFacts>;
  },
): Promise<ReadonlyMap<string, number>> {
  const windowBegan = clock.now() - settings.joinWindowSeconds * 1000;
  const shared = new Set(
    about.requests.flatMap(({ request, nodeName }) =>
      nodeName !== undefined && isPending(request) && requesterOf(request)?.kind === 'token' ? nodeName : [],
    ),
  );
  const needs = ({ nodeNames, launchedAt = 0 }: NamedInstance): boolean =>
    launchedAt < windowBegan &&
    nodeNames.some((name) => {
      const node = about.nodes.get(name);
      return shared.has(name) && (node === undefined || !isNodeReady(node));
    });
  const names = new Set(
    about.found
      .filter(needs)
      .flatMap(({ instanceId }) => about.groups.get(instanceId)?.autoScalingGroupName ?? []),
  );
  const returns = await Promise.all([...names].map((name) => returnsOf(name)));
  return new Map(returns.flatMap((ofGroup) => [...ofGroup]));
}

/** The states of the instances that the Nodes name, whether or not these instances have the names of the requests. */
async function readStates(
  { instances }: ObserveContext,
  found: readonly InstanceFacts[],
  nodes: ReadonlyMap<string, Node | undefined>,
): Promise<ReadonlyMap<string, InstanceFacts['state']>> {
  const known = new Map(found.map(({ instanceId, state }) => [instanceId, state]));
  const named = [...nodes.values()].flatMap((node) => instanceIdOf(node?.spec?.providerID) ?? []);
  const others = [...new Set(named)].filter((instanceId) => !known.has(instanceId));
  if (others.length === 0) return known;
  const read = await instances.findByIds(others);
  return new Map([...known, ...read.map(({ instanceId, state }) => [instanceId, state] as const)]);
}

function toNodeFacts(node: Node, states: ReadonlyMap<string, InstanceFacts['state']>): NodeFacts {
  const instanceId = instanceIdOf(node.spec?.providerID);
  return {
    instanceId,
    instanceState: instanceId === undefined ? undefined : states.get(instanceId),
    isReady: isNodeReady(node),
    createdAt: Date.parse(node.metadata?.creationTimestamp ?? '') || 0,
    addresses: (node.status?.addresses ?? []).flatMap(({ address }) => canonicalAddress(address) ?? []),
  };
}
