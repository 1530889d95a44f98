import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { exampleResources, ofType } from './example-template.ts';

const moduleText = readFileSync('examples/modules/node-group/main.tf', 'utf8');

describe('the Terraform module of a group', () => {
  test('keeps a group that an earlier version of it made, because a destroyed etcd group takes its members with it', () => {
    expect(moduleText).toContain('resource "aws_autoscaling_group" "this" {\n  for_each = local.groups\n');
    expect(moduleText).toContain(': { all = { name = var.name,');
    expect(moduleText).toMatch(
      /^moved \{\n {2}from = aws_autoscaling_group\.this\n {2}to {3}= aws_autoscaling_group\.this\["all"\]\n\}$/m,
    );
  });

  test('refuses a warm pool of Spot Instances, as Auto Scaling does', () => {
    expect(moduleText).toMatch(/condition +=\s!\(var\.spot && var\.warm_pool_size > 0\)/);
  });
});

describe.each([
  ['kubeadm/cloudformation/cluster.yml', ['EtcdGroup', 'ControlPlaneGroup']],
  ['eks/cloudformation/cluster.yml', []],
  ['openshift-3.11/cloudformation/groups.yml', []],
])('%s', (file, kept) => {
  const groups = ofType(
    exampleResources(file, { ClusterName: 'prod' }),
    'AWS::AutoScaling::AutoScalingGroup',
  );
  const zonal = groups.filter(([, { Properties }]) => Array.isArray(Properties['VPCZoneIdentifier']));

  test('keeps the logical ids of the groups that stay in three zones', () => {
    expect(groups.map(([id]) => id)).toEqual(expect.arrayContaining(kept));
  });

  test('is refused by Auto Scaling if its zones have another order than its subnets', () => {
    expect(zonal.length).toBeGreaterThanOrEqual(3);
    for (const [id, { Properties }] of zonal)
      expect(Properties['AutoScalingGroupName'], id).toMatch(
        new RegExp(`-${String(Properties['AvailabilityZones'])}$`),
      );
  });
});
