import { randomBytes } from 'node:crypto';
import { createCertificateRequest, createKey } from '@drover/cloud-sandbox/kubernetes';
import { expect, it } from 'vitest';
import {
  type DroverWorld,
  membersOf,
  stateOf,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import {
  authenticateBy,
  awsAuth,
  iamToken,
  launchWithProfile,
  mappingParameter,
  putParameter,
  roleNamed,
  secretParameter,
  webhookSecret,
} from '../../local/world/identity-world.ts';
import { budget, deployment, podsNamed, request, run } from '../../local/world/workloads.ts';
import { inService, launchWorkers } from '../support/joining-world.ts';
import { world311 } from '../support/openshift-311.ts';

const bootstrapper = {
  username: 'system:serviceaccount:openshift-infra:node-bootstrapper',
  groups: ['system:serviceaccounts', 'system:serviceaccounts:openshift-infra', 'system:authenticated'],
};
const requests = '/apis/certificates.k8s.io/v1beta1/certificatesigningrequests';

const bindings = 'clusterrolebindings.rbac.authorization.k8s.io';

/** As openshift-ansible binds it. */
function bindBootstrapper({ kubernetes: { registry } }: DroverWorld): void {
  const apiGroup = 'rbac.authorization.k8s.io';
  registry.create(bindings, {
    apiVersion: `${apiGroup}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'node-bootstrapper' },
    roleRef: { apiGroup, kind: 'ClusterRole', name: 'system:node-bootstrapper' },
    subjects: [{ kind: 'ServiceAccount', namespace: 'openshift-infra', name: 'node-bootstrapper' }],
  } as never);
}

/** The request of a node with the shared credential. */
async function requestCertificate({ kubernetes }: DroverWorld, nodeName: string): Promise<string> {
  const name = `node-csr-${nodeName}`;
  const pem = createCertificateRequest({
    key: createKey(randomBytes),
    subject: { organizations: ['system:nodes'], commonName: `system:node:${nodeName}` },
  });
  const body = {
    apiVersion: 'certificates.k8s.io/v1beta1',
    kind: 'CertificateSigningRequest',
    metadata: { name },
    spec: {
      request: Buffer.from(pem).toString('base64'),
      usages: ['digital signature', 'key encipherment', 'client auth'],
    },
  };
  const headers = {
    authorization: `Bearer ${kubernetes.addToken(bootstrapper)}`,
    'content-type': 'application/json',
  };
  const { status } = await kubernetes.handle({
    method: 'POST',
    path: requests,
    headers,
    body: JSON.stringify(body),
  });
  expect(status).toBe(201);
  return name;
}

const decisionOn = ({ kubernetes }: DroverWorld, name: string) =>
  kubernetes.store
    .of('certificatesigningrequests.certificates.k8s.io')
    .list()
    .find(({ metadata }) => metadata.name === name)?.status?.conditions?.[0];

it('drains a node of OpenShift 3.11 by evictions of v1beta1, in the time of its budget, and deletes the Node', async () => {
  const world = world311();
  const [leaving = ''] = await withWorkers(world, { size: 2 });
  const web = { name: 'web', replicas: 2, graceSeconds: 10, stopsAfterSeconds: 2 };
  await run(world, deployment(web));
  const path = '/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets';
  const held = { ...budget('web', { minAvailable: 1 }), apiVersion: 'policy/v1beta1' };
  expect(await request(world, 'POST', path, held)).toMatchObject({ status: 201 });
  terminate(world, leaving, { replace: false });
  await world.timeline.until(() => stateOf(world, leaving) === undefined, {
    withinSeconds: 300,
    what: 'the instance gone',
  });
  expect(podsNamed(world, 'web').filter(({ spec }) => spec?.nodeName)).toHaveLength(2);
  await world.timeline.pass(60);
  expect(world.kubernetes.store.of('nodes').list()).toHaveLength(1);
  expect(world.problems).toEqual([]);
});

it('keeps an instance of 3.11 out of service until its Node is Ready', async () => {
  const world = world311({ kubelets: { configure: () => ({ readyDelaySeconds: 200 }) } });
  launchWorkers(world, 1);
  await world.timeline.pass(190);
  expect(membersOf(world).map(({ LifecycleState }) => LifecycleState)).toEqual(['Pending:Wait']);
  await world.timeline.until(() => inService(world).length === 1, {
    withinSeconds: 60,
    what: 'the instance in service',
  });
  expect(world.problems).toEqual([]);
});

it('approves the request of node-bootstrapper for a launched worker, and no other, instead of bootstrap-autoapprover', async () => {
  const world = world311({ kubelets: { configure: () => undefined } });
  bindBootstrapper(world);
  launchWorkers(world, 1);
  await world.timeline.pass(20);
  const [{ InstanceId = '' } = {}] = membersOf(world);
  const { Reservations } = world.account.ec2.operations.DescribeInstances({ InstanceIds: [InstanceId] });
  const own = await requestCertificate(world, Reservations?.[0]?.Instances?.[0]?.PrivateDnsName ?? '');
  const other = await requestCertificate(world, 'ip-10-9-9-9.eu-west-1.compute.internal');
  await world.timeline.pass(90);
  expect(decisionOn(world, own)).toMatchObject({ type: 'Approved', reason: 'DroverApproved' });
  expect(decisionOn(world, other)?.type).not.toBe('Approved');
});

/** Asks the API server as the bearer of a token, which it does not know itself. */
const nodesAs = async ({ kubernetes }: DroverWorld, token: string) => {
  const { status } = await kubernetes.handle({
    method: 'GET',
    path: '/api/v1/nodes',
    headers: { authorization: `Bearer ${token}` },
  });
  return status;
};

/** A world whose API server asks the token webhook, in the version that 1.11 sends. */
function worldWithWebhook(): DroverWorld {
  const world: DroverWorld = world311({
    kubernetes: { authenticateToken: (token) => authenticateBy(world, token, 'v1beta1') },
  });
  putParameter(world, secretParameter, JSON.stringify({ current: webhookSecret }), 'SecureString');
  const apiGroup = 'rbac.authorization.k8s.io';
  world.kubernetes.registry.create(bindings, {
    apiVersion: `${apiGroup}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'bastions' },
    roleRef: { apiGroup, kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ apiGroup, kind: 'Group', name: 'bastions' }],
  } as never);
  return world;
}

