import type { AutoScalingGroup } from '@aws-sdk/client-auto-scaling';
import { toGroup, toHook } from '../../../shared/aws/auto-scaling.ts';
import { toScheduledAction } from '../../../shared/aws/scheduled-actions.ts';
import { clusterTag, type AutoScalingGroup as Group, isManaged } from '../../../shared/groups/group.ts';
import { readLeavingMark } from '../../../shared/nodes/leaving-mark.ts';
import { instanceIdOf } from '../../../shared/nodes/node-names.ts';
import type { RaisedAlarm } from '../../../shared/problems/alarm-problems.ts';
import { findProblems } from '../../../shared/problems/find-problems.ts';
import type { ProblemObservation } from '../../../shared/problems/observation.ts';
import { problemView } from '../../../ui/server/views/problem.ts';
import type { ProblemView, QueueView } from '../../../ui/state/types.ts';
import { clusterName, hookName, joiningHookName } from '../../names.ts';
import type { ShownCloud } from './dashboard-state.ts';
import {
  heldCapacity,
  observedApprovals,
  observedLaunches,
  publishedCredentials,
  warmPoolWaits,
} from './problem-sources.ts';

interface Around {
  readonly listed: readonly AutoScalingGroup[];
  readonly queues: readonly QueueView[];
  readonly alarms: readonly RaisedAlarm[];
  readonly now: number;
}

const known = <Value>(value: Value) => ({ kind: 'known', value }) as const;

/**
 * The problems of the simulated cluster, in the order of `drover status`. The page calls nothing, so what needs calls that are awaited (the
 * verdicts on certificate requests and on failing nodes) is shown by its alarm.
 */
export const problemViews = (cloud: ShownCloud, around: Around): readonly ProblemView[] =>
  findProblems(observationOf(cloud, around)).map(problemView);

function observationOf(cloud: ShownCloud, around: Around): ProblemObservation {
  const { account, kubernetes } = cloud;
  const groups = around.listed.map((group) => toGroup(group, {}));
  const managed = groups.filter((group) => isManaged(group, clusterName));
  const nodes = kubernetes.store.of('nodes').list();
  const marked = nodes.flatMap(({ metadata }) => {
    const mark = readLeavingMark(metadata.annotations);
    return mark ? [{ name: metadata.name, mark }] : [];
  });
  const leavingIds = new Set(marked.map(({ mark }) => mark.instanceId));
  const others = groups.filter((group) => !isManaged(group, clusterName) && isConcerned(group, leavingIds));
  const clusterNodes = {
    marked,
    instanceIds: new Set(nodes.flatMap(({ spec }) => instanceIdOf(spec?.providerID) ?? [])),
  };
  return {
    at: around.now,
    groups: known({
      ...hookNames,
      clusterName,
      managed,
      others,
      hooks: hooksOf(account, [...managed, ...others]),
    }),
    nodes: known(clusterNodes),
    approvals: known(observedApprovals(cloud, managed, around.now)),
    launches: known(observedLaunches(cloud, managed, clusterNodes)),
    warmWaits: known(warmPoolWaits(cloud, managed)),
    capacity: known(heldCapacity(cloud)),
    scheduledActions: known(
      account.autoScaling.operations
        .DescribeScheduledActions({ MaxRecords: 100 })
        .ScheduledUpdateGroupActions.map(toScheduledAction),
    ),
    credentials: known(publishedCredentials(cloud)),
    deadLetters: known(
      around.queues
        .filter(({ deadLetters }) => deadLetters)
        .map(({ queueName, visible, inFlight, delayed }) => ({
          part: queueName.split(/[-.]/).find((word) => word.endsWith('Queue')) ?? queueName,
          name: queueName,
          url: account.sqs.controls.queueUrl(queueName),
          stage,
          messages: visible + inFlight + delayed,
        })),
    ),
    alarms: known(
      around.alarms.map((alarm) => ({ ...alarm, name: alarm.name.replace(`drover-${stage}-`, '') })),
    ),
  };
}

/** It has the tag of the cluster, or an instance whose Node leaves: the group may have lost its tags. */
const isConcerned = ({ tags, instances }: Group, leavingIds: ReadonlySet<string>): boolean =>
  tags[clusterTag(clusterName)] !== undefined ||
  instances.some(({ instanceId }) => leavingIds.has(instanceId));

const hooksOf = ({ autoScaling }: ShownCloud['account'], groups: readonly Group[]) =>
  new Map(
    groups.map(({ autoScalingGroupName: name }) => {
      const answer = autoScaling.operations.DescribeLifecycleHooks({ AutoScalingGroupName: name });
      return [name, answer.LifecycleHooks.map(toHook)];
    }),
  );

/** The sandbox deploys the defaults of this stage. */
const stage = 'dev';

const hookNames = {
  leavingHookName: hookName,
  joiningHookName,
  etcdHookName: 'drover-etcd',
  etcdLaunchHookName: 'drover-etcd-launch',
};
