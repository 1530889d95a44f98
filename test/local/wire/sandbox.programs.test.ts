import { Resolver } from 'node:dns/promises';
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  AutoScalingClient,
  DescribeAutoScalingInstancesCommand,
  TerminateInstanceInAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import {
  ChangeResourceRecordSetsCommand,
  GetChangeCommand,
  ListHostedZonesByNameCommand,
  Route53Client,
} from '@aws-sdk/client-route-53';
import type { NodeList, PodList } from 'kubernetes-types/core/v1.d.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { etcdMembers } from './support/etcd-members.ts';
import {
  getFromKubernetes,
  interrupt,
  type StartedSandbox,
  startSandbox,
} from './support/started-sandbox.ts';

const speed = 20;
let sandbox: StartedSandbox;
let autoScaling: AutoScalingClient;

beforeAll(async () => {
  sandbox = await startSandbox('--speed', String(speed), '--no-story');
  const { accessKeyId, secretAccessKey, endpoints, region } = sandbox.ready;
  autoScaling = new AutoScalingClient({
    endpoint: endpoints.aws,
    region,
    credentials: { accessKeyId, secretAccessKey },
  });
});
afterAll(async () => {
  sandbox.process.kill('SIGKILL');
});

const statesOfInstances = async (): Promise<Readonly<Record<string, string>>> => {
  const answer = await autoScaling.send(new DescribeAutoScalingInstancesCommand({}));
  const instances = (answer.AutoScalingInstances ?? []).filter(
    ({ AutoScalingGroupName }) => AutoScalingGroupName !== 'drover-etcd',
  );
  return Object.fromEntries(
    instances.map(({ InstanceId, LifecycleState }) => [InstanceId ?? '', LifecycleState ?? '']),
  );
};
const statesOfEtcd = async (): Promise<readonly string[]> => {
  const { AutoScalingInstances = [] } = await autoScaling.send(new DescribeAutoScalingInstancesCommand({}));
  return AutoScalingInstances.filter(
    ({ AutoScalingGroupName }) => AutoScalingGroupName === 'drover-etcd',
  ).map(({ LifecycleState = '' }) => LifecycleState);
};
const nodes = async (): Promise<NodeList['items']> =>
  ((await getFromKubernetes(sandbox.ready.kubeconfig, '/api/v1/nodes')) as NodeList).items;
const webPods = async (): Promise<PodList['items']> => {
  const path = '/api/v1/namespaces/default/pods?labelSelector=app%3Dweb';
  return ((await getFromKubernetes(sandbox.ready.kubeconfig, path)) as PodList).items;
};
const isReady = ({ status }: PodList['items'][number]): boolean =>
  status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;

test('the first line has all that a program needs: four nodes exist, and only the owner can read the kubeconfig', async () => {
  expect(sandbox.ready.autoScalingGroups).toEqual(['drover-workers', 'drover-spot', 'drover-etcd']);
  expect(Object.values(await statesOfInstances())).toEqual(Array(4).fill('InService'));
  expect(await nodes()).toHaveLength(4);
  expect(statSync(sandbox.ready.kubeconfig).mode & 0o777).toBe(0o600);
});

test('an instance that is terminated over the wire is drained within the budget, and its node is deleted', async () => {
  const [leaving] = await nodes();
  const instanceId = leaving?.spec?.providerID?.split('/').at(-1) ?? '';
  await autoScaling.send(
    new TerminateInstanceInAutoScalingGroupCommand({
      InstanceId: instanceId,
      ShouldDecrementDesiredCapacity: false,
    }),
  );
  let fewestReady = Number.POSITIVE_INFINITY;
  await expect
    .poll(
      async () => {
        fewestReady = Math.min(fewestReady, (await webPods()).filter(isReady).length);
        return Object.keys(await statesOfInstances()).includes(instanceId);
      },
      { interval: 50 },
    )
    .toBe(false);
  const remaining = (await nodes()).map(({ metadata }) => metadata?.name);
  expect(remaining).not.toContain(leaving?.metadata?.name);
  expect(fewestReady).toBeGreaterThanOrEqual(4);
  const told = sandbox.events.map(({ text }) => String(text));
  expect(told).toContainEqual(expect.stringContaining(`${instanceId} is Terminating:Wait`));
  const reasons = sandbox.events.map(({ line }) => (line as { reason?: unknown } | undefined)?.reason);
  expect(reasons).toContainEqual(expect.stringMatching(/is drained and deleted; its hook is completed$/));
  expect(sandbox.events.filter(({ speaker }) => speaker === 'problem')).toEqual([]);
});

