import type { CallInFlight } from '@drover/cloud-sandbox';
import { describe, expect, it } from 'vitest';
import { type DroverWorld, membersOf } from '../../local/world/drover-world.ts';
import { boundsOf, putHold } from '../../local/world/holds.ts';
import { create, deployment } from '../../local/world/workloads.ts';
import { instanceIdOf } from '../../shared/nodes/node-names.ts';
import { operatorOf } from '../cli/operator.ts';
import {
  createTrialGround,
  expectNothingLeft,
  expectOthersUntouched,
  type TrialGround,
  type TrialGroundOptions,
} from '../support/trial-ground.ts';

const runTrial = ({ world, begin }: TrialGround, flags = '') => {
  begin();
  return operatorOf(world)(`trial workers --yes${flags}`);
};

/** A ground on which something happens once, at the first call of the operator that matches. */
async function groundOn(
  pattern: RegExp,
  act: (ground: TrialGround) => void,
  options: TrialGroundOptions = {},
): Promise<TrialGround> {
  let isDone = false;
  const strike = ({ what }: CallInFlight): undefined => {
    if (isDone || !pattern.test(what)) return;
    isDone = true;
    act(ground);
  };
  const ground: TrialGround = await createTrialGround({ ...options, strike });
  return ground;
}

const setDesired = ({ account }: DroverWorld, DesiredCapacity: number): void =>
  void account.autoScaling.operations.SetDesiredCapacity({
    AutoScalingGroupName: 'workers',
    DesiredCapacity,
  });

const newNodeOf = ({ world, ids }: TrialGround): string =>
  world.kubernetes.store
    .of('nodes')
    .list()
    .find(({ spec }) => !ids.includes(instanceIdOf(spec?.providerID) ?? ''))?.metadata.name ?? '';

const taintsIn = ({ kubernetes }: DroverWorld): readonly unknown[] =>
  kubernetes.store
    .of('nodes')
    .list()
    .flatMap(({ spec }) => spec?.taints ?? []);

describe('a trial beside an autoscaler', () => {
  // kubernetes/autoscaler#9182: AWS chose the victims itself.
  it('terminates nothing if the autoscaler has made the group larger than the hold asked for', async () => {
    const ground = await groundOn(/^ssm PutParameter/, ({ world }) => setDesired(world, 5));
    const { code, out } = await runTrial(ground);
    expect(code).toBe(1);
    expect(out).toMatch(/^hold {3}failed .*something else scales the group: its desired capacity is 5/m);
    expect(out).toMatch(/^left {3}an extra node in workers: .*unknown.*Look at the new instances/m);
    await ground.world.timeline.pass(15 * 60);
    expectOthersUntouched(ground.world, ground.ids);
    expect(membersOf(ground.world)).toHaveLength(5);
  });

  it('does not take the instance that the autoscaler has launched before MinSize was raised', async () => {
    const ground = await groundOn(/^ssm PutParameter/, ({ world }) => setDesired(world, 4), { minSize: 1 });
    const { code, out } = await runTrial(ground);
    expect(code).toBe(1);
    expect(out).toMatch(/^hold {3}failed .*something else scales the group/m);
    await ground.world.timeline.pass(15 * 60);
    expectOthersUntouched(ground.world, ground.ids);
  });

  it.each([3, 5])('does not change the size that the autoscaler has chosen meanwhile: %i', async (size) => {
    const ground = await groundOn(/replicasets\/trial$/, ({ world }) => setDesired(world, size), {
      minSize: 1,
    });
    const { out } = await runTrial(ground);
    if (size === 5) expect(out).toMatch(/^drain {2}failed .*stays: .*something else scales the group/m);
    await ground.world.timeline.pass(15 * 60);
    expect(boundsOf(ground.world).desiredCapacity).toBe(size);
  });
});

describe('pods of others', () => {
  /** A Deployment whose pod can only run on the new node, and tolerates everything. */
  const webOn = (nodeName: string) => {
    const matchFields = [{ key: 'metadata.name', operator: 'In', values: [nodeName] }];
    const required = { nodeSelectorTerms: [{ matchFields }] };
    const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } };
    return deployment({
      name: 'web',
      replicas: 1,
      pod: { affinity, tolerations: [{ operator: 'Exists' }] },
    });
  };
  const whenPinned = (ground: TrialGround): void => void create(ground.world, webOn(newNodeOf(ground)));

  // openshift/verification-tests#1206.
  it('are not evicted: the node stays, without the taint of the trial', async () => {
    const ground = await groundOn(/replicasets\/trial$/, whenPinned);
    const { code, out } = await runTrial(ground);
    expect(code).toBe(1);
    expect(out).toMatch(/^drain {2}failed .*1 other pod came to node ip-.*, default\/web-/m);
    expect(out).toMatch(/^left .*stays: .*--evict-others/m);
    await ground.world.timeline.pass(15 * 60);
    expectOthersUntouched(ground.world, ground.ids);
    expect(membersOf(ground.world)).toHaveLength(4);
    expect(taintsIn(ground.world)).toEqual([]);
  });

  it('are evicted with --evict-others', async () => {
    const ground = await groundOn(/replicasets\/trial$/, whenPinned);
    expect((await runTrial(ground, ' --evict-others')).code).toBe(0);
    await ground.world.timeline.pass(15 * 60);
    expectOthersUntouched(ground.world, ground.ids);
    expect(membersOf(ground.world)).toHaveLength(3);
  });

  it('do not come to the node of the trial, although it is the emptiest one', async () => {
    const web = deployment({ name: 'web', replicas: 9 });
    const ground = await groundOn(/replicasets\/trial$/, ({ world }) => void create(world, web));
    expect((await runTrial(ground)).code).toBe(0);
  });
});

