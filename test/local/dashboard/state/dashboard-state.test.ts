import { beforeAll, describe, expect, it } from 'vitest';
import { dashboardState } from '../../../../local/dashboard/state/dashboard-state.ts';
import {
  createDroverWorld,
  type DroverWorld,
  hookName,
  membersOf,
  stateOf,
  terminate,
  withWorkers,
} from '../../../../local/world/drover-world.ts';
import { budget, create, deployment } from '../../../../local/world/workloads.ts';
import type { DashboardState } from '../../../../ui/state/types.ts';
import { launchWorkers, startJoiningWorld } from '../../../support/joining-world.ts';
import { untilGone, untilSaid } from '../../../support/observed-instance.ts';

const stateOfPage = (world: DroverWorld): DashboardState =>
  dashboardState(world, { now: world.clock.now(), passes: [], news: [] });

const instanceOf = (state: DashboardState, instanceId: string) =>
  state.groups.flatMap(({ instances }) => instances).find((instance) => instance.instanceId === instanceId);

describe('the state of the dashboard', () => {
  it('says that a group is paused', async () => {
    const world = createDroverWorld();
    await withWorkers(world, { size: 1 });
    expect(stateOfPage(world).groups[0]?.paused).toBeUndefined();
    world.account.autoScaling.operations.CreateOrUpdateTags({
      Tags: [
        {
          ResourceType: 'auto-scaling-group',
          ResourceId: 'workers',
          Key: 'drover.dev/paused',
          Value: 'by=ana',
          PropagateAtLaunch: false,
        },
      ],
    });
    expect(stateOfPage(world).groups[0]?.paused).toBe('paused for the group by ana');
  });

  it('shows what a launched instance waits for, as the last pass over its launch said', async () => {
    const world = await startJoiningWorld({ kubelets: { configure: () => undefined } });
    launchWorkers(world, 1);
    await world.timeline.pass(60);
    const [{ InstanceId: subject = '' } = {}] = membersOf(world);
    const pass = { at: 0, outcome: 'again', seconds: 1, subject } as const;
    const passes = [
      { ...pass, number: 3, work: 'node-joining', subject: 'i-another', reason: 'its node is Ready' },
      { ...pass, number: 2, work: 'node-joining', reason: 'it has no node yet' },
      { ...pass, number: 1, work: 'node-joining', reason: 'EC2 does not list it yet' },
    ];
    const state = dashboardState(world, { now: world.clock.now(), passes, news: [] });
    expect(instanceOf(state, subject)).toMatchObject({
      lifecycleState: 'Pending:Wait',
      lastPass: 'it has no node yet',
    });
  });

  describe('while a node with a held pod leaves', () => {
    let world: DroverWorld;
    let leaving: string;
    let state: DashboardState;
    beforeAll(async () => {
      world = createDroverWorld();
      await create(world, deployment({ name: 'web', replicas: 1 }), budget('web', { minAvailable: 1 }));
      [leaving = ''] = await withWorkers(world, { size: 1 });
      terminate(world, leaving);
      await untilSaid(world, leaving, /waits for/);
      state = stateOfPage(world);
    });

    it('shows the group with its bounds and the instances in service', () => {
      expect(state.groups).toMatchObject([
        { autoScalingGroupName: 'workers', role: 'worker', minSize: 0, maxSize: 10, desiredCapacity: 1 },
      ]);
      const { instances, inService } = state.groups[0] ?? { instances: [] };
      expect(inService).toBe(instances.filter(({ lifecycleState }) => lifecycleState === 'InService').length);
    });

    it('shows how long its hook still waits', () => {
      const [wait] = instanceOf(state, leaving)?.waits ?? [];
      expect(instanceOf(state, leaving)?.lifecycleState).toBe('Terminating:Wait');
      expect(wait).toMatchObject({ lifecycleHookName: hookName, heartbeatTimeoutSeconds: 300 });
      expect(wait?.expiresAt).toBeGreaterThan(state.now);
      expect(wait?.expiresAt).toBeLessThanOrEqual(state.now + 300_000);
    });

    it('shows the node, cordoned, and what it waits for as Drover has marked it', () => {
      expect(instanceOf(state, leaving)?.node).toMatchObject({
        ready: true,
        cordoned: true,
        leaving: {
          cause: 'terminating',
          andMore: 0,
          waitingFor: [expect.stringMatching(/^default\/web-.*web/)],
        },
        pods: [{ name: expect.stringMatching(/^default\/web-/), state: 'running', daemon: false }],
      });
    });

    it('counts the messages of a wait: one for its passes, and one for its heartbeats', () => {
      const queues = (state.queues ?? []).filter(({ deadLetters }) => !deadLetters);
      expect(
        queues.reduce((sum, { visible, inFlight, delayed }) => sum + visible + inFlight + delayed, 0),
      ).toBe(2);
    });

    it('is plain JSON', () => {
      expect(JSON.parse(JSON.stringify(state))).toEqual(state);
    });
  });

  it('changes nothing in the simulation', async () => {
    const world = createDroverWorld();
    await withWorkers(world, { size: 2 });
    expect(stateOfPage(world)).toEqual(stateOfPage(world));
  });

  it('shows pods without a node', async () => {
    const world = createDroverWorld();
    await create(world, deployment({ name: 'web', replicas: 2 }));
    await world.timeline.pass(5);
    expect(stateOfPage(world).waitingPods).toMatchObject([{ state: 'pending' }, { state: 'pending' }]);
  });

  it('drops an instance that has left its group, and shows a node that outlives it', async () => {
    const world = createDroverWorld();
    const [dead = '', alive = ''] = await withWorkers(world, { size: 2 });
    world.account.autoScaling.operations.DetachInstances({
      AutoScalingGroupName: 'workers',
      InstanceIds: [alive],
      ShouldDecrementDesiredCapacity: true,
    });
    terminate(world, dead, { replace: false });
    await untilGone(world, dead);
    await world.timeline.pass(30);
    const state = stateOfPage(world);
    expect(instanceOf(state, dead)).toBeUndefined();
    expect(instanceOf(state, alive)).toBeUndefined();
    expect(state.otherNodes).toHaveLength(1);
  });

  it('recognises dead-letter queues by the queues and rules that lead to them', () => {
    const names = (deadLetters: boolean) =>
      (stateOfPage(createDroverWorld()).queues ?? [])
        .filter((queue) => queue.deadLetters === deadLetters)
        .map(({ queueName }) => queueName.replace(/^.*-/, ''));
    expect(names(true).sort()).toEqual([
      'CapacityDeadLetterQueue.fifo',
      'EtcdDeadLetterQueue.fifo',
      'HeartbeatsDeadLetterQueue.fifo',
      'InboxDeadLetterQueue',
      'JoiningDeadLetterQueue.fifo',
      'LeavingDeadLetterQueue.fifo',
      'RollDeadLetterQueue.fifo',
      'UndeliveredQueue',
    ]);
    expect(names(false).sort()).toEqual([
      'CapacityQueue.fifo',
      'EtcdQueue.fifo',
      'HeartbeatsQueue.fifo',
      'InboxQueue',
      'JoiningQueue.fifo',
      'LeavingQueue.fifo',
      'RollQueue.fifo',
    ]);
  });

  it('shows groups beyond the first page, and the instances of a warm pool', async () => {
    const world = createDroverWorld();
    await withWorkers(world, { size: 1 });
    world.account.autoScaling.operations.PutWarmPool({ AutoScalingGroupName: 'workers', MinSize: 1 });
    for (let index = 0; index < 60; index += 1)
      world.account.autoScaling.operations.CreateAutoScalingGroup({
        AutoScalingGroupName: `empty-${index}`,
        LaunchTemplate: { LaunchTemplateName: 'workers' },
        MinSize: 0,
        MaxSize: 0,
        VPCZoneIdentifier: world.account.ec2.instances.subnets()[0]?.subnetId,
      });
    await world.timeline.pass(60);
    const { groups } = stateOfPage(world);
    expect(groups).toHaveLength(61);
    expect(groups[0]?.instances.map(({ lifecycleState }) => lifecycleState)).toContainEqual(
      expect.stringMatching(/^Warmed:/),
    );
  });

  it('agrees with Auto Scaling on every instance, whatever happens to them', async () => {
    const world = createDroverWorld();
    const [first = '', second = ''] = await withWorkers(world, { size: 3 });
    terminate(world, first);
    world.account.ec2.accidents.kill(second);
    for (let step = 0; step < 20; step += 1) {
      await world.timeline.pass(3);
      const shown = stateOfPage(world).groups[0]?.instances ?? [];
      expect(shown.map(({ instanceId }) => instanceId)).toEqual(
        membersOf(world).map(({ InstanceId }) => InstanceId),
      );
      for (const { instanceId, lifecycleState } of shown)
        expect(lifecycleState).toBe(stateOf(world, instanceId));
    }
  });
});