test('the name servers answer with a record that is changed over the wire once the change is in sync', async () => {
  const { accessKeyId, secretAccessKey, endpoints, region } = sandbox.ready;
  const credentials = { accessKeyId, secretAccessKey };
  const route53 = new Route53Client({ endpoint: endpoints.aws, region, credentials });
  const resolver = new Resolver();
  resolver.setServers([endpoints.dns]);
  expect(await resolver.resolveSoa('drover.internal')).toMatchObject({ minttl: 86_400 });
  const { HostedZones = [] } = await route53.send(
    new ListHostedZonesByNameCommand({ DNSName: 'drover.internal' }),
  );
  const { ChangeInfo } = await route53.send(
    new ChangeResourceRecordSetsCommand({
      HostedZoneId: HostedZones[0]?.Id,
      ChangeBatch: { Changes: [{ Action: 'CREATE', ResourceRecordSet: record }] },
    }),
  );
  const ask = new GetChangeCommand({ Id: ChangeInfo?.Id });
  await expect
    .poll(async () => (await route53.send(ask)).ChangeInfo?.Status, { interval: 200 })
    .toBe('INSYNC');
  expect(await resolver.resolve4(record.Name)).toEqual(['10.0.0.1']);
});

const record = {
  Name: 'made-by-hand.drover.internal',
  Type: 'A' as const,
  TTL: 60,
  ResourceRecords: [{ Value: '10.0.0.1' }],
};

test('three members of etcd form a cluster from the records, and answer on ports of this machine to clients with a certificate', async () => {
  await expect.poll(async () => (await etcdMembers(sandbox)).length).toBe(3);
  const resolver = new Resolver();
  resolver.setServers([sandbox.ready.endpoints.dns]);
  const records = await resolver.resolveSrv('_etcd-server-ssl._tcp.etcd.drover.internal');
  const shown = records.map(({ name }) => name.split('.')[0] ?? '').toSorted();
  expect((await etcdMembers(sandbox)).map(({ name }) => name).toSorted()).toEqual(shown);
  await expect(etcdMembers(sandbox, { withCertificate: false })).rejects.toThrow();
});

test('a member of etcd that is terminated over the wire is replaced, first by a learner, within one cluster', async () => {
  await expect.poll(statesOfEtcd).toEqual(['InService', 'InService', 'InService']);
  const [leaver] = await etcdMembers(sandbox);
  await autoScaling.send(
    new TerminateInstanceInAutoScalingGroupCommand({
      InstanceId: leaver?.name ?? '',
      ShouldDecrementDesiredCapacity: false,
    }),
  );
  const toldOf = (pattern: RegExp): boolean =>
    sandbox.events.some(({ speaker, text }) => speaker === 'etcd' && pattern.test(String(text)));
  await expect.poll(() => toldOf(/is promoted: it votes/), { timeout: 120_000 }).toBe(true);
  expect(toldOf(/is a learner of/)).toBe(true);
  const names = (await etcdMembers(sandbox)).map(({ name }) => name);
  expect(names).toHaveLength(3);
  expect(names).not.toContain(leaver?.name);
  expect(sandbox.events.filter(({ speaker }) => speaker === 'problem')).toEqual([]);
});

test('an interrupt ends it with 0, closes the ports and removes the kubeconfig and the certificates', async () => {
  expect(await interrupt(sandbox)).toBe(0);
  expect(existsSync(dirname(sandbox.ready.kubeconfig))).toBe(false);
  await expect(etcdMembers(sandbox)).rejects.toThrow();
  await expect(statesOfInstances()).rejects.toThrow(/ECONNREFUSED/);
  expect(sandbox.errors()).toBe('');
});