describe('a trial finds', () => {
  it('that EC2 has no capacity, and says that the group still asks for an instance', async () => {
    const ground = await createTrialGround();
    for (const zone of ['a', 'b', 'c'])
      ground.world.account.ec2.accidents.setCapacity({
        instanceType: 'm5.large',
        availabilityZone: `eu-west-1${zone}`,
        available: false,
      });
    const { code, out } = await runTrial(ground);
    expect(code).toBe(1);
    expect(out).toMatch(/^hold {3}failed .*after 10m: .*the last launch failed: .*m5\.large/m);
    expect(out).toMatch(
      /^left .*the desired capacity is 4, and was 3, .*launched no instance yet\. Once no instance is launching, run: aws autoscaling set-desired-capacity .* --desired-capacity 3$/m,
    );
    expectOthersUntouched(ground.world, ground.ids);
  });

  it('that instances do not join, and ends the one that is there', async () => {
    const ground = await createTrialGround({ joinsWithinSeconds: 300, configure: () => undefined });
    const { code, out } = await runTrial(ground, ' --timeout 5m');
    expect(code).toBe(1);
    expect(out).toMatch(
      /^join {3}failed .*after 5m: i-\w+ is Pending:Wait, and has no Node yet; drover events/m,
    );
    await ground.world.timeline.pass(15 * 60);
    expectNothingLeft(ground.world, ground.ids);
  });

  it('that instances are abandoned and launched again, and ends the last one', async () => {
    const ground = await createTrialGround({
      joinsWithinSeconds: 300,
      configure: () => undefined,
      tags: { 'drover.dev/on-join-failure': 'ABANDON', 'drover.dev/join-timeout': '2m' },
    });
    const { code, out } = await runTrial(ground);
    expect(code).toBe(1);
    expect(out).toMatch(/^join {3}failed .*leaves the group before it has joined/m);
    await ground.world.timeline.pass(15 * 60);
    expectNothingLeft(ground.world, ground.ids);
  });

  it('that something else has ended the wait of the new instance', async () => {
    const ground = await createTrialGround({
      joinsWithinSeconds: 600,
      everywhere: true,
      strike: ({ caller }) => (caller.includes('node-joining') ? { kind: 'fail-before' } : undefined),
    });
    const complete = (): void => {
      const waiting = membersOf(ground.world).find(({ LifecycleState }) => LifecycleState === 'Pending:Wait');
      if (waiting === undefined) return void ground.world.clock.after(10_000, complete);
      ground.world.account.autoScaling.operations.CompleteLifecycleAction({
        AutoScalingGroupName: 'workers',
        LifecycleHookName: 'drover-node-joining',
        InstanceId: waiting.InstanceId ?? '',
        LifecycleActionResult: 'CONTINUE',
      });
    };
    ground.world.clock.after(10_000, complete);
    const { code, out } = await runTrial(ground);
    expect(code).toBe(1);
    expect(out).toMatch(/^join {3}failed .*the log of node-joining does not say that it completed the hook/m);
    await ground.world.timeline.pass(15 * 60);
    expectNothingLeft(ground.world, ground.ids);
  });

  it('that prewarm does not work', async () => {
    const ground = await createTrialGround({
      strike: ({ caller, what }) =>
        caller.includes('prewarm') && what.startsWith('autoscaling Update')
          ? { kind: 'fail-before' }
          : undefined,
      everywhere: true,
    });
    const { code, out } = await runTrial(ground);
    expect(code).toBe(1);
    expect(out).toMatch(/^hold {3}failed .*MinSize is 3, and prewarm raises it to 4 within a minute/m);
    ground.calm();
    await ground.world.timeline.pass(15 * 60);
    expectNothingLeft(ground.world, ground.ids);
  });

  it('that node-leaving does not work, although the instance leaves once its wait has timed out', async () => {
    const ground = await createTrialGround({
      strike: ({ caller }) => (caller.includes('node-leaving') ? { kind: 'fail-before' } : undefined),
      everywhere: true,
    });
    const { code, out } = await runTrial(ground, ' --timeout 3h');
    expect(code).toBe(1);
    expect(out).toMatch(/^drain {2}failed /m);
    expectOthersUntouched(ground.world, ground.ids);
  });

  // hashicorp/nomad-autoscaler#1290: nodes were drained for nothing, because AWS refused to terminate them at MinSize.
  it('that another hold keeps MinSize, and says how the node leaves', async () => {
    const ground = await createTrialGround();
    putHold(ground.world, { nodes: 4, minutes: 60, name: 'other' });
    const { code, out } = await runTrial(ground);
    expect(code).toBe(1);
    expect(out).toMatch(/^drain {2}failed in 6m\S*: after 6m: MinSize is still 4.*drover hold list/m);
    expect(out).toMatch(
      /^left .*MinSize is still 4.*Run: drover trial --clean-up; to keep the node: kubectl delete namespace drover-trial$/m,
    );
    expectOthersUntouched(ground.world, ground.ids);
  });
});
