import { X509Certificate } from 'node:crypto';
import { PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { describe, expect, it } from 'vitest';
import { createSandbox, type SandboxOptions } from '../../src/index.ts';
import { kubeconfigText } from '../../src/kubernetes/index.ts';

const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const parameter = '/cluster/bootstrap-kubeconfig';
const token = { id: 'abcdef', secret: '0123456789abcdef' };

/** A sandbox whose kubelets request certificates. Its bootstrap token may create requests and is not published yet. */
async function startWorld(options: Partial<SandboxOptions> = {}) {
  const sandbox = createSandbox({
    ...options,
    kubelets: { ask: { bootstrapParameter: () => parameter }, ...options.kubelets },
  });
  const call = async (method: string, path: string, body?: object, type = 'application/json') => {
    const answer = await sandbox.fetch(path, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': type } }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as { items: never[] };
  };
  await call('POST', '/api/v1/namespaces/kube-system/secrets', {
    metadata: { name: `bootstrap-token-${token.id}` },
    type: 'bootstrap.kubernetes.io/token',
    stringData: {
      'token-id': token.id,
      'token-secret': token.secret,
      'usage-bootstrap-authentication': 'true',
    },
  });
  await call('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'bootstrap' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:node-bootstrapper' },
    subjects: [{ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'system:bootstrappers' }],
  });
  const decide = (name: string, type = 'Approved') =>
    call(
      'PATCH',
      `${requests}/${name}/approval`,
      { status: { conditions: [{ type, status: 'True', reason: 'Test', message: 'a reason' }] } },
      'application/merge-patch+json',
    );
  const list = async (): Promise<Request[]> => (await call('GET', requests)).items;
  const pending = async () => (await list()).filter(({ status }) => !status.conditions);
  return {
    sandbox,
    list,
    pending,
    decide,
    publish: () =>
      new SSMClient(sandbox.aws()).send(
        new PutParameterCommand({
          Name: parameter,
          Type: 'SecureString',
          Value: kubeconfigText({
            clusterName: 'sandbox',
            server: 'https://kubernetes.invalid',
            certificateAuthority: 'x',
            user: { token: `${token.id}.${token.secret}` },
          }),
        }),
      ),
    /** Keeps approving pending requests. */
    passApproving: async (seconds: number, everySeconds = 5) => {
      for (let passed = 0; passed < seconds; passed += everySeconds) {
        await sandbox.pass(everySeconds);
        for (const { metadata } of await pending()) await decide(metadata.name);
      }
    },
    nodes: async (): Promise<NodeObject[]> => (await call('GET', '/api/v1/nodes')).items,
    instance: () => sandbox.account.ec2.operations.DescribeInstances({}).Reservations?.[0]?.Instances?.[0],
  };
}

interface Request {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly signerName: string; readonly username: string; readonly request: string };
  readonly status: { readonly conditions?: readonly object[]; readonly certificate?: string };
}

interface NodeObject {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly providerID: string };
  readonly status: {
    readonly conditions: readonly { readonly type: string; readonly status: string }[];
    readonly addresses: readonly { readonly type: string; readonly address: string }[];
  };
}

const isReady = ({ status }: NodeObject): boolean =>
  status.conditions.some((condition) => condition.type === 'Ready' && condition.status === 'True');

function only<T>(items: readonly T[]): T {
  const [item] = items;
  if (item === undefined || items.length > 1) throw new Error(`expected one item, found ${items.length}`);
  return item;
}

const certificateOf = ({ status }: Request): X509Certificate =>
  new X509Certificate(Buffer.from(status.certificate ?? '', 'base64'));

it('only kubelets that are configured to do so request certificates: the others register their Nodes at once', async () => {
  const { sandbox, list, nodes } = await startWorld({
    kubelets: { ask: { bootstrapParameter: () => parameter, asks: () => false } },
  });
  sandbox.addGroup({ autoScalingGroupName: 'workers', size: 1 });
  await sandbox.pass(60);
  expect(await list()).toEqual([]);
  expect(isReady(only(await nodes()))).toBe(true);
});

