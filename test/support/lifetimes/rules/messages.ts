import type { View } from './rule.ts';

/** What stands in the queue of leaving nodes, by message id, with its subject. */
export const leavingMessages = (view: Pick<View, 'world'>): ReadonlyMap<string, string> =>
  new Map(peekAtLeaving(view).map(({ messageId, groupId = '' }) => [messageId, groupId]));

const peekAtLeaving = ({ world }: Pick<View, 'world'>) =>
  world.account.sqs.controls.peek(
    queueNamed(world, (name) => name.endsWith('.fifo') && !/DeadLetter/i.test(name)),
  );

const queueNamed = ({ account }: View['world'], matches: (name: string) => boolean): string =>
  account.sqs.controls.queueNames().find(matches) ?? '';

/**
 * Every queue that is not empty, with what it holds. What the bootstrap credential's function could not do is not of
 * interest here: the cluster has no certificate authority that it could publish.
 */
export const fullQueues = ({ world }: View): readonly string[] =>
  world.account.sqs.controls.queueNames().flatMap((name) => {
    const held = world.account.sqs.controls
      .peek(name)
      .filter(({ body }) => !body.includes('bootstrap-credential'));
    return held.length === 0 ? [] : [`${name}: ${held.map(({ body }) => body.slice(0, 160)).join(' | ')}`];
  });
