import { expect } from 'vitest';
import type { Cases } from '../../../../truth/contract.ts';
import { deployment, inGroup, made, pod } from '../objects.ts';
import { type KubernetesWorld, uniqueName } from '../world.ts';

const outage = (key: string) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 });
const bare = {
  metadata: { name: 'a' },
  spec: { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'i' }] },
};

/** Fields of an object that the request left out. */
export const defaultCases: Cases<KubernetesWorld> = {
  'a pod gets the defaults of its spec': async (world) => {
    const { spec, status } = await made(world, `${await world.namespace()}/pods`, bare);
    expect(spec).toMatchObject({
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      schedulerName: 'default-scheduler',
      serviceAccountName: 'default',
      serviceAccount: 'default',
      priority: 0,
      preemptionPolicy: 'PreemptLowerPriority',
      enableServiceLinks: true,
      securityContext: {},
    });
    expect(status).toEqual({ phase: 'Pending', qosClass: 'BestEffort' });
  },

  'a container gets defaults, and an image without a tag is always pulled': async (world) => {
    const path = `${await world.namespace()}/pods`;
    const [container] = (await made(world, path, bare)).spec.containers;
    expect(container).toEqual({
      name: 'c',
      image: 'i',
      resources: {},
      terminationMessagePath: '/dev/termination-log',
      terminationMessagePolicy: 'File',
      imagePullPolicy: 'Always',
    });
    const policies = [];
    for (const [name, image] of [
      ['b', 'i:latest'],
      ['c', 'i:1'],
      ['d', 'h:5000/i'],
    ] as const) {
      const { spec } = await made(world, path, pod(name, { spec: { containers: [{ name: 'c', image }] } }));
      policies.push(spec.containers[0].imagePullPolicy);
    }
    expect(policies).toEqual(['Always', 'IfNotPresent', 'Always']);
  },

  'a pod tolerates a node that is not ready or unreachable for five minutes by default': async (world) => {
    const path = `${await world.namespace()}/pods`;
    const { spec } = await made(world, path, pod('a'));
    expect(spec.tolerations).toEqual([
      outage('node.kubernetes.io/not-ready'),
      outage('node.kubernetes.io/unreachable'),
    ]);
    const own = { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' };
    const other = await made(world, path, pod('b', { spec: { tolerations: [own] } }));
    expect(other.spec.tolerations).toEqual([own, outage('node.kubernetes.io/unreachable')]);
    const all = await made(world, path, pod('c', { spec: { tolerations: [{ operator: 'Exists' }] } }));
    expect(all.spec.tolerations).toEqual([{ operator: 'Exists' }]);
  },

  'a pod gets the priority of its class': async (world) => {
    const path = `${await world.namespace()}/pods`;
    const { spec } = await made(
      world,
      path,
      pod('a', { spec: { priorityClassName: 'system-node-critical' } }),
    );
    expect(spec.priority).toBe(2_000_001_000);
  },

  'requests default to the limits, and both decide the QoS class': async (world) => {
    const path = `${await world.namespace()}/pods`;
    const classes: unknown[] = [];
    for (const [name, resources] of Object.entries({
      none: {},
      some: { requests: { cpu: '100m' } },
      half: { limits: { cpu: '1' } },
      all: { limits: { cpu: '1', memory: '1Gi' } },
    })) {
      const containers = [{ name: 'c', image: 'i', resources }];
      const { spec, status } = await made(world, path, pod(name, { spec: { containers } }));
      classes.push([name, status.qosClass, spec.containers[0].resources.requests]);
    }
    expect(classes).toEqual([
      ['none', 'BestEffort', undefined],
      ['some', 'Burstable', { cpu: '100m' }],
      ['half', 'Burstable', { cpu: '1' }],
      ['all', 'Guaranteed', { cpu: '1', memory: '1Gi' }],
    ]);
  },

  'quantities are stored in their shortest form': async (world) => {
    const path = `${await world.namespace()}/pods`;
    const resources = { requests: { cpu: 2, memory: '1024Mi' } };
    const containers = [{ name: 'c', image: 'i', resources }];
    const { spec } = await made(world, path, pod('a', { spec: { containers } }));
    expect(spec.containers[0].resources.requests).toEqual({ cpu: '2', memory: '1Gi' });
  },

  'a pod mounts the token of its ServiceAccount by default': async (world) => {
    const path = `${await world.namespace()}/pods`;
    const { spec } = await made(world, path, pod('a', { spec: { automountServiceAccountToken: true } }));
    expect(spec.volumes?.[0]?.name).toMatch(/^kube-api-access-.{5}$/);
    expect(spec.volumes[0].projected.sources[0].serviceAccountToken).toEqual({
      expirationSeconds: 3607,
      path: 'token',
    });
  },

  'a Deployment has a rolling update of 25 % by default, and its pods get defaults': async (world) => {
    const path = `${inGroup(await world.namespace(), 'apps/v1')}/deployments`;
    const { spec, status } = await made(world, path, deployment('a'));
    expect(spec).toMatchObject({
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      template: {
        spec: {
          restartPolicy: 'Always',
          terminationGracePeriodSeconds: 30,
          containers: [{ imagePullPolicy: 'IfNotPresent', terminationMessagePolicy: 'File' }],
        },
      },
    });
    expect(spec.template.spec).not.toHaveProperty('tolerations');
    expect(status).toEqual({});
  },

  'DaemonSets and StatefulSets have a default update strategy': async (world) => {
    const apps = inGroup(await world.namespace(), 'apps/v1');
    const { replicas, ...spec } = deployment('a').spec;
    const daemons = await made(world, `${apps}/daemonsets`, { metadata: { name: 'a' }, spec });
    expect(daemons.spec).toMatchObject({
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
      revisionHistoryLimit: 10,
    });
    const sets = await made(world, `${apps}/statefulsets`, {
      metadata: { name: 'a' },
      spec: { ...spec, replicas },
    });
    expect(sets.spec).toMatchObject({
      podManagementPolicy: 'OrderedReady',
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      revisionHistoryLimit: 10,
    });
  },

  'a new node has the not-ready taint, and keeps its given status': async (world) => {
    const name = uniqueName('node');
    const status = { addresses: [{ type: 'InternalIP', address: '10.0.0.1' }] };
    const node = await made(world, '/api/v1/nodes', { metadata: { name }, status });
    expect(node.spec.taints).toEqual([{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }]);
    expect(node.status.addresses).toEqual(status.addresses);
    await world.delete(`/api/v1/nodes/${name}`);
  },

  'a Service gets an address of its own': async (world) => {
    const path = `${await world.namespace()}/services`;
    const { spec, status } = await made(world, path, {
      metadata: { name: 'a' },
      spec: { ports: [{ port: 80 }] },
    });
    expect(spec).toMatchObject({
      type: 'ClusterIP',
      sessionAffinity: 'None',
      clusterIP: expect.stringMatching(/^\d+\.\d+\.\d+\.\d+$/),
      ports: [{ protocol: 'TCP', port: 80, targetPort: 80 }],
    });
    expect(status).toEqual({ loadBalancer: {} });
  },

  'stringData of a Secret is stored as data, and never returned as text': async (world) => {
    const path = `${await world.namespace()}/secrets`;
    const secret = await made(world, path, {
      metadata: { name: 'a' },
      stringData: { b: 'c' },
      data: { d: 'ZQ==' },
    });
    expect([secret.type, secret.data, secret.stringData]).toEqual([
      'Opaque',
      { b: 'Yw==', d: 'ZQ==' },
      undefined,
    ]);
    const { body } = await world.patch(`${path}/a`, 'merge', { stringData: { b: 'f' } });
    expect([body.data.b, body.stringData]).toEqual(['Zg==', undefined]);
  },
};
