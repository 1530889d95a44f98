import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  stateOf,
  terminate,
  withWorkers,
} from '../../../local/world/drover-world.ts';
import { boundsOf } from '../../../local/world/holds.ts';
import { untilGone } from '../../support/observed-instance.ts';
import { operatorOf, startHeldDrain } from '../operator.ts';
import { type Flavour, leftOf, putHook, remains, runningWorld } from './world.ts';

let world: DroverWorld;

describe.each(['kubeadm', 'eks'] as const)(
  'drover leave in a cluster like those of %s',
  (flavour: Flavour) => {
    beforeEach(async () => {
      world = await runningWorld(flavour);
    });

    it('removes all that is Drover’s from the group and its Nodes, and keeps what is not', async () => {
      const before = remains(world);
      const planned = await operatorOf(world)('leave workers --plan');
      expect(planned).toMatchObject({ code: 0, err: '' });
      expect(remains(world)).toEqual(before);
      const { code, out, err } = await operatorOf(world)('leave workers --yes');
      expect([code, err]).toEqual([0, '']);
      expect(out.startsWith(planned.out)).toBe(true);
      expect(out).toContain('workers has left: nothing of Drover is left on it\n');
      expect(remains(world)).toEqual(leftOf(flavour));
      expect((await operatorOf(world)('schedule list --json --cluster drover')).out).toBe('[]\n');
      expect(await operatorOf(world)('leave workers --yes')).toEqual({
        code: 0,
        out: 'nothing of Drover is left on workers\n',
        err: '',
      });
      // Drover leaves the group alone from now on.
      await world.timeline.pass(1800);
      expect(remains(world)).toEqual(leftOf(flavour));
    });

    it('ends the same wherever it was ended, by Ctrl-C or in the middle of any call to AWS', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat(60), { minLength: 1, maxLength: 3 }), async (kills) => {
          world = await runningWorld(flavour);
          expect(await killedRun(12)).toBe(1);
          for (const kill of kills) await killedRun(kill);
          expect((await operatorOf(world)('leave workers --yes')).code).toBe(0);
          expect(remains(world)).toEqual(leftOf(flavour));
        }),
        { numRuns: 6 },
      );
    });
  },
);

/** The call with this number gets no answer, and none after it. */
async function killedRun(kill: number): Promise<number> {
  let calls = 0;
  const { code } = await operatorOf(world, {
    onAwsCall: () => {
      calls += 1;
      if (calls > kill) throw new Error('killed');
    },
  })('leave workers --yes');
  return code;
}

/** Without holds, so that an instance may leave without a replacement. */
async function plainWorld(): Promise<void> {
  world = createDroverWorld();
  await withWorkers(world, { size: 3, settings: { MinSize: 1, MaxSize: 5 } });
  putHook(world, 'drover-node-joining', 'LAUNCHING');
}

describe('drover leave while instances wait', () => {
  it('changes nothing, and names the commands that end the waits', async () => {
    await plainWorld();
    const before = remains(world);
    const leaving = await startHeldDrain(world, await withWorkersIds());
    const { code, out, err } = await operatorOf(world)('leave workers --yes');
    expect(code).toBe(1);
    expect(out).toContain(`1. ${leaving} (Terminating:Wait) waits for Drover to complete these waits\n`);
    expect(err).toContain(`an instance waits: ${leaving} is in Terminating:Wait. drover resume workers`);
    expect(err).toContain(
      'drover release workers ends them without a drain; then drover leave workers goes on',
    );
    expect(stateOf(world, leaving)).toBe('Terminating:Wait');
    expect(remains(world).hooks).toEqual(before.hooks);
    expect(remains(world).tags).toEqual(before.tags);
  });

  it('waits with --wait until Drover has drained them, so that no pod is lost', async () => {
    await plainWorld();
    const [leaving = ''] = await withWorkersIds();
    terminate(world, leaving, { replace: false });
    await world.timeline.pass(5);
    const run = await operatorOf(world)('leave workers --yes --wait 30m');
    expect(run.code).toBe(0);
    await untilGone(world, leaving, 300);
    expect(remains(world)).toMatchObject({ hooks: [], keys: [], capacity: [] });
  });

  it('deletes no hook while a launch waits: Auto Scaling would terminate it', async () => {
    await plainWorld();
    world.lambda.stop();
    const { operations } = world.account.autoScaling;
    operations.SetDesiredCapacity({ AutoScalingGroupName: 'workers', DesiredCapacity: 4 });
    const launching = () =>
      operations
        .DescribeAutoScalingInstances({})
        .AutoScalingInstances.find(({ LifecycleState }) => LifecycleState === 'Pending:Wait')?.InstanceId;
    await world.timeline.until(() => launching() !== undefined, { withinSeconds: 120, what: 'a launch' });
    const id = launching() ?? '';
    expect((await operatorOf(world)('leave workers --yes')).code).toBe(1);
    expect(remains(world).hooks).toContain('drover-node-joining');
    expect((await operatorOf(world)('release workers --yes')).code).toBe(0);
    await world.timeline.pass(30);
    expect((await operatorOf(world)('leave workers --yes')).code).toBe(0);
    expect(stateOf(world, id)).toBe('InService');
  });

  it('stops before a hook if an instance begins to wait after the pause', async () => {
    await plainWorld();
    const [leaving = ''] = await withWorkersIds();
    const { code, err } = await operatorOf(world, {
      onOutput: (text) => {
        if (text.startsWith('workers: tag drover.dev/paused')) terminate(world, leaving, { replace: false });
      },
    })('leave workers --yes');
    expect(code).toBe(1);
    expect(err).toContain(`${leaving} is in Terminating:Wait`);
    expect(err).toContain('Until then workers stays paused, and Drover drains no node there');
    expect(remains(world).hooks).toContain('drover-node-leaving');
    expect((await operatorOf(world)('resume workers')).code).toBe(0);
    expect((await operatorOf(world)('leave workers --yes --wait 30m')).code).toBe(0);
  });
});

