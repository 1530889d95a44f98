import { describe, expect, it } from 'vitest';
import { instanceIdOf, likelyNodeNames } from '../../../shared/draining/node-names.ts';

const instanceId = 'i-0123456789abcdef0';

describe('the instance behind a providerID', () => {
  it.each([
    ['aws:///eu-west-1a/i-0123456789abcdef0', instanceId],
    ['aws:////i-0123456789abcdef0', instanceId],
    ['i-0123456789abcdef0', instanceId],
    ['aws:///eu-west-1a/i-01234567', 'i-01234567'],
    ['aws:///eu-west-1a/i-0123456789abcdef01', undefined],
    ['aws:///eu-west-1a/0a1b/fargate-ip-10-0-0-1', undefined],
    ['gce://project/zone/i-0123456789abcdef0', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%s is %s', (providerID, expected) => {
    expect(instanceIdOf(providerID)).toBe(expected);
  });
});

describe('the likely names of a Node', () => {
  it('begin with the private DNS name, whatever its domain', () => {
    const names = likelyNodeNames({
      instanceId,
      privateDnsName: 'IP-10-0-0-7.corp.example',
      privateIpAddress: '10.0.0.7',
      availabilityZone: 'eu-west-1a',
    });
    expect(names).toEqual([
      'ip-10-0-0-7.corp.example',
      instanceId,
      `${instanceId}.eu-west-1.compute.internal`,
    ]);
  });

  it('are derived from the address when EC2 no longer returns the name', () => {
    const names = likelyNodeNames({
      instanceId,
      privateIpAddress: '10.0.0.7',
      availabilityZone: 'us-east-1b',
    });
    expect(names).toEqual(['ip-10-0-0-7.ec2.internal', instanceId, `${instanceId}.ec2.internal`]);
  });

  it('are at least the instance id', () => {
    expect(likelyNodeNames({ instanceId })).toEqual([instanceId]);
    expect(likelyNodeNames({ instanceId, privateIpAddress: '10.0.0.7' })).toEqual([instanceId]);
  });

  it('include the region of a Local Zone', () => {
    expect(likelyNodeNames({ instanceId, availabilityZone: 'us-west-2-lax-1a' })).toContain(
      `${instanceId}.us-west-2.compute.internal`,
    );
  });
});
