import { describe, expect, test } from 'vitest';
import { createDroverWorld, membersOf, stateOf } from '../../local/world/drover-world.ts';
import {
  inService,
  launchWorkers as launch,
  startJoiningWorld as startWorld,
} from '../support/joining-world.ts';

describe('a launched instance', () => {
  test('is in service seconds after its kubelet has joined, with its own certificate requests decided at once', async () => {
    const world = await startWorld();
    launch(world, 3);
    await world.timeline.until(() => inService(world).length === 3, {
      withinSeconds: 60,
      what: 'three instances in service',
    });
    expect(world.problems).toEqual([]);
  });

  test('is in service within a minute, even if its Node has a name that no lookup by name finds', async () => {
    const world = createDroverWorld({
      kubelets: { configure: ({ instanceId }) => ({ nodeName: `by-hand-${instanceId.slice(-4)}` }) },
    });
    launch(world, 1);
    await world.timeline.until(() => inService(world).length === 1, {
      withinSeconds: 60,
      what: 'the instance in service',
    });
    expect(world.problems).toEqual([]);
  });

  test('is not in service before its Node is Ready', async () => {
    const world = await startWorld({ kubelets: { configure: () => ({ readyDelaySeconds: 400 }) } });
    launch(world, 1);
    await world.timeline.pass(390);
    const [instance] = membersOf(world);
    expect(instance?.LifecycleState).toBe('Pending:Wait');
    await world.timeline.until(() => inService(world).length === 1, {
      withinSeconds: 60,
      what: 'the instance in service',
    });
  });

  test('that never joins is held past its deadline, and reported as overdue', async () => {
    const world = await startWorld({ kubelets: { configure: () => undefined } });
    launch(world, 1);
    await world.timeline.pass(30);
    const [{ InstanceId: launched = '' } = {}] = membersOf(world);
    await world.timeline.pass(1170);
    expect(membersOf(world).map(({ InstanceId }) => InstanceId)).toEqual([launched]);
    expect(stateOf(world, launched)).toBe('Pending:Wait');
    const said = world.lines.filter(({ work }) => work === 'node-joining').at(-1);
    expect(said).toMatchObject({
      outcome: 'again',
      reason: expect.stringMatching(/no node yet; it has made no certificate request; it should have joined/),
    });
  });
});

test('a launch whose event was lost is found by the sweep', async () => {
  const world = await startWorld({
    editWiring: (wiring) => ({
      ...wiring,
      rules: wiring.rules.filter(({ rule }) => !rule.Name.endsWith('lifecycle-action')),
    }),
  });
  launch(world, 2);
  await world.timeline.until(() => inService(world).length === 2, {
    withinSeconds: 400,
    what: 'both instances in service',
  });
  expect(world.problems).toEqual([]);
});

describe('while the API server hangs', () => {
  test.each([30, 120, 300])('no launch with a heartbeat timeout of %i s is lost', async (heartbeat) => {
    let isDown = false;
    const world = await startWorld({
      weather: { strike: ({ to }) => (isDown && to === 'kubernetes' ? { kind: 'hang-before' } : undefined) },
    });
    isDown = true;
    launch(world, 3, { heartbeatTimeoutSeconds: heartbeat });
    const first = new Set<string | undefined>();
    await world.timeline.pass(30);
    for (const { InstanceId } of membersOf(world)) first.add(InstanceId);
    await world.timeline.pass(900);
    isDown = false;
    await world.timeline.until(() => inService(world).length === 3, {
      withinSeconds: 200,
      what: 'three in service',
    });
    expect(new Set(inService(world))).toEqual(first);
  });
});

test('answers of Auto Scaling that are seconds old delay a launch, but do not complete one early', async () => {
  const world = await startWorld({
    weather: { staleSeconds: ({ what }) => (what.includes(' Describe') ? 20 : 0) },
  });
  launch(world, 2, { settings: { DesiredCapacity: 0 } });
  await world.timeline.pass(60);
  world.account.autoScaling.operations.SetDesiredCapacity({
    AutoScalingGroupName: 'workers',
    DesiredCapacity: 2,
  });
  await world.timeline.until(() => inService(world).length === 2, {
    withinSeconds: 120,
    what: 'two in service',
  });
  expect(world.problems).toEqual([]);
});

