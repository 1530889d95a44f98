import { batched } from '../base/batched.ts';
import type { Clock } from '../base/clock.ts';
import type { AutoScaling } from '../lifecycle/auto-scaling.ts';
import type { AutoScalingGroup, GroupInstance, LifecycleAction } from '../lifecycle/group.ts';
import type { AutoScalingApi } from './api/auto-scaling-api.ts';
import { toGroup, toGroupInstance, toHook } from './auto-scaling-shapes.ts';
import { cached } from './cached.ts';
import { hasCode, isNoActiveLifecycleAction } from './errors.ts';

/** DescribeAutoScalingInstances takes at most 50 ids a call (EC2 Auto Scaling API reference). */
const idsPerCall = 50;
/** A group that changes its tags is seen after so long; a pass asks for its group every time. */
const groupsSeconds = 20;
/** One that is not among those that were read may just have been made, or have got its tags: it is asked for so often. */
const unknownGroupSeconds = 5;
const hooksSeconds = 60;

export interface AutoScalingOptions {
  readonly api: AutoScalingApi;
  readonly clock: Clock;
  readonly clusterName: string;
}

/** Auto Scaling over its API. */
export function createAutoScaling({ api, clock, clusterName }: AutoScalingOptions): AutoScaling {
  const listGroups = cached({
    clock,
    seconds: groupsSeconds,
    read: (cluster: string) => readGroups(api, cluster),
  });
  return {
    describeInstance: batched({ limit: idsPerCall, load: (ids) => describeInstances(api, ids) }),
    describeGroup: async (name) =>
      named(await listGroups(clusterName), name) ??
      named(await listGroups(clusterName, clock.now() - unknownGroupSeconds * 1000 + 1), name),
    describeHooks: cached({ clock, seconds: hooksSeconds, read: (name) => describeHooks(api, name) }),
    listGroups: (notBefore) => listGroups(clusterName, notBefore),
    recordHeartbeat: (action) =>
      unlessInactive('recorded', () => api.call('RecordLifecycleActionHeartbeat', inputOf(action))),
    complete: (action, result) =>
      unlessInactive('completed', () =>
        api.call('CompleteLifecycleAction', { ...inputOf(action), LifecycleActionResult: result }),
      ),
    terminate: (instanceId) => terminate(api, instanceId),
  };
}

async function describeInstances(
  api: AutoScalingApi,
  ids: readonly string[],
): Promise<ReadonlyMap<string, GroupInstance>> {
  const answer = await api.call('DescribeAutoScalingInstances', {
    InstanceIds: [...ids],
    MaxRecords: idsPerCall,
  });
  const instances = answer.AutoScalingInstances.map(toGroupInstance);
  return new Map(instances.map((instance) => [instance.instanceId, instance]));
}

/** Every group that carries the cluster's tag, read anew. */
export async function readGroups(api: AutoScalingApi, clusterName: string): Promise<AutoScalingGroup[]> {
  const groups: AutoScalingGroup[] = [];
  let nextToken: string | undefined;
  do {
    const page = await api.call('DescribeAutoScalingGroups', {
      Filters: [{ Name: 'tag-key', Values: [`kubernetes.io/cluster/${clusterName}`] }],
      MaxRecords: 100,
      NextToken: nextToken,
    });
    groups.push(...page.AutoScalingGroups.map(toGroup));
    nextToken = page.NextToken;
  } while (nextToken);
  return groups;
}

async function describeHooks(api: AutoScalingApi, name: string) {
  const answer = await api.call('DescribeLifecycleHooks', { AutoScalingGroupName: name });
  return answer.LifecycleHooks.map(toHook);
}

async function unlessInactive<Word extends string>(
  word: Word,
  call: () => Promise<unknown>,
): Promise<Word | 'not-active'> {
  try {
    await call();
    return word;
  } catch (error) {
    if (isNoActiveLifecycleAction(error)) return 'not-active';
    throw error;
  }
}

async function terminate(api: AutoScalingApi, instanceId: string): Promise<'terminating' | 'not-in-group'> {
  try {
    await api.call('TerminateInstanceInAutoScalingGroup', {
      InstanceId: instanceId,
      ShouldDecrementDesiredCapacity: false,
    });
    return 'terminating';
  } catch (error) {
    const gone =
      hasCode(error, 'ValidationError') && /not found|not managed|no managed instance/i.test(String(error));
    if (gone) return 'not-in-group';
    throw error;
  }
}

const named = (groups: readonly AutoScalingGroup[], name: string): AutoScalingGroup | undefined =>
  groups.find(({ autoScalingGroupName }) => autoScalingGroupName === name);

const inputOf = (action: LifecycleAction) => ({
  AutoScalingGroupName: action.autoScalingGroupName,
  LifecycleHookName: action.lifecycleHookName,
  InstanceId: action.instanceId,
  ...(action.lifecycleActionToken && { LifecycleActionToken: action.lifecycleActionToken }),
});
