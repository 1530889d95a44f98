import { randomBytes } from 'node:crypto';
import { createCertificateRequest, createKey } from '@drover/cloud-sandbox/kubernetes';
import { expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  membersOf,
  stateOf,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { budget, deployment, podsNamed, request, run } from '../../local/world/workloads.ts';
import { inService, launchWorkers } from '../support/joining-world.ts';

const bootstrapper = {
  username: 'system:serviceaccount:openshift-infra:node-bootstrapper',
  groups: ['system:serviceaccounts', 'system:serviceaccounts:openshift-infra', 'system:authenticated'],
};
const requests = '/apis/certificates.k8s.io/v1beta1/certificatesigningrequests';

/** As `oc` of the cluster administrator does it, for what deploy/rbac.yaml has no rule. */
function permitApprovals({ kubernetes: { registry } }: DroverWorld): void {
  const group = 'rbac.authorization.k8s.io';
  registry.create('clusterroles.rbac.authorization.k8s.io', {
    apiVersion: `${group}/v1`,
    kind: 'ClusterRole',
    metadata: { name: 'drover-approval' },
    rules: [
      {
        apiGroups: ['certificates.k8s.io'],
        resources: ['certificatesigningrequests/approval'],
        verbs: ['update'],
      },
    ],
  } as never);
  registry.create('clusterrolebindings.rbac.authorization.k8s.io', {
    apiVersion: `${group}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'drover-approval' },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'drover-approval' },
    subjects: [{ apiGroup: group, kind: 'Group', name: 'drover' }],
  } as never);
  registry.create('clusterrolebindings.rbac.authorization.k8s.io', {
    apiVersion: `${group}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'node-bootstrapper' },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'system:node-bootstrapper' },
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
  const world = createDroverWorld({ kubernetes: { release: '1.11' } });
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
  const world = createDroverWorld({
    kubernetes: { release: '1.11' },
    kubelets: { configure: () => ({ readyDelaySeconds: 200 }) },
  });
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
  const world = createDroverWorld({
    kubernetes: { release: '1.11' },
    kubelets: { configure: () => undefined },
  });
  permitApprovals(world);
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
