import { X509Certificate } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { kubernetes } from '@drover/cloud-sandbox/real/programs.ts';
import {
  type Asked,
  kubeletClient,
  kubeletServing,
  requestFor,
  requests,
} from '@drover/cloud-sandbox/test/contract/kubernetes/access/certificate-requests.ts';
import type { CertificateSigningRequest } from 'kubernetes-types/certificates/v1.d.ts';
import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { addGroup } from '../../../local/cloud/furnish.ts';
import { clusterName, joiningHookName } from '../../../local/names.ts';
import { quickTimings } from '../../../local/real-world/timings.ts';
import { createRealWorld, type RealWorld } from '../../../local/real-world/world.ts';

const problems: unknown[] = [];
const opened: { world?: RealWorld } = {};
const isMissing = kubernetes.missing !== undefined;

beforeAll(async () => {
  if (isMissing) return;
  opened.world = await createRealWorld({
    nodes: 'kubelet',
    approver: 'drover',
    withScheduler: false,
    timings: quickTimings,
    // The tests say when Drover runs.
    editWiring: (wiring) => ({
      ...wiring,
      rules: wiring.rules.filter(({ rule }) => !rule.Name.endsWith('certificate-requests')),
    }),
    onProblem: (problem) => problems.push(problem),
  });
  addGroup(opened.world.cloud, { autoScalingGroupName: 'workers', clusterName, size: 2 });
});

afterAll(async () => {
  await opened.world?.close();
  expect(problems).toEqual([]);
});

function worldNow(): RealWorld {
  if (opened.world === undefined) throw new Error('the world has not started');
  return opened.world;
}

