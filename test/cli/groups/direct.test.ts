import { beforeEach, describe, expect, it } from 'vitest';
import { createDroverWorld, type DroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import {
  groupList,
  group as groupSchema,
  instanceList,
} from '../../../shared/scale-api/schemas/answers/group.ts';
import { operatorOf, startHeldDrain } from '../operator.ts';

const actions = ['autoscaling:DescribeAutoScalingGroups'];
let world: DroverWorld;
beforeEach(async () => {
  world = createDroverWorld();
  await withWorkers(world, { size: 2 });
});

describe.each(['groups', 'nodes'])('drover %s without a scale API', (command) => {
  it('reads AWS and the cluster, with the right to read groups', async () => {
    const { code, out, err } = await operatorOf(world, { actions })(command);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('workers');
    expect(out).not.toContain('?');
  });

  it('shows the groups although the cluster cannot be read, and says why', async () => {
    const { code, out } = await operatorOf(world, { actions, hasKubeconfig: false })(command);
    expect([code, out]).toEqual([0, expect.stringMatching(/workers[^]*\n\n\?: .*kubeconfig/)]);
  });

  it('fails if no group carries the tags of the cluster, or there is no such group', async () => {
    const run = operatorOf(world, { actions });
    expect(await run(`${command} --cluster prdo`)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('no Auto Scaling group in this account and region carries the tags'),
    });
    expect(await run(`${command} wrokers`)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('there is no Auto Scaling group wrokers'),
    });
  });

  it('asks the scale API if the environment has its address, unless a flag selects the cluster', async () => {
    const sendHttp = () => Promise.reject(new Error('the scale API was asked'));
    const run = operatorOf(world, { environment: { DROVER_API_URL: 'https://api.example' }, sendHttp });
    expect((await run(command)).err).toContain('scale API at api.example');
    expect(await run(`${command} --cluster drover`)).toMatchObject({
      code: 0,
      out: expect.stringContaining('workers'),
    });
    expect(await run(`${command} --cluster drover --api`)).toMatchObject({
      code: 2,
      err: expect.stringContaining('the scale API knows its own cluster'),
    });
  });
});

it('groups and nodes print the JSON of the scale API, leaving nodes included', async () => {
  const run = operatorOf(world);
  const ids = world.account.autoScaling.operations
    .DescribeAutoScalingGroups({})
    .AutoScalingGroups?.flatMap(({ Instances = [] }) => Instances.map(({ InstanceId = '' }) => InstanceId));
  const leaving = await startHeldDrain(world, ids ?? []);
  const [groups, one, nodes, ofGroup] = await Promise.all(
    ['groups', 'groups workers', 'nodes', 'nodes workers'].map(async (line) =>
      JSON.parse((await run(`${line} --json`)).out),
    ),
  );
  expect(groupList.parse({ groups }).groups).toMatchObject([
    { autoScalingGroupName: 'workers', role: 'worker', nodes: { status: 'seen', leaving: 0 } },
  ]);
  expect(groupSchema.parse(one).members.map(({ instanceId }) => instanceId)).toContain(leaving);
  const { instances } = instanceList.parse({ instances: nodes });
  expect(instances.find(({ instanceId }) => instanceId === leaving)).toMatchObject({
    serves: false,
    node: { status: 'found', leaving: { cause: 'terminating' } },
  });
  expect(ofGroup).toEqual(nodes);
});
