import { createGroup } from '@drover/cloud-sandbox/test/aws/support/cloud.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { type BeginLook, listAndPoint } from '../../../cli/pointer/point.ts';
import { pointerText } from '../../../cli/pointer/text.ts';
import { createDroverWorld, type DroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { workerTags } from '../../shared/scale-api/scale-api-world.ts';
import { operatorOf, startHeldDrain } from '../operator.ts';
import { createScaleCli } from '../scale-api-door.ts';

const critical = { severity: 'critical' } as const;
const warning = { severity: 'warning' } as const;

describe('the pointer to drover status', () => {
  it.each([
    [[critical, warning], true, {}, '2 problems, 1 critical: drover status'],
    [[warning], true, {}, '1 problem: drover status'],
    [[{}], true, {}, '1 problem: drover status'],
    [[critical], false, {}, 'at least 1 problem, 1 critical: drover status'],
    [
      [warning],
      true,
      { cluster: 'a b', region: 'eu-west-1', stage: 'dev' },
      "1 problem: drover status --cluster 'a b' --region eu-west-1 --stage dev",
    ],
    [[], false, {}, undefined],
  ])('counts %j, and keeps the flags', (problems, isWhole, flags, text) => {
    expect(pointerText({ problems, isWhole }, flags)).toBe(text);
  });

  /** Lists nothing, and looks so; the clock goes on at once. */
  const point = async (look: ReturnType<BeginLook>, list = () => Promise.resolve()) => {
    const seen: { err: string; signal?: AbortSignal } = { err: '' };
    const beginLook: BeginLook = (signal) => {
      seen.signal = signal;
      return look;
    };
    const clock = {
      now: () => 0,
      after: (_: number, task: () => void) => {
        const timer = setTimeout(task, 5);
        return { cancel: () => clearTimeout(timer) };
      },
    };
    const stderr = {
      isTerminal: false,
      clear: () => undefined,
      write: (text: string) => void (seen.err += text),
    };
    const failure = await listAndPoint({ list, beginLook, flags: {} }, { clock, stderr }).catch(String);
    return { ...seen, failure, isGivenUp: seen.signal?.aborted };
  };

  it.each([
    ['may not look', () => Promise.reject(new Error('denied'))],
    ['gets no answer', () => new Promise<never>(() => undefined)],
  ])('is missing, and the list is not, if the operator %s', async (_, look) => {
    expect(await point(look)).toMatchObject({ err: '', failure: undefined, isGivenUp: true });
  });

  it('is not shown after a list that fails', async () => {
    const look = () => Promise.resolve({ problems: [critical], isWhole: true });
    const list = () => Promise.reject(new Error('no list'));
    expect(await point(look, list)).toMatchObject({ err: '', failure: 'Error: no list', isGivenUp: true });
  });
});

describe.each(['nodes', 'groups', 'nodes workers', 'groups workers'])('drover %s', (line) => {
  let world: DroverWorld;
  beforeEach(async () => {
    world = createDroverWorld();
    await withWorkers(world, { size: 2 });
  });

  const spoilTag = () =>
    world.account.autoScaling.operations.CreateOrUpdateTags({
      Tags: [
        {
          ResourceId: 'workers',
          ResourceType: 'auto-scaling-group',
          Key: 'drover.dev/drain-timeout',
          Value: 'soon',
        },
      ],
    });

  it('ends with one line about problems that it came across, and exits with 0', async () => {
    expect(await operatorOf(world)(line)).toMatchObject({ code: 0, err: '' });
    spoilTag();
    const found = { code: 0, err: 'at least 1 problem: drover status\n' };
    expect(await operatorOf(world)(line)).toMatchObject(found);
    // It reads the groups anyway.
    const actions = ['autoscaling:DescribeAutoScalingGroups'];
    expect(await operatorOf(world, { actions })(line)).toMatchObject(found);
    expect(await operatorOf(world)(`${line} --cluster drover -o wide`)).toMatchObject({
      err: 'at least 1 problem: drover status --cluster drover\n',
    });
    for (const form of ['--json', '-o yaml', '-o name'])
      expect(await operatorOf(world)(`${line} ${form}`)).toMatchObject({ code: 0, err: '' });
  });

  it('makes one call more', async () => {
    const countCalls = async (given: string): Promise<number> => {
      let calls = 0;
      await operatorOf(world, { onAwsCall: () => void (calls += 1) })(given);
      return calls;
    };
    expect(await countCalls(line)).toBe((await countCalls(`${line} --json`)) + 1);
  });
});

it('drover nodes of a group takes no node of another, whose instance it did not read, for one that is left behind', async () => {
  const world = createDroverWorld();
  const ids = await withWorkers(world, { size: 2 });
  await withWorkers(world, { size: 1, autoScalingGroupName: 'others' });
  await startHeldDrain(world, ids);
  await world.timeline.pass(1000);
  expect((await operatorOf(world)('nodes others')).err).toBe('');
  expect((await operatorOf(world)('nodes workers')).err).toBe('at least 1 problem: drover status\n');
});

it('drover events ends with one line about raised alarms, and none with --json', async () => {
  const world = createDroverWorld();
  await withWorkers(world, { size: 1 });
  expect((await operatorOf(world)('events --function intake')).err).not.toContain('drover status');
  const { operations } = world.account.monitoring;
  const { DescribeAlarms } = operations;
  Object.assign(operations, {
    DescribeAlarms: (input: Parameters<typeof DescribeAlarms>[0]) => {
      const { MetricAlarms, ...rest } = DescribeAlarms(input);
      const raised = MetricAlarms.map((alarm) =>
        alarm.AlarmName === 'drover-dev-failed-passes' ? { ...alarm, StateValue: 'ALARM' } : alarm,
      );
      return { ...rest, MetricAlarms: raised };
    },
  });
  const { code, err } = await operatorOf(world)('events --function intake --stage dev');
  expect({ code, last: err.split('\n').at(-2) }).toEqual({
    code: 0,
    last: 'at least 1 problem, 1 critical: drover status --stage dev',
  });
  expect((await operatorOf(world)('events --function intake --json')).err).toBe('');
});

it('through the scale API the line is about all problems that the API knows', async () => {
  const { cloud, drover } = createScaleCli();
  createGroup(cloud, {
    AutoScalingGroupName: 'odd',
    Tags: [...workerTags(), { Key: 'drover.dev/drain-timeout', Value: 'soon' }],
  });
  const { exitCode, stderr } = await drover('groups');
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/^(at least )?\d+ problems?(, \d+ critical)?: drover status\n$/);
  expect((await drover('groups --json')).stderr).toBe('');
});
