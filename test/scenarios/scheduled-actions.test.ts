import type { Strike } from '@drover/cloud-sandbox';
import { AwsError } from '@drover/cloud-sandbox/aws';
import { describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  membersOf,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { boundsOf, putHold, serving } from '../../local/world/holds.ts';
import { callScaleApi } from '../../local/world/scale-api-call.ts';
import { status as statusSchema } from '../../shared/scale-api/schemas/answers/status.ts';
import { operatorOf } from '../cli/operator.ts';

const minute = 60;

interface Sizes {
  readonly MinSize?: number;
  readonly MaxSize?: number;
  readonly DesiredCapacity?: number;
}

/** Four nodes are held for an hour, in a group of one to five; the action runs in a quarter of an hour. */
async function heldWith(sizes: Sizes, { raiseMaxSize = false } = {}) {
  const world = createDroverWorld();
  await withWorkers(world, { size: 1, settings: { MinSize: 1, MaxSize: 5 } });
  putHold(world, { nodes: 4, minutes: 60, raiseMaxSize });
  await world.timeline.until(() => serving(world) === 4, { withinSeconds: 300, what: 'the nodes' });
  await world.timeline.pass(5 * minute);
  putAction(world, sizes);
  return world;
}

const putAction = (world: DroverWorld, sizes: Sizes & { readonly Recurrence?: string }): void =>
  void world.account.autoScaling.operations.PutScheduledUpdateGroupAction({
    AutoScalingGroupName: 'workers',
    ScheduledActionName: 'night',
    ...(sizes.Recurrence === undefined && { StartTime: new Date(world.clock.now() + 15 * minute * 1000) }),
    ...sizes,
  });

const idsOf = (world: DroverWorld): readonly string[] =>
  membersOf(world, 'workers').flatMap(({ InstanceId }) => InstanceId ?? []);

interface Report {
  readonly scheduledActions: readonly { readonly verdict: string; readonly reason: string }[];
  readonly problems: readonly { readonly kind: string; readonly message: string }[];
}

const reportOf = async (world: DroverWorld): Promise<Report> =>
  JSON.parse((await operatorOf(world)('status --json')).out) as Report;

describe('a scheduled action of Auto Scaling beside a hold', () => {
  it.each([
    {
      // https://github.com/hashicorp/terraform/issues/4211, https://github.com/cattle-ops/terraform-aws-gitlab-runner/pull/586
      title: 'that turns the group off at night terminates held nodes, and the hold gets no others',
      sizes: { MinSize: 0, MaxSize: 0, DesiredCapacity: 0 },
      verdict: 'conflict',
      keptNodes: false,
      during: { minSize: 0, maxSize: 0 },
      after: { minSize: 0, maxSize: 0 },
    },
    {
      // https://github.com/wellcomecollection/platform/pull/691
      title:
        'that sets only MaxSize and the desired capacity to 0 changes nothing while MinSize is above them',
      sizes: { MaxSize: 0, DesiredCapacity: 0 },
      verdict: 'unclear',
      keptNodes: true,
      during: { minSize: 4, maxSize: 5 },
      after: { minSize: 1, maxSize: 5 },
    },
    {
      // https://github.com/rapid7/convection/pull/252
      title: 'that lowers all sizes is undone for a hold that may raise MaxSize, with other nodes',
      sizes: { MinSize: 1, MaxSize: 1, DesiredCapacity: 1 },
      raiseMaxSize: true,
      verdict: 'conflict',
      keptNodes: false,
      during: { minSize: 4, maxSize: 4 },
      after: { minSize: 1 },
    },
    {
      // https://github.com/JiRaska/open-bank-oss/pull/209
      title: 'that lowers MinSize and the desired capacity terminates held nodes, which are replaced',
      sizes: { MinSize: 1, MaxSize: 5, DesiredCapacity: 1 },
      verdict: 'conflict',
      keptNodes: false,
      during: { minSize: 4, maxSize: 5 },
      after: { minSize: 1, maxSize: 5 },
    },
    {
      // https://github.com/kubernetes/kops/issues/17738
      title: 'that lowers only MinSize terminates nothing, and has its MinSize after the hold',
      sizes: { MinSize: 0 },
      verdict: 'raised-again',
      keptNodes: true,
      during: { minSize: 4, maxSize: 5 },
      after: { minSize: 0, maxSize: 5 },
    },
    {
      // https://github.com/kubernetes/autoscaler/issues/2007: the desired capacity is at MinSize, and something lowers it.
      title: 'whose desired capacity is below the raised MinSize terminates nothing',
      sizes: { DesiredCapacity: 2 },
      verdict: 'unclear',
      keptNodes: true,
      during: { minSize: 4, maxSize: 5 },
      after: { minSize: 1, maxSize: 5 },
    },
    {
      title: 'that sets MinSize to what the hold asks for is forgotten when the hold ends',
      sizes: { MinSize: 4 },
      verdict: 'conflict',
      keptNodes: true,
      during: { minSize: 4, maxSize: 5 },
      after: { minSize: 1, maxSize: 5 },
    },
    {
      title: 'that asks for more than the hold keeps its MinSize',
      sizes: { MinSize: 5, MaxSize: 6 },
      verdict: 'none',
      keptNodes: true,
      during: { minSize: 5, maxSize: 6 },
      after: { minSize: 5, maxSize: 6 },
    },
  ])('$title', async ({ sizes, verdict, keptNodes, during, after, raiseMaxSize = false }) => {
    const world = await heldWith(sizes, { raiseMaxSize });
    const { scheduledActions, problems } = await reportOf(world);
    expect(scheduledActions).toMatchObject([{ name: 'night', autoScalingGroupName: 'workers', verdict }]);
    expect(problems.map(({ kind }) => kind)).toEqual(verdict === 'conflict' ? ['scheduled-action'] : []);
    const api = statusSchema.parse(JSON.parse((await callScaleApi(world, 'GET', '/status')).body));
    expect(api.scheduledActions).toEqual(scheduledActions);
    const held = idsOf(world);
    await world.timeline.pass(35 * minute);
    expect(boundsOf(world)).toMatchObject(during);
    expect(held.every((id) => idsOf(world).includes(id))).toBe(keptNodes);
    await world.timeline.pass(30 * minute);
    expect(boundsOf(world)).toMatchObject(after);
  });

  // https://github.com/hashicorp/terraform-provider-aws/issues/41200, https://github.com/hashicorp/terraform/issues/14023
  it('whose recurrence was changed is shown with the old time, at which it runs', async () => {
    const world = createDroverWorld();
    await withWorkers(world, { size: 1 });
    const { operations } = world.account.autoScaling;
    putAction(world, { Recurrence: '0 3 * * *', MinSize: 0 });
    const [before] = operations.DescribeScheduledActions({}).ScheduledUpdateGroupActions;
    operations.PutScheduledUpdateGroupAction({
      AutoScalingGroupName: 'workers',
      ScheduledActionName: 'night',
      StartTime: before?.StartTime,
      Recurrence: '0 3 * * 6',
      MinSize: 0,
    });
    expect((await reportOf(world)).scheduledActions).toMatchObject([
      { nextAt: before?.StartTime?.toISOString(), recurrence: '0 3 * * 6', verdict: 'none' },
    ]);
  });

  it('is judged by the hold that a schedule of Drover makes until then', async () => {
    const world = createDroverWorld();
    await withWorkers(world, { size: 1, settings: { MinSize: 1, MaxSize: 5 } });
    const cron = '0 8 * * ? *';
    const words = ['schedule', 'create', 'workers', '3', '--name', 'day', '--cron', cron, '--for', '10h'];
    expect(await operatorOf(world)(words)).toMatchObject({ code: 0 });
    putAction(world, { Recurrence: '30 9 * * *', MinSize: 0, MaxSize: 5, DesiredCapacity: 0 });
    const { scheduledActions } = await reportOf(world);
    expect(scheduledActions).toMatchObject([
      { verdict: 'conflict', reason: expect.stringContaining('schedule day keeps 3 nodes') },
    ]);
    putAction(world, { Recurrence: '30 19 * * *', MinSize: 0, MaxSize: 5, DesiredCapacity: 0 });
    expect((await reportOf(world)).scheduledActions).toMatchObject([{ verdict: 'none' }]);
  });

  it('of a group that this cluster does not manage is not shown, and one call reads those of all groups', async () => {
    const world = createDroverWorld();
    await withWorkers(world, { size: 1 });
    await withWorkers(world, { size: 1, autoScalingGroupName: 'spare' });
    await withWorkers(world, { size: 0, autoScalingGroupName: 'foreign' });
    const { operations } = world.account.autoScaling;
    operations.DeleteTags({
      Tags: ['kubernetes.io/cluster/drover', 'drover.dev/role'].map((Key) => ({
        ResourceId: 'foreign',
        Key,
      })),
    });
    for (const AutoScalingGroupName of ['workers', 'spare', 'foreign'])
      operations.PutScheduledUpdateGroupAction({
        AutoScalingGroupName,
        ScheduledActionName: 'night',
        Recurrence: '0 3 * * *',
        MinSize: 0,
      });
    const { out } = await operatorOf(world)('status');
    expect(out).toMatch(/SCHEDULED ACTION +GROUP +NEXT +MIN +MAX +DESIRED +VERDICT +REASON\n/);
    expect(out.match(/^night +(workers|spare) +20\S+Z +0 +- +- +none +-$/gm)).toHaveLength(2);
    expect(out).not.toMatch(/^night +foreign/m);
  });

  it('does not run while its process is suspended, and the status says so', async () => {
    const world = await heldWith({ MinSize: 0, MaxSize: 0, DesiredCapacity: 0 });
    world.account.autoScaling.operations.SuspendProcesses({
      AutoScalingGroupName: 'workers',
      ScalingProcesses: ['ScheduledActions'],
    });
    const { scheduledActions, problems } = await reportOf(world);
    expect({ scheduledActions, problems }).toMatchObject({
      scheduledActions: [{ verdict: 'suspended' }],
      problems: [],
    });
    await world.timeline.pass(20 * minute);
    expect(boundsOf(world)).toMatchObject({ minSize: 4, desiredCapacity: 4 });
  });

  it('of an etcd group is a problem, because its size is the membership', async () => {
    const world = createDroverWorld();
    await withWorkers(world, { size: 1, role: 'etcd' });
    putAction(world, { DesiredCapacity: 0, MinSize: 0 });
    const { problems } = await reportOf(world);
    expect(problems.map(({ kind }) => kind)).toContain('scheduled-action');
  });

  it.each<[string, Strike]>([
    [
      'is denied',
      { kind: 'aws-error', error: new AwsError({ code: 'AccessDenied', message: 'not allowed' }) },
    ],
    [
      'is throttled',
      { kind: 'aws-error', error: new AwsError({ code: 'Throttling', message: 'Rate exceeded' }) },
    ],
    ['hangs', { kind: 'hang-before' }],
  ])(
    'leaves the rest of GET /status as it is where its call %s, and says what is missing',
    async (_, strike) => {
      const world = createDroverWorld({
        weather: {
          strike: ({ caller, what }) =>
            caller === 'scale-api' && what === 'autoscaling DescribeScheduledActions' ? strike : undefined,
        },
      });
      await withWorkers(world, { size: 1 });
      putAction(world, { MinSize: 0 });
      const [{ statusCode, body }] = await Promise.all([
        callScaleApi(world, 'GET', '/status'),
        world.timeline.pass(25),
      ]);
      expect(statusCode).toBe(200);
      const answer = statusSchema.parse(JSON.parse(body));
      expect(answer.scheduledActions).toBeUndefined();
      expect(answer.groups).toBe(1);
      expect(answer.unknown.join()).toMatch(/the scheduled actions of Auto Scaling/);
    },
  );

  it('is not called absent by GET /status while the groups could not be read', async () => {
    let fails = false;
    const world = createDroverWorld({
      weather: {
        strike: ({ caller, what }) =>
          fails && caller === 'scale-api' && what === 'autoscaling DescribeAutoScalingGroups'
            ? { kind: 'fail-before' }
            : undefined,
      },
    });
    await withWorkers(world, { size: 1 });
    putAction(world, { MinSize: 0 });
    const read = async () => {
      const [{ body }] = await Promise.all([callScaleApi(world, 'GET', '/status'), world.timeline.pass(25)]);
      return statusSchema.parse(JSON.parse(body)).scheduledActions;
    };
    expect(await read()).toHaveLength(1);
    fails = true;
    await world.timeline.pass(120);
    expect(await read()).toBeUndefined();
  });

  it('is missing from drover status, which exits with 5 and names the right that it needs, without it', async () => {
    const world = await heldWith({ MinSize: 0, MaxSize: 0, DesiredCapacity: 0 });
    const actions = [
      'autoscaling:DescribeAutoScalingGroups',
      'autoscaling:DescribeLifecycleHooks',
      'cloudwatch:*',
      'sqs:*',
      'ssm:*',
      'scheduler:*',
    ];
    const { code, out } = await operatorOf(world, { actions })('status');
    expect(code).toBe(5);
    expect(out).toMatch(
      /\ncannot read the scheduled actions of Auto Scaling: .*autoscaling:DescribeScheduledActions/,
    );
    expect(out).toMatch(/\nworkers +worker/);
    expect(out).not.toMatch(/conflict/);
  });
});
