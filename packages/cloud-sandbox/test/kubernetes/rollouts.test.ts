import { describe, expect, it } from 'vitest';
import { bodyOf, type Cluster, createCluster, deployment, startNodes } from './support.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const daemonSets = '/apis/apps/v1/namespaces/default/daemonsets';
const jsonPatch = { 'content-type': 'application/json-patch+json' };
const mergePatch = { 'content-type': 'application/merge-patch+json' };

const list = async ({ call }: Cluster, path: string) => bodyOf(await call('GET', path)).items;

const revisions = async (cluster: Cluster): Promise<readonly string[]> =>
  (await list(cluster, '/apis/apps/v1/namespaces/default/replicasets'))
    .map(({ metadata }: { metadata: { annotations: Record<string, string> } }) => metadata.annotations)
    .map((annotations: Record<string, string>) => annotations['deployment.kubernetes.io/revision'])
    .toSorted();

const image = (name: string) => ({
  spec: { template: { metadata: { annotations: { image: name } } } },
});

async function withDeployment() {
  const cluster = createCluster();
  startNodes(cluster.kubernetes, ['n1', 'n2']);
  await cluster.call('POST', deployments, deployment('web', 2));
  cluster.seconds(60);
  return cluster;
}

describe('a Deployment', () => {
  it('reuses the old ReplicaSet of an earlier template, as the newest revision', async () => {
    const cluster = await withDeployment();
    const { template } = bodyOf(await cluster.call('GET', `${deployments}/web`)).spec;
    await cluster.call('PATCH', `${deployments}/web`, image('two'), mergePatch);
    cluster.seconds(60);
    expect(await revisions(cluster)).toEqual(['1', '2']);
    // As kubectl rollout undo sends it: in the order of Go's fields, with empty ones.
    const [container] = template.spec.containers;
    const containers = [{ ...container, resources: { ...container.resources, limits: null }, env: [] }];
    const value = {
      spec: { securityContext: {}, ...template.spec, containers },
      metadata: template.metadata,
    };
    const undo = [{ op: 'replace', path: '/spec/template', value }];
    await cluster.call('PATCH', `${deployments}/web`, undo, jsonPatch);
    cluster.seconds(60);
    expect(await revisions(cluster)).toEqual(['2', '3']);
    const { annotations } = bodyOf(await cluster.call('GET', `${deployments}/web`)).metadata;
    expect(annotations['deployment.kubernetes.io/revision']).toBe('3');
  });

  it('that is paused does not roll out until it is resumed', async () => {
    const cluster = await withDeployment();
    await cluster.call('PATCH', `${deployments}/web`, { spec: { paused: true } }, mergePatch);
    await cluster.call('PATCH', `${deployments}/web`, image('two'), mergePatch);
    cluster.seconds(60);
    expect(await revisions(cluster)).toEqual(['1']);
    await cluster.call('PATCH', `${deployments}/web`, { spec: { paused: false } }, mergePatch);
    cluster.seconds(60);
    expect(await revisions(cluster)).toEqual(['1', '2']);
  });

  it('reports in an event how many replicas its first ReplicaSet has', async () => {
    const cluster = await withDeployment();
    const events = await list(cluster, '/api/v1/namespaces/default/events');
    const messages = events.map(({ message }: { message: string }) => message);
    expect(messages).toContainEqual(expect.stringMatching(/^Scaled up replica set web-\w+ from 0 to 2$/));
  });
});

describe('a DaemonSet', () => {
  const agent = {
    metadata: { name: 'agent' },
    spec: { ...deployment('agent', 0).spec, replicas: undefined },
  };
  const agents = async (cluster: Cluster) =>
    (await list(cluster, '/api/v1/namespaces/default/pods')).map(
      ({ metadata }: { metadata: { annotations?: Record<string, string> } }) =>
        metadata.annotations?.['image'],
    );
  const change = (cluster: Cluster) => cluster.call('PATCH', `${daemonSets}/agent`, image('two'), mergePatch);

  it('whose template changes replaces its pods, one node at a time', async () => {
    const cluster = createCluster();
    startNodes(cluster.kubernetes, ['n1', 'n2']);
    await cluster.call('POST', daemonSets, agent);
    cluster.seconds(30);
    await change(cluster);
    cluster.seconds(1);
    const { status } = bodyOf(await cluster.call('GET', `${daemonSets}/agent`));
    expect(status).toMatchObject({ desiredNumberScheduled: 2, updatedNumberScheduled: 0, numberReady: 1 });
    cluster.seconds(90);
    expect(await agents(cluster)).toEqual(['two', 'two']);
  });

  it('with OnDelete replaces a pod only after its deletion', async () => {
    const cluster = createCluster();
    startNodes(cluster.kubernetes, ['n1']);
    await cluster.call('POST', daemonSets, {
      ...agent,
      spec: { ...agent.spec, updateStrategy: { type: 'OnDelete' } },
    });
    cluster.seconds(30);
    await change(cluster);
    cluster.seconds(90);
    expect(await agents(cluster)).toEqual([undefined]);
  });
});

describe('an EndpointSlice', () => {
  it('has the ports of the pods, by number or by name', async () => {
    const cluster = createCluster();
    startNodes(cluster.kubernetes, ['n1']);
    const pod = {
      metadata: { name: 'p', labels: { app: 'p' } },
      spec: { containers: [{ name: 'c', image: 'i', ports: [{ name: 'web', containerPort: 8000 }] }] },
    };
    await cluster.call('POST', '/api/v1/namespaces/default/pods', pod);
    const ports = [
      { name: 'a', port: 80, targetPort: 8080 },
      { name: 'b', port: 81, targetPort: 'web' },
      { name: 'c', port: 82 },
    ];
    const service = { metadata: { name: 's' }, spec: { selector: { app: 'p' }, ports } };
    await cluster.call('POST', '/api/v1/namespaces/default/services', service);
    cluster.seconds(30);
    const [slice] = await list(cluster, '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices');
    expect(slice.ports.map(({ name, port }: { name: string; port: number }) => [name, port])).toEqual([
      ['a', 8080],
      ['b', 8000],
      ['c', 82],
    ]);
  });
});