const withWorkersIds = (): Promise<readonly string[]> =>
  Promise.resolve(
    world.account.autoScaling.operations
      .DescribeAutoScalingInstances({})
      .AutoScalingInstances.map(({ InstanceId = '' }) => InstanceId),
  );

describe('drover leave', () => {
  it('refuses if the cluster cannot be read, because Nodes would stay cordoned, unless it is left out', async () => {
    world = await runningWorld('kubeadm');
    const alone = operatorOf(world, { hasKubeconfig: false });
    const refused = await alone('leave workers --yes');
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('the cluster cannot be read, so that Nodes would stay cordoned');
    expect((await alone('leave workers --yes --without-cluster')).code).toBe(0);
    expect(remains(world)).toMatchObject({ hooks: ['backup'], cordoned: 3, bindings: [] });
    // A later run finds the marks, although hooks and tags are gone.
    expect((await operatorOf(world)('leave workers --yes')).code).toBe(0);
    expect(remains(world)).toMatchObject({ keys: [], cordoned: 1 });
  });

  it('keeps MaxSize above a desired capacity that grows while the pause settles', async () => {
    world = await runningWorld('kubeadm');
    const { operations } = world.account.autoScaling;
    const run = operatorOf(world, {
      onOutput: (text) => {
        if (text.startsWith('workers: tag drover.dev/paused'))
          operations.SetDesiredCapacity({ AutoScalingGroupName: 'workers', DesiredCapacity: 7 });
      },
    });
    expect((await run('hold create workers 8 --for 8h --name more --raise-max-size')).code).toBe(0);
    await world.timeline.until(() => boundsOf(world).maxSize === 8, { withinSeconds: 300, what: 'MaxSize' });
    world.lambda.stop();
    operations.UpdateAutoScalingGroup({ AutoScalingGroupName: 'workers', MinSize: 1, DesiredCapacity: 3 });
    await world.timeline.pass(60);
    await run('release workers --yes');
    expect((await run('leave workers --plan')).out).toContain('MaxSize 8 -> 5');
    expect((await run('leave workers --yes')).code).toBe(0);
    expect(boundsOf(world)).toMatchObject({ maxSize: 8 });
  });

  it('gives approvals to a binding of the same name for others, and keeps them', async () => {
    world = await runningWorld('kubeadm');
    const name = 'kubeadm:node-autoapprove-certificate-rotation';
    const bindings = 'clusterrolebindings.rbac.authorization.k8s.io';
    const bound = (role: string): void =>
      void world.kubernetes.registry.create(bindings, {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'testers' }],
      });
    bound('system:certificates.k8s.io:certificatesigningrequests:selfnodeclient');
    expect((await operatorOf(world)('leave workers --yes')).code).toBe(0);
    const found = world.kubernetes.store
      .of(bindings)
      .list()
      .find(({ metadata }) => metadata?.name === name);
    expect(found?.subjects?.map((subject) => subject.name)).toEqual(['testers', 'system:nodes']);
  });

  it('works with the stack gone', async () => {
    world = await runningWorld('kubeadm');
    world.lambda.stop();
    expect((await operatorOf(world)('leave workers --yes')).code).toBe(0);
    expect(remains(world)).toEqual(leftOf('kubeadm'));
  });

  it('gives only renewals to kube-controller-manager while another group stays', async () => {
    world = await runningWorld('kubeadm');
    await withWorkers(world, { size: 1, autoScalingGroupName: 'others' });
    const { out } = await operatorOf(world)('leave workers --yes');
    expect(out).toContain('note: new nodes of the group need another approver for their first certificate\n');
    expect(remains(world).bindings).toEqual(['kubeadm:node-autoapprove-certificate-rotation']);
  });

  it('prints plans and results as data', async () => {
    world = await runningWorld('kubeadm');
    const { out } = await operatorOf(world)('leave workers --json --plan');
    const { groups, done } = JSON.parse(out) as { done: boolean; groups: { steps: { kind: string }[] }[] };
    expect(done).toBe(false);
    expect(groups[0]?.steps.map(({ kind }) => kind)).toEqual([
      'pause',
      'schedule',
      'hold',
      'bounds',
      'node',
      'node',
      'approver',
      'approver',
      'hook',
      'hook',
      'tags',
    ]);
    expect(JSON.parse((await operatorOf(world)('leave workers --json --yes')).out)).toMatchObject({
      done: true,
    });
  });

  it('refuses a missing group and a group of another cluster', async () => {
    world = await runningWorld('kubeadm');
    expect((await operatorOf(world)('leave missing --yes')).err).toContain(
      'there is no Auto Scaling group missing',
    );
    const { operations } = world.account.autoScaling;
    const tag = { ResourceId: 'workers', ResourceType: 'auto-scaling-group' };
    operations.DeleteTags({ Tags: [{ ...tag, Key: 'kubernetes.io/cluster/drover' }] });
    operations.CreateOrUpdateTags({ Tags: [{ ...tag, Key: 'kubernetes.io/cluster/other', Value: 'owned' }] });
    expect((await operatorOf(world)('leave workers --yes')).err).toContain(
      'workers belongs to cluster other',
    );
  });
});
