import type { ClusterAdmin } from '@drover/cloud-sandbox/real/kubernetes/admin.ts';
import { requestOf } from '@drover/cloud-sandbox/real/kubernetes/objects.ts';
import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cordonPatch, uncordonPatch } from '../../../shared/draining/cordon.ts';
import { releaseOf, reservationOf } from '../../../shared/giving-back/reservation.ts';
import { missingAnnotation } from '../../../shared/joining/namesake.ts';
import { templatePatch } from '../../../shared/joining/node-template.ts';
import { createKubernetesClient } from '../../../shared/kubernetes/client.ts';
import { formatLeavingMark, type LeavingMark } from '../../../shared/nodes/leaving-mark.ts';
import { eventually } from '../../support/eventually.ts';
import { type ApiServer, isDenied, isMissing, startWithPolicies } from './api-server.ts';

let server: ApiServer;
let admin: ClusterAdmin;
let drover: ClusterAdmin;
let serial = 0;

const nodes = '/api/v1/nodes';
const now = Date.parse('2026-11-21T07:00:00Z');
const at = new Date(now).toISOString();
const mark: LeavingMark = {
  cause: 'terminating',
  instanceId: 'i-0a1b2c3d4e5f60718',
  since: at,
  until: at,
  renewedAt: at,
  before: { unschedulable: false, excludedFromLoadBalancers: false },
  waitingFor: [],
};
const markText = formatLeavingMark(mark);

/** The kubelet of a Node, which authenticates with the certificate of the Node. */
const kubeletOf = (name: string): ClusterAdmin => kubeletNamed(`system:node:${name}`);

const kubeletNamed = (username: string): ClusterAdmin => ({
  ...admin,
  sendHttp: (request) =>
    admin.sendHttp({
      ...request,
      headers: {
        ...request.headers,
        'impersonate-user': username,
        'impersonate-group': 'system:nodes',
      },
    }),
});

interface Parts {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: object;
}

const newName = (): string => `node-${(serial += 1)}`;
const bodyOf = (name: string, { spec, ...metadata }: Parts) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, ...metadata },
  ...(spec && { spec }),
});

async function nodeWith(parts: Parts = {}): Promise<string> {
  const name = newName();
  const { status, body } = await requestOf(admin, {
    method: 'POST',
    path: nodes,
    body: bodyOf(name, parts),
  });
  if (status !== 201) throw new Error(body);
  return name;
}

async function read(name: string): Promise<Node> {
  const { body } = await requestOf(admin, { method: 'GET', path: `${nodes}/${name}` });
  return JSON.parse(body) as Node;
}

const patch = (by: ClusterAdmin, name: string, body: object, subresource = '') =>
  requestOf(by, { method: 'PATCH', path: `${nodes}/${name}${subresource}`, body });

const marked: Parts = {
  labels: { 'drover.dev/leaving': mark.instanceId },
  annotations: { 'drover.dev/leaving': markText },
};

