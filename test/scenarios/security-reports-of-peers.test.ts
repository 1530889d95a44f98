import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { describe, expect, it } from 'vitest';
import { addEtcdGroup } from '../../local/etcd-group.ts';
import { instanceUser, nodeUser, tokenUser } from '../../local/world/certificates/requests.ts';
import {
  clusterName,
  createDroverWorld,
  type DroverWorld,
  nodesOf,
  stateOf,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { createEtcdDroverWorld, domain, zoneId } from '../../local/world/etcd/etcd-world.ts';
import { inService, lastReason, recordsIn, untilWhole } from '../../local/world/etcd/expectations.ts';
import {
  askWebhook,
  awsAuth,
  iamToken,
  mappingParameter,
  putParameter,
  reviewOf,
  secretParameter,
  webhookSecret,
} from '../../local/world/identity-world.ts';
import { heldDeployment, podsNamed, request, run } from '../../local/world/workloads.ts';
import { askForCertificate, requestsPath } from '../support/certificates/kubelet.ts';
import {
  countCalls,
  markOf,
  nodeNameOf,
  nodeObjectOf,
  passesOf,
  untilGone,
  untilSaid,
} from '../support/observed-instance.ts';

const subjectOf = (node: string) => `O=system:nodes,CN=system:node:${node}`;

describe('certificate requests that other approvers let pass', () => {
  it('a request of another signer is left alone, even with a bootstrap credential (deckhouse #22901; cluster-machine-approver #6)', async () => {
    const calls = countCalls();
    const world = createDroverWorld({ weather: { onCall: calls.onCall } });
    const verdict = await askForCertificate(world, {
      name: 'admin',
      user: tokenUser,
      signer: 'client',
      signerName: 'kubernetes.io/kube-apiserver-client',
      subject: 'O=cluster-admins,CN=admin',
    });
    await world.timeline.pass(900);
    expect(verdict()).toBe('pending');
    expect(calls.count(`PUT ${requestsPath}/admin`) + calls.count(`PATCH ${requestsPath}/admin`)).toBe(0);
  });

  it('a bootstrap token gets neither an invented name nor that of a control plane (Bug 1707162; hypershift #279)', async () => {
    const world = createDroverWorld();
    const [master = ''] = await withWorkers(world, {
      size: 1,
      autoScalingGroupName: 'masters',
      role: 'control-plane',
    });
    const ask = (name: string, node: string) =>
      askForCertificate(world, { name, user: tokenUser, signer: 'client', subject: subjectOf(node) });
    const invented = await ask('invented', 'ip-10-0-77-77.eu-west-1.compute.internal');
    const control = await ask('control', nodeNameOf(world, master));
    await world.timeline.pass(420);
    expect(invented()).toMatch(/^Denied: Drover: no instance/);
    expect(control()).not.toBe('Approved');
  });

  it('a serving certificate names no Service and no API server (kubelet-csr-approver #247, #250)', async () => {
    const world = createDroverWorld();
    const [id = ''] = await withWorkers(world, { size: 1 });
    const node = nodeNameOf(world, id);
    const ask = (name: string, dnsNames: readonly string[]) =>
      askForCertificate(world, {
        name,
        user: nodeUser(node),
        signer: 'serving',
        subject: subjectOf(node),
        dnsNames: [node, ...dnsNames],
      });
    const verdicts = [
      await ask('service', ['kubernetes.default.svc']),
      await ask('server', ['kubernetes.sandbox']),
      await ask('wildcard', ['*.eu-west-1.compute.internal']),
    ];
    await world.timeline.pass(61);
    for (const verdict of verdicts) expect(verdict()).toMatch(/^Denied: Drover: DNS name .* is not one of/);
  });

  it('tags on an instance of no group make no node of it (Karpenter, threat model: tags of instances)', async () => {
    const world = createDroverWorld();
    const { Instances: [launched] = [] } = world.account.ec2.operations.RunInstances({
      MinCount: 1,
      MaxCount: 1,
      ImageId: 'ami-0123456789abcdef0',
      InstanceType: 'm5.large',
      TagSpecifications: [
        {
          ResourceType: 'instance',
          Tags: [
            { Key: `kubernetes.io/cluster/${clusterName}`, Value: 'owned' },
            { Key: 'drover.dev/role', Value: 'worker' },
          ],
        },
      ],
    });
    const verdict = await askForCertificate(world, {
      name: 'tagged',
      user: tokenUser,
      signer: 'client',
      subject: subjectOf(launched?.PrivateDnsName ?? ''),
    });
    await world.timeline.pass(900);
    expect(verdict()).toBe('pending');
  });
});

describe('identities that other authenticators take', () => {
  async function webhookWith(mapping: string) {
    const world = createDroverWorld();
    putParameter(world, secretParameter, JSON.stringify({ current: webhookSecret }), 'SecureString');
    putParameter(world, mappingParameter, mapping);
    const token = await iamToken(world, { roleName: 'dev', sessionName: 'ann' });
    const url = Buffer.from(token.replace('k8s-aws-v1.', ''), 'base64url').toString();
    const ask = async (changed: string) => {
      const encoded = `k8s-aws-v1.${Buffer.from(changed).toString('base64url')}`;
      return (await askWebhook(world, reviewOf(encoded))).body.status;
    };
    return { world, url, ask };
  }
  const byKey = `
mapRoles:
  - rolearn: arn:aws:iam::123456789012:role/dev
    username: key:{{AccessKeyID}}
    groups: [devs]
`;

  it('a second access key in another case is refused, before and after the first (CVE-2022-2385)', async () => {
    const { url, ask } = await webhookWith(byKey);
    expect((await ask(url)).user.username).toMatch(/^key:ASIA/);
    const credential = /X-Amz-Credential=([^&]*)/
      .exec(url)?.[1]
      ?.replace(/^[A-Z0-9]+/, 'AKIAADMINADMINADMIN1');
    for (const name of ['X-Amz-Credential', 'x-amz-credential', 'X-AMZ-CREDENTIAL'])
      for (const changed of [`${url}&${name}=${credential}`, url.replace('?', `?${name}=${credential}&`)])
        expect(await ask(changed)).toEqual({ authenticated: false });
  });

  it('an answer of STS to another action does not identify a user (CVE-2020-16250)', async () => {
    const { url, ask } = await webhookWith(byKey);
    for (const action of ['AssumeRoleWithWebIdentity', 'GetSessionToken', 'getCallerIdentity'])
      expect(await ask(url.replace('Action=GetCallerIdentity', `Action=${action}`))).toEqual({
        authenticated: false,
      });
  });

  it('a text of aliases in aws-auth costs no other identity (CVE-2019-11253)', async () => {
    const { world, url, ask } = await webhookWith(byKey);
    const levels = Array.from({ length: 9 }, (_, level) => {
      const item = level === 0 ? 'lol' : `*a${level - 1}`;
      return `a${level}: &a${level} [${Array(9).fill(item).join(', ')}]`;
    });
    awsAuth(world, { mapRoles: levels.join('\n') });
    await world.timeline.pass(61);
    expect((await ask(url)).user.username).toMatch(/^key:ASIA/);
    expect(world.problems).toEqual([]);
  });
});

describe('a compromised node', () => {
  /** As the garbage collector and the kubelet do: the Node goes, and comes back without what others gave it. */
  async function registerAgain(world: DroverWorld, instanceId: string): Promise<void> {
    const { metadata, spec } = nodeObjectOf(world, instanceId) ?? {};
    const name = metadata?.name ?? '';
    world.kubelets.get(instanceId)?.pause();
    await request(world, 'DELETE', `/api/v1/nodes/${name}`);
    world.kubelets.get(instanceId)?.resume();
    await world.timeline.pass(5);
    expect(nodeObjectOf(world, instanceId)?.spec?.providerID).toBe(spec?.providerID);
    expect(nodeObjectOf(world, instanceId)?.metadata?.uid).not.toBe(metadata?.uid);
  }

  it('that has its Node deleted and registers it again is cordoned again, and ends no wait (CVE-2025-5187)', async () => {
    const world = createDroverWorld();
    const [leaving = '', other = ''] = await withWorkers(world, {
      size: 2,
      tags: { 'drover.dev/drain-timeout': '10m' },
    });
    await run(world, ...heldDeployment({ name: 'held', replicas: 4 }));
    terminate(world, leaving, { replace: false });
    await untilSaid(world, leaving, /held/);
    await registerAgain(world, leaving);
    await world.timeline.until(() => markOf(world, leaving) !== undefined, {
      withinSeconds: 120,
      what: 'the mark on the new Node',
    });
    expect(nodeObjectOf(world, leaving)?.spec?.unschedulable).toBe(true);
    await untilGone(world, leaving, 900);
    expect(nodesOf(world)).toEqual([nodeNameOf(world, other)]);
    expect(podsNamed(world, 'held').every(({ spec }) => spec?.nodeName === nodeNameOf(world, other))).toBe(
      true,
    );
  });

  it('that claims the providerID of another does not have the other replaced (cluster-autoscaler #3959)', async () => {
    const nodeName = (instanceId: string) => `node-${instanceId.slice(-6)}`;
    const world = createDroverWorld({
      kubelets: { configure: ({ instanceId }) => ({ nodeName: nodeName(instanceId) }) },
    });
    const [own = ''] = await withWorkers(world, { size: 1, autoScalingGroupName: 'others' });
    const [victim = ''] = await withWorkers(world, {
      size: 3,
      tags: { 'drover.dev/repair': 'KernelReadonlyFilesystem=5m' },
    });
    const nodes = world.kubernetes.store.of('nodes');
    const { status } = nodeObjectOf(world, own) ?? {};
    await request(world, 'DELETE', `/api/v1/nodes/${nodeName(own)}`);
    const lastTransitionTime = new Date(world.clock.now()).toISOString();
    const failing = { type: 'KernelReadonlyFilesystem', status: 'True', lastTransitionTime };
    world.kubernetes.registry.create('nodes', {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: nodeName(own) },
      spec: { providerID: nodeObjectOf(world, victim)?.spec?.providerID },
      status: { ...status, conditions: [...(status?.conditions ?? []), failing] },
    });
    await world.timeline.pass(1800);
    expect(stateOf(world, victim)).toBe('InService');
    expect(nodes.get(undefined, nodeName(own))?.status?.conditions).toContainEqual(failing);
    const finding = world.lines.findLast(({ node }) => node === nodeName(own));
    expect(finding).toMatchObject({
      verdict: 'cannot-judge',
      reason: expect.stringContaining(nodeName(victim)),
    });
  });

  it('that shows as a control plane by its label gets no more rights (CVE-2023-5408)', async () => {
    const world = createDroverWorld();
    const [own = '', other = ''] = await withWorkers(world, { size: 2 });
    const [name, victim] = [nodeNameOf(world, own), nodeNameOf(world, other)];
    const labels = { 'node-role.kubernetes.io/control-plane': '', 'drover.dev/role': 'control-plane' };
    await request(world, 'PATCH', `/api/v1/nodes/${name}`, { metadata: { labels } });
    const asked = await askForCertificate(world, {
      name: 'control-plane',
      user: instanceUser(own, 'control-plane'),
      signer: 'client',
      subject: subjectOf(name),
    });
    await world.timeline.pass(61);
    expect(asked()).toMatch(/^Denied: Drover: the credential is for role control-plane, .* has role worker/);
    terminate(world, own, { replace: false });
    await untilGone(world, own, 120);
    expect(passesOf(world, own).length).toBeGreaterThan(0);
    expect(nodesOf(world)).toEqual([victim]);
  });
});

