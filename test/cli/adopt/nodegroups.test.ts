import { describe, expect, it } from 'vitest';
import { whyNotAdoptable } from '../../../cli/adopt/plan/refusal.ts';
import { createDroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { withNodegroup } from '../../support/eks-nodegroup.ts';
import { operatorOf } from '../operator.ts';
import { group, observation, wishes } from './observed.ts';

const tags = { 'eks:nodegroup-name': 'a b', 'eks:cluster-name': 'prod' };

const refusalWith = (nodegroup: Parameters<typeof group>[2] = {}) => {
  const refused = whyNotAdoptable(group('eks-a', tags, nodegroup), observation(), wishes());
  expect(refused?.reason).toContain('EKS manages this group (tag eks:nodegroup-name=a b)');
  return refused;
};

describe('a managed node group of EKS is refused', () => {
  it('with no more words if it is active and well', () => {
    const refused = refusalWith({ nodegroup: { kind: 'read', status: 'ACTIVE', issues: [] } });
    expect(refused?.reason).toMatch(/replaces changes of the group$/);
    expect(refused?.remedy).toContain('change it in EKS');
  });

  // aws/containers-roadmap#2326, #764: it stays so, and nothing but a launch that succeeds ends it.
  it('with its health issues if it is DEGRADED', () => {
    const issues = [
      {
        code: 'AsgInstanceLaunchFailures',
        message: 'Could not launch On-Demand Instances',
        resourceIds: ['eks-a'],
      },
      { code: 'NodeCreationFailure', message: '', resourceIds: [] },
    ];
    const refused = refusalWith({ nodegroup: { kind: 'read', status: 'DEGRADED', issues } });
    expect(refused?.reason).toMatch(
      /The node group is DEGRADED, with the health issues AsgInstanceLaunchFailures \(eks-a\): Could not launch On-Demand Instances; NodeCreationFailure$/,
    );
    expect(refused?.remedy).toContain(
      "aws eks describe-nodegroup --cluster-name prod --nodegroup-name 'a b' shows it",
    );
  });

  it.each(['UPDATING', 'CREATE_FAILED', 'DELETING', 'A_NEW_ONE'])('with its state %s', (status) => {
    expect(refusalWith({ nodegroup: { kind: 'read', status, issues: [] } })?.reason).toMatch(
      new RegExp(`The node group is ${status}$`),
    );
  });

  it('with its issues although it is ACTIVE', () => {
    const issues = [{ code: 'Ec2LaunchTemplateNotFound', message: 'gone', resourceIds: [] }];
    expect(refusalWith({ nodegroup: { kind: 'read', status: 'ACTIVE', issues } })?.reason).toContain(
      'Ec2LaunchTemplateNotFound: gone',
    );
  });

  it('if EKS does not know it, or may not be asked', () => {
    expect(refusalWith({ nodegroup: { kind: 'missing' } })?.reason).toContain(
      'does not have this node group',
    );
    expect(refusalWith({ nodegroup: { kind: 'unread', why: 'denied' } })?.reason).toContain('denied');
  });
});

describe('drover adopt of the group of a managed node group', () => {
  const blue = ['drover', 'blue'] as const;

  it('says what EKS says about it, and changes nothing', async () => {
    const world = createDroverWorld();
    await withWorkers(world, { size: 1 });
    const name = await withNodegroup(world);
    const drover = operatorOf(world);
    const healthy = await drover(`adopt ${name} --plan`);
    expect([healthy.code, healthy.out]).toEqual([1, expect.not.stringContaining('The node group is')]);
    world.account.eks.controls.setIssues(...blue, [
      { code: 'InsufficientFreeAddresses', message: 'no free address', resourceIds: ['subnet-1'] },
    ]);
    const before = world.account.autoScaling.operations.DescribeLifecycleHooks({
      AutoScalingGroupName: name,
    });
    for (const line of [`adopt ${name} --plan`, `adopt ${name} --yes`, `adopt ${name} --check`]) {
      const { code, out, err } = await drover(line);
      expect([code, `${out}${err}`]).toEqual([
        1,
        expect.stringContaining('InsufficientFreeAddresses (subnet-1): no free address'),
      ]);
    }
    expect(
      world.account.autoScaling.operations.DescribeLifecycleHooks({ AutoScalingGroupName: name }),
    ).toEqual(before);
  });

  it('is planned without the state if eks:DescribeNodegroup is denied', async () => {
    const world = createDroverWorld();
    await withWorkers(world, { size: 1 });
    const name = await withNodegroup(world);
    const actions = [
      'autoscaling:*',
      'ec2:*',
      'events:*',
      'iam:*',
      'eks:DescribeCluster',
      'eks:DescribeAccessEntry',
    ];
    const { code, out } = await operatorOf(world, { actions })(`adopt ${name} --plan`);
    expect([code, out]).toEqual([1, expect.stringContaining('The state of the node group cannot be read')]);
  });
});