describe('a launched instance with the name of another instance’s Node', () => {
  /** The Node belongs to an instance in this state. */
  async function launchBeside(state: 'terminated' | 'stopped') {
    const world = await startWorld({ kubelets: { joinSeconds: 60 } });
    const { operations } = world.account.ec2;
    const [{ InstanceId: old = '' } = {}] =
      operations.RunInstances({ MinCount: 1, MaxCount: 1 }).Instances ?? [];
    await world.timeline.pass(60);
    if (state === 'terminated') operations.TerminateInstances({ InstanceIds: [old] });
    else operations.StopInstances({ InstanceIds: [old] });
    await world.timeline.pass(120);
    launch(world, 1);
    await world.timeline.until(() => membersOf(world).length === 1, {
      withinSeconds: 30,
      what: 'the launch',
    });
    const [{ InstanceId = '' } = {}] = membersOf(world);
    const described = operations.DescribeInstances({ InstanceIds: [InstanceId] }).Reservations ?? [];
    const name = described[0]?.Instances?.[0]?.PrivateDnsName ?? '';
    world.kubernetes.startKubelet({ nodeName: name, providerID: `aws:///eu-west-1a/${old}` }).stop();
    const nodeOfName = () =>
      world.kubernetes.store
        .of('nodes')
        .list()
        .find(({ metadata }) => metadata.name === name);
    return { world, old, InstanceId, nodeOfName };
  }

  test('joins once that Node is removed, because its instance is terminated', async () => {
    const { world, InstanceId, nodeOfName } = await launchBeside('terminated');
    await world.timeline.until(() => inService(world).length === 1, { withinSeconds: 180, what: 'the join' });
    expect(nodeOfName()?.spec?.providerID).toContain(InstanceId);
  });

  test('waits, and that Node is kept, while its instance is stopped', async () => {
    const { world, old, nodeOfName } = await launchBeside('stopped');
    await world.timeline.pass(300);
    expect(inService(world)).toEqual([]);
    expect(nodeOfName()?.spec?.providerID).toContain(old);
    expect(world.lines.filter(({ work }) => work === 'node-joining').at(-1)).toMatchObject({
      reason: expect.stringContaining(`belongs to ${old}, which is stopped`),
    });
  });
});

test('a launched instance joins while a stranger in another VPC has its private DNS name', async () => {
  const world = await startWorld({ kubelets: { joinSeconds: 60 } });
  const { instances, operations } = world.account.ec2;
  const SubnetId = instances.addVpc().subnets[0]?.subnetId ?? '';
  const stranger = operations.RunInstances({ MinCount: 1, MaxCount: 1, SubnetId }).Instances?.[0];
  await world.timeline.pass(600);
  launch(world, 1);
  await world.timeline.until(() => inService(world).length === 1, { withinSeconds: 180, what: 'the join' });
  const described = operations.DescribeInstances({ InstanceIds: [...inService(world)] }).Reservations ?? [];
  expect(described[0]?.Instances?.[0]?.PrivateDnsName).toBe(stranger?.PrivateDnsName);
  expect(world.problems).toEqual([]);
});