it('lets the role of a bastion in through the webhook in v1beta1, and shuts it out when its entry is gone', async () => {
  const world = worldWithWebhook();
  const entry = `{rolearn: "arn:aws:iam::123456789012:role/bastion", username: "{{SessionName}}", groups: [bastions]}`;
  awsAuth(world, { mapRoles: `[${entry}]` });
  const token = await iamToken(world, { roleName: 'bastion', sessionName: 'ann' });
  const stranger = await iamToken(world, { roleName: 'other', sessionName: 'ann' });
  expect([await nodesAs(world, token), await nodesAs(world, stranger)]).toEqual([200, 401]);
  awsAuth(world, { mapRoles: '[]' });
  await world.timeline.pass(61);
  expect(await nodesAs(world, token)).toBe(401);
  expect(world.problems).toEqual([]);
});

it('knows a worker by the IAM role of its instance, and refuses a session of another name', async () => {
  const world = worldWithWebhook();
  roleNamed(world, 'workers');
  const names = ['system:bootstrappers', 'system:nodes', 'system:node-bootstrapper'];
  const entry = `{rolearn: "arn:aws:iam::123456789012:role/workers", username: "system:node:{{EC2PrivateDNSName}}", groups: [${names.map((name) => `"${name}"`).join()}]}`;
  putParameter(world, mappingParameter, `mapRoles: [${entry}]`);
  const { id, name } = launchWithProfile(world, 'workers');
  const token = await iamToken(world, { roleName: 'workers', sessionName: id });
  const { kubernetes } = world;
  const user = await authenticateBy(world, token, 'v1beta1');
  expect(user).toMatchObject({ username: `system:node:${name}`, groups: names });
  const { status } = await kubernetes.handle({
    method: 'GET',
    path: `/api/v1/nodes/${name}`,
    headers: { authorization: `Bearer ${token}` },
  });
  // The node authorizer knows it: there is no such Node yet.
  expect(status).toBe(404);
  const sessionOfPerson = await iamToken(world, { roleName: 'workers', sessionName: 'ann' });
  expect(await authenticateBy(world, sessionOfPerson, 'v1beta1')).toBeUndefined();
});
