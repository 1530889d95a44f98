import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { TimerClock } from '../base/clock.ts';
import { messageOf } from '../base/message-of.ts';
import { type ItemResult, type Silence, sideBySide, valuesOf } from '../base/side-by-side.ts';
import { type AutoScaling, unlistedIn, withInstances } from '../groups/auto-scaling.ts';
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
  readonly clock: TimerClock;
  readonly clusterName: string;
  readonly settings: CertificateSettings;
  /** The Node names that got no answer in earlier runs. They are read last, so that the requests of others are decided first. */
  readonly silentNodes: Silence<string>;
}

/** Why the requests for a Node name cannot be judged now. They wait for the next pass. */
export type Unread = ReadonlyMap<string, Error>;

/** A call to the API server may take 20 s, and one to AWS 15 s. All reads must leave time for the writes of the run. */
const nodeLimits = { atOnce: 20, eachMilliseconds: 12_000, togetherMilliseconds: 20_000 };
const groupLimits = { atOnce: 5, eachMilliseconds: 5000, togetherMilliseconds: 5000 };

/** By each Node name of an instance: all its names. */
export type NamesByName = ReadonlyMap<string, readonly string[]>;

/** The age that the groups of a pass may have. */
const groupsSeconds = 5;

/**
 * Reads what the decisions about pending requests depend on: with few calls for many requests, and with none if nothing is pending. What
 * cannot be read for one Node, instance or group delays only the requests for its names. The Nodes under the other names of an instance are
 * read at once if its names are known, and otherwise once EC2 has reported them.
 *
 * @throws if EC2 cannot find the instances, or the groups cannot be listed.
 */
export async function observe(
  context: ObserveContext,
  requests: readonly ListedRequest[],
  known?: NamesByName,
): Promise<{ readonly observation: CertificateObservation; readonly unread: Unread }> {
  const now = context.clock.now();
  const names = namesOf(requests);
  const withOthers = new Set(names.flatMap((name) => [name, ...(known?.get(name) ?? [])]));
  const nodes = await readNodes(context, [...withOthers]);
  const nodesRead = valuesOf(nodes);
  const { instances, unreadInstances, otherNodes } =
    names.length === 0
      ? noInstances
      : await readInstances(context, { requests, names, namesRead: withOthers, nodes: nodesRead });
  const { states, unreadStates } = await readStates(context, instances, nodesRead);
  const named = instances.flatMap((instance) =>
    [...new Set(instance.nodeNames)].map((name) => ({ name, instance })),
  );
  const byName = Map.groupBy(named, ({ name }) => name);
  const facts = new Map(
    [...nodesRead, ...valuesOf(otherNodes)].map(([name, node]) => [name, node && toNodeFacts(node, states)]),
  );
  return {
    observation: {
      requests,
      instancesOf: (name) => (byName.get(name) ?? []).map(({ instance }) => instance),
      nodeOf: (name) => facts.get(name),
      settings: context.settings,
      now,
    },
    unread: withOtherNames(
      new Map([
        ...unreadStates,
        ...[...nodes, ...otherNodes].flatMap((result) =>
          result.status === 'rejected'
            ? [[result.item, unreadError('its Node cannot be read', result.reason)] as const]
            : [],
        ),
      ]),
      { instances, unreadInstances },
    ),
  };
}

const noInstances: InstancesRead = { instances: [], unreadInstances: new Map(), otherNodes: [] };

const unreadError = (what: string, cause: unknown): Error =>
  new Error(`${what}: ${messageOf(cause)}`, { cause });

/**
 * Adds every other name of the same instance. Requests for any name of an instance are rivals, so without one name the others cannot be
 * judged.
 */
function withOtherNames(
  unread: Unread,
  { instances, unreadInstances }: Pick<InstancesRead, 'instances' | 'unreadInstances'>,
): Unread {
  const ofInstances = instances.flatMap(({ instanceId, nodeNames }) => {
    const ofName = nodeNames.map((name) => unread.get(name)).find((error) => error !== undefined);
    const error = unreadInstances.get(instanceId) ?? ofName;
    return error ? nodeNames.map((name) => [name, error] as const) : [];
  });
  return new Map([...ofInstances, ...unread]);
}

/** The names that pending requests of bootstrap credentials and nodes ask for. */
function namesOf(requests: readonly ListedRequest[]): readonly string[] {
  const ours = requests.filter(({ request }) => isPending(request) && requesterOf(request) !== undefined);
  return [...new Set(ours.flatMap(({ nodeName }) => nodeName ?? []))];
}

const readNodes = (
  { cluster, clock, silentNodes }: ObserveContext,
  names: readonly string[],
): Promise<readonly ItemResult<string, Node | undefined>[]> =>
  sideBySide(names, (name) => cluster.getNode(name), { clock, ...nodeLimits, silence: silentNodes });

interface Names {
  readonly requests: readonly ListedRequest[];
  readonly names: readonly string[];
  /** The names whose Nodes were read, or tried. */
  readonly namesRead: ReadonlySet<string>;
  readonly nodes: ReadonlyMap<string, Node | undefined>;
}

interface InstancesRead {
  readonly instances: readonly InstanceFacts[];
  /** The instances of which Auto Scaling could not tell the group or the return. */
  readonly unreadInstances: ReadonlyMap<string, Error>;
  /** The Nodes under the other names of these instances. */
  readonly otherNodes: readonly ItemResult<string, Node | undefined>[];
}

