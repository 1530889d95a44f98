import type { ClusterAdmin } from '@drover/cloud-sandbox/real/kubernetes/admin.ts';
import { requestOf } from '@drover/cloud-sandbox/real/kubernetes/objects.ts';
import type { Deployment } from 'kubernetes-types/apps/v1.d.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { restartAnnotation, restartPatch } from '../../../shared/draining/rollout-restart.ts';
import { eventually } from '../../support/eventually.ts';
import { type ApiServer, isDenied, isMissing, startWithPolicies } from './api-server.ts';

let server: ApiServer;
let admin: ClusterAdmin;
let drover: ClusterAdmin;
let serial = 0;

const path = '/apis/apps/v1/namespaces/default/deployments';
const roles = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
const now = Date.parse('2026-11-21T07:00:00Z');

const bodyOf = (name: string, annotations: Readonly<Record<string, string>>) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, labels: { app: name }, annotations: { 'example.com/owner': 'shop' } },
  spec: {
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name }, annotations },
      spec: { containers: [{ name: 'main', image: 'registry.example/app:1' }] },
    },
  },
});

const asking = { [restartAnnotation]: 'true', 'example.com/team': 'a' };

async function deploymentWith(annotations: Readonly<Record<string, string>> = asking): Promise<Deployment> {
  const body = bodyOf(`web-${(serial += 1)}`, annotations);
  const answer = await requestOf(admin, { method: 'POST', path, body });
  if (answer.status !== 201) throw new Error(answer.body);
  return JSON.parse(answer.body) as Deployment;
}

const patch = ({ metadata }: Deployment, body: object, subresource = '') =>
  requestOf(drover, { method: 'PATCH', path: `${path}/${metadata?.name}${subresource}`, body });

const template = (change: object) => ({ spec: { template: change } });

describe.skipIf(isMissing)('the ValidatingAdmissionPolicy of Deployments on a real API server', () => {
  beforeAll(async () => {
    server = await startWithPolicies();
    ({ admin, drover } = server);
    const binding = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'drover-restarter' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'drover-restarter' },
      subjects: [
        { apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'drover' },
        { kind: 'ServiceAccount', name: 'drover', namespace: 'kube-system' },
      ],
    };
    const bound = await requestOf(admin, { method: 'POST', path: roles, body: binding });
    if (bound.status !== 201) throw new Error(bound.body);
    const one = await deploymentWith();
    await eventually(async () => {
      expect((await patch(one, { spec: { replicas: (serial += 1) } })).status).toBe(422);
    });
  });

  afterAll(() => server.stop());

  test('lets Drover restart a rollout, and again', async () => {
    const one = await deploymentWith();
    const first = await patch(one, restartPatch(one, now));
    expect(first).toMatchObject({ status: 200 });
    const restarted = JSON.parse(first.body) as Deployment;
    expect(restarted.metadata?.generation).toBe(2);
    expect(await patch(one, restartPatch(restarted, now + 60_000))).toMatchObject({ status: 200 });
  });

  test('lets it restart no rollout of a Deployment that does not ask for it', async () => {
    for (const value of ['', 'false', 'True']) {
      const annotations = { [restartAnnotation]: value };
      const one = await deploymentWith(annotations);
      expect(await patch(one, restartPatch(one, now))).toMatchObject(
        isDenied(/only rollouts of Deployments that ask/),
      );
      const both = { metadata: { annotations: { ...asking, 'kubectl.kubernetes.io/restartedAt': 'now' } } };
      expect((await patch(one, template(both))).status).toBe(422);
    }
  });

  test.each<[string, object, RegExp]>([
    [
      'another image',
      template({ spec: { containers: [{ name: 'main', image: 'evil' }] } }),
      /no pod and no label/,
    ],
    ['another ServiceAccount', template({ spec: { serviceAccountName: 'admin' } }), /no pod and no label/],
    [
      'another annotation of the pods',
      template({ metadata: { annotations: { a: 'b' } } }),
      /only the annotation/,
    ],
    [
      'fewer annotations of the pods',
      template({ metadata: { annotations: { 'example.com/team': null } } }),
      /only the annotation/,
    ],
    ['another label of the pods', template({ metadata: { labels: { a: 'b' } } }), /no pod and no label/],
    ['replicas', { spec: { replicas: 7 } }, /only the pod template/],
    [
      'the strategy',
      { spec: { strategy: { type: 'Recreate', rollingUpdate: null } } },
      /only the pod template/,
    ],
    ['a label', { metadata: { labels: { a: 'b' } } }, /no metadata/],
    ['an annotation', { metadata: { annotations: { a: 'b' } } }, /no metadata/],
    ['a finalizer', { metadata: { finalizers: ['example.com/a'] } }, /no metadata/],
  ])('does not let it change %s', async (_, change, expression) => {
    expect(await patch(await deploymentWith(), change)).toMatchObject(isDenied(expression));
  });

  test('leaves others alone', async () => {
    const { metadata } = await deploymentWith();
    const body = { spec: { replicas: 2 } };
    expect(
      await requestOf(admin, { method: 'PATCH', path: `${path}/${metadata?.name}`, body }),
    ).toMatchObject({ status: 200 });
  });
});