describe('a server that something else answers for', () => {
  it('redirects: it is an answer like any other refusal, and the wait is kept (CVE-2020-8559, CVE-2022-3172)', async () => {
    let isTaken = false;
    const strike = ({ to }: CallInFlight): Strike | undefined =>
      isTaken && to === 'kubernetes'
        ? { kind: 'http-answer', status: 307, headers: { location: 'https://192.0.2.1/' }, body: '' }
        : undefined;
    const world = createDroverWorld({ weather: { strike } });
    const [leaving = ''] = await withWorkers(world, { size: 2 });
    isTaken = true;
    terminate(world, leaving, { replace: false });
    await world.timeline.pass(400);
    expect(stateOf(world, leaving)).toBe('Terminating:Wait');
    expect(JSON.stringify(world.lines.filter(({ subject }) => subject === leaving))).toMatch(/307/);
    isTaken = false;
    await untilGone(world, leaving, 120);
    expect(nodesOf(world)).toHaveLength(1);
  });
});

describe('a zone that others write', () => {
  it('belongs to none while its mark has two owners, and what is published stays (external-dns #5457)', async () => {
    const world = createEtcdDroverWorld();
    addEtcdGroup(world, { size: 3 });
    const clusterId = await untilWhole(world, 3);
    const name = `_drover-etcd.${domain}`;
    const change = (Action: string, values: readonly string[]) => ({
      Action,
      ResourceRecordSet: {
        Name: name,
        Type: 'TXT',
        TTL: 60,
        ResourceRecords: values.map((value) => ({ Value: `"${value}"` })),
      },
    });
    const own = recordsIn(world).find((record) => record.name === name)?.values ?? [];
    const write = (values: readonly string[]) =>
      world.account.route53.operations.ChangeResourceRecordSets({
        HostedZoneId: zoneId,
        ChangeBatch: { Changes: [change('UPSERT', values)] },
      } as never);
    write([...own, 'cluster=another']);
    await world.timeline.pass(120);
    const before = recordsIn(world);
    const [leaving = ''] = inService(world);
    terminate(world, leaving);
    await world.timeline.pass(600);
    expect(recordsIn(world)).toEqual(before);
    expect(lastReason(world)).toMatch(/mark of the domain/);
    write(own);
    expect(await untilWhole(world, 3)).toBe(clusterId);
  });
});

describe('bootstrap tokens', () => {
  it('are in no line, Event and message while they are made and retired (kubeadm #2287; cluster-api #3771)', async () => {
    const world = createDroverWorld();
    const secrets = new Set<string>();
    for (let run = 0; run < 3; run += 1) {
      await world.timeline.pass(10 * 3600);
      for (const { data } of world.kubernetes.store.of('secrets').list())
        if (data?.['token-secret']) secrets.add(Buffer.from(data['token-secret'], 'base64').toString());
    }
    expect(secrets.size).toBeGreaterThan(1);
    const queues = world.account.sqs.controls
      .queueNames()
      .map((name) => world.account.sqs.controls.peek(name));
    const seen = JSON.stringify([
      world.lines,
      world.problems,
      queues,
      world.kubernetes.store.of('events').list(),
    ]);
    for (const secret of secrets) expect(seen.includes(secret)).toBe(false);
  });
});
