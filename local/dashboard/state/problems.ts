import type { AutoScalingGroup } from '@aws-sdk/client-auto-scaling';
import { toGroup, toHook } from '../../../shared/aws/auto-scaling.ts';
import { isManaged } from '../../../shared/groups/group.ts';
import { readLeavingMark } from '../../../shared/nodes/leaving-mark.ts';
import { instanceIdOf } from '../../../shared/nodes/node-names.ts';
import type { RaisedAlarm } from '../../../shared/problems/alarm-problems.ts';
import { findProblems } from '../../../shared/problems/find-problems.ts';
import type { ProblemObservation } from '../../../shared/problems/observation.ts';
import { problemView } from '../../../ui/server/views/problem.ts';
import type { ProblemView, QueueView } from '../../../ui/state/types.ts';
import { clusterName, hookName, joiningHookName } from '../../names.ts';
import type { ShownCloud } from './dashboard-state.ts';

interface Around {
  readonly listed: readonly AutoScalingGroup[];
  readonly queues: readonly QueueView[];
  readonly alarms: readonly RaisedAlarm[];
  readonly now: number;
}

const known = <Value>(value: Value) => ({ kind: 'known', value }) as const;

/**
 * The problems of the simulated cluster, in the order of `drover status`. The page calls nothing, so what needs calls to several services
 * (the verdicts on certificate requests, overdue joins) is shown by its alarm.
 */
export const problemViews = (cloud: ShownCloud, around: Around): readonly ProblemView[] =>
  findProblems(observationOf(cloud, around)).map(problemView);

function observationOf({ account, kubernetes }: ShownCloud, around: Around): ProblemObservation {
  const groups = around.listed.map((group) => toGroup(group, {}));
  const managed = groups.filter((group) => isManaged(group, clusterName));
  const hooks = new Map(
    managed.map(({ autoScalingGroupName: name }) => {
      const answer = account.autoScaling.operations.DescribeLifecycleHooks({ AutoScalingGroupName: name });
      return [name, answer.LifecycleHooks.map(toHook)];
    }),
  );
  const nodes = kubernetes.store.of('nodes').list();
  const marked = nodes.flatMap(({ metadata }) => {
    const mark = readLeavingMark(metadata.annotations);
    return mark ? [{ name: metadata.name, mark }] : [];
  });
  return {
    at: around.now,
    groups: known({ ...hookNames, clusterName, managed, others: [], hooks }),
    nodes: known({
      marked,
      instanceIds: new Set(nodes.flatMap(({ spec }) => instanceIdOf(spec?.providerID) ?? [])),
    }),
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

/** The sandbox deploys the defaults of this stage. */
const stage = 'dev';

const hookNames = {
  leavingHookName: hookName,
  joiningHookName,
  etcdHookName: 'drover-etcd',
  etcdLaunchHookName: 'drover-etcd-launch',
};
