import { readFileSync } from 'node:fs';
import type { PatternWorld } from '@drover/cloud-sandbox/test/contract/event-patterns/support.ts';
import type { Cases } from '@drover/cloud-sandbox/truth/contract.ts';
import { expect } from 'vitest';
import { type NotificationKind, notificationKinds } from '../../../shared/notifications/notification.ts';
import { type ReceiverParameters, receiversWith } from '../../support/receivers.ts';

const kinds = Object.keys(notificationKinds) as NotificationKind[];
const warnings = kinds.filter((kind) => notificationKinds[kind].severity === 'warning');

const accountOfSamples = '123456789012';

/** The sample events, of this cluster. */
const samples = (cluster: string) =>
  kinds.map((kind) =>
    readFileSync(`events/notifications/${kind}.json`, 'utf8').replace(
      '"cluster": "prod"',
      `"cluster": "${cluster}"`,
    ),
  );

/** The kinds that a pattern lets through. */
async function letThrough(
  { ask }: PatternWorld,
  pattern: string,
  cluster: string,
): Promise<readonly string[]> {
  const answer = await ask(pattern, samples(cluster));
  if (answer === 'refused') throw new Error(`not an event pattern: ${pattern}`);
  return kinds.filter((_, index) => answer[index]);
}

async function patternsOf(parameters: Partial<ReceiverParameters>): Promise<readonly string[]> {
  const receivers = { notificationEmail: 'a@b.example', notificationTopic: 'arn', chatWebhookSecret: 'x' };
  const resources = await receiversWith({ ...receivers, ...parameters });
  return Object.values(resources)
    .filter(({ Type }) => Type === 'AWS::Events::Rule')
    .map(({ Properties }) => JSON.stringify((Properties as { readonly EventPattern: object }).EventPattern))
    .map((pattern) => pattern.replace('{"Ref":"AWS::AccountId"}', JSON.stringify(accountOfSamples)));
}

/** The patterns that the page shows, in its order. */
const page = readFileSync('docs/notifications.md', 'utf8');
const patternsOfPage = [...page.matchAll(/\{"source":\["drover"\].*?\}(?=['`])/g)].map(
  ([pattern]) => pattern,
);

/** What the rules for people let through: those of the stack, and those of docs/notifications.md. */
export const peopleCases: Cases<PatternWorld> = {
  'each rule of the stack lets every notification of its cluster through, and none of another': async (
    world,
  ) => {
    const patterns = await patternsOf({ notifyFrom: 'info' });
    expect(patterns).toHaveLength(3);
    for (const pattern of patterns) {
      expect(await letThrough(world, pattern, 'drover')).toEqual(kinds);
      expect(await letThrough(world, pattern, 'prod')).toEqual([]);
    }
  },
  'each rule of the stack lets only the warnings through, from warning on': async (world) => {
    const patterns = await patternsOf({ notifyFrom: 'warning' });
    expect(patterns).toHaveLength(3);
    for (const pattern of patterns) expect(await letThrough(world, pattern, 'drover')).toEqual(warnings);
  },
  'the patterns of docs/notifications.md let through what it says': async (world) => {
    const answers = await Promise.all(patternsOfPage.map((pattern) => letThrough(world, pattern, 'prod')));
    expect(answers).toEqual([['problems'], warnings, ['join-failed'], ['hold-unmet']]);
  },
};
