import { type InputTransformer, PutRuleCommand, PutTargetsCommand } from '@aws-sdk/client-eventbridge';
import { openQueue } from '@drover/cloud-sandbox/test/contract/sqs/world.ts';
import { newName } from '@drover/cloud-sandbox/test/contract/support/new-name.ts';
import type { Cases } from '@drover/cloud-sandbox/truth/contract.ts';
import { expect } from 'vitest';
import { eventBridgeClient } from '../../../shared/aws/clients.ts';
import { eventBus } from '../../../shared/aws/event-bus.ts';
import {
  eventOf,
  type NotificationKind,
  type OutgoingEvent,
} from '../../../shared/notifications/notification.ts';
import { type ReceiverParameters, receiversWith } from '../../support/receivers.ts';
import type { AwsWorld } from './world.ts';

interface TemplateRule {
  readonly EventPattern: { readonly detail: object };
  readonly Targets: readonly { readonly InputTransformer: InputTransformer }[];
}

/** The rule that the stack makes for a receiver. */
async function ruleOf(receiver: string, parameters: Partial<ReceiverParameters>): Promise<TemplateRule> {
  const { [receiver]: rule } = await receiversWith(parameters);
  return rule?.Properties as unknown as TemplateRule;
}

/** A cluster of its own, because the cases share an emulator. */
const inCluster = ({ EventPattern }: TemplateRule, cluster: string): object => ({
  ...EventPattern,
  detail: { ...EventPattern.detail, cluster: [cluster] },
});

/** The account of the world instead of the reference that CloudFormation resolves. */
const inAccount = (pattern: object, arn: string): object => ({
  ...pattern,
  ...('account' in pattern && { account: [arn.split(':')[4]] }),
});

/** A queue that gets what matches, all that comes into it, and the bus as Drover reaches it. */
async function listen(
  { events, sqs, connection, pass }: AwsWorld,
  { pattern, transformer }: { readonly pattern: object; readonly transformer?: InputTransformer },
) {
  const queue = await openQueue({ client: sqs, pass });
  const Name = newName();
  await events.send(
    new PutRuleCommand({ Name, EventPattern: JSON.stringify(inAccount(pattern, queue.arn)) }),
  );
  const target = { Id: 'people', Arn: queue.arn, ...(transformer && { InputTransformer: transformer }) };
  await events.send(new PutTargetsCommand({ Rule: Name, Targets: [target] }));
  const received = async (count: number): Promise<readonly string[]> => {
    const bodies: string[] = [];
    for (let second = 0; second < 10 && bodies.length < count; second += 1) {
      await pass(1);
      bodies.push(...(await queue.receive()).map(({ Body = '' }) => Body));
    }
    return [...bodies, ...(await queue.receive()).map(({ Body = '' }) => Body)];
  };
  return { put: eventBus(eventBridgeClient(connection)), received };
}

const now = Date.parse('2026-11-24T10:00:00Z');
const eventIn = (clusterName: string, kind: NotificationKind, message = 'node a'): OutgoingEvent =>
  eventOf(
    { kind, occurrence: crypto.randomUUID(), message, facts: { autoScalingGroupName: 'gpu-a' } },
    { clusterName, now },
  );

const idOf = (body: string): string =>
  (JSON.parse(body) as { readonly detail: { readonly id: string } }).detail.id;

