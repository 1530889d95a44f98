import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chosenEtcd } from '@drover/cloud-sandbox/real/etcd/binaries.ts';
import { adminOf, type ClusterAdmin } from '@drover/cloud-sandbox/real/kubernetes/admin.ts';
import { type ControlPlane, startControlPlane } from '@drover/cloud-sandbox/real/kubernetes/control-plane.ts';
import { createItem, listItems, requestOf } from '@drover/cloud-sandbox/real/kubernetes/objects.ts';
import { kubernetes } from '@drover/cloud-sandbox/real/programs.ts';
import type { CertificateSigningRequest } from 'kubernetes-types/certificates/v1.d.ts';
import type { ClusterRole, ClusterRoleBinding } from 'kubernetes-types/rbac/v1.d.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { judgeApprovers } from '../../../cli/doctor/checks/approvers.ts';
import { fakeContext, namedInstance } from '../../../local/world/certificates/context.ts';
import {
  createPem,
  instanceUser,
  nodeUser,
  type PemOptions,
  tokenUser,
} from '../../../local/world/certificates/requests.ts';
import { type RbacManifest, rbacManifests } from '../../../local/world/rbac.ts';
import { signers } from '../../../shared/certificates/certificate-request.ts';
import { type CertificateContext, decideRequests } from '../../../shared/certificates/decide-requests.ts';
import { createApi } from '../../../shared/kubernetes/api.ts';
import { certificateCalls } from '../../../shared/kubernetes/certificates.ts';
import { nodeCalls } from '../../../shared/kubernetes/nodes.ts';
import { realHost } from '../../../shared/runtime/real-host.ts';
import { eventually } from '../../support/eventually.ts';
import { grantAs } from '../worlds/real/grant.ts';

const isMissing = kubernetes.missing !== undefined || !chosenEtcd.isInstalled;
const directory = mkdtempSync(join(tmpdir(), 'certificates-'));
let controlPlane: ControlPlane;
let admin: ClusterAdmin;
let token: string;

const requestsPath = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const rbacPath = '/apis/rbac.authorization.k8s.io/v1';
let serial = 0;

/** A new instance, with the name that its Node may have. */
function newInstance() {
  serial += 1;
  const instanceId = `i-${serial.toString(16).padStart(17, '0')}`;
  const name = `ip-10-1-0-${serial}.eu-west-1.compute.internal`;
  const address = `10.1.0.${serial}`;
  const launchedAt = Date.now() - 30_000;
  const instance = namedInstance({
    instanceId,
    nodeNames: [name, instanceId],
    launchedAt,
    rootVolumeAttachedAt: launchedAt,
    addresses: { dnsNames: [name], primary: [address], secondary: [], publicDnsNames: [], public: [] },
  });
  return { instance, instanceId, name, address, subject: `O=system:nodes,CN=system:node:${name}` };
}

type NewInstance = ReturnType<typeof newInstance>;

/** Drover with this token, beside an account of these instances. */
function drover(machines: readonly NewInstance[], by = token): CertificateContext {
  const { context } = fakeContext({ requests: [], instances: machines.map(({ instance }) => instance) });
  const tls = { certificateAuthority: controlPlane.files.authority.certificate };
  const connection = { server: controlPlane.url, tls, bearerToken: by };
  const api = createApi({
    connections: { connect: async () => connection, invalidate: () => {} },
    sendHttp: admin.sendHttp,
  });
  return {
    ...context,
    cluster: { ...certificateCalls(api), getNode: nodeCalls(api).getNode },
    clock: realHost.clock,
  };
}

interface User {
  readonly username: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Asks for a certificate as this user. Gives the request as it is by now. */
async function ask(user: User, signer: keyof typeof signers, options: PemOptions) {
  serial += 1;
  const name = `csr-${serial}`;
  const { sendHttp, server, token: bearer } = admin;
  const request = Buffer.from(await createPem(options)).toString('base64');
  const usages = ['digital signature', signer === 'client' ? 'client auth' : 'server auth'];
  const body = {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name },
    spec: { request, signerName: signers[signer], usages },
  };
  const [group = ''] = user.groups.filter((one) => one !== 'system:authenticated');
  await grantAsking(group);
  // The API server authorises from a watch: a right that has just been given may be refused for a moment.
  await eventually(async () => {
    const answer = await sendHttp({
      method: 'POST',
      url: `${server}${requestsPath}`,
      headers: {
        authorization: `Bearer ${bearer}`,
        'content-type': 'application/json',
        ...impersonating(user),
      },
      body: JSON.stringify(body),
      timeoutMilliseconds: 30_000,
    });
    if (answer.status !== 201) throw new Error(`${answer.status} ${answer.body}`);
  });
  return { name, read: () => readRequest(name) };
}

