import { describe, expect, it } from 'vitest';
import { bodyOf, type Cluster, createCluster, deployment, startNodes } from './support.ts';

const pods = '/api/v1/namespaces/default/pods';
const merge = { 'content-type': 'application/strategic-merge-patch+json' };

async function readyOf({ call }: Cluster, name: string): Promise<string> {
  const node = bodyOf(await call('GET', `/api/v1/nodes/${name}`));
  return node.status.conditions.find(({ type }: { type: string }) => type === 'Ready').status;
}

describe('a kubelet', () => {
  it('registers its Node with its providerID and makes it Ready', async () => {
    const cluster = createCluster();
    startNodes(cluster.kubernetes, ['a']);
    expect(await readyOf(cluster, 'a')).toBe('False');
    cluster.seconds(2);
    expect(await readyOf(cluster, 'a')).toBe('True');
    const { spec } = bodyOf(await cluster.call('GET', '/api/v1/nodes/a'));
    expect(spec).toEqual({ providerID: 'aws:///eu-west-1a/i-a' });
  });

  it('keeps the taint of its Node equal to its cordon, and keeps other taints', async () => {
    const cluster = createCluster();
    startNodes(cluster.kubernetes, ['a']);
    cluster.seconds(2);
    const mine = { key: 'example.com/mine', effect: 'PreferNoSchedule' };
    const patchSpec = async (spec: object): Promise<unknown> => {
      await cluster.call('PATCH', '/api/v1/nodes/a', { spec }, merge);
      cluster.seconds(1);
      return bodyOf(await cluster.call('GET', '/api/v1/nodes/a')).spec.taints;
    };
    await patchSpec({ taints: [mine] });
    expect(await patchSpec({ unschedulable: true })).toEqual([
      mine,
      { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' },
    ]);
    expect(await patchSpec({ unschedulable: null })).toEqual([mine]);
  });

  it('gets pods after other nodes if its Node has a taint PreferNoSchedule, whatever the load is', async () => {
    const cluster = createCluster();
    startNodes(cluster.kubernetes, ['a', 'b']);
    cluster.seconds(2);
    const taints = [{ key: 'example.com/old', effect: 'PreferNoSchedule' }];
    await cluster.call('PATCH', '/api/v1/nodes/a', { spec: { taints } }, merge);
    await cluster.call('POST', '/apis/apps/v1/namespaces/default/deployments', deployment('web', 4));
    cluster.seconds(10);
    const pods = bodyOf(await cluster.call('GET', '/api/v1/pods')).items as { spec: { nodeName: string } }[];
    expect(pods.map(({ spec }) => spec.nodeName)).toEqual(['b', 'b', 'b', 'b']);
  });

  it('gets each pod if it is the only one of many without that taint', async () => {
    const cluster = createCluster();
    const tainted = Array.from({ length: 60 }, (_, index) => `old-${index}`);
    startNodes(cluster.kubernetes, [...tainted, 'new']);
    cluster.seconds(2);
    const taints = [{ key: 'example.com/old', effect: 'PreferNoSchedule' }];
    for (const name of tainted)
      await cluster.call('PATCH', `/api/v1/nodes/${name}`, { spec: { taints } }, merge);
    await cluster.call('POST', '/apis/apps/v1/namespaces/default/deployments', deployment('web', 8));
    cluster.seconds(10);
    const pods = bodyOf(await cluster.call('GET', '/api/v1/pods')).items as { spec: { nodeName: string } }[];
    expect(new Set(pods.map(({ spec }) => spec.nodeName))).toEqual(new Set(['new']));
  });

  it('that dies makes its Node Unknown 50 s after its last report, and its pods never finish', async () => {
    const cluster = createCluster();
    const [kubelet] = startNodes(cluster.kubernetes, ['a']);
    await cluster.call('POST', '/apis/apps/v1/namespaces/default/deployments', deployment('web', 1));
    cluster.seconds(10);
    kubelet?.stop();
    cluster.seconds(49);
    expect(await readyOf(cluster, 'a')).toBe('True');
    cluster.seconds(2);
    expect(await readyOf(cluster, 'a')).toBe('Unknown');
    const [pod] = bodyOf(await cluster.call('GET', pods)).items;
    await cluster.call('DELETE', `${pods}/${pod.metadata.name}`);
    cluster.seconds(3_600);
    expect((await cluster.call('GET', `${pods}/${pod.metadata.name}`)).status).toBe(200);
  });

  it('reports a pod with readiness gates as Ready while each of their conditions is True', async () => {
    const cluster = createCluster();
    startNodes(cluster.kubernetes, ['a']);
    const { spec } = deployment('web', 1).spec.template;
    await cluster.call('POST', pods, {
      metadata: { name: 'gated' },
      spec: { ...spec, readinessGates: [{ conditionType: 'example.com/served' }] },
    });
    const conditions = async (): Promise<Readonly<Record<string, string>>> => {
      const { status } = bodyOf(await cluster.call('GET', `${pods}/gated`));
      return Object.fromEntries(
        status.conditions.map(({ type, status: is }: Record<string, string>) => [type, is]),
      );
    };
    const say = async (status: string): Promise<void> => {
      const body = { status: { conditions: [{ type: 'example.com/served', status }] } };
      await cluster.call('PATCH', `${pods}/gated/status`, body, merge);
      cluster.seconds(2);
    };
    cluster.seconds(10);
    expect(await conditions()).toMatchObject({ ContainersReady: 'True', Ready: 'False' });
    await say('True');
    expect(await conditions()).toMatchObject({ ContainersReady: 'True', Ready: 'True' });
    await say('False');
    expect(await conditions()).toMatchObject({ ContainersReady: 'True', Ready: 'False' });
  });

  it('that returns in time reports again and stops the pods that were deleted meanwhile', async () => {
    const cluster = createCluster();
    const [kubelet] = startNodes(cluster.kubernetes, ['a']);
    await cluster.call('POST', '/apis/apps/v1/namespaces/default/deployments', deployment('web', 1));
    cluster.seconds(10);
    kubelet?.pause();
    const [pod] = bodyOf(await cluster.call('GET', pods)).items;
    await cluster.call('DELETE', `${pods}/${pod.metadata.name}`);
    cluster.seconds(60);
    expect(await readyOf(cluster, 'a')).toBe('Unknown');
    kubelet?.resume();
    cluster.seconds(30);
    expect(await readyOf(cluster, 'a')).toBe('True');
    expect((await cluster.call('GET', `${pods}/${pod.metadata.name}`)).status).toBe(404);
  });

  it('whose Node is deleted leaves its pods to the garbage collector', async () => {
    const cluster = createCluster();
    const [kubelet] = startNodes(cluster.kubernetes, ['a']);
    await cluster.call('POST', '/apis/apps/v1/namespaces/default/deployments', deployment('web', 2));
    cluster.seconds(10);
    kubelet?.stop();
    await cluster.call('DELETE', '/api/v1/nodes/a');
    cluster.seconds(45);
    const left = bodyOf(await cluster.call('GET', pods)).items;
    expect(left.every(({ spec }: { spec: { nodeName?: string } }) => spec.nodeName === undefined)).toBe(true);
  });
});

describe('the scheduler', () => {
  it('binds no pod to a cordoned node, and uses it again once it is uncordoned', async () => {
    const cluster = createCluster();
    startNodes(cluster.kubernetes, ['a']);
    cluster.seconds(2);
    await cluster.call('PATCH', '/api/v1/nodes/a', { spec: { unschedulable: true } }, merge);
    await cluster.call('POST', '/apis/apps/v1/namespaces/default/deployments', deployment('web', 2));
    cluster.seconds(10);
    const phases = async () =>
      bodyOf(await cluster.call('GET', pods)).items.map(
        ({ status }: { status: { phase: string } }) => status.phase,
      );
    expect(await phases()).toEqual(['Pending', 'Pending']);
    await cluster.call('PATCH', '/api/v1/nodes/a', { spec: { unschedulable: null } }, merge);
    cluster.seconds(5);
    expect(await phases()).toEqual(['Running', 'Running']);
  });

  it('never exceeds the capacity of a node', async () => {
    const cluster = createCluster();
    startNodes(cluster.kubernetes, ['a', 'b'], { cpu: '250m', memory: '1Gi', pods: '10' });
    await cluster.call('POST', '/apis/apps/v1/namespaces/default/deployments', deployment('web', 6));
    cluster.seconds(10);
    const { items } = bodyOf(await cluster.call('GET', pods));
    const on = (name?: string) =>
      items.filter(({ spec }: { spec: { nodeName?: string } }) => spec.nodeName === name).length;
    expect([on('a'), on('b'), on(undefined)]).toEqual([2, 2, 2]);
  });
});

describe('the controllers', () => {
  const template = {
    metadata: { labels: { app: 'x' } },
    spec: { containers: [{ name: 'm', image: 'x' }], terminationGracePeriodSeconds: 2 },
  };
  const selector = { matchLabels: { app: 'x' } };

  it('keep a daemon pod on every node, including cordoned ones', async () => {
    const cluster = createCluster();
    startNodes(cluster.kubernetes, ['a', 'b']);
    await cluster.call('POST', '/apis/apps/v1/namespaces/kube-system/daemonsets', {
      metadata: { name: 'd' },
      spec: { selector, template },
    });
    cluster.seconds(5);
    await cluster.call('PATCH', '/api/v1/nodes/a', { spec: { unschedulable: true } }, merge);
    const daemons = async () =>
      bodyOf(await cluster.call('GET', '/api/v1/namespaces/kube-system/pods')).items;
    const onA = (await daemons()).find(({ spec }: { spec: { nodeName: string } }) => spec.nodeName === 'a');
    await cluster.call('DELETE', `/api/v1/namespaces/kube-system/pods/${onA.metadata.name}`);
    cluster.seconds(10);
    const now = await daemons();
    expect(now).toHaveLength(2);
    expect(now.every(({ status }: { status: { phase: string } }) => status.phase === 'Running')).toBe(true);
  });

  it('recreate a StatefulSet pod only once the old one is gone', async () => {
    const cluster = createCluster();
    startNodes(cluster.kubernetes, ['a', 'b']);
    await cluster.call('POST', '/apis/apps/v1/namespaces/default/statefulsets', {
      metadata: { name: 's' },
      spec: { replicas: 2, serviceName: 's', selector, template },
    });
    cluster.seconds(10);
    const before = bodyOf(await cluster.call('GET', `${pods}/s-0`));
    await cluster.call('DELETE', `${pods}/s-0`);
    cluster.seconds(1);
    expect(bodyOf(await cluster.call('GET', `${pods}/s-0`)).metadata.uid).toBe(before.metadata.uid);
    cluster.seconds(5);
    const after = bodyOf(await cluster.call('GET', `${pods}/s-0`));
    expect(after.metadata.uid).not.toBe(before.metadata.uid);
    expect(after.status.phase).toBe('Running');
  });

  it('attach a volume to as many nodes as its access mode allows', async () => {
    const cluster = createCluster();
    startNodes(cluster.kubernetes, ['a', 'b']);
    for (const [name, accessMode] of [
      ['one', 'ReadWriteOnce'],
      ['many', 'ReadWriteMany'],
    ]) {
      await cluster.call('POST', '/api/v1/namespaces/default/persistentvolumeclaims', {
        metadata: { name },
        spec: { accessModes: [accessMode], resources: { requests: { storage: '1Gi' } } },
      });
      const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: name } }];
      await cluster.call('POST', '/apis/apps/v1/namespaces/default/daemonsets', {
        metadata: { name },
        spec: { selector, template: { ...template, spec: { ...template.spec, volumes } } },
      });
    }
    cluster.seconds(10);
    const { items } = bodyOf(await cluster.call('GET', '/apis/storage.k8s.io/v1/volumeattachments'));
    const claims = bodyOf(await cluster.call('GET', '/api/v1/persistentvolumeclaims')).items;
    const nodesWith = (name: string) => {
      const { spec } = claims.find(({ metadata }: { metadata: { name: string } }) => metadata.name === name);
      return items.filter(
        (one: { spec: { source: { persistentVolumeName: string } } }) =>
          one.spec.source.persistentVolumeName === spec.volumeName,
      );
    };
    expect(nodesWith('one')).toHaveLength(1);
    expect(nodesWith('many')).toHaveLength(2);
  });

  it('detach the volumes of a pod some seconds after its end, and only then attach them to the next node', async () => {
    const cluster = createCluster();
    startNodes(cluster.kubernetes, ['a', 'b']);
    const volumeClaimTemplates = [
      {
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    ];
    await cluster.call('POST', '/apis/apps/v1/namespaces/default/statefulsets', {
      metadata: { name: 's' },
      spec: { replicas: 1, serviceName: 's', selector, template, volumeClaimTemplates },
    });
    cluster.seconds(10);
    const attachments = async () =>
      bodyOf(await cluster.call('GET', '/apis/storage.k8s.io/v1/volumeattachments')).items;
    const { spec, status } = bodyOf(await cluster.call('GET', `${pods}/s-0`));
    const reported = async () =>
      bodyOf(await cluster.call('GET', `/api/v1/nodes/${spec.nodeName}`)).status.volumesAttached;
    expect(status.phase).toBe('Running');
    expect(await reported()).toHaveLength(1);
    expect((await attachments()).map(({ spec }: { spec: { nodeName: string } }) => spec.nodeName)).toEqual([
      spec.nodeName,
    ]);
    await cluster.call('PATCH', `/api/v1/nodes/${spec.nodeName}`, { spec: { unschedulable: true } }, merge);
    await cluster.call('DELETE', `${pods}/s-0`);
    // The grace of its pod, and a moment to unmount.
    cluster.seconds(3);
    expect(await reported(), 'the Node reports none as soon as the detaching begins').toEqual([]);
    expect((await attachments()).map(({ spec }: { spec: { nodeName: string } }) => spec.nodeName)).toEqual([
      spec.nodeName,
    ]);
    cluster.seconds(15);
    const [moved] = await attachments();
    expect(moved.spec.nodeName).not.toBe(spec.nodeName);
    expect(bodyOf(await cluster.call('GET', `${pods}/s-0`)).status.phase).toBe('Running');
  });

  // KEP-2268: pkg/controller/podgc and pkg/controller/volume/attachdetach act on the taint.
  it.each([
    ['takes the volume of a pod away within a minute if it is tainted out of service', true, 60],
    ['keeps the volume of a pod for six minutes after it is deleted', false, 420],
  ])('a node whose kubelet is dead %s', async (_, isTainted, seconds) => {
    const cluster = createCluster();
    const kubelets = startNodes(cluster.kubernetes, ['a', 'b']);
    await cluster.call('POST', '/apis/apps/v1/namespaces/default/statefulsets', {
      metadata: { name: 's' },
      spec: {
        replicas: 1,
        serviceName: 's',
        selector,
        template,
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
      },
    });
    cluster.seconds(10);
    const nodeOf = async (): Promise<string> =>
      bodyOf(await cluster.call('GET', '/apis/storage.k8s.io/v1/volumeattachments')).items[0]?.spec.nodeName;
    const dead = await nodeOf();
    kubelets[dead === 'a' ? 0 : 1]?.stop();
    cluster.seconds(60);
    const taints = [{ key: 'node.kubernetes.io/out-of-service', value: 'nodeshutdown', effect: 'NoExecute' }];
    if (isTainted) await cluster.call('PATCH', `/api/v1/nodes/${dead}`, { spec: { taints } }, merge);
    else await cluster.call('DELETE', `/api/v1/nodes/${dead}`);
    cluster.seconds(isTainted ? 5 : 360);
    expect(await nodeOf()).toBe(dead);
    cluster.seconds(seconds);
    expect(await nodeOf()).not.toBe(dead);
  });
});

