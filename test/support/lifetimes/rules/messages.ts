import type { View } from './rule.ts';

/** The function and the subject of each message in the queues of leaving and joining nodes, by message id. */
export const passMessages = ({ world }: Pick<View, 'world'>): ReadonlyMap<string, string> => {
  const { controls } = world.account.sqs;
  const held = controls.queueNames().flatMap((queue) => {
    const [, kind] = /(Leaving|Joining)Queue\.fifo$/.exec(queue) ?? [];
    if (kind === undefined) return [];
    const passOf = `node-${kind.toLowerCase()}`;
    return controls
      .peek(queue)
      .map(({ messageId, groupId = '' }) => [messageId, `${passOf} ${groupId}`] as const);
  });
  return new Map(held);
};

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
