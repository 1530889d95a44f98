import { describe, expect, it } from 'vitest';
import { createAccount } from '../../src/cloud/account.ts';
import { addGroup } from '../../src/cloud/add-group.ts';
import { instanceMetadata } from '../../src/cloud/instance-metadata.ts';
import { createRandom } from '../../src/simulation/random.ts';
import { createVirtualClock } from '../../src/simulation/virtual-clock.ts';
import { openMetadataDoor } from '../../src/wire/metadata-door.ts';
import { advanceClock } from '../aws/support/cloud.ts';

const ttl = 'x-aws-ec2-metadata-token-ttl-seconds';
const tokenHeader = 'x-aws-ec2-metadata-token';

function createWorld() {
  const clock = createVirtualClock();
  const account = createAccount({
    clock,
    random: createRandom(1),
    accountId: '123456789012',
    region: 'eu-west-1',
  });
  addGroup(account, { autoScalingGroupName: 'workers', clusterName: 'prod', size: 1 });
  const pass = (seconds: number): void => advanceClock(clock, seconds);
  pass(30);
  const [instance] =
    account.autoScaling.operations.DescribeAutoScalingInstances({}).AutoScalingInstances ?? [];
  const instanceId = instance?.InstanceId ?? '';
  const serviceOf = (id: string) => instanceMetadata(account, id);
  const service = serviceOf(instanceId);
  const get = (path: string, headers = {}, of = service) =>
    of.handle({ method: 'GET', path: `/latest/${path}`, headers });
  const token = (seconds = '60', of = service) =>
    of.handle({ method: 'PUT', path: '/latest/api/token', headers: { [ttl]: seconds } });
  const read = (path: string, of = service) => get(path, { [tokenHeader]: token('60', of).body }, of);
  return { account, clock, pass, instanceId, service, serviceOf, get, token, read };
}

describe('the metadata service of an instance', () => {
  it('gives a token, and answers only with it', () => {
    const { get, token, read, instanceId } = createWorld();
    expect(get('meta-data/instance-id').status).toBe(401);
    expect(get('meta-data/instance-id', { [tokenHeader]: 'x' }).status).toBe(401);
    expect(token()).toMatchObject({ status: 200, headers: { [ttl]: '60' } });
    expect(read('meta-data/instance-id')).toEqual({ status: 200, body: instanceId });
  });

  it.each(['0', '21601', '', 'a'])('refuses a token that lives for %j seconds', (seconds) => {
    expect(createWorld().token(seconds).status).toBe(400);
  });

  it('refuses a token to a request that a proxy forwards', () => {
    const { service } = createWorld();
    const headers = { [ttl]: '60', 'x-forwarded-for': '203.0.113.1' };
    expect(service.handle({ method: 'PUT', path: '/latest/api/token', headers }).status).toBe(403);
  });

  it('refuses an expired token', () => {
    const { get, token, pass } = createWorld();
    const { body } = token('60');
    pass(61);
    expect(get('meta-data/instance-id', { [tokenHeader]: body }).status).toBe(401);
  });

  it('has the placement, the names and the type', () => {
    const { read, account, instanceId } = createWorld();
    const instance = account.ec2.instances.find(instanceId);
    expect(read('meta-data/local-hostname').body).toBe(instance?.privateDnsName);
    expect(read('meta-data/local-ipv4').body).toBe(instance?.privateIpAddress);
    expect(read('meta-data/placement/region').body).toBe('eu-west-1');
    expect(read('meta-data/placement/availability-zone').body).toMatch(/^eu-west-1[a-c]$/);
    expect(read('meta-data/nothing').status).toBe(404);
    expect(read('user-data').status).toBe(404);
  });

  it('has the credentials of the role of its profile, and none without one', () => {
    const { read, account, serviceOf } = createWorld();
    expect(read('meta-data/iam/security-credentials/').status).toBe(404);
    account.iam.putRole({
      roleName: 'worker',
      policies: [],
      trustPolicy: { Version: '2012-10-17', Statement: [] },
    });
    const launched = account.ec2.instances.launch({
      iamInstanceProfileArn: 'arn:aws:iam::123456789012:instance-profile/worker',
      userData: Buffer.from('#!/bin/bash').toString('base64'),
      tags: new Map(),
    });
    const own = serviceOf(launched.instanceId);
    expect(read('meta-data/iam/security-credentials/', own).body).toBe('worker');
    const { AccessKeyId } = JSON.parse(read('meta-data/iam/security-credentials/worker', own).body);
    expect(account.iam.findIdentity(AccessKeyId)?.principal.arn).toBe(
      `arn:aws:sts::123456789012:assumed-role/worker/${launched.instanceId}`,
    );
    expect(read('user-data', own).body).toBe('#!/bin/bash');
    expect(read('meta-data/autoscaling/target-lifecycle-state', own).status).toBe(404);
  });

  it('has the target lifecycle state of the instance', () => {
    const { read, account, pass, instanceId } = createWorld();
    const state = (of = undefined as ReturnType<typeof instanceMetadata> | undefined) =>
      read('meta-data/autoscaling/target-lifecycle-state', of).body;
    expect(state()).toBe('InService');
    const { operations } = account.autoScaling;
    operations.EnterStandby({
      AutoScalingGroupName: 'workers',
      InstanceIds: [instanceId],
      ShouldDecrementDesiredCapacity: true,
    });
    expect(state()).toBe('Standby');
    operations.PutWarmPool({ AutoScalingGroupName: 'workers', MinSize: 1, PoolState: 'Running' });
    pass(60);
    const pooled = operations
      .DescribeWarmPool({ AutoScalingGroupName: 'workers' })
      .Instances?.find(({ LifecycleState }) => LifecycleState?.startsWith('Warmed:'));
    expect(pooled?.InstanceId).toBeDefined();
    expect(state(instanceMetadata(account, pooled?.InstanceId ?? ''))).toBe('Warmed:Running');
  });

  it('is served on a port', async () => {
    const { service } = createWorld();
    const faults: unknown[] = [];
    const door = await openMetadataDoor({ service, port: 0, onFault: (fault) => faults.push(fault) });
    const asked = await fetch(`${door.url}/latest/api/token`, { method: 'PUT', headers: { [ttl]: '60' } });
    const headers = { [tokenHeader]: await asked.text() };
    const answer = await fetch(`${door.url}/latest/meta-data/placement/region`, { headers });
    expect([answer.status, await answer.text(), faults]).toEqual([200, 'eu-west-1', []]);
    await door.close();
  });

  it('exists only for an instance that exists', () => {
    const { serviceOf } = createWorld();
    expect(() => serviceOf('i-0')).toThrow(/no instance i-0/);
  });
});