describe('a pod that is being deleted', () => {
  const stopsIn = (seconds: string) => ({
    annotations: { 'cloud-sandbox/stop-seconds': seconds },
    grace: 30,
  });
  const only = async ({ call }: Cluster) => bodyOf(await call('GET', pods)).items[0].metadata.name;
  const isThere = async ({ call }: Cluster, name: string) =>
    (await call('GET', `${pods}/${name}`)).status === 200;

  it('ends after its own stop time if that is shorter than its grace period', async () => {
    const cluster = createCluster();
    startNodes(cluster.kubernetes, ['a']);
    await cluster.call(
      'POST',
      '/apis/apps/v1/namespaces/default/deployments',
      deployment('web', 1, stopsIn('4')),
    );
    cluster.seconds(5);
    const name = await only(cluster);
    await cluster.call('DELETE', `${pods}/${name}`);
    cluster.seconds(3);
    expect(await isThere(cluster, name)).toBe(true);
    cluster.seconds(2);
    expect(await isThere(cluster, name)).toBe(false);
  });

  it('is killed at the end of a shortened grace period, whatever its stop time', async () => {
    const cluster = createCluster();
    startNodes(cluster.kubernetes, ['a']);
    await cluster.call(
      'POST',
      '/apis/apps/v1/namespaces/default/deployments',
      deployment('web', 1, stopsIn('600')),
    );
    cluster.seconds(5);
    const name = await only(cluster);
    await cluster.call('DELETE', `${pods}/${name}`);
    cluster.seconds(10);
    await cluster.call('DELETE', `${pods}/${name}`, { gracePeriodSeconds: 12 });
    cluster.seconds(1);
    expect(await isThere(cluster, name)).toBe(true);
    cluster.seconds(2);
    expect(await isThere(cluster, name)).toBe(false);
  });
});

describe('two runs with one seed', () => {
  it('have the same names and addresses', async () => {
    const run = async () => {
      const cluster = createCluster();
      startNodes(cluster.kubernetes, ['a', 'b', 'c']);
      await cluster.call('POST', '/apis/apps/v1/namespaces/default/deployments', deployment('web', 9));
      cluster.seconds(60);
      return (await cluster.call('GET', pods)).body;
    };
    expect(await run()).toBe(await run());
  });
});
