import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import { budgetsOf } from '../draining/budgets.ts';
import { leavesOneAtATime } from '../groups/group.ts';
import { nameOfNode } from '../nodes/node-names.ts';
import { apiServersIn } from './api-servers.ts';
import { blockersOf, isMoved, lossOf, nameOfPod } from './blockers.ts';
import { whyNoneMayLeave, whyNotWhole } from './bounds.ts';
import { type ExpectedTime, expectedTime, type GroupHistory } from './expected-time.ts';
import {
  alarmFindings,
  type Finding,
  type GroupFacts,
  groupFindings,
  type StopAlarms,
} from './group-findings.ts';
import type { RollMember } from './member.ts';
import { type GroupProgress, progressOf, type RollFacts } from './progress.ts';
import type { Roll } from './roll.ts';
import type { StrandedPod } from './stranded-pods.ts';

/** A group of the roll with what its past shows. */
export interface PreflightGroup extends GroupFacts {
  readonly history: GroupHistory;
}

/** The cluster that the pods of old nodes move in. */
export interface PreflightCluster {
  /** All pods that have a node. */
  readonly pods: readonly Pod[];
  readonly budgets: readonly PodDisruptionBudget[];
  /** The pods that would stay Pending if this node were replaced. */
  readonly strandedOn: (nodeName: string) => readonly StrandedPod[];
}

export interface PreflightInput {
  readonly roll: Omit<Roll, 'name' | 'wanted' | 'skipBlocked'>;
  readonly groups: readonly PreflightGroup[];
  /** The instances of these groups. */
  readonly members: readonly RollMember[];
  readonly cluster: PreflightCluster;
  readonly alarms: StopAlarms;
}

export interface BlockedPod {
  /** `namespace/name` */
  readonly pod: string;
  readonly why: string;
}

/** An instance that the roll replaces. */
export interface PreflightInstance {
  readonly autoScalingGroupName: string;
  readonly instanceId: string;
  /** Undefined without a Node. */
  readonly nodeName?: string;
  /** Why it is old. */
  readonly why: string;
  /** The pods that would not move by themselves. */
  readonly blocked: readonly BlockedPod[];
  /** How many pods lose the data of their emptyDir volumes. */
  readonly losingLocalData: number;
  /** Pods that are lost, because the tags of the group let them be: `namespace/name`. */
  readonly lost: readonly string[];
}

/** An instance that meets the criterion, or may, and that the roll does not replace. */
export interface LeftOutInstance {
  readonly autoScalingGroupName: string;
  readonly instanceId: string;
  readonly why: string;
}

/** A budget that lets only one pod go at a time, although its pods are on several old nodes. */
export interface SlowBudget {
  /** `namespace/name` */
  readonly budget: string;
  /** How many old nodes have pods of it. */
  readonly oldNodes: number;
}

export interface GroupSummary {
  readonly autoScalingGroupName: string;
  readonly instances: number;
  readonly old: number;
  readonly blocked: number;
  readonly leftOut: number;
  /** Undefined if its history has no launch, or nothing is old. */
  readonly expected?: ExpectedTime;
}

/** What a roll meets before it begins. */
export interface Preflight {
  readonly groups: readonly GroupSummary[];
  readonly findings: readonly Finding[];
  readonly old: readonly PreflightInstance[];
  readonly leftOut: readonly LeftOutInstance[];
  readonly slowBudgets: readonly SlowBudget[];
}

/** Looks for what would hold a roll, stop it, or make it lose something. Pure. */
export function planPreflight({ roll, groups, members, cluster, alarms }: PreflightInput): Preflight {
  const podsByNode = podsByNodeIn(cluster);
  const facts: RollFacts = {
    groups: groups.map(({ group }) => group),
    members,
    apiServers: apiServersIn(cluster.pods),
  };
  const progress = progressOf(roll, facts);
  const judged = progress.flatMap(({ autoScalingGroupName, old, leftOut, ...rest }, index) => {
    const known = groups.find(({ group }) => group.autoScalingGroupName === autoScalingGroupName);
    if (known === undefined) return [];
    const instances = old.map((one) => movesOf(one, known, { roll, cluster, podsByNode }));
    const others = leftOut.map((one) => ({ autoScalingGroupName, ...one }));
    const isFollowed = progress.slice(index + 1).some((one) => one.role === rest.role && one.old.length > 0);
    const total = old.length + leftOut.length + rest.fresh.length + rest.leaving.length;
    return {
      old: instances,
      leftOut: others,
      summary: summaryOf(known, { roll, old: instances, leftOut, total, isFollowed }),
    };
  });
  const old = judged.flatMap((one) => one.old);
  return {
    groups: judged.map(({ summary }) => summary),
    findings: [
      ...groups.flatMap((group) => groupFindings(group, roll.criterion)),
      ...progress.flatMap((one) => [...wholenessFindings(one, facts), ...apiServerFindings(one, facts)]),
      ...alarmFindings(alarms),
    ],
    old,
    leftOut: judged.flatMap((one) => one.leftOut),
    slowBudgets: slowBudgetsOf(old, cluster.budgets, podsByNode),
  };
}

/** The roll waits for a group that is not whole. What is broken before it must not look like its fault (kubernetes/kops#7258). */
function wholenessFindings(progress: GroupProgress, facts: RollFacts): readonly Finding[] {
  if (progress.old.length === 0) return [];
  const why = progress.role === 'worker' ? whyNotWhole(progress, facts) : whyNoneMayLeave(facts);
  if (why === undefined) return [];
  const message = `it is not whole, and the roll waits until it is: ${why}`;
  return [{ severity: 'warns', subject: progress.autoScalingGroupName, message }];
}