describe('a launched instance with the name of an old Node without a providerID', () => {
  /** The first private DNS name that EC2 gives. */
  const name = 'ip-10-0-0-4.eu-west-1.compute.internal';
  async function launchAfter({ kubeletReports = false, at = 'before' } = {}) {
    const world = await startWorld({ kubelets: { joinSeconds: 60 } });
    const register = () => {
      const kubelet = world.kubernetes.startKubelet({ nodeName: name });
      if (!kubeletReports) kubelet.stop();
    };
    if (at === 'before') register();
    await world.timeline.pass(600);
    launch(world, 1);
    await world.timeline.pass(20);
    if (at !== 'before') register();
    const nodeOfName = () =>
      world.kubernetes.store
        .of('nodes')
        .list()
        .find(({ metadata }) => metadata.name === name);
    return { world, nodeOfName, first: nodeOfName() };
  }

  test('joins once two passes, minutes apart, found that its kubelet is silent, and that Node is removed', async () => {
    const { world, nodeOfName, first } = await launchAfter();
    expect(first?.spec?.providerID).toBeUndefined();
    await world.timeline.pass(240);
    expect(nodeOfName()?.metadata.uid).toBe(first?.metadata.uid);
    await world.timeline.until(() => inService(world).length === 1, { withinSeconds: 400, what: 'the join' });
    expect(nodeOfName()?.metadata.uid).not.toBe(first?.metadata.uid);
    const [{ InstanceId = '' } = {}] = membersOf(world);
    expect(nodeOfName()?.spec?.providerID).toContain(InstanceId);
  });

  test.each([
    ['its kubelet reports', { kubeletReports: true }, 'its kubelet is not reported silent'],
    ['it is younger than the launch', { at: 'after' }, 'has no providerID yet'],
  ])('waits, and that Node is kept, if %s', async (_, options, reason) => {
    const { world, nodeOfName, first = nodeOfName() } = await launchAfter(options);
    await world.timeline.pass(1200);
    expect(nodeOfName()?.metadata.uid).toBe(first?.metadata.uid);
    expect(world.lines.filter(({ work }) => work === 'node-joining').at(-1)).toMatchObject({
      reason: expect.stringContaining(reason),
    });
  });
});

test('an instance of a warm pool is held until the time for its user data is over, and joins when it leaves the pool', async () => {
  const world = await startWorld();
  launch(world, 0, {
    settings: { MaxSize: 1 },
    tags: { 'drover.dev/warm-pool-wait': '2m' },
  });
  const { operations } = world.account.autoScaling;
  operations.PutWarmPool({ AutoScalingGroupName: 'workers', MinSize: 1 });
  const pool = () =>
    (operations.DescribeWarmPool({ AutoScalingGroupName: 'workers' }).Instances ?? []).map(
      ({ LifecycleState }) => LifecycleState,
    );
  await world.timeline.pass(100);
  expect(pool()).toEqual(['Warmed:Pending:Wait']);
  await world.timeline.until(() => pool()[0] === 'Warmed:Stopped', { withinSeconds: 120, what: 'the stop' });
  operations.SetDesiredCapacity({ AutoScalingGroupName: 'workers', DesiredCapacity: 1 });
  await world.timeline.until(() => inService(world).length === 1, { withinSeconds: 120, what: 'the join' });
  expect(world.problems).toEqual([]);
});

test('instances that never join are abandoned as their group is configured, until three in a row have been', async () => {
  const world = await startWorld({ kubelets: { configure: () => undefined } });
  launch(world, 1, { tags: { 'drover.dev/on-join-failure': 'ABANDON', 'drover.dev/join-timeout': '2m' } });
  const seen = new Set<string>();
  for (let minutes = 0; minutes < 60; minutes += 1) {
    await world.timeline.pass(60);
    for (const { InstanceId = '' } of membersOf(world)) seen.add(InstanceId);
  }
  expect(seen.size).toBe(4);
  const [{ InstanceId = '' } = {}] = membersOf(world);
  expect(stateOf(world, InstanceId)).toBe('Pending:Wait');
  expect(world.lines.filter(({ work }) => work === 'node-joining').at(-1)).toMatchObject({
    reason: expect.stringContaining('3 launches of its group in a row were abandoned'),
  });
  expect(
    world.lines.filter(({ message }) => /has not joined by its deadline/.test(String(message)))[0],
  ).toMatchObject({
    instanceId: expect.stringMatching(/^i-/),
    steps: expect.arrayContaining(['EC2 calls the instance running']),
  });
});

test('the log does not show half of a secret of the console if a line is cut', async () => {
  const world = await startWorld({ kubelets: { configure: () => undefined } });
  launch(world, 1, { tags: { 'drover.dev/join-timeout': '2m' } });
  await world.timeline.pass(30);
  const [{ InstanceId: launched = '' } = {}] = membersOf(world);
  world.account.ec2.accidents.writeConsole(launched, `${'-'.repeat(185)} abcdef.0123456789abcdef\n`);
  await world.timeline.pass(150);
  const said = world.lines.filter(({ message }) => /has not joined by its deadline/.test(String(message)));
  expect(JSON.stringify(said)).toContain('abcdef.[redac');
  expect(JSON.stringify(world.lines)).not.toContain('abcdef.0');
});
