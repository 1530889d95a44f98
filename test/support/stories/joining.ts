import { inService, launchWorkers, startJoiningWorld } from '../joining-world.ts';
import { complaints, endOf, type Story } from './story.ts';

/** What joining takes: certificates, nodes that need heartbeats until they are Ready, an event that is lost, and a malformed message. */
export const joining: Story = async (options) => {
  const world = await startJoiningWorld({
    ...options,
    kubelets: { configure: () => ({ readyDelaySeconds: 100 }) },
  });
  const { sqs, events } = world.account;
  const queueNamed = (pattern: RegExp): string =>
    sqs.controls.queueNames().find((name) => pattern.test(name)) ?? '';
  sqs.controls.send(queueNamed(/-JoiningQueue.fifo$/), {
    MessageBody: 'hello',
    MessageGroupId: 'hello',
    MessageDeduplicationId: 'hello',
  });
  launchWorkers(world, 1, { heartbeatTimeoutSeconds: 60, tags: { 'drover.dev/join-timeout': '1m' } });
  await world.timeline.pass(60);
  events.disturb({ lost: 1 });
  launchWorkers(world, 1, { autoScalingGroupName: 'lost', heartbeatTimeoutSeconds: 600 });
  await world.timeline.pass(60);
  events.disturb({});
  const overdue = await endOf(() =>
    world.timeline.until(
      () =>
        complaints(world).length > 0 ||
        ['workers', 'lost'].every((name) => inService(world, name).length === 1),
      { withinSeconds: 500, what: 'both instances in service' },
    ),
  );
  const parked = sqs.controls.peek(queueNamed(/-JoiningDeadLetterQueue.fifo$/)).length === 1;
  const unparked = parked ? [] : ['what was not understood is not in the dead-letter queue'];
  const consoles = world.lines.filter(({ steps }) =>
    /its console has no output|according to its console/.test(JSON.stringify(steps ?? '')),
  );
  const unread = consoles.length > 0 ? [] : ['the console of an overdue instance was not read'];
  return [...complaints(world), ...overdue, ...unparked, ...unread];
};
