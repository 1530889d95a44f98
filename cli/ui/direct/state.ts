import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { instanceIdOf, nameOfNode } from '../../../shared/nodes/node-names.ts';
import { isDeadLetterPart } from '../../../shared/problems/dead-letter-problems.ts';
import { budgetView } from '../../../ui/server/views/budget.ts';
import { nodeView } from '../../../ui/server/views/node.ts';
import { podView } from '../../../ui/server/views/pod.ts';
import { problemView } from '../../../ui/server/views/problem.ts';
import { requestViews } from '../../../ui/server/views/request.ts';
import { rollView } from '../../../ui/server/views/roll.ts';
import { scheduleProblems } from '../../../ui/server/views/schedule-problems.ts';
import type { CredentialView, DashboardState, NodeView, QueueView } from '../../../ui/state/types.ts';
import type { CountedQueue } from '../../observation/dead-letters.ts';
import { oldSince, seenAtOf, valueOf } from '../../observation/part.ts';
import { reportOf } from '../../status/report-of.ts';
import { etcdStatusOf } from './etcd-status.ts';
import { groupView } from './groups.ts';
import { observationOf, observedNodes } from './observation.ts';
import type { DirectReading } from './reading.ts';
import { unknownOf } from './unknown.ts';

/** The page of a real account from what was read of it. What is unknown is absent, and named. Pure. */
export function directState(reading: DirectReading): DashboardState {
  const { at, region, clusterName, cluster } = reading;
  const seen = valueOf(reading.groups);
  const managed = (reading.members && valueOf(reading.members)) ?? seen?.managed ?? [];
  const report = reportOf(observationOf(reading, managed));
  const nodes = nodeViews(reading);
  const nodesByInstance = new Map(nodes);
  const groups = managed.map((group) =>
    groupView(group, { ...reading, observed: observedNodes(reading), nodesByInstance, report }),
  );
  const shown = new Set(managed.flatMap(({ instances }) => instances.map(({ instanceId }) => instanceId)));
  const accountId = valueOf(reading.accountId);
  const waitingPods = cluster && valueOf(cluster.waitingPods);
  const requests = cluster && valueOf(cluster.requests);
  const etcdStatus = etcdStatusOf(managed);
  const credentials = credentialsOf(reading);
  const queues = valueOf(reading.queues);
  const stage = queues?.[0]?.stage;
  const passes = reading.passes && valueOf(reading.passes);
  const readAt = oldSince([reading.groups, reading.nodes]);
  return {
    now: at,
    ...(readAt !== undefined && { readAt }),
    source: 'account',
    hasReports: true,
    clusterName,
    region,
    ...(accountId !== undefined && { accountId }),
    ...(stage !== undefined && { stage }),
    groups,
    ...rollsOf(reading),
    problems: report.problems.map(problemView),
    unknown: unknownOf(reading),
    // What depends on groups or Nodes that are unknown was not read for that reason.
    ...(seen && cluster && report.notLookedAt.length > 0 && { notLookedAt: report.notLookedAt }),
    otherNodes: seen
      ? nodes
          .filter(([id, node]) => !shown.has(id) || nodesByInstance.get(id) !== node)
          .map(([, node]) => node)
      : [],
    ...(waitingPods && { waitingPods: waitingPods.map(podView) }),
    budgets: (cluster && valueOf(cluster.budgets)?.map(budgetView)) ?? [],
    scheduleProblems: seen
      ? scheduleProblems(valueOf(reading.schedules) ?? [], { groups: managed, now: at })
      : [],
    ...(requests && { requests: requestViews(requests) }),
    ...(etcdStatus && { etcdStatus }),
    ...(credentials && { credentials }),
    ...(queues && { queues: queues.map(queueView) }),
    ...(passes && { passes }),
    news: [],
  };
}

/** Without the Nodes, or how the instances were launched, there is no progress. */
function rollsOf({ rolls, groups, nodes, rollLaunches }: DirectReading): Pick<DashboardState, 'rolls'> {
  const stored = valueOf(rolls);
  if (stored === undefined) return {};
  const seen = valueOf(groups);
  const list = valueOf(nodes);
  const launches = rollLaunches && valueOf(rollLaunches);
  const facts = seen && list && launches && { groups: seen.managed, nodes: list, launches };
  return { rolls: stored.map((one) => rollView(one, facts)) };
}

const queueView = ({ part, name, visible, inFlight, delayed }: CountedQueue): QueueView => ({
  queueName: name,
  deadLetters: isDeadLetterPart(part),
  visible,
  inFlight,
  delayed,
});

const byAge = (one: Node, other: Node): number =>
  (one.metadata?.creationTimestamp ?? '').localeCompare(other.metadata?.creationTimestamp ?? '');

/**
 * The Nodes by the id of their instance, or by their name if they have no providerID. The oldest comes first: if an instance has
 * several, a Map keeps the youngest.
 */
function nodeViews({ nodes, cluster }: DirectReading): readonly (readonly [string, NodeView])[] {
  const pods = cluster && valueOf(cluster.pods);
  return (valueOf(nodes) ?? []).toSorted(byAge).map((node) => {
    const name = nameOfNode(node);
    return [instanceIdOf(node.spec?.providerID) ?? name, nodeView(node, pods?.get(name), seenAtOf(nodes))];
  });
}

const credentialsOf = ({ credentials }: DirectReading): readonly CredentialView[] | undefined =>
  valueOf(credentials)?.map(({ parameterName, publishedAt }) => ({
    parameterName,
    ...(publishedAt !== undefined && { publishedAt }),
    ...seenAtOf(credentials),
  }));
