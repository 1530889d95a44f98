import {
  type AutoScalingClient,
  CompleteLifecycleActionCommand,
  DescribeAutoScalingGroupsCommand,
  type DescribeAutoScalingGroupsCommandInput,
  DescribeAutoScalingInstancesCommand,
  DescribeLifecycleHooksCommand,
  RecordLifecycleActionHeartbeatCommand,
  TerminateInstanceInAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { batched } from '../base/batched.ts';
import { messageOf } from '../base/message-of.ts';
import type { AutoScaling, GiveBackAnswer } from '../groups/auto-scaling.ts';
import type { AutoScalingGroup, GroupInstance, LifecycleAction, LifecycleHook } from '../groups/group.ts';
import { toGroup, toGroupInstance, toHook } from './auto-scaling-shapes.ts';
import { hasCode, isContended, isNoActiveLifecycleAction, refusalOf } from './errors.ts';
import { required } from './unreadable-answer.ts';

/** DescribeAutoScalingInstances takes at most 50 ids a call (EC2 Auto Scaling API reference). */
const idsPerCall = 50;

export interface AutoScalingOptions {
  readonly client: AutoScalingClient;
  readonly clusterName: string;
}

/** Auto Scaling over its API. Every answer is read anew: `withFewerCalls` keeps some. */
export function createAutoScaling({ client, clusterName }: AutoScalingOptions): AutoScaling {
  const listGroups = () => readGroups(client, clusterName);
  return {
    describeInstance: batched({ limit: idsPerCall, load: (ids) => describeInstances(client, ids) }),
    describeGroup: async (name) => groupNamed(await listGroups(), name),
    describeHooks: (name) => describeHooks(client, name),
    listGroups,
    recordHeartbeat: (action) =>
      unlessInactive('recorded', () =>
        client.send(new RecordLifecycleActionHeartbeatCommand(inputOf(action))),
      ),
    complete: (action, result) =>
      unlessInactive('completed', () =>
        client.send(
          new CompleteLifecycleActionCommand({ ...inputOf(action), LifecycleActionResult: result }),
        ),
      ),
    terminate: (instanceId) => terminate(client, instanceId),
    giveBack: (instanceId) => giveBack(client, instanceId),
  };
}

async function describeInstances(
  client: AutoScalingClient,
  ids: readonly string[],
): Promise<ReadonlyMap<string, GroupInstance>> {
  const { AutoScalingInstances, $metadata } = await client.send(
    new DescribeAutoScalingInstancesCommand({ InstanceIds: [...ids], MaxRecords: idsPerCall }),
  );
  const instances = required(AutoScalingInstances, { name: 'AutoScalingInstances', $metadata }).map(
    toGroupInstance,
  );
  return new Map(instances.map((instance) => [instance.instanceId, instance]));
}

/**
 * Every group that carries the cluster's tag, read anew.
 *
 * @throws UnreadableAnswerError
 */
export async function readGroups(
  client: AutoScalingClient,
  clusterName: string,
): Promise<AutoScalingGroup[]> {
  const groups: AutoScalingGroup[] = [];
  let nextToken: string | undefined;
  do {
    const page = await describeGroups(client, {
      Filters: [{ Name: 'tag-key', Values: [`kubernetes.io/cluster/${clusterName}`] }],
      MaxRecords: 100,
      NextToken: nextToken,
    });
    groups.push(...page.groups);
    nextToken = page.nextToken;
  } while (nextToken);
  return groups;
}

/**
 * One page of groups.
 *
 * @throws UnreadableAnswerError
 */
export async function describeGroups(
  client: AutoScalingClient,
  input: DescribeAutoScalingGroupsCommandInput,
): Promise<{ readonly groups: readonly AutoScalingGroup[]; readonly nextToken: string | undefined }> {
  const { AutoScalingGroups, NextToken, $metadata } = await client.send(
    new DescribeAutoScalingGroupsCommand(input),
  );
  const groups = required(AutoScalingGroups, { name: 'AutoScalingGroups', $metadata });
  return { groups: groups.map((group) => toGroup(group, $metadata)), nextToken: NextToken };
}

/**
 * The hooks of a group, read anew.
 *
 * @throws UnreadableAnswerError
 */
export async function describeHooks(
  client: AutoScalingClient,
  name: string,
): Promise<readonly LifecycleHook[]> {
  const { LifecycleHooks, $metadata } = await client.send(
    new DescribeLifecycleHooksCommand({ AutoScalingGroupName: name }),
  );
  return required(LifecycleHooks, { name: 'LifecycleHooks', $metadata }).map(toHook);
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

async function terminate(
  client: AutoScalingClient,
  instanceId: string,
): Promise<'terminating' | 'not-in-group'> {
  try {
    await client.send(
      new TerminateInstanceInAutoScalingGroupCommand({
        InstanceId: instanceId,
        ShouldDecrementDesiredCapacity: false,
      }),
    );
    return 'terminating';
  } catch (error) {
    const gone =
      hasCode(error, 'ValidationError') && /not found|not managed|no managed instance/i.test(String(error));
    if (gone) return 'not-in-group';
    throw error;
  }
}

async function giveBack(client: AutoScalingClient, instanceId: string): Promise<GiveBackAnswer> {
  const input = { InstanceId: instanceId, ShouldDecrementDesiredCapacity: true };
  try {
    await client.send(new TerminateInstanceInAutoScalingGroupCommand(input));
    return { kind: 'terminating' };
  } catch (error) {
    if (isContended(error)) return { kind: 'busy', reason: messageOf(error) };
    if (hasCode(error, 'ValidationError')) return { kind: 'refused', reason: messageOf(error) };
    if (refusalOf(error) === 'denied') return { kind: 'denied', error };
    throw error;
  }
}

/** The group of that name among these. */
export const groupNamed = (groups: readonly AutoScalingGroup[], name: string): AutoScalingGroup | undefined =>
  groups.find(({ autoScalingGroupName }) => autoScalingGroupName === name);

const inputOf = (action: LifecycleAction) => ({
  AutoScalingGroupName: action.autoScalingGroupName,
  LifecycleHookName: action.lifecycleHookName,
  InstanceId: action.instanceId,
  ...(action.lifecycleActionToken && { LifecycleActionToken: action.lifecycleActionToken }),
});
