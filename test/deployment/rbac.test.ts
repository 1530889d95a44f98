import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { rightsFor } from '../../cli/doctor/rights-of-drover.ts';
import { clientRequest } from '../../local/world/certificates/requests.ts';
import { createApi } from '../../shared/kubernetes/api.ts';
import { createTokenCluster } from '../../shared/kubernetes/bootstrap-tokens.ts';
import { certificateCalls } from '../../shared/kubernetes/certificates.ts';
import { createKubernetesClient } from '../../shared/kubernetes/client.ts';
import { configMapData } from '../../shared/kubernetes/config-maps.ts';
import type { ClusterConnection } from '../../shared/kubernetes/connection.ts';
import { createPlanCluster } from '../../shared/kubernetes/plan-cluster.ts';
import type { HttpRequest } from '../../shared/net/http.ts';
import { rightFor, rightsOf } from '../support/rbac/rights.ts';

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules?: readonly {
    readonly apiGroups: readonly string[];
    readonly resources: readonly string[];
    readonly verbs: readonly string[];
  }[];
  readonly subjects?: readonly { readonly kind: string; readonly name: string }[];
}

const manifestsOf = (path: string): readonly Manifest[] =>
  parseAllDocuments(readFileSync(path, 'utf8')).map((document) => document.toJS() as Manifest);

/**
 * Makes every call of Drover's functions to an API server that answers each with 404, and returns the rights that they need.
 * Only `drover drain` lists budgets, with the operator's own kubeconfig.
 */
async function rightsUsed(): Promise<ReadonlySet<string>> {
  const rights = new Set<string>();
  const sendHttp = async (request: HttpRequest) => {
    const path = new URL(request.url).pathname;
    // Discovery, which system:discovery lets every authenticated user read.
    if (!/^\/apis\/[^/]+\/[^/]+$/.test(path)) rights.add(rightFor({ method: request.method, path }));
    return { status: 404, headers: {}, body: '{"kind":"Status","code":404,"message":"not found"}' };
  };
  const connection: ClusterConnection = { server: 'https://api', tls: {}, bearerToken: 'secret' };
  const connections = { connect: async () => connection, invalidate: () => {} };
  const cluster = createKubernetesClient({ connections, sendHttp, clock: { now: () => 0 } });
  const tokens = createTokenCluster({ connections, sendHttp });
  const certificates = certificateCalls(createApi({ connections, sendHttp }));
  const planner = createPlanCluster({ connections, sendHttp });
  const plannerCalls = Object.values(planner) as readonly ((reduce: () => undefined) => Promise<unknown>)[];
  const pod = { namespace: 'shop', name: 'web', uid: 'u' };
  const token = { id: 'abcdef', secret: '0123456789abcdef' };
  const owner = { clusterName: 'drover', role: 'worker' } as const;
  const calls: readonly (() => Promise<unknown>)[] = [
    () => cluster.getNode('n'),
    () => cluster.getMarkedNode('i-1'),
    () => cluster.listNodes(),
    () => cluster.listNodeMetadata('a=b'),
    () => cluster.patchNode('n', {}),
    () => cluster.deleteNode({ name: 'n', uid: 'u' }),
    () => cluster.listPodsOnNode('n', 'consistent'),
    () => cluster.evictPod(pod),
    () => cluster.markDisrupted(pod, ''),
    () => cluster.deletePod(pod, {}),
    () => cluster.lookUpDaemonSet('shop', 'agent'),
    () => cluster.getReplicaSet('shop', 'web-1'),
    () => cluster.getDeployment('shop', 'web'),
    () => cluster.patchDeployment('shop', 'web', {}),
    () => cluster.listVolumeAttachments('n'),
    () => cluster.volumeOfClaim('shop', 'data'),
    () =>
      cluster.recordEvent({ node: { name: 'n', uid: 'u' }, type: 'Normal', reason: 'Drained', message: '' }),
    () => tokens.createToken({ token, owner, expiresAt: 0, groups: [], description: '' }),
    () => tokens.deleteToken({ id: token.id, uid: 'u' }),
    () => certificates.listRequests(),
    () => certificates.approveOrDeny(clientRequest(''), { type: 'Denied', reason: 'Test', message: '' }),
    () => cluster.listPodDisruptionBudgets('shop'),
    ...plannerCalls.map((list) => () => list(() => undefined)),
    () => configMapData(createApi({ connections, sendHttp }))('kube-system', 'aws-auth'),
  ];
  expect(Object.keys(cluster).sort()).toEqual(
    [...new Set(calls.map(String).flatMap((source) => /cluster\.(\w+)/.exec(source)?.[1] ?? []))].sort(),
  );
  await Promise.allSettled(calls.map((call) => call()));
  // The API server's admission asks for it where a request is approved (CertificateApproval).
  rights.add('*: approve signers.certificates.k8s.io');
  // Only drover doctor lists them, with Drover's identity.
  for (const resource of ['clusterroles', 'clusterrolebindings'])
    rights.add(`*: list ${resource}.rbac.authorization.k8s.io`);
  rights.add('*: list deployments.apps');
  return rights;
}

