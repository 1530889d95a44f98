import { beforeEach, describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  membersOf,
  withWorkers,
} from '../../../local/world/drover-world.ts';
import { budget, create, deployment } from '../../../local/world/workloads.ts';
import { withNodegroup } from '../../support/eks-nodegroup.ts';
import { nodeNameOf } from '../../support/observed-instance.ts';
import { type OperatorOptions, operatorOf } from '../operator.ts';
import { askedRolls, changeTemplate, turnRollsOn } from './support.ts';

let world: DroverWorld;
let group: string;
beforeEach(async () => {
  world = createDroverWorld();
  await withWorkers(world, { size: 1, settings: { MinSize: 0, MaxSize: 5 } });
  turnRollsOn(world);
  group = await withNodegroup(world);
  await world.timeline.pass(120);
});

const drover = (line: string, options: OperatorOptions = {}) => operatorOf(world, options)(line);

const described = () =>
  world.account.eks.operations.DescribeNodegroup({ clusterName: 'drover', nodegroupName: 'blue' }).nodegroup;

/** A pod on the node of EKS that its budget never lets go. */
async function holdPod(): Promise<void> {
  const node = nodeNameOf(world, membersOf(world, group)[0]?.InstanceId ?? '');
  await create(world, budget('web', { maxUnavailable: 0 }));
  await create(world, deployment({ name: 'web', replicas: 1, pod: { nodeName: node } }));
  await world.timeline.pass(30);
}

describe('drover roll of a managed node group', () => {
  it('has EKS update it to the newest release, and follows that to its end', async () => {
    const [before] = membersOf(world, group);
    const { code, out, err } = await drover(`roll ${group} --wait --timeout 2h`);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(
      /^node group blue of EKS cluster drover: release unknown -> the newest of the cluster's/,
    );
    expect(out).toMatch(
      /^EKS updates it, and cannot be paused or stopped: aws eks describe-update --name drover --nodegroup-name blue --update-id \S+$/m,
    );
    expect(out).toMatch(/^update \S+ is InProgress\nupdate \S+ is Successful\n$/m);
    expect(membersOf(world, group).map(({ InstanceId }) => InstanceId)).not.toContain(before?.InstanceId);
    expect(askedRolls(world)).toEqual([]);
  });

  it('launches the version of the template that is asked for', async () => {
    changeTemplate(world);
    const { code, out } = await drover(`roll ${group} --template-version 2 --wait --json`);
    expect(code).toBe(0);
    const [begun, ...states] = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(begun).toMatchObject({ nodegroup: 'blue', done: true, refusal: null, blocked: [] });
    expect(states.map(({ status }) => status)).toEqual(['InProgress', 'Successful']);
    expect(described().launchTemplate?.version).toBe('2');
    expect(membersOf(world, group)[0]?.LaunchTemplate?.Version).toBe('2');
  });

  it('changes nothing with --dry-run', async () => {
    const { code, out } = await drover(`roll ${group} --release-version 1.34.2-20261101 --dry-run`);
    expect([code, out]).toEqual([
      0,
      'node group blue of EKS cluster drover: release unknown -> 1.34.2-20261101\n\nEKS would update it (dry run)\n',
    ]);
    expect(described()).toMatchObject({ status: 'ACTIVE' });
    expect(described().releaseVersion).toBeUndefined();
  });

  it('names the pods that a budget holds, and has EKS begin only with --force', async () => {
    await holdPod();
    const { code, out, err } = await drover(`roll ${group}`);
    expect(code).toBe(1);
    expect(out).toMatch(
      /^Pods that a budget holds:\n {2}\S+\n {4}default\/web-\S+: budget default\/web allows no/m,
    );
    expect(err).toContain('or let EKS terminate the nodes all the same with --force');
    expect(described().status).toBe('ACTIVE');
    expect((await drover(`roll ${group} --force`)).code).toBe(0);
    expect(described().status).toBe('UPDATING');
  });

  it('reports an update that fails in the words of EKS, with the pods that EKS does not name', async () => {
    await holdPod();
    world.clock.after(15_000, () =>
      world.account.eks.controls.failUpdate('drover', 'blue', {
        errorCode: 'PodEvictionFailure',
        errorMessage: 'Reached max retries while trying to evict pods from nodes in node group blue',
        resourceIds: ['ip-10-0-0-9'],
      }),
    );
    const { code, err } = await drover(`roll ${group} --force --wait`);
    expect(code).toBe(1);
    expect(err).toMatch(
      /the update of blue has failed: PodEvictionFailure: Reached max retries .* \(ip-10-0-0-9\); budgets hold default\/web-\S+ on \S+: budget/,
    );
  });

  it('ends its wait at the timeout, and the update goes on', async () => {
    const { code, err } = await drover(`roll ${group} --wait --timeout 10s`);
    expect(code).toBe(4);
    expect(err).toContain('the update goes on without this command: aws eks describe-update');
    expect(described().status).toBe('UPDATING');
  });

  it('warns once that it may not follow the update, and waits until its timeout', async () => {
    const update = ['eks:DescribeNodegroup', 'eks:UpdateNodegroupVersion'];
    const actions = ['autoscaling:*', 'sts:*', 'ssm:*', 'ec2:*', ...update];
    const { code, err } = await drover(`roll ${group} --wait --timeout 2m`, { actions });
    expect(code).toBe(4);
    expect(err.match(/^warning: .*eks:DescribeUpdate/gm)).toHaveLength(1);
  });

  it('is refused while EKS updates it already, and without a right', async () => {
    await drover(`roll ${group}`);
    expect((await drover(`roll ${group}`)).err).toContain('EKS updates it already');
    await world.timeline.pass(3600);
    const actions = ['autoscaling:*', 'eks:DescribeNodegroup', 'sts:*', 'ssm:*', 'ec2:*'];
    const { code, err } = await drover(`roll ${group}`, { actions });
    expect(code).not.toBe(0);
    expect(err).toContain('eks:UpdateNodegroupVersion');
    expect(described().status).toBe('ACTIVE');
  });
});

