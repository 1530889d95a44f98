import { expect, it } from 'vitest';
import { createDroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { operatorOf } from '../operator.ts';

const withLetter = async (part: string) => {
  const world = createDroverWorld();
  await withWorkers(world, { size: 1 });
  const { controls } = world.account.sqs;
  const name = controls.queueNames().find((one) => one.includes(part)) ?? '';
  controls.send(name, {
    MessageBody: '{}',
    ...(name.endsWith('.fifo') && { MessageGroupId: 'one', MessageDeduplicationId: 'one' }),
  });
  return world;
};

it.each([
  ['LeavingDeadLetterQueue', 'leaving-dead-letters', 'drover redrive --stage dev --dry-run'],
  ['UndeliveredQueue', 'undelivered', expect.stringContaining('aws sqs receive-message')],
])(
  'drover status names dead letters in %s, with the alarm %s and the command',
  async (part, alarm, command) => {
    const { code, out } = await operatorOf(await withLetter(part))('status --json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      problems: [{ kind: 'dead-letters', subject: expect.stringContaining(part), alarm, command }],
    });
  },
);

it('drover status asks for the stage if several deployments have queues, and reads those of --stage', async () => {
  const world = await withLetter('InboxDeadLetterQueue');
  for (const QueueName of ['drover-prod-InboxQueue-AB12', 'drover-prod-InboxDeadLetterQueue-CD34'])
    world.account.sqs.operations.CreateQueue({ QueueName });
  const run = operatorOf(world);
  const { code, out } = await run('status');
  expect(code).toBe(5);
  expect(out).toContain('choose one of dev, prod with --stage');
  const prod = JSON.parse((await run('status --stage prod --json')).out) as { missing: object[] };
  // Its queues are read. The world has no alarms of it.
  expect(prod).toMatchObject({
    problems: [],
    missing: [{ what: 'the alarms', reason: 'there are no alarms of stage prod in this account and region' }],
  });
  expect((await run('status --stage dev')).code).toBe(1);
  expect((await run('status --stage prdo')).out).toContain('there are no queues of stage prdo');
});