/** If no API server has a mirror pod, a Ready Node is all that shows that a control plane serves. */
function apiServerFindings(
  { autoScalingGroupName: subject, role, old }: GroupProgress,
  { apiServers }: RollFacts,
): readonly Finding[] {
  if (role !== 'control-plane' || old.length === 0 || apiServers?.size !== 0) return [];
  const message =
    'no pod kube-apiserver-NODE of kube-system mirrors the API server of a node, so the roll goes on once a new Node is Ready: it does not ask whether its API server answers';
  return [{ severity: 'warns', subject, message }];
}

type PodsByNode = ReadonlyMap<string, readonly Pod[]>;

const podsByNodeIn = ({ pods }: PreflightCluster): PodsByNode =>
  Map.groupBy(pods.filter(isMoved), ({ spec }) => spec?.nodeName ?? '');

/** The old instances of a roll with pods that cannot move. Pure. */
export function blockedInstances(
  roll: PreflightInput['roll'],
  { groups, members }: RollFacts,
  cluster: PreflightCluster,
): readonly PreflightInstance[] {
  const podsByNode = podsByNodeIn(cluster);
  return progressOf(roll, { groups, members })
    .flatMap(({ group, old }) =>
      group ? old.map((one) => movesOf(one, { group }, { roll, cluster, podsByNode })) : [],
    )
    .filter(({ blocked }) => blocked.length > 0);
}

function movesOf(
  {
    member: { autoScalingGroupName, instanceId, node },
    why,
  }: { readonly member: RollMember; readonly why: string },
  { group: { tags } }: Pick<PreflightGroup, 'group'>,
  {
    roll,
    cluster,
    podsByNode,
  }: Pick<PreflightInput, 'roll' | 'cluster'> & { readonly podsByNode: PodsByNode },
): PreflightInstance {
  if (node === undefined)
    return { autoScalingGroupName, instanceId, why, blocked: [], losingLocalData: 0, lost: [] };
  const nodeName = nameOfNode(node);
  const pods = podsByNode.get(nodeName) ?? [];
  const context = {
    now: roll.startedAt,
    tags,
    pods: cluster.pods,
    budgets: cluster.budgets,
    annotationTimeoutSeconds: roll.annotationTimeoutSeconds,
  };
  const blocked = pods.flatMap((pod) =>
    blockersOf(pod, context).map((why) => ({ pod: nameOfPod(pod), why })),
  );
  return {
    autoScalingGroupName,
    instanceId,
    nodeName,
    why,
    blocked: [...blocked, ...cluster.strandedOn(nodeName)],
    losingLocalData: pods.filter((pod) => lossOf(pod, { tags }) === 'local data').length,
    lost: pods.filter((pod) => lossOf(pod, { tags }) === 'pod').map(nameOfPod),
  };
}

function summaryOf(
  { group, history }: PreflightGroup,
  {
    roll,
    old,
    leftOut,
    total,
    isFollowed,
  }: Pick<PreflightInput, 'roll'> & {
    readonly old: readonly PreflightInstance[];
    readonly leftOut: readonly unknown[];
    readonly total: number;
    readonly isFollowed: boolean;
  },
): GroupSummary {
  const bounds = leavesOneAtATime(group) ? { ...roll, surge: 1, maxUnavailable: 0 } : roll;
  const expected = old.length === 0 ? undefined : expectedTime(old.length, bounds, history, { isFollowed });
  return {
    autoScalingGroupName: group.autoScalingGroupName,
    instances: total,
    old: old.length,
    blocked: old.filter(({ blocked }) => blocked.length > 0).length,
    leftOut: leftOut.length,
    ...(expected && { expected }),
  };
}

function slowBudgetsOf(
  old: readonly PreflightInstance[],
  budgets: readonly PodDisruptionBudget[],
  podsByNode: PodsByNode,
): readonly SlowBudget[] {
  const nodes = old.flatMap(({ nodeName }) => nodeName ?? []);
  return budgets.flatMap((budget) => {
    const { expectedPods = 0, desiredHealthy = 0 } = budget.status ?? {};
    if (expectedPods - desiredHealthy !== 1) return [];
    const oldNodes = nodes.filter((name) =>
      podsByNode.get(name)?.some((pod) => budgetsOf(pod, [budget]).length > 0),
    ).length;
    const { namespace = 'default', name } = budget.metadata ?? {};
    return oldNodes > 1 ? [{ budget: `${namespace}/${name}`, oldNodes }] : [];
  });
}

/** Why the roll may not begin; undefined if it may. Pure. */
export function whyRefused(
  { findings, old }: Pick<Preflight, 'findings' | 'old'>,
  { skipBlocked }: Pick<Roll, 'skipBlocked'>,
): string | undefined {
  const refusing = new Set(
    findings.flatMap((finding) => (finding.severity === 'refuses' ? finding.subject : [])),
  );
  if (refusing.size > 0) return `the roll cannot begin because of ${[...refusing].join(', ')}`;
  const blocked = old.filter((one) => one.blocked.length > 0).length;
  if (blocked === 0 || skipBlocked) return undefined;
  return `${blocked === 1 ? 'one old node has' : `${blocked} old nodes have`} pods that cannot move: change that, or leave these nodes to the end with --skip-blocked`;
}
