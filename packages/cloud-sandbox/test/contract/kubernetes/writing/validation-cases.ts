import { expect } from 'vitest';
import type { Cases } from '../../../../truth/contract.ts';
import {
  causeOf,
  expectInvalid,
  expectRefusal,
  forbidden,
  invalid,
  required,
  unsupported,
} from '../expectations.ts';
import { configMap, deployment, inGroup, made, nameOf, pod } from '../objects.ts';
import { type KubernetesWorld, uniqueName } from '../world.ts';

const label = `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`;
const subdomain = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`;
const namePart = `name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`;
const labelValue = `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`;
const configKey = `a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')`;

/** What is refused with 422, and the message for each fault. */
export const validationCases: Cases<KubernetesWorld> = {
  'a name must be a DNS subdomain, and that of a namespace a DNS label': async (world) => {
    const answer = await world.post(`${await world.namespace()}/configmaps`, configMap('Bad_Name'));
    const causes = [invalid('metadata.name', `"Bad_Name": ${subdomain}`)];
    expectInvalid(answer, { kind: 'ConfigMap', name: 'Bad_Name', causes });
    expectInvalid(await world.post('/api/v1/namespaces', { metadata: { name: 'a.b' } }), {
      kind: 'Namespace',
      name: 'a.b',
      causes: [invalid('metadata.name', `"a.b": must not contain dots`)],
    });
    expectInvalid(await world.post('/api/v1/namespaces', { metadata: { name: 'Bad' } }), {
      kind: 'Namespace',
      name: 'Bad',
      causes: [invalid('metadata.name', `"Bad": ${label}`)],
    });
  },

  'labels and annotations need valid keys, and labels need valid values': async (world) => {
    const path = `${await world.namespace()}/configmaps`;
    const labelled = await world.post(path, configMap('a', {}, { labels: { 'bad key!': 'x' } }));
    const causes = [invalid('metadata.labels', `"bad key!": ${namePart}`)];
    expectInvalid(labelled, { kind: 'ConfigMap', name: 'a', causes });
    expectInvalid(await world.post(path, configMap('a', {}, { labels: { ok: 'no good!' } })), {
      kind: 'ConfigMap',
      name: 'a',
      causes: [invalid('metadata.labels', `"no good!": ${labelValue}`)],
    });
    expectInvalid(await world.post(path, configMap('a', {}, { annotations: { 'x y': '' } })), {
      kind: 'ConfigMap',
      name: 'a',
      causes: [invalid('metadata.annotations', `"x y": ${namePart}`)],
    });
  },

  'a finalizer needs a domain': async (world) => {
    const path = `${await world.namespace()}/configmaps`;
    expectInvalid(await world.post(path, configMap('a', {}, { finalizers: ['nodomain'] })), {
      kind: 'ConfigMap',
      name: 'a',
      causes: [
        invalid(
          'metadata.finalizers[0]',
          '"nodomain": name is neither a standard finalizer name nor is it fully qualified',
        ),
      ],
    });
  },

  'a rule of a role needs verbs and resources': async (world) => {
    const group = 'rbac.authorization.k8s.io';
    const clusterRoles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
    const name = uniqueName('role');
    const rules = [
      { apiGroups: [''], resources: ['pods'], verbs: [] },
      { verbs: ['get'] },
      { nonResourceURLs: ['/healthz'], resources: ['pods'], verbs: ['get'] },
    ];
    expectInvalid(await world.post(clusterRoles, { metadata: { name }, rules }), {
      kind: 'ClusterRole',
      group,
      name,
      causes: [
        required('rules[0].verbs', 'Required value: verbs must contain at least one value'),
        required('rules[1].apiGroups', 'Required value: resource rules must supply at least one api group'),
        required('rules[1].resources', 'Required value: resource rules must supply at least one resource'),
        invalid(
          'rules[2].nonResourceURLs',
          '["/healthz"]: rules cannot apply to both regular resources and non-resource URLs',
        ),
      ],
    });
    const roles = `${inGroup(await world.namespace(), `${group}/v1`)}/roles`;
    const urls = [{ nonResourceURLs: ['/healthz'], verbs: ['get'] }];
    expectInvalid(await world.post(roles, { metadata: { name }, rules: urls }), {
      kind: 'Role',
      group,
      name,
      causes: [
        invalid(
          'rules[0].nonResourceURLs',
          '["/healthz"]: namespaced rules cannot apply to non-resource URLs',
        ),
      ],
    });
  },

  'an owner reference needs a name and a UID': async (world) => {
    const path = `${await world.namespace()}/configmaps`;
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Pod' }];
    expectInvalid(await world.post(path, configMap('a', {}, { ownerReferences })), {
      kind: 'ConfigMap',
      name: 'a',
      causes: [
        invalid('metadata.ownerReferences.name', '"": must not be empty'),
        invalid('metadata.ownerReferences.uid', '"": must not be empty'),
      ],
    });
  },

  'a pod needs containers, each with a name and an image': async (world) => {
    const path = `${await world.namespace()}/pods`;
    expectInvalid(await world.post(path, { metadata: { name: 'a' } }), {
      kind: 'Pod',
      name: 'a',
      causes: [required('spec.containers')],
    });
    expectInvalid(await world.post(path, pod('a', { spec: { containers: [{}] } })), {
      kind: 'Pod',
      name: 'a',
      causes: [required('spec.containers[0].name'), required('spec.containers[0].image')],
    });
  },

  'a pod with a missing priority class is forbidden': async (world) => {
    const pods = `${await world.namespace()}/pods`;
    expectRefusal(await world.post(pods, pod('a', { spec: { priorityClassName: 'none' } })), {
      code: 403,
      reason: 'Forbidden',
      message: 'pods "a" is forbidden: no PriorityClass with name none was found',
      details: { name: 'a', kind: 'pods' },
    });
  },

  'a pod with a missing ServiceAccount is forbidden': async (world) => {
    const namespace = await world.namespace();
    const why = `error looking up service account ${nameOf(namespace)}/none: serviceaccount "none" not found`;
    expectRefusal(await world.post(`${namespace}/pods`, pod('a', { spec: { serviceAccountName: 'none' } })), {
      code: 403,
      reason: 'Forbidden',
      message: `pods "a" is forbidden: ${why}`,
      details: { name: 'a', kind: 'pods' },
    });
  },

  'a workload needs a selector that matches its template': async (world) => {
    const path = `${inGroup(await world.namespace(), 'apps/v1')}/deployments`;
    const mismatch = (given: string) =>
      invalid('spec.template.metadata.labels', `${given}: \`selector\` does not match template \`labels\``);
    const head = { kind: 'Deployment', group: 'apps', name: 'a' };
    expectInvalid(await world.post(path, { metadata: { name: 'a' } }), {
      ...head,
      causes: [required('spec.selector'), mismatch('null'), required('spec.template.spec.containers')],
    });
    const { spec, ...rest } = deployment('a');
    const template = { ...spec.template, metadata: { labels: { app: 'other' } } };
    expectInvalid(await world.post(path, { ...rest, spec: { ...spec, template } }), {
      ...head,
      causes: [mismatch('{"app":"other"}')],
    });
  },

  'a budget has minAvailable or maxUnavailable, but not both': async (world) => {
    const path = `${inGroup(await world.namespace(), 'policy/v1')}/poddisruptionbudgets`;
    const { status, body } = await world.post(path, {
      metadata: { name: 'a' },
      spec: { minAvailable: 1, maxUnavailable: 1 },
    });
    expect([status, body.details.causes.length]).toEqual([422, 1]);
    expect(body.details.causes[0]).toMatchObject({
      reason: 'FieldValueInvalid',
      field: 'spec',
      message: expect.stringMatching(/: minAvailable and maxUnavailable cannot be both set$/),
    });
  },

  'a budget accepts numbers from 0 and percentages up to 100': async (world) => {
    const path = `${inGroup(await world.namespace(), 'policy/v1')}/poddisruptionbudgets`;
    const post = (spec: object) => world.post(path, { metadata: { name: 'a' }, spec });
    const head = { kind: 'PodDisruptionBudget', group: 'policy', name: 'a' };
    const least = invalid('spec.minAvailable', '-1: must be greater than or equal to 0');
    expectInvalid(await post({ minAvailable: -1 }), { ...head, causes: [least] });
    const most = invalid('spec.minAvailable', '"120%": must not be greater than 100%');
    expectInvalid(await post({ minAvailable: '120%' }), { ...head, causes: [most] });
  },

  'the providerID of a node cannot change': async (world) => {
    const name = uniqueName('node');
    await made(world, '/api/v1/nodes', { metadata: { name }, spec: { providerID: 'aws:///a/i-1' } });
    const spec = { providerID: 'aws:///a/i-2' };
    expectInvalid(await world.patch(`/api/v1/nodes/${name}`, 'strategic', { spec }), {
      kind: 'Node',
      name,
      causes: [
        forbidden('spec.providerID', 'node updates may not change providerID except from "" to valid'),
      ],
    });
    await world.delete(`/api/v1/nodes/${name}`);
  },

  'a taint has one of three effects': async (world) => {
    const name = uniqueName('node');
    await made(world, '/api/v1/nodes', { metadata: { name } });
    const spec = { taints: [{ key: 'a', effect: 'Wrong' }] };
    const cause = unsupported(
      'metadata.taints[0].effect',
      '"Wrong": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
    );
    const answer = await world.patch(`/api/v1/nodes/${name}`, 'merge', { spec });
    expectInvalid(answer, { kind: 'Node', name, causes: [cause, cause] });
    await world.delete(`/api/v1/nodes/${name}`);
  },

  'a taint has the key and the value of a label': async (world) => {
    const name = uniqueName('node');
    await made(world, '/api/v1/nodes', { metadata: { name } });
    const spec = { taints: [{ key: 'no good', value: 'june-', effect: 'NoSchedule' }] };
    const causes = [
      invalid('metadata.taints[0].key', `"no good": ${namePart}`),
      invalid('metadata.taints[0].value', `"june-": ${labelValue}`),
    ];
    const answer = await world.patch(`/api/v1/nodes/${name}`, 'merge', { spec });
    expectInvalid(answer, { kind: 'Node', name, causes: [...causes, ...causes] });
    await world.delete(`/api/v1/nodes/${name}`);
  },

  'a key of a Secret is a file name, and its data have at most 1 MiB': async (world) => {
    const namespace = await world.namespace();
    const keyed = { metadata: { name: 'a' }, data: { 'no good': 'ZA==' } };
    expectInvalid(await world.post(`${namespace}/secrets`, keyed), {
      kind: 'Secret',
      name: 'a',
      causes: [invalid('data[no good]', `"no good": ${configKey}`)],
    });
    const large = configMap('a', { b: 'x'.repeat(1024 * 1024 + 1) });
    expectInvalid(await world.post(`${namespace}/configmaps`, large), {
      kind: 'ConfigMap',
      name: 'a',
      causes: [causeOf('FieldValueTooLong', '[]', 'Too long: may not be more than 1048576 bytes')],
    });
  },
};
