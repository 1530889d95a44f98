import type { AutoScalingGroup } from '@aws-sdk/client-auto-scaling';
import type { Cloud } from '@drover/cloud-sandbox';
import { instanceIdOf } from '../../../shared/nodes/node-names.ts';
import { budgetView } from '../../../ui/server/views/budget.ts';
import { nodeView } from '../../../ui/server/views/node.ts';
import { podView } from '../../../ui/server/views/pod.ts';
import type { DashboardState, GroupView, NewsView, NodeView, PassView } from '../../../ui/state/types.ts';
import { clusterName } from '../../names.ts';
import { type AlarmChange, raisedAlarms } from './alarms.ts';
import { allPages } from './all-pages.ts';
import { capacityViews } from './capacity/capacity-views.ts';
import { credentialView } from './credential.ts';
import { deadLetterQueueNames } from './dead-letter-queues.ts';
import { etcdView } from './etcd.ts';
import { type AroundInstances, groupView } from './groups.ts';
import { problemViews } from './problems.ts';
import { queueViews } from './queues.ts';
import { requestViews } from './requests.ts';
import { rollViews } from './rolls.ts';

/** The parts of a cloud that the page shows. */
export interface ShownCloud extends Pick<Cloud, 'account' | 'kubernetes' | 'lambda' | 'etcd'> {
  /** Absent if no alarms are watched. */
  readonly alarms?: { readonly history: () => readonly AlarmChange[] };
}

/** What the page shows besides the cloud's current state: past events, the newest first. */
export interface Recent {
  readonly passes: readonly PassView[];
  readonly news: readonly NewsView[];
}

/** The whole page as data: reads the simulation and changes nothing. */
export function dashboardState(
  cloud: ShownCloud,
  { now, passes, news }: Recent & { readonly now: number },
): DashboardState {
  const { account, kubernetes, alarms } = cloud;
  const nodes = nodeViews(kubernetes);
  const listed = listGroups(account);
  const capacity = capacityViews(cloud, { groups: listed, clusterName, now });
  const groups = groupViews(account, listed, { nodes: new Map(nodes), passes, capacity: capacity.ofGroups });
  const shown = new Set(groups.flatMap(({ instances }) => instances.map(({ node }) => node)));
  const { store } = kubernetes;
  const etcd = etcdView(cloud);
  const credential = credentialView(cloud);
  const queues = queueViews(account.sqs.controls, deadLetterQueueNames(account));
  const raised = raisedAlarms(alarms?.history() ?? [], now);
  return {
    now,
    source: 'sandbox',
    clusterName,
    problems: problemViews(cloud, { listed, queues, alarms: raised, now }),
    unknown: [],
    region: account.region,
    accountId: account.accountId,
    groups,
    rolls: rollViews(cloud, { listed, clusterName }),
    otherNodes: nodes.map(([, node]) => node).filter((node) => !shown.has(node)),
    waitingPods: store
      .of('pods')
      .list()
      .filter(({ spec }) => spec?.nodeName === undefined)
      .map(podView),
    budgets: store.of('poddisruptionbudgets.policy').list().map(budgetView),
    scheduleProblems: capacity.problems,
    requests: requestViews(store.of('certificatesigningrequests.certificates.k8s.io').list()),
    ...(etcd && { etcd }),
    credentials: credential ? [credential] : [],
    queues,
    passes,
    news,
  };
}

/** Nodes by the id of their instance or, if they have none, by their own name. */
function nodeViews({ store }: ShownCloud['kubernetes']): readonly (readonly [string, NodeView])[] {
  return store
    .of('nodes')
    .list()
    .map((node) => [
      instanceIdOf(node.spec?.providerID) ?? node.metadata.name,
      nodeView(node, store.of('pods').find('node', node.metadata.name)),
    ]);
}

type Account = ShownCloud['account'];

const listGroups = ({ autoScaling }: Account): readonly AutoScalingGroup[] =>
  allPages((NextToken) => {
    const page = autoScaling.operations.DescribeAutoScalingGroups({ ...(NextToken && { NextToken }) });
    return { items: page.AutoScalingGroups, nextToken: page.NextToken };
  });

function groupViews(
  { autoScaling, ec2 }: Account,
  groups: readonly AutoScalingGroup[],
  told: Pick<AroundInstances, 'nodes' | 'passes' | 'capacity'>,
): readonly GroupView[] {
  const { operations, controls } = autoScaling;
  const waits = Map.groupBy(controls.waits(), ({ instanceId }) => instanceId);
  const around: AroundInstances = { ...told, waits, ec2Instance: ec2.instances.find };
  const warmOf = (AutoScalingGroupName: string | undefined) =>
    allPages((NextToken) => {
      const page = operations.DescribeWarmPool({ AutoScalingGroupName, ...(NextToken && { NextToken }) });
      return { items: page.Instances, nextToken: page.NextToken };
    });
  return groups.map((group) => groupView(group, warmOf(group.AutoScalingGroupName), around));
}
