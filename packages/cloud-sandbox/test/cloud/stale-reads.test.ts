import { AutoScaling } from '@aws-sdk/client-auto-scaling';
import { EC2 } from '@aws-sdk/client-ec2';
import { describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../src/sandbox.ts';

describe('a watch cache that is behind', () => {
  const seconds = { behind: 0 };
  const namespaces = '/api/v1/namespaces';

  async function write(sandbox: Sandbox, method: string, path: string, body?: object): Promise<void> {
    const headers = {
      'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
    };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    expect((await sandbox.fetch(path, init)).ok).toBe(true);
  }

  /** After a minute, `old` is deleted, `kept` gets a label and `new` is created; then three seconds pass. */
  async function fixture(behind: number): Promise<Sandbox> {
    seconds.behind = behind;
    const sandbox = createSandbox({ weather: { staleSeconds: () => seconds.behind } });
    const pod = (name: string) => ({ metadata: { name }, data: {} });
    const maps = `${namespaces}/default/configmaps`;
    await write(sandbox, 'POST', maps, pod('old'));
    await write(sandbox, 'POST', maps, pod('kept'));
    await sandbox.pass(60);
    await write(sandbox, 'DELETE', `${maps}/old`);
    await write(sandbox, 'PATCH', `${maps}/kept`, { metadata: { labels: { changed: 'yes' } } });
    await write(sandbox, 'POST', maps, pod('new'));
    await sandbox.pass(3);
    return sandbox;
  }

  async function list(sandbox: Sandbox, query: string) {
    const answer = await sandbox.fetch(`${namespaces}/default/configmaps${query}`);
    const { items, metadata } = (await answer.json()) as {
      items: { metadata: { name: string; labels?: object } }[];
      metadata: { resourceVersion: string };
    };
    return { names: items.map(({ metadata: { name } }) => name), items, version: metadata.resourceVersion };
  }

  const get = async (sandbox: Sandbox, name: string, query: string): Promise<number> =>
    (await sandbox.fetch(`${namespaces}/default/configmaps/${name}${query}`)).status;

  it('answers a list with resourceVersion=0 with its older state and the version of that state', async () => {
    const sandbox = await fixture(5);
    const now = await list(sandbox, '');
    const then = await list(sandbox, '?resourceVersion=0');
    expect(now.names).toEqual(['kept', 'new']);
    expect(then.names).toEqual(['kept', 'old']);
    expect(then.items[0]?.metadata.labels).toBeUndefined();
    expect(Number(then.version)).toBeLessThan(Number(now.version));
  });

  it('matches selectors with the labels of its older state', async () => {
    const sandbox = await fixture(5);
    expect((await list(sandbox, '?labelSelector=changed')).names).toEqual(['kept']);
    expect((await list(sandbox, '?labelSelector=changed&resourceVersion=0')).names).toEqual([]);
  });

  it('answers a get with resourceVersion=0 likewise', async () => {
    const sandbox = await fixture(5);
    const query = '?resourceVersion=0';
    expect([await get(sandbox, 'old', query), await get(sandbox, 'new', query)]).toEqual([200, 404]);
    expect([await get(sandbox, 'old', ''), await get(sandbox, 'new', '')]).toEqual([404, 200]);
  });

  it('answers nothing older than the version that a list names', async () => {
    const sandbox = await fixture(5);
    const { version } = await list(sandbox, '');
    const query = `?resourceVersion=${version}&resourceVersionMatch=NotOlderThan`;
    expect((await list(sandbox, query)).names).toEqual(['kept', 'new']);
  });

  it('catches up', async () => {
    const sandbox = await fixture(2);
    expect((await list(sandbox, '?resourceVersion=0')).names).toEqual(['kept', 'new']);
  });

  it('is never behind by default', async () => {
    const sandbox = await fixture(0);
    expect((await list(sandbox, '?resourceVersion=0')).names).toEqual(['kept', 'new']);
  });
});

describe('reads of AWS that are behind', () => {
  async function fixture(staleSeconds: number) {
    const sandbox = createSandbox({ weather: { staleSeconds: () => staleSeconds } });
    sandbox.addGroup({
      autoScalingGroupName: 'workers',
      size: 2,
      hook: { name: 'drain', heartbeatTimeoutSeconds: 300 },
    });
    await sandbox.pass(120);
    const autoScaling = new AutoScaling(sandbox.aws());
    const ec2 = new EC2(sandbox.aws());
    const states = async () => {
      const { AutoScalingInstances = [] } = await autoScaling.describeAutoScalingInstances({});
      return AutoScalingInstances.map(({ LifecycleState }) => String(LifecycleState));
    };
    const group = async () => (await autoScaling.describeAutoScalingGroups({})).AutoScalingGroups?.[0];
    const instances = async () =>
      (await ec2.describeInstances({})).Reservations?.flatMap(({ Instances = [] }) => Instances) ?? [];
    return { sandbox, autoScaling, ec2, states, group, instances };
  }

  it('show the lifecycle states, the capacity and the tags of a group as they were', async () => {
    const { sandbox, autoScaling, states, group } = await fixture(10);
    await autoScaling.setDesiredCapacity({ AutoScalingGroupName: 'workers', DesiredCapacity: 1 });
    await autoScaling.createOrUpdateTags({
      Tags: [{ ResourceId: 'workers', ResourceType: 'auto-scaling-group', Key: 'new', Value: 'yes' }],
    });
    await sandbox.pass(8);
    expect(await states()).toEqual(['InService', 'InService']);
    expect(await group()).toMatchObject({
      DesiredCapacity: 2,
      Instances: [{ LifecycleState: 'InService' }, { LifecycleState: 'InService' }],
      Tags: [{ Key: 'kubernetes.io/cluster/sandbox' }],
    });
    await sandbox.pass(10);
    expect((await states()).toSorted()).toEqual(['InService', 'Terminating:Wait']);
    expect(await group()).toMatchObject({ DesiredCapacity: 1 });
  });

  it('show the states and tags of EC2 instances as they were', async () => {
    const { sandbox, ec2, instances } = await fixture(10);
    const [first] = await instances();
    const InstanceIds = [first?.InstanceId ?? ''];
    await ec2.createTags({ Resources: InstanceIds, Tags: [{ Key: 'new', Value: 'yes' }] });
    await ec2.terminateInstances({ InstanceIds });
    await sandbox.pass(5);
    const shown = async () => (await instances()).find(({ InstanceId }) => InstanceId === InstanceIds[0]);
    expect(await shown()).toMatchObject({ State: { Name: 'running' } });
    expect(JSON.stringify((await shown())?.Tags)).not.toContain('new');
    await sandbox.pass(30);
    expect(await shown()).toMatchObject({ State: { Name: 'terminated' } });
    expect(JSON.stringify((await shown())?.Tags)).toContain('new');
  });

  it('do not show an instance yet that was just launched', async () => {
    const { sandbox, autoScaling, states, instances } = await fixture(10);
    await autoScaling.setDesiredCapacity({ AutoScalingGroupName: 'workers', DesiredCapacity: 3 });
    await sandbox.pass(5);
    expect([(await states()).length, (await instances()).length]).toEqual([2, 2]);
    await sandbox.pass(10);
    expect([(await states()).length, (await instances()).length]).toEqual([3, 3]);
  });

  it('are never behind by 0 seconds', async () => {
    const { sandbox, autoScaling, group } = await fixture(0);
    await autoScaling.setDesiredCapacity({ AutoScalingGroupName: 'workers', DesiredCapacity: 3 });
    await sandbox.settle();
    expect(await group()).toMatchObject({ DesiredCapacity: 3 });
  });
});