describe('the RBAC manifest', () => {
  const manifests = manifestsOf('deploy/rbac.yaml');

  test('grants exactly the rights that the code uses', async () => {
    const granted = new Set(manifests.flatMap(rightsOf));
    expect(granted).toEqual(await rightsUsed());
  });

  test('grants exactly the rights that drover doctor asks for, and those to restart rollouts', () => {
    const asked = rightsFor([
      'node-leaving',
      'reader',
      'credentials',
      'certificates',
      'planner',
      'roller',
    ]).needed.map((right) => {
      const { verb, resource, subresource, group, namespace = '*' } = right;
      return `${namespace}: ${verb} ${resource}${subresource ? `/${subresource}` : ''}${group ? `.${group}` : ''}`;
    });
    // Operators bind it in the namespaces that they choose, so no one is asked to grant it.
    const restarter = manifests.find(({ metadata }) => metadata.name === 'drover-restarter');
    expect(new Set([...asked, ...(restarter ? rightsOf(restarter) : [])])).toEqual(
      new Set(manifests.flatMap(rightsOf)),
    );
  });

  test('gives one identity every right, and an identity for each need only those of its need', () => {
    const bindings = manifests.filter(({ kind }) => kind.endsWith('Binding'));
    const subjectsOf = bindings.map(
      ({ metadata, subjects = [] }) =>
        [metadata.name, subjects.map(({ kind, name }) => `${kind} ${name}`)] as const,
    );
    const shared = ['Group drover', 'ServiceAccount drover'];
    expect(Object.fromEntries(subjectsOf)).toEqual({
      drover: shared,
      'drover-reader': ['Group drover:reader'],
      'drover-node-events': shared,
      'drover-bootstrap-tokens': [...shared, 'Group drover:credentials'],
      'drover-doctor': shared,
      'drover-certificates': [...shared, 'Group drover:certificates'],
      'drover-identity-mapping': [...shared, 'Group drover:reader'],
      'drover-planner': [...shared, 'Group drover:planner'],
      'drover-roller': [...shared, 'Group drover:roller'],
      'drover-node-bootstrapper': [
        'Group system:bootstrappers:drover:worker',
        'Group system:bootstrappers:drover:control-plane',
      ],
    });
  });

  test('binds nothing to the right to change Deployments, so that operators choose the namespaces', () => {
    const bound = manifests
      .filter(({ kind }) => kind.endsWith('Binding'))
      .map(({ metadata }) => metadata.name);
    const changing = manifests.filter((manifest) => rightsOf(manifest).includes('*: patch deployments.apps'));
    expect(changing.map(({ metadata }) => metadata.name)).toEqual(['drover-restarter']);
    expect(bound).not.toContain('drover-restarter');
  });

  test('says in a comment at each rule what needs it', () => {
    const lines = readFileSync('deploy/rbac.yaml', 'utf8').split('\n');
    const rules = lines.flatMap((line, at) => (/^ {2}- apiGroups:/.test(line) ? [lines[at - 1]] : []));
    const named = rules.map((comment) => /^ {2}# ([a-z, -]+): ./.exec(comment ?? '')?.[1]?.split(', ') ?? []);
    expect(rules.filter((_, at) => named[at]?.length === 0)).toEqual([]);
    const known = new Set([...readdirSync('functions').map((file) => file.replace('.ts', '')), 'doctor']);
    expect(named.flat().filter((name) => !known.has(name))).toEqual([]);
    expect(rules.length).toBe(manifests.flatMap(({ rules: own = [] }) => own).length);
  });

  test('lets sweep and scale-api list Nodes, and nothing else of the whole cluster', () => {
    const reader = manifests.find(
      ({ kind, metadata }) => kind === 'ClusterRole' && metadata.name === 'drover-reader',
    );
    expect(reader && rightsOf(reader)).toEqual(['*: list nodes']);
  });

  test('lets the token webhook read no ConfigMap but aws-auth', () => {
    const rules = manifests.flatMap((manifest) => manifest.rules ?? []);
    expect(rules.filter(({ resources }) => resources.includes('configmaps'))).toEqual([
      { apiGroups: [''], resources: ['configmaps'], resourceNames: ['aws-auth'], verbs: ['get'] },
    ]);
  });
});

test('the FlowSchema names the same identities and an existing priority level', () => {
  const [level, schema] = manifestsOf('deploy/flow-schema.yaml') as readonly (Manifest & {
    readonly spec: Readonly<Record<string, unknown>>;
  })[];
  expect(schema?.spec).toMatchObject({
    priorityLevelConfiguration: { name: level?.metadata.name },
    rules: [
      {
        subjects: [
          { kind: 'Group', group: { name: 'drover' } },
          { kind: 'Group', group: { name: 'drover:reader' } },
          { kind: 'Group', group: { name: 'drover:credentials' } },
          { kind: 'Group', group: { name: 'drover:certificates' } },
          { kind: 'Group', group: { name: 'drover:planner' } },
          { kind: 'Group', group: { name: 'drover:roller' } },
          { kind: 'ServiceAccount', serviceAccount: { name: 'drover', namespace: 'kube-system' } },
        ],
      },
    ],
  });
});
