import { describe, expect, it } from 'vitest';
import { createDroverWorld, type DroverWorld, stateOf, withWorkers } from '../../local/world/drover-world.ts';
import { markOf, untilSaid } from '../support/observed-instance.ts';

function warn(
  { account, clock }: DroverWorld,
  instanceId: string,
  over: Readonly<Record<string, unknown>> = {},
): void {
  const queue = account.sqs.controls.queueNames().find((name) => name.endsWith('-InboxQueue')) ?? '';
  account.sqs.controls.send(queue, {
    MessageBody: JSON.stringify({
      id: `forged-${instanceId}`,
      source: 'aws.ec2',
      'detail-type': 'EC2 Spot Instance Interruption Warning',
      account: account.accountId,
      region: account.region,
      time: new Date(clock.now()).toISOString(),
      detail: { 'instance-id': instanceId, 'instance-action': 'terminate' },
      ...over,
    }),
  });
}

describe('a spot warning', () => {
  it('about an instance that is not a Spot Instance changes nothing, and the reason is logged', async () => {
    const world = createDroverWorld();
    const [staying = ''] = await withWorkers(world, { size: 1 });
    warn(world, staying);
    await untilSaid(world, staying, /EC2 does not report it as a Spot Instance/, 60);
    await world.timeline.pass(180);
    expect(stateOf(world, staying)).toBe('InService');
    expect(markOf(world, staying)).toBeUndefined();
  });

  it.each([
    ['another account', { account: '210987654321' }],
    ['another region', { region: 'us-east-1' }],
    ['a time to come', { time: '2099-01-01T00:00:00Z' }],
    ['a week ago', { time: '1999-12-25T00:00:00Z' }],
  ])('from %s changes nothing for a Spot Instance', async (_, over) => {
    const world = createDroverWorld();
    const [staying = ''] = await withWorkers(world, { size: 1, spot: true, hook: undefined });
    warn(world, staying, over);
    await world.timeline.pass(180);
    expect(stateOf(world, staying)).toBe('InService');
    expect(markOf(world, staying)).toBeUndefined();
  });

  it('waits and raises an alarm if too many instances leave in a hurry within a minute, and is accepted later', async () => {
    const world = createDroverWorld({
      editWiring: (wiring) => ({
        ...wiring,
        functions: wiring.functions.map((one) => ({
          ...one,
          environment: { ...one.environment, DROVER_MAX_HURRIED_PER_MINUTE: '5' },
        })),
      }),
    });
    const ids = await withWorkers(world, { size: 12, spot: true, hook: undefined });
    for (const instanceId of ids) warn(world, instanceId);
    await world.timeline.pass(30);
    const marked = () => ids.filter((id) => stateOf(world, id) !== 'InService' || markOf(world, id)).length;
    expect(marked()).toBeGreaterThan(0);
    expect(marked()).toBeLessThanOrEqual(5);
    expect(world.lines).toContainEqual(expect.objectContaining({ message: 'warnings wait' }));
    await world.timeline.pass(300);
    expect(marked()).toBe(12);
  });
});
