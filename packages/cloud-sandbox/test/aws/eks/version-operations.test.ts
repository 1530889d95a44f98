import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { EC2Client } from '@aws-sdk/client-ec2';
import {
  DescribeUpdateCommand,
  EKSClient,
  ListUpdatesCommand,
  UpdateNodegroupVersionCommand,
} from '@aws-sdk/client-eks';
import { beforeEach, describe, expect, it } from 'vitest';
import { createAutoScaling } from '../../../src/aws/auto-scaling/auto-scaling.ts';
import { createEc2 } from '../../../src/aws/ec2/ec2.ts';
import { createEks } from '../../../src/aws/eks/eks.ts';
import { createRandom } from '../../../src/simulation/random.ts';
import { groupOf } from '../../contract/auto-scaling/world.ts';
import { openNodegroup } from '../../contract/eks/world.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { accountId, createTestFront, region } from '../support/test-front.ts';

async function open() {
  const clock = createManualClock();
  const parts = { clock, random: createRandom(6), accountId, region, putAwsEvent: () => undefined };
  const ec2 = createEc2(parts);
  const scaling = createAutoScaling({ ...parts, ec2, deliver: () => undefined });
  const eks = createEks({ ...parts, autoScaling: scaling });
  const { clientOptions } = createTestFront({ services: [ec2, scaling, eks], clock });
  const client = new EKSClient(clientOptions);
  const autoScaling = {
    client: new AutoScalingClient(clientOptions),
    ec2: new EC2Client(clientOptions),
    imageId: 'ami-0123456789abcdef0',
    pass: async (seconds: number) => clock.advance(seconds),
  };
  const nodegroup = await openNodegroup({ client, autoScaling });
  await autoScaling.pass(120);
  return { client, autoScaling, nodegroup, eks };
}

let world: Awaited<ReturnType<typeof open>>;
beforeEach(async () => {
  world = await open();
});

const names = () => ({
  clusterName: world.nodegroup.clusterName,
  nodegroupName: world.nodegroup.nodegroupName,
});

const update = (more: {
  readonly releaseVersion?: string;
  readonly launchTemplate?: { id: string; version: string };
}) => world.client.send(new UpdateNodegroupVersionCommand({ ...names(), ...more }));

const followed = async (updateId?: string) => {
  const { clusterName: name, nodegroupName } = names();
  return (await world.client.send(new DescribeUpdateCommand({ name, nodegroupName, updateId }))).update;
};

const instances = async (): Promise<readonly (string | undefined)[]> => {
  const { Instances = [] } = await groupOf(world.autoScaling, world.nodegroup.autoScalingGroupName);
  return Instances.map(({ InstanceId }) => InstanceId);
};

// https://docs.aws.amazon.com/eks/latest/userguide/managed-node-update-behavior.html
describe('an update of the version of a node group', () => {
  it('replaces each instance, and is then successful', async () => {
    const before = await instances();
    const { update: begun } = await update({ releaseVersion: '1.34.2-20261101' });
    expect(begun).toMatchObject({
      type: 'VersionUpdate',
      status: 'InProgress',
      params: [{ type: 'ReleaseVersion', value: '1.34.2-20261101' }],
    });
    expect((await world.nodegroup.read()).status).toBe('UPDATING');
    await world.autoScaling.pass(1200);
    expect(await followed(begun?.id)).toMatchObject({ status: 'Successful', errors: [] });
    expect(await world.nodegroup.read()).toMatchObject({
      status: 'ACTIVE',
      releaseVersion: '1.34.2-20261101',
    });
    const after = await instances();
    expect(after).toHaveLength(2);
    expect(after.filter((id) => before.includes(id))).toEqual([]);
  });

  it('is listed, also once it has ended', async () => {
    const { clusterName: name, nodegroupName } = names();
    const list = async () =>
      (await world.client.send(new ListUpdatesCommand({ name, nodegroupName }))).updateIds;
    expect(await list()).toEqual([]);
    const first = await update({ releaseVersion: '1.34.2-20261101' });
    await world.autoScaling.pass(1200);
    const second = await update({ releaseVersion: '1.34.2-20261115' });
    expect(new Set(await list())).toEqual(new Set([first.update?.id, second.update?.id]));
  });

  it('takes one instance at a time, once its group is whole', async () => {
    const before = await instances();
    await update({});
    await world.autoScaling.pass(25);
    const { Instances = [] } = await groupOf(world.autoScaling, world.nodegroup.autoScalingGroupName);
    const kept = Instances.filter(
      ({ InstanceId, LifecycleState }) => before.includes(InstanceId) && LifecycleState === 'InService',
    );
    expect(kept).toHaveLength(1);
  });

  it('is refused while another one runs, and for another launch template', async () => {
    await expect(
      update({ launchTemplate: { id: 'lt-0123456789abcdef9', version: '2' } }),
    ).rejects.toMatchObject({ name: 'InvalidParameterException' });
    await update({});
    await expect(update({})).rejects.toMatchObject({ name: 'ResourceInUseException' });
  });

  it('that fails shows its errors, and leaves the node group as it is', async () => {
    const { update: begun } = await update({});
    const error = {
      errorCode: 'PodEvictionFailure',
      errorMessage: 'Reached max retries',
      resourceIds: ['n'],
    } as const;
    world.eks.controls.failUpdate(names().clusterName, names().nodegroupName, {
      ...error,
      resourceIds: ['n'],
    });
    const before = await instances();
    await world.autoScaling.pass(600);
    expect(await followed(begun?.id)).toMatchObject({ status: 'Failed', errors: [error] });
    expect((await world.nodegroup.read()).status).toBe('ACTIVE');
    expect(await instances()).toEqual(before);
  });

  it('that does not exist is not described', async () => {
    await expect(followed('00000000-0000-4000-8000-000000000000')).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  });
});