/** What Drover asks of EventBridge, and what the rules of its stack and of its pages let through. */
export const eventCases: Cases<AwsWorld> = {
  'a notification arrives whole, with its source and detail-type': async (world) => {
    const cluster = newName();
    const { put, received } = await listen(world, {
      pattern: inCluster(await ruleOf('OwnTopicRule', { notificationTopic: 'arn' }), cluster),
    });
    const event = eventIn(cluster, 'drain-held');
    await put(event);
    const [body = '{}'] = await received(1);
    expect(JSON.parse(body)).toMatchObject({
      source: 'drover',
      'detail-type': 'Drover Drain Held',
      detail: event.detail,
    });
  },
  'a notification has the time that Drover gives it': async (world) => {
    const cluster = newName();
    const { put, received } = await listen(world, { pattern: { detail: { cluster: [cluster] } } });
    await put(eventIn(cluster, 'drain-held'));
    const [body = '{}'] = await received(1);
    expect(JSON.parse(body)).toMatchObject({ time: '2026-11-24T10:00:00Z' });
  },
  'twelve notifications of a moment arrive, each once': async (world) => {
    const cluster = newName();
    const { put, received } = await listen(world, {
      pattern: inCluster(await ruleOf('OwnTopicRule', { notificationTopic: 'arn' }), cluster),
    });
    const sent = Array.from({ length: 12 }, () => eventIn(cluster, 'node-gone'));
    await Promise.all(sent.map(put));
    expect((await received(12)).map(idOf).toSorted()).toEqual(sent.map(({ detail }) => detail.id).toSorted());
  },
  'a rule of the stack lets warnings of its own cluster through, and no more from warning on': async (
    world,
  ) => {
    const cluster = newName();
    const { put, received } = await listen(world, {
      pattern: inCluster(
        await ruleOf('OwnTopicRule', { notificationTopic: 'arn', notifyFrom: 'warning' }),
        cluster,
      ),
    });
    const warning = eventIn(cluster, 'join-failed');
    const others = [eventIn(cluster, 'node-gone'), eventIn(newName(), 'join-failed')];
    await Promise.all([...others, warning].map(put));
    expect((await received(1)).map(idOf)).toEqual([warning.detail.id]);
  },
  'the input of a chat is JSON whatever the message has, and that of e-mail the message in quotes': async (
    world,
  ) => {
    const message = 'a "b" \\ <!channel> {c} $d\n@all 漢';
    for (const receiver of ['ChatRule', 'EmailRule']) {
      const cluster = newName();
      const rule = await ruleOf(receiver, { chatWebhookSecret: 'x', notificationEmail: 'a@b.example' });
      const transformer = rule.Targets[0]?.InputTransformer;
      const { put, received } = await listen(world, {
        pattern: inCluster(rule, cluster),
        ...(transformer && { transformer }),
      });
      await put(eventIn(cluster, 'node-leaving', message));
      const line = `${cluster}: a 'b' / (!channel) {c} $d (at)all 漢`;
      const [body = '{}'] = await received(1);
      expect(JSON.parse(body)).toEqual(receiver === 'ChatRule' ? { text: line } : line);
    }
  },
  'a pattern by detail-type, and one by a wildcard of the group, let the event through': async (world) => {
    const cluster = newName();
    const of = (more: object, detail: object = {}) => ({
      source: ['drover'],
      ...more,
      detail: { cluster: [cluster], ...detail },
    });
    const byType = await listen(world, { pattern: of({ 'detail-type': ['Drover Join Failed'] }) });
    const byGroup = await listen(world, {
      pattern: of({}, { autoScalingGroupName: [{ wildcard: 'gpu-*' }] }),
    });
    const event = eventIn(cluster, 'join-failed');
    await byType.put(event);
    expect((await byType.received(1)).map(idOf)).toEqual([event.detail.id]);
    expect((await byGroup.received(1)).map(idOf)).toEqual([event.detail.id]);
  },
  'an entry that EventBridge refuses fails without the others': async (world) => {
    const cluster = newName();
    const { put, received } = await listen(world, { pattern: { detail: { cluster: [cluster] } } });
    const good = eventIn(cluster, 'node-gone');
    const inTheNameOfAws = { ...eventIn(cluster, 'node-gone'), source: 'aws.ec2' };
    const [refused, taken] = await Promise.allSettled([put(inTheNameOfAws), put(good)]);
    expect(refused).toMatchObject({ status: 'rejected', reason: { name: 'EventRefusedError' } });
    expect(taken).toMatchObject({ status: 'fulfilled' });
    expect((await received(1)).map(idOf)).toEqual([good.detail.id]);
  },
};
