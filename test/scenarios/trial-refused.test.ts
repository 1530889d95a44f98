import { describe, expect, it } from 'vitest';
import type { DroverWorld } from '../../local/world/drover-world.ts';
import { boundsOf } from '../../local/world/holds.ts';
import { operatorOf } from '../cli/operator.ts';
import { createTrialGround, expectNothingLeft, type TrialGround } from '../support/trial-ground.ts';

const runTrial = ({ world, begin }: TrialGround, flags = '') => {
  begin();
  return operatorOf(world)(`trial workers --yes${flags}`);
};

describe('a trial is refused', () => {
  const inGroup = (change: object) => (world: DroverWorld) =>
    void world.account.autoScaling.operations.UpdateAutoScalingGroup({
      AutoScalingGroupName: 'workers',
      ...change,
    });
  const withTag = (Key: string, Value: string) => (world: DroverWorld) =>
    void world.account.autoScaling.operations.CreateOrUpdateTags({
      Tags: [
        { ResourceId: 'workers', ResourceType: 'auto-scaling-group', Key, Value, PropagateAtLaunch: false },
      ],
    });

  it.each([
    ['at MaxSize', inGroup({ MaxSize: 3 }), /it has 3 nodes, and MaxSize is 3: raise MaxSize by one/],
    ['in a paused group', withTag('drover.dev/paused', 'true'), /it is paused/],
    ['in a group of another role', withTag('drover.dev/role', 'control-plane'), /only a group of workers/],
    [
      'in a group that gives empty nodes back after a hold',
      withTag('drover.dev/give-back-empty', 'true'),
      /give-back-empty gives empty nodes back after each hold, and 2 could go/,
    ],
    ['while the group is larger than its instances', inGroup({ DesiredCapacity: 4 }), /3 of 4 instances/],
    [
      'without the hook that drains',
      (world: DroverWorld) =>
        void world.account.autoScaling.operations.DeleteLifecycleHook({
          AutoScalingGroupName: 'workers',
          LifecycleHookName: 'drover-node-leaving',
        }),
      /drover hooks install/,
    ],
  ])('%s', async (_, change, message) => {
    const ground = await createTrialGround({ minSize: 1 });
    change(ground.world);
    const { code, err } = await runTrial(ground);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(message) });
    expect(boundsOf(ground.world).minSize).toBe(1);
  });

  it.each([
    ['trial wrokers --yes', 1, /there is no Auto Scaling group wrokers/],
    ['trial --yes', 2, /name the group, or give --clean-up/],
    ['trial workers --timeout 0 --yes', 2, /--timeout/],
    ['trial workers', 1, /no trial was made/],
  ])('as drover %s', async (line, exitCode, message) => {
    const { world } = await createTrialGround();
    const { code, err } = await operatorOf(world)(line);
    expect({ code, err }).toEqual({ code: exitCode, err: expect.stringMatching(message) });
  });

  it('if the operator lacks a right in the cluster', async () => {
    const denied = { kind: 'http-answer', status: 201, body: '{"status":{"allowed":false}}' } as const;
    let count = 0;
    const ground = await createTrialGround({
      strike: ({ what }) =>
        what.endsWith('/selfsubjectaccessreviews') && ++count === 7 ? denied : undefined,
    });
    expect((await runTrial(ground)).err).toMatch(
      /no trial of workers: your user of the cluster may not patch nodes$/m,
    );
    expectNothingLeft(ground.world, ground.ids, 3);
  });

  it('while another one runs, or has left its namespace', async () => {
    const ground = await createTrialGround({
      strike: ({ what }) =>
        what.startsWith('DELETE /api/v1/namespaces/drover-trial') ? { kind: 'fail-before' } : undefined,
    });
    expect((await runTrial(ground, ' --cluster drover')).out).toMatch(
      /^left {3}namespace drover-trial: .*Run: drover trial --clean-up --cluster drover$|^left {3}namespace drover-trial: .*kubectl get namespace/m,
    );
    const { code, err } = await runTrial(ground);
    expect(code).toBe(1);
    expect(err).toMatch(
      /namespace drover-trial exists: a trial of workers began at .*drover trial --clean-up/,
    );
    expect((await operatorOf(ground.world)('trial --clean-up other --yes')).err).toMatch(
      /what is left is of a trial of workers, not of other/,
    );
  });
});