/** Node sends a list as one line for each of its members, as impersonation needs it. */
const impersonating = ({ username, groups, extra = {} }: User): Readonly<Record<string, string>> => ({
  'impersonate-user': username,
  'impersonate-group': groups.filter((group) => group !== 'system:authenticated') as unknown as string,
  ...Object.fromEntries(
    Object.entries(extra).map(([key, [value = '']]) => [
      `impersonate-extra-${encodeURIComponent(key)}`,
      value,
    ]),
  ),
});

const grantAsking = (group: string): Promise<void> =>
  createItem(admin, `${rbacPath}/clusterrolebindings`, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: `asks-${group.replaceAll(':', '-')}` },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:node-bootstrapper' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: group }],
  });

async function readRequest(name: string): Promise<CertificateSigningRequest> {
  const { body } = await requestOf(admin, { method: 'GET', path: `${requestsPath}/${name}` });
  return JSON.parse(body) as CertificateSigningRequest;
}

const conditionOf = ({ status }: CertificateSigningRequest) => status?.conditions?.[0];

async function issued(read: () => Promise<CertificateSigningRequest>): Promise<X509Certificate> {
  await expect.poll(async () => (await read()).status?.certificate).toBeTypeOf('string');
  return new X509Certificate(Buffer.from((await read()).status?.certificate ?? '', 'base64'));
}

