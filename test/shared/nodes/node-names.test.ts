import { describe, expect, it } from 'vitest';
import { instanceIdOf, isNameOfAnother, likelyNodeNames } from '../../../shared/nodes/node-names.ts';

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

describe('the name of a Node', () => {
  const own = {
    instanceId: 'i-0a1b2c3d4e5f60718',
    privateIpAddress: '10.0.1.17',
    privateDnsName: 'ip-10-0-1-17.eu-west-1.compute.internal',
  };

  it.each([
    ['the private DNS name', 'ip-10-0-1-17.eu-west-1.compute.internal'],
    ['the private DNS name of us-east-1', 'ip-10-0-1-17.ec2.internal'],
    ['the host name of kubeadm', 'ip-10-0-1-17'],
    ['a name in a domain of the VPC', 'ip-10-0-1-17.corp.example'],
    ['the instance id, as kops names Nodes', 'i-0a1b2c3d4e5f60718'],
    ['the resource name', 'i-0a1b2c3d4e5f60718.eu-west-1.compute.internal'],
    ['a host name of its own', 'worker-17'],
    ['a host name that only begins like one of EC2', 'ip-10-0-1-170-worker'],
  ])('may be %s', (_, name) => {
    expect(isNameOfAnother(name, own)).toBe(false);
  });

  it.each([
    ['address', 'ip-10-0-1-170.eu-west-1.compute.internal'],
    ['address without a domain', 'ip-10-0-1-18'],
    ['id', 'i-0f9e8d7c6b5a41302'],
    ['resource name', 'i-0f9e8d7c6b5a41302.eu-west-1.compute.internal'],
  ])('is that of another instance with its %s', (_, name) => {
    expect(isNameOfAnother(name, own)).toBe(true);
  });

  it('is compared with the address of the private DNS name where EC2 gives no other', () => {
    const { privateIpAddress: _, ...unaddressed } = own;
    expect(isNameOfAnother('ip-10-0-1-18', unaddressed)).toBe(true);
    expect(isNameOfAnother('ip-10-0-1-17', unaddressed)).toBe(false);
  });

  it('proves nothing where EC2 no longer gives an address, as of a terminated instance, unless it is another id', () => {
    const { instanceId } = own;
    expect(isNameOfAnother('ip-10-0-1-18', { instanceId })).toBe(false);
    expect(isNameOfAnother('i-0f9e8d7c6b5a41302', { instanceId })).toBe(true);
  });
});
