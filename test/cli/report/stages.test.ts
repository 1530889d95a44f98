import { beforeAll, describe, expect, it } from 'vitest';
import { createDroverWorld, type DroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { operatorOf } from '../operator.ts';

let world: DroverWorld;
let stage: string;

beforeAll(async () => {
  world = createDroverWorld();
  await withWorkers(world, { size: 1 });
  await world.timeline.pass(300);
  stage = /^drover-(.+)-sweep$/.exec(world.lambda.functionOf('sweep').functionName)?.[1] ?? '';
});

describe('drover report --stage', () => {
  const deploy = (name: string, cluster: string): void =>
    void world.account.events.operations.PutRule({
      Name: `drover-${name}-sweep`,
      Description: `Every five minutes for cluster ${cluster}, a sweep`,
      ScheduleExpression: 'rate(5 minutes)',
    });

  it('refuses the stage of another cluster, whose logs it would print under the name of this one', async () => {
    deploy('test', 'shop');
    expect(await operatorOf(world)('report --stage test')).toEqual({
      code: 1,
      out: '',
      err: 'drover: stage test serves cluster shop, not drover\n',
    });
    expect((await operatorOf(world)(`report --since 5m --stage ${stage}`)).code).toBe(0);
  });

  it('is believed where the rules may not be listed', async () => {
    const operator = operatorOf(world, { actions: ['autoscaling:*', 'logs:*'] });
    expect((await operator(`report --since 5m --stage ${stage}`)).code).toBe(0);
    expect(await operator('report --since 5m')).toMatchObject({ code: 1, out: '' });
  });

  it('without logs is an error, not an empty report', async () => {
    deploy('empty', 'drover');
    expect(await operatorOf(world)('report --stage empty')).toEqual({
      code: 1,
      out: '',
      err: 'drover: no function of stage empty has a log in this account and region: check --stage and --region\n',
    });
  });
});
