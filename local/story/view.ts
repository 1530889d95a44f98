import type { AutoScalingGroup } from '@aws-sdk/client-auto-scaling';
import type { Account, Cloud } from '@drover/cloud-sandbox';
import type { CertificateSigningRequest } from 'kubernetes-types/certificates/v1.d.ts';
import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import { readLeavingMark } from '../../shared/nodes/leaving-mark.ts';
import { type EtcdSightView, etcdView } from './etcd-view.ts';
import { type RequestView, requestsInOrder } from './request-view.ts';

/** The sandbox at one moment, for people. Plain data. */
export interface View {
  /** Milliseconds since the epoch, simulated. */
  readonly at: number;
  readonly groups: readonly GroupView[];
  readonly instances: readonly InstanceView[];
  readonly nodes: readonly NodeView[];
  /** Oldest first. */
  readonly requests: readonly RequestView[];
  readonly pods: readonly PodView[];
  readonly budgets: readonly BudgetView[];
  readonly etcd: EtcdSightView;
}

export interface GroupView {
  readonly name: string;
  /** Of the tag; absent: none. */
  readonly role?: string;
  readonly minSize: number;
  readonly desiredCapacity: number;
  readonly maxSize: number;
}

/** An instance of a group. */
export interface InstanceView {
  readonly instanceId: string;
  readonly groupName: string;
  readonly lifecycleState: string;
  readonly availabilityZone: string;
}

export interface NodeView {
  readonly name: string;
  readonly instanceId?: string;
  readonly ready: boolean;
  readonly cordoned: boolean;
  /** From Drover's annotation: `default/web-1 (budget web)`; absent if the node does not leave. */
  readonly waitingFor?: readonly string[];
}

export interface PodView {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly nodeName?: string;
  readonly phase: string;
  readonly ready: boolean;
  readonly terminating: boolean;
  /** The pod of a DaemonSet, which stays on its node. */
  readonly daemon: boolean;
}

export interface BudgetView {
  readonly namespace: string;
  readonly name: string;
  readonly healthy: number;
  readonly desired: number;
  readonly disruptionsAllowed: number;
}

/** Reads the simulation directly, so that no call is counted or refused. */
export function viewOf(cloud: Cloud): View {
  const { store } = cloud.kubernetes;
  return viewFrom(cloud.account, {
    nodes: store.of('nodes').list(),
    requests: store.of('certificatesigningrequests.certificates.k8s.io').list(),
    pods: store.of('pods').list(),
    budgets: store.of('poddisruptionbudgets.policy').list(),
    etcd: etcdView(cloud),
  });
}

/** The objects of a cluster that a view shows, as its API server has them. */
export interface ClusterSight {
  readonly nodes: readonly Node[];
  readonly requests: readonly CertificateSigningRequest[];
  readonly pods: readonly Pod[];
  readonly budgets: readonly PodDisruptionBudget[];
  readonly etcd: EtcdSightView;
}

/** A view of a simulated account and of the cluster on its instances. */
export function viewFrom(
  { autoScaling, clock }: Pick<Account, 'autoScaling' | 'clock'>,
  { nodes, requests, pods, budgets, etcd }: ClusterSight,
): View {
  const { AutoScalingGroups } = autoScaling.operations.DescribeAutoScalingGroups({});
  return {
    at: clock.now(),
    groups: AutoScalingGroups.map(groupView),
    instances: AutoScalingGroups.flatMap((group) =>
      (group.Instances ?? []).map((instance) => ({
        instanceId: instance.InstanceId ?? '',
        groupName: group.AutoScalingGroupName ?? '',
        lifecycleState: instance.LifecycleState ?? '',
        availabilityZone: instance.AvailabilityZone ?? '',
      })),
    ),
    nodes: nodes.map(nodeView),
    requests: requestsInOrder(requests),
    pods: pods.map(podView),
    budgets: budgets.map(budgetView),
    etcd,
  };
}

function groupView(group: AutoScalingGroup): GroupView {
  const role = group.Tags?.find(({ Key }) => Key === 'drover.dev/role')?.Value;
  return {
    name: group.AutoScalingGroupName ?? '',
    ...(role !== undefined && { role }),
    minSize: group.MinSize ?? 0,
    desiredCapacity: group.DesiredCapacity ?? 0,
    maxSize: group.MaxSize ?? 0,
  };
}

const isTrue = (
  conditions: readonly { readonly type: string; readonly status: string }[] | undefined,
  type: string,
): boolean => conditions?.some((one) => one.type === type && one.status === 'True') ?? false;

function nodeView({ metadata, spec, status }: Node): NodeView {
  const mark = readLeavingMark(metadata?.annotations);
  const instanceId = /\/(i-[0-9a-f]+)$/.exec(spec?.providerID ?? '')?.[1];
  return {
    name: metadata?.name ?? '',
    ...(instanceId !== undefined && { instanceId }),
    ready: isTrue(status?.conditions, 'Ready'),
    cordoned: spec?.unschedulable === true,
    ...(mark && { waitingFor: mark.waitingFor }),
  };
}

function podView({ metadata, spec, status }: Pod): PodView {
  return {
    uid: metadata?.uid ?? '',
    namespace: metadata?.namespace ?? '',
    name: metadata?.name ?? '',
    ...(spec?.nodeName !== undefined && { nodeName: spec.nodeName }),
    phase: status?.phase ?? 'Pending',
    ready: isTrue(status?.conditions, 'Ready'),
    terminating: metadata?.deletionTimestamp !== undefined,
    daemon: metadata?.ownerReferences?.some(({ kind }) => kind === 'DaemonSet') ?? false,
  };
}

function budgetView({ metadata, status }: PodDisruptionBudget): BudgetView {
  return {
    namespace: metadata?.namespace ?? '',
    name: metadata?.name ?? '',
    healthy: status?.currentHealthy ?? 0,
    desired: status?.desiredHealthy ?? 0,
    disruptionsAllowed: status?.disruptionsAllowed ?? 0,
  };
}