describe('what does not apply to a managed node group', () => {
  it.each([
    '--everything',
    '--older-than 30d',
    '--below 1.34.2',
    '--surge 2',
    '--max-unavailable 1',
    '--canary 2',
    '--bake 5m',
    '--stop-on web',
    '--window 09:00-16:00',
    '--annotation-timeout 1h',
    '--skip-blocked',
    '--name other',
  ])('%s is refused by name', async (flag) => {
    const { code, err } = await drover(`roll ${group} ${flag}`);
    expect(code).toBe(2);
    expect(err).toContain(`${flag.split(' ')[0]} does not apply to ${group}: EKS manages it`);
    expect(described().status).toBe('ACTIVE');
  });

  it.each(['pause', 'resume', 'abort'])('%s is refused, with what can be done', async (kind) => {
    await drover(`roll ${group}`);
    const { code, err } = await drover(`roll ${kind} ${group}`);
    expect(code).toBe(1);
    expect(err).toContain(
      `its update takes no ${kind}: aws eks list-updates --name drover --nodegroup-name blue`,
    );
  });

  it('it is rolled by itself, and left out of --all', async () => {
    expect(await drover(`roll workers ${group}`)).toMatchObject({
      code: 2,
      err: expect.stringContaining('roll it in a command of its own'),
    });
    const { code, out, err } = await drover('roll --all --everything --dry-run');
    expect([code, err]).toEqual([
      0,
      `warning: ${group} is left out: EKS updates its nodes (drover roll ${group})\n`,
    ]);
    expect(out).toContain('roll all would replace 1 node (dry run)');
  });

  it.each(['--force', '--release-version 1.34.2-1', '--template-version 2'])(
    '%s applies to no other group',
    async (flag) => {
      const { code, err } = await drover(`roll workers ${flag}`);
      expect([code, err]).toEqual([
        2,
        expect.stringContaining(`${flag.split(' ')[0]} applies only to a managed node group of EKS`),
      ]);
    },
  );
});

describe('drover roll status of a managed node group', () => {
  it('says that it has had no update', async () => {
    const { code, out } = await drover(`roll status ${group}`);
    expect([code, out]).toEqual([0, 'node group blue of EKS cluster drover has had no update\n']);
  });

  it('shows the update that is in progress, with the pods that hold it', async () => {
    await holdPod();
    await drover(`roll ${group} --force --release-version 1.34.2-20261101`);
    const { code, out, err } = await drover(`roll status ${group}`);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(
      /^node group blue of EKS cluster drover: update \S+ is InProgress, VersionUpdate \(ReleaseVersion 1\.34\.2-20261101\), begun at \S+\n\nPods that a budget holds:\n {2}\S+\n {4}default\/web-/,
    );
  });

  it('shows the newest of those that have ended, with the errors of EKS', async () => {
    await drover(`roll ${group} --release-version 1.34.2-20261101 --wait`);
    await drover(`roll ${group} --release-version 1.34.2-20261115`);
    world.account.eks.controls.failUpdate('drover', 'blue', {
      errorCode: 'NodeCreationFailure',
      errorMessage: 'Instances failed to join the kubernetes cluster',
      resourceIds: [],
    });
    const { out } = await drover(`roll status ${group}`);
    expect(out).toMatch(
      /is Failed, VersionUpdate \(ReleaseVersion 1\.34\.2-20261115\), begun at \S+\n {2}NodeCreationFailure: Instances failed/,
    );
    expect(JSON.parse((await drover(`roll status ${group} --json`)).out)).toMatchObject({
      cluster: 'drover',
      nodegroup: 'blue',
      update: { status: 'Failed', errors: [{ errorCode: 'NodeCreationFailure' }] },
      blocked: [],
    });
  });

  it('follows the update to its end with --wait, and fails with it', async () => {
    await drover(`roll ${group}`);
    const followed = await drover(`roll status ${group} --wait --timeout 2h`);
    expect([followed.code, followed.out]).toEqual([
      0,
      expect.stringMatching(/^update \S+ is InProgress\nupdate \S+ is Successful\n$/),
    ]);
    await drover(`roll ${group}`);
    world.clock.after(15_000, () =>
      world.account.eks.controls.failUpdate('drover', 'blue', {
        errorCode: 'PodEvictionFailure',
        errorMessage: 'Reached max retries',
        resourceIds: [],
      }),
    );
    const failed = await drover(`roll status ${group} --wait`);
    expect([failed.code, failed.err]).toEqual([
      1,
      'drover: the update of blue has failed: PodEvictionFailure: Reached max retries\n',
    ]);
  });

  it('names the commands of AWS without the right to read updates', async () => {
    const { code, err } = await drover(`roll status ${group}`, {
      actions: ['autoscaling:*', 'ssm:*', 'sts:*'],
    });
    expect(code).toBe(1);
    expect(err).toMatch(/^drover: EKS manages \S+, and its updates cannot be read: .*eks:ListUpdates/);
    expect(err).toContain(
      'aws eks describe-update --name drover --nodegroup-name blue --update-id ID shows one',
    );
  });

  it('shows it without what holds it if the cluster cannot be read', async () => {
    await drover(`roll ${group}`);
    const sendHttp = () => Promise.reject(new Error('no route to host'));
    const { code, out, err } = await drover(`roll status ${group}`, { sendHttp });
    expect(code).toBe(0);
    expect(out).toMatch(/is InProgress/);
    expect(err).toMatch(/^warning: the pods that budgets hold are not known: /);
  });
});