describe('a kubelet that requests certificates', () => {
  it('joins once its client certificate is approved, and then requests its serving certificate', async () => {
    const { sandbox, publish, list, decide, nodes } = await startWorld();
    await publish();
    sandbox.addGroup({ autoScalingGroupName: 'workers', size: 1 });
    await sandbox.pass(60);
    expect(await nodes()).toEqual([]);
    const first = only(await list());
    expect(first.metadata.name).toMatch(/^node-csr-[\w-]{43}$/);
    expect(first.spec).toMatchObject({
      username: `system:bootstrap:${token.id}`,
      signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
      usages: ['digital signature', 'client auth'],
    });
    await decide(first.metadata.name);
    await sandbox.pass(5);
    const node = only(await nodes());
    expect([isReady(node), node.spec.providerID]).toEqual([
      true,
      expect.stringMatching(/^aws:\/\/\/eu-west-1/),
    ]);
    const serving = only((await list()).filter(({ metadata }) => metadata.name.startsWith('csr-')));
    expect(serving.spec).toMatchObject({
      username: `system:node:${node.metadata.name}`,
      signerName: 'kubernetes.io/kubelet-serving',
      usages: ['digital signature', 'server auth'],
    });
  });

  it('waits until there is a bootstrap kubeconfig, and says so on the console', async () => {
    const { sandbox, publish, list, instance } = await startWorld();
    sandbox.addGroup({ autoScalingGroupName: 'workers', size: 1 });
    await sandbox.pass(60);
    expect(await list()).toEqual([]);
    const { Output = '' } = sandbox.account.ec2.operations.GetConsoleOutput({
      InstanceId: instance()?.InstanceId,
    });
    expect(Buffer.from(Output, 'base64').toString()).toContain(
      'kubelet: there is no bootstrap kubeconfig yet',
    );
    await publish();
    await sandbox.pass(10);
    expect(await list()).toHaveLength(1);
  });

  it('requests again with the same key under the same name after a denial, and does not join', async () => {
    const { sandbox, publish, list, decide, nodes, instance } = await startWorld();
    await publish();
    sandbox.addGroup({ autoScalingGroupName: 'workers', size: 1 });
    await sandbox.pass(30);
    const first = only(await list());
    await decide(first.metadata.name, 'Denied');
    await sandbox.pass(60);
    expect((await list()).map(({ metadata }) => metadata.name)).toEqual([first.metadata.name]);
    expect(await nodes()).toEqual([]);
    const { Output = '' } = sandbox.account.ec2.operations.GetConsoleOutput({
      InstanceId: instance()?.InstanceId,
    });
    expect(Buffer.from(Output, 'base64').toString()).toContain('Denied: Test a reason');
  });

  it('renews both certificates between 70 and 90 % of their lifetime, each under a new key', async () => {
    const world = await startWorld({
      kubelets: { ask: { bootstrapParameter: () => parameter, expirationSeconds: 3_600 } },
    });
    const { sandbox, publish, list, passApproving, nodes } = world;
    await publish();
    sandbox.addGroup({ autoScalingGroupName: 'workers', size: 1 });
    await passApproving(60);
    const before = await list();
    expect(before).toHaveLength(2);
    const times = before.map(certificateOf);
    const [firstOf, lastOf] = [0.7, 0.9].map((share) =>
      Math.min(
        ...times.map(({ validFrom, validTo }) => {
          const [start, end] = [Date.parse(validFrom), Date.parse(validTo)];
          return start + (end - start) * share;
        }),
      ),
    );
    await sandbox.pass(((firstOf ?? 0) - sandbox.clock.now()) / 1000 - 1);
    expect(await list()).toHaveLength(2);
    await passApproving(((lastOf ?? 0) - sandbox.clock.now()) / 1000 + 60);
    const keys = (await list()).map((request) =>
      certificateOf(request).publicKey.export({ type: 'spki', format: 'pem' }),
    );
    expect(keys.length).toBeGreaterThanOrEqual(4);
    expect(new Set(keys).size).toBe(keys.length);
    expect((await nodes()).every(isReady)).toBe(true);
  });

  it('loses access when its client certificate expires, and starts again with the bootstrap token', async () => {
    const world = await startWorld({
      kubelets: { ask: { bootstrapParameter: () => parameter, expirationSeconds: 600 } },
    });
    const { sandbox, publish, decide, list, nodes, pending } = world;
    await publish();
    sandbox.addGroup({ autoScalingGroupName: 'workers', size: 1 });
    await sandbox.pass(30);
    await decide(only(await list()).metadata.name);
    await sandbox.pass(700);
    expect((await nodes()).some(isReady)).toBe(false);
    const again = (await pending()).filter(({ metadata }) => metadata.name.startsWith('node-csr-'));
    expect(again).toHaveLength(1);
    await decide(again[0]?.metadata.name ?? '');
    await sandbox.pass(10);
    expect((await nodes()).every(isReady)).toBe(true);
  });

  it('requests new certificates if its disk is empty, but not after a stop and a start', async () => {
    const { sandbox, publish, list, passApproving, instance } = await startWorld();
    await publish();
    const { ec2 } = sandbox.account;
    ec2.operations.RunInstances({
      MinCount: 1,
      MaxCount: 1,
      TagSpecifications: [
        { ResourceType: 'instance', Tags: [{ Key: 'kubernetes.io/cluster/sandbox', Value: 'owned' }] },
      ],
    });
    await passApproving(60);
    const before = await list();
    const InstanceIds = [instance()?.InstanceId ?? ''];
    ec2.operations.StopInstances({ InstanceIds });
    await sandbox.pass(30);
    ec2.operations.StartInstances({ InstanceIds });
    await passApproving(60);
    expect(await list()).toEqual(before);
    ec2.instances.replaceRootVolume(ec2.instances.require(InstanceIds)[0] ?? expect.fail('no instance'));
    await passApproving(60);
    expect(await list()).toHaveLength(4);
  });

  it('has a serving certificate for every address of every interface', async () => {
    const { sandbox, publish, list, passApproving, instance, nodes } = await startWorld();
    await publish();
    const { ec2 } = sandbox.account;
    sandbox.addGroup({ autoScalingGroupName: 'workers', size: 1 });
    await passApproving(60);
    const NetworkInterfaceId = ec2.instances.attachInterface(instance()?.InstanceId ?? '');
    ec2.operations.AssignPrivateIpAddresses({ NetworkInterfaceId, SecondaryPrivateIpAddressCount: 2 });
    await passApproving(60);
    const addresses = (instance()?.NetworkInterfaces ?? []).flatMap(({ PrivateIpAddresses = [] }) =>
      PrivateIpAddresses.map(({ PrivateIpAddress }) => PrivateIpAddress),
    );
    expect(addresses).toHaveLength(4);
    const node = only(await nodes());
    const ofNode = node.status.addresses.filter(({ type }) => type === 'InternalIP');
    expect(ofNode.map(({ address }) => address)).toEqual(addresses);
    const names = (await list()).map(certificateOf).map(({ subjectAltName }) => subjectAltName);
    const wanted = [`DNS:${node.metadata.name}`, ...addresses.map((address) => `IP Address:${address}`)].join(
      ', ',
    );
    expect(names).toContain(wanted);
  });

  it('requests nothing while its instance is in a warm pool, but does when the instance leaves it', async () => {
    const { sandbox, publish, list } = await startWorld();
    await publish();
    sandbox.addGroup({ autoScalingGroupName: 'workers', size: 0 });
    const { operations } = sandbox.account.autoScaling;
    operations.PutWarmPool({ AutoScalingGroupName: 'workers', MinSize: 1, MaxGroupPreparedCapacity: 1 });
    await sandbox.pass(120);
    expect(await list()).toEqual([]);
    operations.SetDesiredCapacity({ AutoScalingGroupName: 'workers', DesiredCapacity: 1 });
    await sandbox.pass(60);
    expect(await list()).toHaveLength(1);
  });

  it('makes the same requests under the same seed', async () => {
    const run = async (seed: number) => {
      const { sandbox, publish, list, passApproving } = await startWorld({ seed });
      await publish();
      sandbox.addGroup({ autoScalingGroupName: 'workers', size: 2 });
      await passApproving(60);
      return (await list()).map(({ metadata }) => metadata.name);
    };
    expect(await run(7)).toEqual(await run(7));
    expect(await run(7)).not.toEqual(await run(8));
  });
});