const createNode = ({ name, instanceId }: NewInstance): Promise<void> =>
  createItem(admin, '/api/v1/nodes', {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name },
    spec: { providerID: `aws:///eu-west-1a/${instanceId}` },
  });

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe.skipIf(isMissing)('certificate requests on a real API server with its controller manager', () => {
  beforeAll(async () => {
    controlPlane = await startControlPlane({ directory, withScheduler: false });
    admin = adminOf(controlPlane);
    token = await grantAs(admin, { name: 'drover-certificates', manifests: certificateManifests });
  });

  afterAll(async () => {
    await controlPlane?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  test('a client certificate that Drover approves is signed, for the name and no longer than the signer allows', async () => {
    const machine = newInstance();
    const { read } = await ask(tokenUser, 'client', machine);
    await decideRequests(drover([machine]));
    expect(conditionOf(await read())).toMatchObject({ type: 'Approved', reason: 'DroverApproved' });
    expect((await issued(read)).subject).toContain(`CN=system:node:${machine.name}`);
  });

  test('a serving certificate that Drover approves is signed with the names that were checked', async () => {
    const machine = newInstance();
    await createNode(machine);
    const names = { dnsNames: [machine.name], ipAddresses: [machine.address] };
    const { read } = await ask(nodeUser(machine.name), 'serving', { ...machine, ...names });
    await decideRequests(drover([machine]));
    expect((await issued(read)).subjectAltName).toBe(`DNS:${machine.name}, IP Address:${machine.address}`);
  });

  test('the API server records the instance of a credential, and Drover holds the request to it', async () => {
    const [machine, other] = [newInstance(), newInstance()];
    const own = await ask(instanceUser(machine.instanceId), 'client', machine);
    const foreign = await ask(instanceUser(other.instanceId), 'client', machine);
    await decideRequests(drover([machine, other]));
    expect(conditionOf(await own.read())?.type).toBe('Approved');
    expect(conditionOf(await foreign.read())?.message).toContain(
      `credential is that of instance ${other.instanceId}`,
    );
  });

  test('what Drover denies gets no certificate: a foreign address, a serving certificate for a token, another role', async () => {
    const [machine, other] = [newInstance(), newInstance()];
    await createNode(machine);
    const foreignAddress = { ...machine, ipAddresses: [other.address] };
    const reads = [
      await ask(nodeUser(machine.name), 'serving', foreignAddress),
      await ask(tokenUser, 'serving', { ...other, ipAddresses: [other.address] }),
      await ask(
        { ...tokenUser, groups: ['system:bootstrappers', 'system:bootstrappers:drover:etcd'] },
        'client',
        other,
      ),
    ];
    await decideRequests(drover([machine, other]));
    await pause(2000);
    for (const { read } of reads) {
      const request = await read();
      expect(conditionOf(request)).toMatchObject({ type: 'Denied', reason: 'DroverDenied' });
      expect(request.status?.certificate).toBeUndefined();
    }
  });

  test('two keys for one name get no certificate', async () => {
    const machine = newInstance();
    const asked = [await ask(tokenUser, 'client', machine), await ask(tokenUser, 'client', machine)];
    const { decided } = await decideRequests(drover([machine]), new Map([[machine.name, [machine.name]]]));
    expect(decided.map(({ verdict }) => verdict.kind)).toEqual(['conflict', 'conflict']);
    for (const { read } of asked) expect(conditionOf(await read())).toBeUndefined();
  });

  test('a decision that an operator makes after Drover has read the request is not overwritten', async () => {
    const machine = newInstance();
    const { name, read } = await ask(tokenUser, 'client', machine);
    const { cluster } = drover([machine]);
    const stale = (await cluster.listRequests()).find((request) => request.name === name);
    const conditions = [{ type: 'Denied', status: 'True', reason: 'ByHand', message: 'not today' }];
    await requestOf(admin, {
      method: 'PATCH',
      path: `${requestsPath}/${name}/approval`,
      body: { status: { conditions } },
    });
    if (stale === undefined) throw new Error('the request is not listed');
    const approval = { type: 'Approved', reason: 'DroverApproved', message: '' } as const;
    expect(await cluster.approveOrDeny(stale, approval)).toBe('changed-meanwhile');
    expect((await read()).status?.conditions).toMatchObject([{ type: 'Denied', reason: 'ByHand' }]);
  });

  test.each([
    'list certificatesigningrequests',
    'patch certificatesigningrequests/approval',
    'approve signers',
    'get nodes',
  ])('the right to %s is needed', async (right) => {
    const machine = newInstance();
    await ask(tokenUser, 'client', machine);
    const name = `without-${right.replaceAll(/[ /]/g, '-')}`;
    const poor = await grantAs(admin, { name, manifests: without(right) });
    const run = decideRequests(drover([machine], poor), new Map([[machine.name, [machine.name]]])).then(
      ({ failures }) => failures.map(({ error }) => String(error)).join(),
    );
    expect(await run.catch(String)).toMatch(/forbidden/i);
  });

  describe('with Drover’s function stopped', () => {
    test('nothing approves a request, with what drover rbac prints', async () => {
      const machine = newInstance();
      const { read } = await ask(tokenUser, 'client', machine);
      await pause(5000);
      expect(conditionOf(await read())).toBeUndefined();
      expect(await approversNow()).toMatchObject([{ verdict: 'ok' }]);
    });

    test('kubeadm’s binding lets kube-controller-manager approve, and drover doctor names it', async () => {
      const name = 'kubeadm:node-autoapprove-bootstrap';
      await createItem(admin, `${rbacPath}/clusterrolebindings`, {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name },
        roleRef: {
          apiGroup: 'rbac.authorization.k8s.io',
          kind: 'ClusterRole',
          name: 'system:certificates.k8s.io:certificatesigningrequests:nodeclient',
        },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:bootstrappers' }],
      });
      const { read } = await ask(tokenUser, 'client', newInstance());
      await issued(read);
      expect(conditionOf(await read())?.reason).toBe('AutoApproved');
      expect(await approversNow()).toMatchObject([{ verdict: 'fix', subject: name }]);
      await requestOf(admin, { method: 'DELETE', path: `${rbacPath}/clusterrolebindings/${name}` });
    });
  });
});

const certificateManifests = rbacManifests().filter(
  ({ metadata }) => metadata?.name === 'drover-certificates',
);

function without(right: string): readonly RbacManifest[] {
  const [verb, resource = ''] = right.split(' ');
  return certificateManifests.map((manifest) =>
    manifest.kind === 'ClusterRole'
      ? {
          ...manifest,
          rules: (manifest.rules ?? []).filter(
            ({ resources, verbs }) => !(resources?.includes(resource) && verbs.includes(verb ?? '')),
          ),
        }
      : manifest,
  );
}

/** Without the accounts that this file gives Drover's role: doctor names them, since it expects only the identities of deploy/rbac.yaml. */
async function approversNow() {
  const bindings = await listItems<ClusterRoleBinding>(admin, `${rbacPath}/clusterrolebindings`);
  return judgeApprovers({
    server: controlPlane.url,
    isDeployed: true,
    otherNodes: [],
    roles: await listItems<ClusterRole>(admin, `${rbacPath}/clusterroles`),
    bindings: bindings.filter(({ metadata }) => !metadata?.name?.startsWith('drover-certificates-')),
  });
}
