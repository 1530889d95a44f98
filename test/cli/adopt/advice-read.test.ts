import { describe, expect, it } from 'vitest';
import { layoutOf, machineOf } from '../../../cli/adopt/observe/layout.ts';
import { operatorOf } from '../operator.ts';
import { kubeadmWorld } from './worlds.ts';

describe('what is read for the advice', () => {
  const described = { AutoScalingGroupName: 'workers', DesiredCapacity: 1, MinSize: 0, MaxSize: 2 } as never;
  const read = (changes: object) => layoutOf({ ...(described as object), ...changes } as never);

  it.each([
    ['no policy', {}, undefined],
    ['only On-Demand, the default of a policy', { MixedInstancesPolicy: {} }, undefined],
    [
      'Spot by lowest-price, the default of a policy with Spot',
      { MixedInstancesPolicy: { InstancesDistribution: { OnDemandPercentageAboveBaseCapacity: 0 } } },
      'lowest-price',
    ],
  ])('takes %s for the strategy of Spot', (_, changes, strategy) => {
    expect(read(changes).spotStrategy).toBe(strategy);
  });

  it.each([
    [undefined, undefined],
    [{}, undefined],
    [{ MinHealthyPercentage: -1, MaxHealthyPercentage: -1 }, undefined],
    [{ MinHealthyPercentage: 0, MaxHealthyPercentage: 100 }, 0],
    [{ MinHealthyPercentage: 100, MaxHealthyPercentage: 110 }, 100],
  ])('reads the policy %o', (InstanceMaintenancePolicy, minimum) => {
    expect(read({ InstanceMaintenancePolicy }).minHealthyPercentage).toBe(minimum);
  });

  it.each([
    ['kubernetes.io/csi/ebs.csi.aws.com^vol-0123456789abcdef0', true],
    ['kubernetes.io/aws-ebs/aws://eu-west-1a/vol-0123456789abcdef0', true],
    ['kubernetes.io/csi/efs.csi.aws.com^fs-0123456789abcdef0', false],
    ['', false],
  ])('takes the volume %s for one that stays in its zone: %s', (name, stays) => {
    expect(machineOf({ status: { volumesAttached: [{ name, devicePath: '' }] } }).hasVolumes).toBe(stays);
  });
});

it('drover adopt prints the advice and changes nothing of it', async () => {
  const world = await kubeadmWorld();
  const drover = operatorOf(world);
  const { out } = await drover('adopt workers --plan');
  expect(out).toMatch(/^# ADVICE {2}workers: it has no instance maintenance policy/m);
  const { advice } = JSON.parse((await drover('adopt workers --json')).out) as { advice: unknown };
  expect(advice).toContainEqual(expect.objectContaining({ id: 'launch-before-terminate', group: 'workers' }));
  await drover('adopt workers --yes');
  expect(await drover('adopt workers --check')).toMatchObject({ code: 0 });
  const [after] = world.account.autoScaling.operations.DescribeAutoScalingGroups({}).AutoScalingGroups;
  expect(after?.InstanceMaintenancePolicy).toBeUndefined();
});
