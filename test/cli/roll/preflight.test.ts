import { beforeEach, describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  nodesOf,
  withWorkers,
} from '../../../local/world/drover-world.ts';
import { barePod, budget, create, deployment, request } from '../../../local/world/workloads.ts';
import { operatorOf } from '../operator.ts';
import { askedRolls, changeTemplate, turnRollsOn } from './support.ts';

let world: DroverWorld;
let ids: readonly string[];
beforeEach(async () => {
  world = createDroverWorld();
  ids = await withWorkers(world, { size: 2, settings: { MinSize: 0, MaxSize: 5 } });
  turnRollsOn(world);
});

const drover = (line: string) => operatorOf(world)(line);

const pin = async (app: string, node: string): Promise<void> => {
  await create(world, deployment({ name: app, replicas: 1, pod: { nodeName: node } }));
  await world.timeline.pass(30);
};

const warmIds = ({ account }: DroverWorld): readonly string[] =>
  (account.autoScaling.operations.DescribeWarmPool({ AutoScalingGroupName: 'workers' }).Instances ?? []).map(
    ({ InstanceId = '' }) => InstanceId,
  );

describe('drover roll --dry-run', () => {
  it('says that nothing is old while the group launches what it has', async () => {
    const { code, out, err } = await drover('roll workers --dry-run');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^workers +2 +0 +0 +0 +-$/m);
    expect(out).toMatch(/\nno node is old: there is nothing to replace\n$/);
  });

  it('lists the nodes of another version of the template, with the time of the past', async () => {
    changeTemplate(world);
    const { code, out } = await drover('roll workers --dry-run');
    expect(code).toBe(0);
    expect(out).toMatch(/^workers +2 +2 +0 +0 +\S+ and the drains$/m);
    for (const [index, node] of nodesOf(world).entries())
      expect(out).toMatch(new RegExp(`^${node} +workers +${ids[index]} +v1 -> v2$`, 'm'));
    expect(out).toMatch(/\nroll workers would replace 2 nodes \(dry run\)\n$/);
    expect(askedRolls(world)).toEqual([]);
  });

  it('exits with 1 and names the pods that a budget never lets go, with the budget', async () => {
    changeTemplate(world);
    await create(world, budget('web', { maxUnavailable: 0 }));
    await pin('web', nodesOf(world)[0] ?? '');
    const { code, out, err } = await drover('roll workers --dry-run');
    expect([code, err]).toEqual([
      1,
      'drover: one old node has pods that cannot move: change that, or leave these nodes to the end with --skip-blocked\n',
    ]);
    expect(out).toMatch(
      new RegExp(
        `^  ${nodesOf(world)[0]}\n    default/web-\\S+: budget default/web allows no eviction even if`,
        'm',
      ),
    );
    expect((await drover('roll workers --dry-run --skip-blocked')).code).toBe(0);
  });

  it('names pods that nothing recreates, and pods that would stay Pending', async () => {
    changeTemplate(world);
    const [first = '', second = ''] = nodesOf(world);
    await create(world, barePod('debug', { nodeName: first }));
    await create(
      world,
      deployment({
        name: 'tied',
        replicas: 1,
        pod: { nodeSelector: { 'kubernetes.io/hostname': second } },
      }),
    );
    await world.timeline.pass(30);
    const { code, out } = await drover('roll workers --dry-run');
    expect(code).toBe(1);
    expect(out).toMatch(new RegExp(`^  ${first}\n    default/debug: no controller recreates it`, 'm'));
    expect(out).toMatch(
      new RegExp(`^  ${second}\n    default/tied-\\S+: it would stay Pending: 0/2 nodes`, 'm'),
    );
  });

  it('names the old instances of a warm pool, which come into service as they are, and how to replace them', async () => {
    const { operations } = world.account.autoScaling;
    operations.PutWarmPool({ AutoScalingGroupName: 'workers', MinSize: 2, MaxGroupPreparedCapacity: 0 });
    await world.timeline.pass(300);
    changeTemplate(world);
    const [one = '', other = ''] = warmIds(world);
    const terminate = (id: string): string =>
      `aws autoscaling terminate-instance-in-auto-scaling-group --instance-id ${id} --no-should-decrement-desired-capacity`;
    const first = await drover('roll workers --dry-run');
    expect(first.code).toBe(0);
    expect(first.out).toMatch(/^workers +4 +2 +0 +2 /m);
    for (const id of [one, other])
      expect(first.out.replaceAll(/\s+/g, ' ')).toContain(
        `${id} workers it is in the warm pool (Warmed:Stopped), and comes into service as it is: terminate it with ${terminate(id)}, and Auto Scaling fills the pool again`,
      );
    expect(first.out).toContain('warning: workers: replacements come from its warm pool.');
    // What it says to do.
    operations.TerminateInstanceInAutoScalingGroup({
      InstanceId: one,
      ShouldDecrementDesiredCapacity: false,
    });
    await world.timeline.pass(300);
    expect(warmIds(world)).toHaveLength(2);
    const { out } = await drover('roll workers --dry-run');
    expect(out).toMatch(/^workers +3 +2 +0 +1 /m);
    expect(out).not.toContain(one);
    expect(out).toContain(other);
  });

  it('names the pods that a smaller instance type has no room for', async () => {
    const containers = [{ name: 'main', image: 'app:1', resources: { requests: { memory: '3Gi' } } }];
    await create(world, deployment({ name: 'large', replicas: 2, pod: { containers } }));
    await world.timeline.pass(30);
    changeTemplate(world);
    expect((await drover('roll workers --dry-run')).code).toBe(0);
    world.account.ec2.operations.CreateLaunchTemplateVersion({
      LaunchTemplateName: 'workers',
      SourceVersion: '1',
      LaunchTemplateData: { InstanceType: 't3.micro' },
    });
    const { code, out } = await drover('roll workers --dry-run');
    expect(code).toBe(1);
    expect(out).toMatch(
      /default\/large-\S+: it would stay Pending: 0\/2 nodes are available: .*Insufficient memory/,
    );
  });

  it('says when a window that is closed opens', async () => {
    changeTemplate(world);
    // The world begins on a Monday at 08:00 UTC.
    const { out } = await operatorOf(world)([
      'roll',
      'workers',
      '--dry-run',
      '--window',
      'Tue 10:00-12:00 Europe/Berlin',
    ]);
    expect(out).toContain(
      'note: the window Tue 10:00-12:00 Europe/Berlin is closed now: the first node is replaced from 2026-01-06T09:00:00.000Z on\n',
    );
  });

  it('prints the same for programs', async () => {
    changeTemplate(world);
    const { out } = await drover('roll workers --dry-run --json');
    expect(JSON.parse(out)).toMatchObject({
      roll: 'workers',
      done: false,
      refusal: null,
      old: ids.map((instanceId) => ({ instanceId, why: 'v1 -> v2', blocked: [] })),
    });
  });

  it('warns that the budgets are not considered if they may not be read', async () => {
    changeTemplate(world);
    const { sendHttp } = world.kubernetes;
    const { code, err } = await operatorOf(world, {
      sendHttp: async (sent) =>
        sent.url.includes('/poddisruptionbudgets')
          ? {
              status: 403,
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify({ kind: 'Status', code: 403, reason: 'Forbidden', message: 'no' }),
            }
          : await sendHttp(sent),
    })('roll workers --dry-run');
    expect([code, err]).toEqual([
      0,
      'warning: the budgets may not be read: pods that they hold are not named\n',
    ]);
  });
});

