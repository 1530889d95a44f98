import {
  CompleteLifecycleActionCommand,
  type CreateAutoScalingGroupType,
  DescribeWarmPoolCommand,
  PutLifecycleHookCommand,
} from '@aws-sdk/client-auto-scaling';
import { expect } from 'vitest';
import { type AutoScalingWorld, openGroup } from '../auto-scaling/world.ts';
import { type EventSource, openInbox, type ReceivedEvent } from './inbox.ts';

/** An account in which Auto Scaling, EC2, EventBridge and SQS work together. */
export interface AutoScalingEventsWorld extends AutoScalingWorld, EventSource {
  /** Called with each event that a case has waited for. */
  readonly onEvent?: (event: ReceivedEvent) => void;
}

export const launching = 'autoscaling:EC2_INSTANCE_LAUNCHING';
export const terminating = 'autoscaling:EC2_INSTANCE_TERMINATING';
export const launchAction = 'EC2 Instance-launch Lifecycle Action';
export const terminateAction = 'EC2 Instance-terminate Lifecycle Action';

const patienceSeconds = 600;

/** An empty group with a hook for each transition, and the events of its account. */
export async function openHookedGroup(
  world: AutoScalingEventsWorld,
  settings: Partial<CreateAutoScalingGroupType> = {},
) {
  const take = await openInbox(world);
  const group = await openGroup(world, { MaxSize: 1, ...settings });
  for (const [LifecycleHookName, LifecycleTransition] of [
    ['join', launching],
    ['leave', terminating],
  ] as const)
    await world.client.send(
      new PutLifecycleHookCommand({
        AutoScalingGroupName: group.name,
        LifecycleHookName,
        LifecycleTransition,
        HeartbeatTimeout: 1800,
        NotificationMetadata: 'made by a contract',
      }),
    );
  const seen: ReceivedEvent[] = [];
  /** The first event that matches, however late it is. */
  const event = async (matches: (event: ReceivedEvent) => boolean): Promise<ReceivedEvent> => {
    for (let second = 0; second < patienceSeconds; second += 1) {
      seen.push(...(await take()));
      const found = seen.find(matches);
      if (found !== undefined) {
        world.onEvent?.(found);
        return found;
      }
      await world.pass(1);
    }
    const kinds = seen.map((one) => one['detail-type']);
    throw new Error(`no such event within ${patienceSeconds} seconds, but ${kinds.join(', ') || 'none'}`);
  };
  /** The event of this group of a kind, whose origin and destination are these. */
  const action = (kind: string, Origin: string, Destination: string) =>
    event(
      ({ 'detail-type': type, detail }) =>
        type === kind &&
        detail['AutoScalingGroupName'] === group.name &&
        detail['Origin'] === Origin &&
        detail['Destination'] === Destination,
    );
  return { ...group, event, action };
}

/** Completes the action of an event by its token. */
export const complete = async ({ client }: AutoScalingEventsWorld, { detail }: ReceivedEvent) =>
  await client.send(
    new CompleteLifecycleActionCommand({
      AutoScalingGroupName: String(detail['AutoScalingGroupName']),
      LifecycleHookName: String(detail['LifecycleHookName']),
      LifecycleActionToken: String(detail['LifecycleActionToken']),
      LifecycleActionResult: 'CONTINUE',
    }),
  );

/** Lets time pass until the only instance of the warm pool has this state. */
export async function untilWarmed(world: AutoScalingEventsWorld, name: string, state: string): Promise<void> {
  const read = async () => {
    const { Instances = [] } = await world.client.send(
      new DescribeWarmPoolCommand({ AutoScalingGroupName: name }),
    );
    return Instances.map(({ LifecycleState }) => LifecycleState).join(', ');
  };
  for (let second = 0; second < patienceSeconds && (await read()) !== state; second += 1) await world.pass(1);
  expect(await read()).toBe(state);
}