async function readInstances(context: ObserveContext, about: Names): Promise<InstancesRead> {
  const { autoScaling, clock, clusterName } = context;
  const finding = context.instances.find(about.names);
  const [found, tagged, otherNodes] = await Promise.all([
    finding,
    autoScaling.listGroups(clock.now() - groupsSeconds * 1000),
    finding.then((instances) => readNodes(context, otherNamesOf(instances, about.namesRead))),
  ]);
  const listed = tagged.filter((group) => isManaged(group, clusterName));
  const foundIds = found.map(({ instanceId }) => instanceId);
  const unlisted = unlistedIn(listed, foundIds);
  // Together, because these calls share requests of 50 ids.
  const described = await sideBySide(unlisted, (instanceId) => autoScaling.describeInstance(instanceId), {
    clock,
    ...groupLimits,
    atOnce: unlisted.length,
  });
  const groups = groupsByInstance(withInstances(listed, valuesOf(described).values()));
  const returns = await readReturns(context, { ...about, found, groups });
  return {
    instances: found.map((instance) => ({
      ...instance,
      group: groups.get(instance.instanceId),
      returnedAt: returns.read.get(instance.instanceId),
    })),
    unreadInstances: new Map([
      ...returns.unread,
      ...described.flatMap((result) =>
        result.status === 'rejected'
          ? [[result.item, unreadError(`the group of ${result.item} cannot be read`, result.reason)] as const]
          : [],
      ),
    ]),
    otherNodes,
  };
}

function otherNamesOf(instances: readonly NamedInstance[], read: ReadonlySet<string>): readonly string[] {
  const all = new Set(instances.flatMap(({ nodeNames }) => nodeNames));
  return [...all].filter((name) => !read.has(name));
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

interface Returns {
  readonly read: ReadonlyMap<string, number>;
  /** By instance id. */
  readonly unread: ReadonlyMap<string, Error>;
}

/**
 * Reads the returns only if they can matter: the credential is shared, and the instance launched long ago or has a Node that is not Ready.
 */
async function readReturns(
  { returnsOf, clock, settings }: ObserveContext,
  about: Names & {
    readonly found: readonly NamedInstance[];
    readonly groups: ReadonlyMap<string, GroupFacts>;
  },
): Promise<Returns> {
  const windowBegan = clock.now() - settings.joinWindowSeconds * 1000;
  const shared = new Set(
    about.requests.flatMap(({ request, nodeName }) =>
      nodeName !== undefined && isPending(request) && requesterOf(request)?.kind === 'token' ? nodeName : [],
    ),
  );
  const needs = ({ nodeNames, launchedAt = 0 }: NamedInstance): boolean =>
    nodeNames.some((name) => {
      const node = about.nodes.get(name);
      return shared.has(name) && (node === undefined ? launchedAt < windowBegan : !isNodeReady(node));
    });
  const needed = Map.groupBy(
    about.found.filter(needs),
    ({ instanceId }) => about.groups.get(instanceId)?.autoScalingGroupName,
  );
  const names = [...needed.keys()].filter((name) => name !== undefined);
  const results = await sideBySide(names, (name) => returnsOf(name), { clock, ...groupLimits });
  return {
    read: new Map([...valuesOf(results).values()].flatMap((ofGroup) => [...ofGroup])),
    unread: new Map(
      results.flatMap((result) =>
        result.status === 'rejected'
          ? (needed.get(result.item) ?? []).map(
              ({ instanceId }) =>
                [
                  instanceId,
                  unreadError(`the activities of group ${result.item} cannot be read`, result.reason),
                ] as const,
            )
          : [],
      ),
    ),
  };
}

interface States {
  readonly states: ReadonlyMap<string, InstanceFacts['state']>;
  /** By Node name: EC2 could not tell the state of the instance that the Node names. */
  readonly unreadStates: Unread;
}

/** The states of the instances that the Nodes name, whether or not these instances have the names of the requests. */
async function readStates(
  { instances }: ObserveContext,
  found: readonly InstanceFacts[],
  nodes: ReadonlyMap<string, Node | undefined>,
): Promise<States> {
  const known = new Map(found.map(({ instanceId, state }) => [instanceId, state]));
  const others = Map.groupBy(
    [...nodes].flatMap(([name, node]) => {
      const instanceId = instanceIdOf(node?.spec?.providerID);
      return instanceId === undefined || known.has(instanceId) ? [] : [{ name, instanceId }];
    }),
    ({ instanceId }) => instanceId,
  );
  if (others.size === 0) return { states: known, unreadStates: new Map() };
  try {
    const read = await instances.findByIds([...others.keys()]);
    return {
      states: new Map([...known, ...read.map(({ instanceId, state }) => [instanceId, state] as const)]),
      unreadStates: new Map(),
    };
  } catch (cause) {
    return {
      states: known,
      unreadStates: new Map(
        [...others].flatMap(([instanceId, named]) =>
          named.map(
            ({ name }) =>
              [name, unreadError(`instance ${instanceId} of its Node cannot be read`, cause)] as const,
          ),
        ),
      ),
    };
  }
}

function toNodeFacts(node: Node, states: ReadonlyMap<string, InstanceFacts['state']>): NodeFacts {
  const instanceId = instanceIdOf(node.spec?.providerID);
  return {
    instanceId,
    instanceState: instanceId === undefined ? undefined : states.get(instanceId),
    isReady: isNodeReady(node),
    // A Node of an unknown age counts as younger than any return of its instance.
    createdAt: Date.parse(node.metadata?.creationTimestamp ?? '') || Number.POSITIVE_INFINITY,
    addresses: (node.status?.addresses ?? []).flatMap(({ address }) => canonicalAddress(address) ?? []),
  };
}
