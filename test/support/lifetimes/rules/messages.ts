import type { View } from './rule.ts';

/** What stands in the queue of leaving nodes, by message id, with its subject. */
export const leavingMessages = ({ world }: Pick<View, 'world'>): ReadonlyMap<string, string> =>
  new Map(
    world.account.sqs.controls
      .peek(queueNamed(world, (name) => name.endsWith('.fifo') && !/DeadLetter/i.test(name)))
      .map(({ messageId, groupId = '' }) => [messageId, groupId]),
  );

const queueNamed = ({ account }: View['world'], matches: (name: string) => boolean): string =>
  account.sqs.controls.queueNames().find(matches) ?? '';

/** Every queue that is not empty, with what it holds. */
export const fullQueues = ({ world }: View): readonly string[] =>
  world.account.sqs.controls.queueNames().flatMap((name) => {
    const held = world.account.sqs.controls.peek(name);
    return held.length === 0 ? [] : [`${name}: ${held.map(({ body }) => body.slice(0, 160)).join(' | ')}`];
  });
