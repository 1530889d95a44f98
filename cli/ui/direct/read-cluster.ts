import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import { countHealthReplacements } from '../../../shared/aws/repairs.ts';
import { type CertificateRequest, isPending } from '../../../shared/certificates/certificate-request.ts';
import type { AutoScalingGroup } from '../../../shared/groups/group.ts';
import type { RepairFinding } from '../../../shared/sweep/repair/judge-repairs.ts';
import { findRepairs } from '../../../shared/sweep/repair/repair-nodes.ts';
import { holdingBudgets } from '../../../ui/state/held.ts';
import { type Part, partReader } from '../../observation/part.ts';
import type { DirectAccess } from './access.ts';
import { markedIn } from './marked-in.ts';
import type { ClusterReading } from './reading.ts';

/** A pod list for each is a request every five seconds. */
const mostNodes = 10;
const mostNamespaces = 10;

/** Verdicts need calls to EC2 and Auto Scaling. */
const judgedAgeSeconds = 10;

/** A new request is judged at once. */
const pendingIn = (requests: readonly CertificateRequest[]): string =>
  requests.flatMap((request) => (isPending(request) ? request.uid : [])).join();

const notJudged = ({ reason }: Exclude<Part<unknown>, { kind: 'known' }>) =>
  ({ kind: 'unknown', reason }) as const;

/** The API server's words for pods that no node has. */
const noNode = '';

/** Reads what the page shows of the cluster besides the Nodes: little enough to be asked for again and again. */
export function clusterReader(access: DirectAccess) {
  const { clock, cluster, certificates } = access;
  const readPods = partReader({ clock, keyOf }, (names: readonly string[]) =>
    mapOf(names, (name) => cluster.listPodsOnNode(name, 'cached')),
  );
  const readWaitingPods = partReader({ clock }, () => cluster.listPodsOnNode(noNode, 'cached'));
  const readBudgets = partReader({ clock, keyOf }, async (namespaces: readonly string[]) => {
    const lists = await Promise.all(namespaces.map((one) => cluster.listPodDisruptionBudgets(one)));
    return lists.flat() as readonly PodDisruptionBudget[];
  });
  const readRequests = partReader({ clock }, () => certificates.listRequests());
  const readJudged = partReader(
    { clock, maximumAgeSeconds: judgedAgeSeconds, keyOf: ([requests]) => pendingIn(requests) },
    (requests: readonly CertificateRequest[]) => access.judgePending(requests),
  );
  const readRepairs = partReader({ clock }, (nodes: readonly Node[], groups: readonly AutoScalingGroup[]) =>
    repairsOf(access, nodes, groups),
  );
  const readParts = async (
    nodes: readonly Node[],
    groups: readonly AutoScalingGroup[],
  ): Promise<ClusterReading> => {
    const leaving = markedIn(nodes);
    const held = leaving.flatMap(({ mark }) => holdingBudgets(mark));
    const namespaces = [...new Set(held.map((name) => name.split('/')[0] ?? ''))];
    const [pods, waitingPods, budgets, requests, repairs] = await Promise.all([
      readPods(leaving.map(({ name }) => name).slice(0, mostNodes)),
      readWaitingPods(),
      readBudgets(namespaces.slice(0, mostNamespaces)),
      readRequests(),
      readRepairs(nodes, groups),
    ]);
    const judged = requests.kind === 'known' ? await readJudged(requests.value) : notJudged(requests);
    return { pods, waitingPods, budgets, requests, judged, repairs };
  };
  let last: ClusterReading | undefined;
  return async (
    nodes: Part<readonly Node[]>,
    groups: readonly AutoScalingGroup[],
  ): Promise<ClusterReading | undefined> => {
    if (nodes.kind === 'known') last = await readParts(nodes.value, groups);
    return nodes.kind === 'stale' && last ? asItWas(last, nodes) : last;
  };
}

const keyOf = ([names]: readonly [readonly string[]]): string => names.join();

/** An API server that lists no Nodes is asked for nothing else: what was read with them is as old as they are. */
function asItWas(
  { pods, waitingPods, budgets, requests, judged, repairs }: ClusterReading,
  { at, reason, isThrottled }: Extract<Part<unknown>, { kind: 'stale' }>,
): ClusterReading {
  const old = <Value>(part: Part<Value>): Part<Value> =>
    part.kind === 'known'
      ? { kind: 'stale', value: part.value, at, reason, ...(isThrottled && { isThrottled }) }
      : part;
  return {
    pods: old(pods),
    waitingPods: old(waitingPods),
    budgets: old(budgets),
    requests: old(requests),
    judged: old(judged),
    repairs: old(repairs),
  };
}

/** What the next sweep does about failing nodes, from the Nodes that were read already. */
async function repairsOf(
  { autoScaling, clock, ec2 }: DirectAccess,
  nodes: readonly Node[],
  groups: readonly AutoScalingGroup[],
): Promise<readonly RepairFinding[]> {
  const observer = {
    cluster: { listNodes: () => Promise.resolve(nodes) },
    ec2,
    countReplacements: (name: string, since: number) =>
      countHealthReplacements(autoScaling.client, name, since),
    clock,
  };
  return (await findRepairs(observer, groups)).findings;
}

/** What is read for each name. */
async function mapOf(
  names: readonly string[],
  read: (name: string) => Promise<readonly Pod[]>,
): Promise<ReadonlyMap<string, readonly Pod[]>> {
  return new Map(await Promise.all(names.map(async (name) => [name, await read(name)] as const)));
}