describe.skipIf(isMissing)('the ValidatingAdmissionPolicies of Nodes on a real API server', () => {
  beforeAll(async () => {
    server = await startWithPolicies();
    ({ admin, drover } = server);
    const name = await nodeWith();
    // Each attempt changes something, or there would be nothing to deny.
    await eventually(async () => {
      const value = newName();
      const annotations = { 'drover.dev/leaving': value, 'example.com/a': value };
      expect((await patch(drover, name, { metadata: { annotations } })).status).toBe(422);
      expect((await patch(kubeletOf(name), name, { metadata: { annotations } })).status).toBe(422);
    });
  });

  afterAll(() => server.stop());

  test('compile without a warning', async () => {
    const path = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
    const { body } = await requestOf(admin, { method: 'GET', path });
    const { items } = JSON.parse(body) as {
      readonly items: readonly { readonly metadata: { readonly name: string }; readonly status?: object }[];
    };
    expect(items.map(({ metadata }) => metadata.name).sort()).toEqual([
      'drover-bootstrap-tokens',
      'drover-deployments',
      'drover-node-marks',
      'drover-nodes',
    ]);
    for (const { status } of items) expect(JSON.stringify(status ?? {})).not.toContain('warning');
  });

  describe('for Drover', () => {
    const clusterOf = () =>
      createKubernetesClient({
        connections: {
          connect: async () => ({ server: drover.server, tls: {}, bearerToken: drover.token }),
          invalidate: () => undefined,
        },
        sendHttp: drover.sendHttp,
        clock: { now: Date.now },
      });

    test('allow every patch that Drover makes', async () => {
      const cluster = clusterOf();
      const name = await nodeWith({
        labels: { 'example.com/team': 'a', 'topology.kubernetes.io/zone': 'eu-central-1a' },
        spec: {
          providerID: 'aws:///eu-central-1a/i-0a1b2c3d4e5f60718',
          podCIDRs: ['10.1.0.0/24'],
          taints: [{ key: 'node.cilium.io/agent-not-ready', effect: 'NoSchedule' }],
        },
      });
      const current = () => read(name);
      const apply = async (change: object | undefined) => {
        if (!change) throw new Error('nothing to patch');
        await cluster.patchNode(name, change);
      };
      const tags = {
        'k8s.io/cluster-autoscaler/node-template/label/node-role.kubernetes.io/worker': '',
        'k8s.io/cluster-autoscaler/node-template/label/example.com/team': 'b',
        'k8s.io/cluster-autoscaler/node-template/label/topology.kubernetes.io/zone': 'other',
        'k8s.io/cluster-autoscaler/node-template/label/kubernetes.io/arch': 'arm64',
        'k8s.io/cluster-autoscaler/node-template/taint/example.com/gpu': 'yes:NoExecute',
        'k8s.io/cluster-autoscaler/node-template/taint/node.cilium.io/agent-not-ready': ':NoExecute',
      };
      await apply(templatePatch(await current(), tags));
      await apply({ metadata: { annotations: { [missingAnnotation]: at } } });
      await apply(reservationOf(await current(), now));
      await apply(releaseOf(await current()));
      await apply(cordonPatch(await current(), mark));
      expect(await current()).toMatchObject({ spec: { unschedulable: true } });
      await apply(uncordonPatch(await current()));
      const { metadata, spec } = await current();
      expect(metadata?.labels).toEqual({
        'example.com/team': 'b',
        'kubernetes.io/arch': 'arm64',
        'node-role.kubernetes.io/worker': '',
        'topology.kubernetes.io/zone': 'eu-central-1a',
      });
      expect(metadata?.annotations).toEqual({ [missingAnnotation]: at });
      expect(spec?.unschedulable).toBeUndefined();
      expect(spec?.taints).toEqual(
        expect.arrayContaining([
          { key: 'node.cilium.io/agent-not-ready', effect: 'NoSchedule' },
          { key: 'node.cilium.io/agent-not-ready', effect: 'NoExecute' },
          { key: 'example.com/gpu', value: 'yes', effect: 'NoExecute' },
        ]),
      );
    });

    test.each<[string, object, RegExp]>([
      [
        'set an annotation of others',
        { metadata: { annotations: { 'example.com/a': 'x' } } },
        /its own annotations/,
      ],
      [
        'change an annotation of others',
        { metadata: { annotations: { 'example.com/kept': 'x' } } },
        /its own annotations/,
      ],
      [
        'remove an annotation of others',
        { metadata: { annotations: { 'example.com/kept': null } } },
        /its own annotations/,
      ],
      [
        'set an annotation of drover.dev that it does not know',
        { metadata: { annotations: { 'drover.dev/other': 'x' } } },
        /its own annotations/,
      ],
      [
        'remove a label of others',
        { metadata: { labels: { 'example.com/kept': null } } },
        /only its own labels/,
      ],
      [
        'set a label of drover.dev that it does not know',
        { metadata: { labels: { 'drover.dev/other': 'x' } } },
        /only its own labels/,
      ],
      [
        'move a Node to another zone',
        { metadata: { labels: { 'topology.kubernetes.io/zone': 'x' } } },
        /describe the machine/,
      ],
      ['remove a taint', { spec: { taints: null } }, /removes only its own taint/],
      [
        'replace a taint by another',
        { spec: { taints: [{ key: 'other', effect: 'NoSchedule' }] } },
        /removes only its own taint/,
      ],
      [
        'set the providerID',
        { spec: { providerID: 'aws:///eu-central-1a/i-0a1b2c3d4e5f60718' } },
        /in the spec/,
      ],
      ['set a pod CIDR', { spec: { podCIDR: '10.1.0.0/24', podCIDRs: ['10.1.0.0/24'] } }, /in the spec/],
      ['set a finalizer', { metadata: { finalizers: ['example.com/hold'] } }, /no finalizer/],
      [
        'set an owner',
        { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'x', uid: 'x' }] } },
        /no owner/,
      ],
    ])('do not allow to %s', async (_, change, message) => {
      const name = await nodeWith({
        labels: { 'example.com/kept': 'a', 'topology.kubernetes.io/zone': 'a' },
        annotations: { 'example.com/kept': 'a' },
        spec: { taints: [{ key: 'example.com/gpu', effect: 'NoSchedule' }] },
      });
      expect(await patch(drover, name, change)).toMatchObject(isDenied(message));
    });
  });

  describe('for a kubelet', () => {
    test('allow to register, to report its status, and to change what is its own', async () => {
      const name = newName();
      const kubelet = kubeletOf(name);
      const registered = await requestOf(kubelet, {
        method: 'POST',
        path: nodes,
        body: bodyOf(name, {
          labels: { 'kubernetes.io/hostname': name, 'example.com/team': 'a' },
          annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' },
          spec: {
            providerID: 'aws:///eu-central-1a/i-0a1b2c3d4e5f60718',
            taints: [{ key: 'node.cilium.io/agent-not-ready', effect: 'NoSchedule' }],
          },
        }),
      });
      expect(registered.status).toBe(201);
      // A leaving Node reports its status too.
      expect((await patch(admin, name, { metadata: marked })).status).toBe(200);
      const status = { status: { conditions: [{ type: 'Ready', status: 'True' }] } };
      expect((await patch(kubelet, name, status, '/status')).status).toBe(200);
      const own = {
        metadata: { labels: { 'example.com/team': 'b' }, annotations: { 'example.com/a': 'b' } },
      };
      expect((await patch(kubelet, name, own)).status).toBe(200);
    });

    test('allow to register a Node without labels, annotations and taints', async () => {
      const name = newName();
      const body = bodyOf(name, {});
      expect((await requestOf(kubeletOf(name), { method: 'POST', path: nodes, body })).status).toBe(201);
    });

    const edited = formatLeavingMark({ ...mark, since: '2099-01-01T00:00:00Z' });
    test.each<[string, object, RegExp]>([
      ['edit its mark', { annotations: { 'drover.dev/leaving': edited } }, /annotation of drover.dev/],
      ['remove its mark', { annotations: { 'drover.dev/leaving': null } }, /annotation of drover.dev/],
      ['claim to be missing', { annotations: { [missingAnnotation]: at } }, /annotation of drover.dev/],
      ['claim to be given back', { annotations: { 'drover.dev/giving-back': at } }, /annotation/],
      ['edit the label of its mark', { labels: { 'drover.dev/leaving': 'i-0fffffffffffffff0' } }, /label of/],
      ['remove the label of its mark', { labels: { 'drover.dev/leaving': null } }, /label of drover.dev/],
    ])('do not allow to %s, by any endpoint', async (_, metadata, message) => {
      const name = await nodeWith(marked);
      for (const endpoint of ['', '/status'])
        expect(await patch(kubeletOf(name), name, { metadata }, endpoint)).toMatchObject(isDenied(message));
      expect((await read(name)).metadata).toMatchObject(marked);
    });

    // The garbage collector would delete the Node, and the kubelet could register it again with other taints (CVE-2025-5187). An API server
    // with the fix denies it first (403), unless the name of the user is not that of a node.
    test('do not allow to change the owners of a Node, by any endpoint', async () => {
      const binding = {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name: 'unnamed-kubelet' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'unnamed-kubelet' }],
      };
      const path = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
      expect((await requestOf(admin, { method: 'POST', path, body: binding })).status).toBe(201);
      const unnamed = kubeletNamed('unnamed-kubelet');
      const owner = { apiVersion: 'v1', kind: 'Namespace', name: 'gone', uid: 'gone' };
      const owning = { metadata: { ownerReferences: [owner] } };
      const freeing = { metadata: { ownerReferences: null } };
      const [free, owned] = [await nodeWith(), await nodeWith()];
      expect((await patch(admin, owned, owning)).status).toBe(200);
      for (const endpoint of ['', '/status']) {
        expect(await patch(unnamed, free, owning, endpoint)).toMatchObject(isDenied(/no owner/));
        expect(await patch(unnamed, owned, freeing, endpoint)).toMatchObject(isDenied(/no owner/));
        expect((await patch(kubeletOf(free), free, owning, endpoint)).status).toBeGreaterThan(400);
      }
      const status = { status: { conditions: [{ type: 'Ready', status: 'True' }] } };
      expect((await patch(kubeletOf(owned), owned, status, '/status')).status).toBe(200);
      expect((await read(free)).metadata?.ownerReferences).toBeUndefined();
      expect((await read(owned)).metadata?.ownerReferences).toHaveLength(1);
    });

    test.each<[string, Parts, RegExp]>([
      ['a mark', { annotations: { 'drover.dev/leaving': markText } }, /annotation of drover.dev/],
      ['the label of a mark', { labels: { 'drover.dev/leaving': mark.instanceId } }, /label of drover.dev/],
      [
        'a taint of drover.dev',
        { spec: { taints: [{ key: 'drover.dev/x', effect: 'NoExecute' }] } },
        /taint/,
      ],
    ])('do not allow to register with %s', async (_, parts, message) => {
      const name = newName();
      const request = { method: 'POST', path: nodes, body: bodyOf(name, parts) } as const;
      expect(await requestOf(kubeletOf(name), request)).toMatchObject(isDenied(message));
    });
  });

  test('do not concern others', async () => {
    const name = await nodeWith(marked);
    const change = {
      metadata: { labels: { 'drover.dev/leaving': null }, annotations: { 'example.com/a': 'x' } },
    };
    expect((await patch(admin, name, change)).status).toBe(200);
  });
});