interface Call {
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

async function call(method: 'GET' | 'POST' | 'DELETE', path: string, { body, headers }: Call = {}) {
  const { sendHttp, server, token } = worldNow().admin;
  const answer = await sendHttp({
    method,
    url: `${server}${path}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    timeoutMilliseconds: 10_000,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: JSON.parse(answer.body) };
}

const list = async (): Promise<readonly CertificateSigningRequest[]> =>
  (await call('GET', requests)).body.items;
const nodes = async (): Promise<readonly Node[]> => (await call('GET', '/api/v1/nodes')).body.items;
const find = async (name: string): Promise<CertificateSigningRequest> =>
  (await call('GET', `${requests}/${name}`)).body;
const conditionsOf = ({ status }: CertificateSigningRequest) => status?.conditions ?? [];
const secondsToDecision = (request: CertificateSigningRequest): number =>
  (Date.parse(conditionsOf(request)[0]?.lastUpdateTime ?? '') -
    Date.parse(request.metadata?.creationTimestamp ?? '')) /
  1000;
const decide = () => worldNow().cloud.lambda.invoke('certificate-requests', {});

const isReady = ({ status }: Node): boolean =>
  status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;

/** Instances by their names. */
const instances = () =>
  (worldNow().cloud.account.ec2.operations.DescribeInstances({}).Reservations ?? []).flatMap(
    ({ Instances = [] }) => Instances,
  );

function tokenNow(): string {
  const { account, lambda } = worldNow().cloud;
  const { DROVER_BOOTSTRAP_PARAMETER: name = '' } = lambda.functionOf('bootstrap-credential').environment;
  return parse(account.ssm.controls.value(name) ?? '').users[0].user.token;
}

async function ask(name: string, spec: object, asked: Asked, headers: Call['headers'] = {}) {
  const body = { metadata: { name }, spec: { ...spec, request: requestFor(asked) } };
  return await call('POST', requests, { body, headers });
}

const asNode = (name: string) => ({
  'impersonate-user': `system:node:${name}`,
  'impersonate-group': 'system:nodes',
});

describe.skipIf(isMissing)('real kubelets that join through Drover', () => {
  test('are approved by nothing while Drover does not run', async () => {
    await expect.poll(async () => (await list()).length).toBe(2);
    await sleep(2_000);
    expect((await list()).flatMap(conditionsOf)).toEqual([]);
    expect(await nodes()).toEqual([]);
  });

  test('are Ready under their own names, with the ids of their instances', async () => {
    await decide();
    await expect.poll(async () => (await nodes()).filter(isReady).length).toBe(2);
    const joined = (await nodes()).map(({ metadata, spec }) => [metadata?.name ?? '', spec?.providerID]);
    const wanted = instances().map(({ PrivateDnsName = '', InstanceId, Placement }) => [
      PrivateDnsName,
      `aws:///${Placement?.AvailabilityZone}/${InstanceId}`,
    ]);
    expect(Object.fromEntries(joined)).toEqual(Object.fromEntries(wanted));
  });

  test('get serving certificates for the addresses and names of their instances', async () => {
    const serving = async () =>
      (await list()).filter(({ spec }) => spec.signerName === kubeletServing.signerName);
    const issued = async () => (await serving()).filter(({ status }) => status?.certificate);
    await expect
      .poll(
        async () => {
          await decide();
          return (await issued()).length;
        },
        { interval: 1_000 },
      )
      .toBe(2);
    for (const { spec, status } of await issued()) {
      const { subjectAltName } = new X509Certificate(Buffer.from(status?.certificate ?? '', 'base64'));
      const instance = instances().find(({ PrivateDnsName }) =>
        spec.username?.endsWith(PrivateDnsName ?? '?'),
      );
      expect(subjectAltName).toContain(`DNS:${instance?.PrivateDnsName}`);
      expect(subjectAltName).toContain(`IP Address:${instance?.PrivateIpAddress}`);
    }
    expect(new Set((await list()).flatMap(conditionsOf).map(({ reason }) => reason))).toEqual(
      new Set(['DroverApproved']),
    );
  });

  test('get no certificate for the address of another instance', async () => {
    const [own, other] = instances();
    const name = own?.PrivateDnsName ?? '';
    const asked = { commonName: `system:node:${name}`, ipAddresses: [other?.PrivateIpAddress ?? ''] };
    expect((await ask('foreign-address', kubeletServing, asked, asNode(name))).status).toBe(201);
    await decide();
    expect(conditionsOf(await find('foreign-address'))).toMatchObject([
      {
        type: 'Denied',
        reason: 'DroverDenied',
        message: expect.stringContaining(other?.PrivateIpAddress ?? '?'),
      },
    ]);
  });

  test('cannot ask for the name of another node', async () => {
    const [own, other] = instances();
    const asked = { commonName: `system:node:${other?.PrivateDnsName}` };
    const { status, body } = await ask(
      'foreign-name',
      kubeletClient,
      asked,
      asNode(own?.PrivateDnsName ?? ''),
    );
    expect([status, body.message]).toEqual([
      403,
      expect.stringContaining('can only create a node CSR with CN='),
    ]);
  });

  test('keep their names from a second key that is asked for with the bootstrap token', async () => {
    const asked = { commonName: `system:node:${instances()[0]?.PrivateDnsName}` };
    const bearer = { authorization: `Bearer ${tokenNow()}` };
    expect((await ask('second-key', kubeletClient, asked, bearer)).status).toBe(201);
    await decide();
    expect(conditionsOf(await find('second-key'))).toEqual([]);
  });

  test('are in service once they are Ready, where Drover’s hook waits for them, and wait for Drover less than 15 s in all', async () => {
    const { account } = worldNow().cloud;
    const before = new Set((await list()).map(({ metadata }) => metadata?.name));
    addGroup(worldNow().cloud, {
      autoScalingGroupName: 'held',
      clusterName,
      size: 1,
      settings: {
        LifecycleHookSpecificationList: [
          {
            LifecycleHookName: joiningHookName,
            LifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING',
            HeartbeatTimeout: 300,
            DefaultResult: 'ABANDON',
          },
        ],
      },
    });
    const held = () =>
      account.autoScaling.operations.DescribeAutoScalingGroups({ AutoScalingGroupNames: ['held'] })
        .AutoScalingGroups?.[0]?.Instances?.[0];
    const isHeldReady = async () =>
      (await nodes()).some(
        (node) => node.spec?.providerID?.endsWith(`/${held()?.InstanceId}`) && isReady(node),
      );
    const statesBefore = new Set<string | undefined>();
    await expect
      .poll(
        async () => {
          const state = held()?.LifecycleState;
          const isReadyNow = await isHeldReady();
          if (!isReadyNow) statesBefore.add(state);
          return isReadyNow;
        },
        { timeout: 60_000 },
      )
      .toBe(true);
    const readyAt = Date.now();
    await expect.poll(() => held()?.LifecycleState).toBe('InService');
    const completedSeconds = (Date.now() - readyAt) / 1000;
    const asked = (await list()).filter(
      ({ metadata, spec }) => spec.signerName === kubeletClient.signerName && !before.has(metadata?.name),
    );
    expect(asked).toHaveLength(1);
    const approvedSeconds = Math.max(...asked.map(secondsToDecision));
    console.log(`approved after ${approvedSeconds} s, in service ${completedSeconds} s after it was Ready`);
    expect(approvedSeconds + completedSeconds).toBeLessThan(15);
    expect([...statesBefore]).toContain('Pending:Wait');
    expect([...statesBefore]).not.toContain('InService');
  });

  test('cannot ask with a token that is retired', async () => {
    const token = tokenNow();
    const [id = ''] = token.split('.');
    await call('DELETE', `/api/v1/namespaces/kube-system/secrets/bootstrap-token-${id}`);
    const asked = { commonName: 'system:node:x' };
    const bearer = { authorization: `Bearer ${token}` };
    let count = 0;
    const status = async () => {
      count += 1;
      return (await ask(`retired-${count}`, kubeletClient, asked, bearer)).status;
    };
    await expect.poll(status).toBe(401);
  });
});