describe('drover roll refuses a group', () => {
  it('without its hook, and gives the command that puts it', async () => {
    changeTemplate(world);
    world.account.autoScaling.operations.DeleteLifecycleHook({
      AutoScalingGroupName: 'workers',
      LifecycleHookName: 'drover-node-leaving',
    });
    const { code, out, err } = await drover('roll workers');
    expect([code, err]).toEqual([1, 'drover: the roll cannot begin because of workers\n']);
    expect(out).toContain('refused: workers: it has no hook drover-node-leaving');
    expect(out).toContain('\n  drover hooks install workers --cluster drover\n');
    expect(askedRolls(world)).toEqual([]);
  });

  it('whose process Launch is suspended', async () => {
    changeTemplate(world);
    world.account.autoScaling.operations.SuspendProcesses({
      AutoScalingGroupName: 'workers',
      ScalingProcesses: ['Launch'],
    });
    const { code, out } = await drover('roll workers');
    expect(code).toBe(1);
    expect(out).toContain('its process Launch is suspended: no replacement would come');
  });

  it('that an instance refresh replaces', async () => {
    changeTemplate(world);
    world.account.autoScaling.operations.StartInstanceRefresh({ AutoScalingGroupName: 'workers' });
    const { code, out } = await drover('roll workers');
    expect(code).toBe(1);
    expect(out).toMatch(/^refused: workers: instance refresh \S+ replaces its instances already/m);
  });

  it('that does not exist', async () => {
    expect(await drover('roll wrokers')).toMatchObject({
      code: 1,
      err: expect.stringContaining('there is no Auto Scaling group wrokers'),
    });
  });
});

describe('the nodes to replace', () => {
  it('are those that were launched so long ago', async () => {
    await world.timeline.pass(3600);
    expect((await drover('roll workers --older-than 2h --dry-run')).out).toContain('no node is old');
    expect((await drover('roll workers --older-than 30m --dry-run')).out).toContain('would replace 2 nodes');
  });

  it('are those below a version of the kubelet', async () => {
    expect((await drover('roll workers --below 1.99 --dry-run')).out).toContain('would replace 2 nodes');
    expect((await drover('roll workers --below 1.2 --dry-run')).out).toContain('no node is old');
  });

  it('are the named instances, whose group is found', async () => {
    const { out } = await drover(`roll --instance ${ids[0]} --dry-run`);
    expect(out).toMatch(/^workers +2 +1 /m);
    expect(await drover('roll --instance i-0123456789abcdef0 --dry-run')).toMatchObject({
      code: 1,
      err: 'drover: none of workers has i-0123456789abcdef0\n',
    });
  });

  it.each([
    ['roll', 'give the groups, --all or --instance'],
    ['roll workers --all', 'give either groups or --all'],
    ['roll workers --everything --below 1.30', 'give one of --changed'],
    ['roll workers --surge 0', 'write a whole number from 1 to 1000'],
    ['roll workers --below newest', 'write a version such as 1.34.2'],
    ['roll workers --older-than 30', 'write the unit too'],
    ['roll workers --window always', 'it must be such as Mon-Fri 09:00-16:00 Europe/Berlin'],
    ['roll --cluster prod status', 'give --cluster after status'],
  ])('%s is refused: %s', async (line, message) => {
    const { code, err } = await drover(line);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});

it('judges a cordoned node as if it were open', async () => {
  changeTemplate(world);
  const [node = ''] = nodesOf(world);
  await request(world, 'PATCH', `/api/v1/nodes/${node}`, { spec: { unschedulable: true } });
  expect((await drover('roll workers --dry-run')).out).toContain('would replace 2 nodes');
});
