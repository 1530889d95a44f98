import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { clusterObjects } from '../../../cli/uninstall/cluster-objects.ts';
import { applyManifests } from '../../../local/deployment/apply-manifests.ts';
import { type DroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { deleteStack, patchNode, remains, runningWorld } from '../leave/world.ts';
import { operatorOf } from '../operator.ts';

let world: DroverWorld;

const manifests = (file: string): string =>
  readFileSync(join(import.meta.dirname, '../../../deploy', file), 'utf8');

/** A kubeadm-like cluster with two groups and everything else that a deployment has. */
async function installed(): Promise<DroverWorld> {
  const made = await runningWorld('kubeadm');
  await withWorkers(made, { size: 1, autoScalingGroupName: 'more' });
  await applyManifests(manifests('flow-schema.yaml'), {
    sendHttp: made.kubernetes.sendHttp,
    server: 'https://api.test',
    token: made.kubernetes.adminToken,
  });
  for (const name of [
    'pki/ca.key',
    'etcd/members/i-0123456789abcdef0',
    'etcd-client',
    'identity-mapping',
    'digest',
  ])
    made.account.ssm.operations.PutParameter(
      { Name: `/drover/drover/${name}`, Value: 'x', Type: 'String' },
      { principal: made.account.operator, requestId: 'put' },
    );
  // Of another cluster, and of another tool.
  made.account.ssm.operations.PutParameter(
    { Name: '/drover/drover2/kubeconfig', Value: 'x', Type: 'String' },
    { principal: made.account.operator, requestId: 'put' },
  );
  made.account.sqs.operations.CreateQueue({ QueueName: 'drovers-InboxQueue-other' });
  return made;
}

const names = ({ account }: DroverWorld) => ({
  parameters: (account.ssm.operations.DescribeParameters({}).Parameters ?? [])
    .map(({ Name }) => Name ?? '')
    .filter((name) => name.startsWith('/drover/'))
    .toSorted(),
  queues: (account.sqs.operations.ListQueues({}).QueueUrls ?? []).map((url) => url.split('/').at(-1)),
});

const kept = [
  '/drover/drover/etcd-client',
  '/drover/drover/etcd/members/i-0123456789abcdef0',
  '/drover/drover/pki/ca.key',
];

const objectsOf = ({ kubernetes }: DroverWorld): readonly string[] =>
  [
    'clusterroles.rbac.authorization.k8s.io',
    'clusterrolebindings.rbac.authorization.k8s.io',
    'roles.rbac.authorization.k8s.io',
    'rolebindings.rbac.authorization.k8s.io',
    'serviceaccounts',
    'secrets',
    'flowschemas.flowcontrol.apiserver.k8s.io',
    'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io',
  ].flatMap((key) =>
    kubernetes.store
      .of(key as 'secrets')
      .list()
      .filter(
        ({ metadata }) =>
          metadata?.name?.startsWith('drover') || metadata?.labels?.['drover.dev/cluster'] !== undefined,
      )
      .map(({ metadata }) => `${key}/${metadata?.name}`),
  );

const exemptions = ({ kubernetes }: DroverWorld): readonly string[] =>
  kubernetes.store
    .of('nodes')
    .list()
    .filter(({ metadata }) => metadata.annotations?.['drover.dev/certificates'] !== undefined)
    .map(({ metadata }) => metadata.name);

beforeEach(async () => {
  world = await installed();
});

describe('drover uninstall', () => {
  it('lets the groups leave, stops at the stack, and removes the rest once the stack is gone', async () => {
    const first = await operatorOf(world)('uninstall --yes');
    expect(first.code).toBe(1);
    expect(first.err).toContain('stack drover-dev is there: once the groups have left, delete it');
    expect(first.err).toContain('aws cloudformation delete-stack --stack-name drover-dev');
    expect(remains(world)).toMatchObject({ hooks: ['backup'], keys: [], capacity: [], bounds: [1, 5, 3] });
    expect(names(world).queues.length).toBeGreaterThan(10);
    expect(names(world).parameters).toContain('/drover/drover/kubeconfig');
    expect(names(world).parameters).toContain('/drover/drover/digest');
    deleteStack(world);
    const second = await operatorOf(world)('uninstall --yes --stage dev');
    expect(second.err).toBe('');
    expect(second.code).toBe(0);
    expect(second.out).toContain('parameters: 0 left, 3 kept on purpose\n');
    expect(second.out).toContain('RBAC objects: 0 left\n');
    expect(names(world)).toEqual({
      parameters: [...kept, '/drover/drover2/kubeconfig'],
      queues: ['drovers-InboxQueue-other'],
    });
    expect(objectsOf(world)).toEqual([]);
    // Nodes keep their certificates.
    expect(remains(world).bindings).toEqual([
      'kubeadm:node-autoapprove-bootstrap',
      'kubeadm:node-autoapprove-certificate-rotation',
    ]);
    const third = await operatorOf(world)('uninstall');
    expect([third.code, third.err]).toEqual([0, '']);
    expect((await operatorOf(world)('uninstall --yes --all-parameters')).code).toBe(0);
    expect(names(world).parameters).toEqual(['/drover/drover2/kubeconfig']);
  });

  it('waits for the pauses of all groups together: ten groups take no ten times as long as one', async () => {
    for (let number = 0; number < 10; number += 1)
      await withWorkers(world, { size: 1, autoScalingGroupName: `pool-${number}` });
    deleteStack(world);
    const begun = world.clock.now();
    const { code, out } = await operatorOf(world)('uninstall --yes --stage dev');
    expect([code, out.match(/tag drover\.dev\/paused .*: done/g)?.length]).toEqual([0, 12]);
    // One pause of 50 s, and what SQS and Auto Scaling take to forget what was deleted.
    expect((world.clock.now() - begun) / 1000).toBeLessThan(150);
  });

  it('ends the exemptions of Nodes outside its groups, which the last group takes along', async () => {
    const before = exemptions(world);
    world.kubernetes.registry.create('nodes', {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'master-1', annotations: { own: 'a' } },
    });
    expect((await operatorOf(world)('adopt workers --yes --exempt master-1')).code).toBe(0);
    expect(exemptions(world)).toEqual(['master-1']);
    expect((await operatorOf(world)('leave workers --yes')).code).toBe(0);
    expect(exemptions(world)).toEqual(['master-1']);
    expect((await operatorOf(world)('leave more --plan')).out).toContain(
      'node master-1 loses drover.dev/certificates',
    );
    expect((await operatorOf(world)('leave more --yes')).code).toBe(0);
    expect(exemptions(world)).toEqual(before);
    // One that someone has set since.
    await patchNode(world, 'master-1', {
      metadata: { annotations: { 'drover.dev/certificates': 'by-hand' } },
    });
    deleteStack(world);
    const { code, out } = await operatorOf(world)('uninstall --yes --stage dev');
    expect([code, out.includes('marks on Nodes: 0 left')]).toEqual([0, true]);
    expect(exemptions(world)).toEqual(before);
    const nodes = world.kubernetes.store.of('nodes').list();
    expect(nodes.find(({ metadata }) => metadata.name === 'master-1')?.metadata.annotations).toEqual({
      own: 'a',
    });
  });

  it('changes nothing with --plan', async () => {
    const before = [remains(world), names(world), objectsOf(world)];
    deleteStack(world);
    const { code, out } = await operatorOf(world)('uninstall --plan');
    expect(code).toBe(0);
    expect(out).toContain(
      '/drover/drover/pki/ca.key is kept: members of etcd and new control planes read it',
    );
    expect(out).toContain('launches nodes that cannot join');
    expect([remains(world), names(world), objectsOf(world)]).toEqual(before);
  });

  it('ends the same wherever it was killed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(160), { minLength: 1, maxLength: 3 }), async (kills) => {
        world = await installed();
        deleteStack(world);
        for (const kill of kills) {
          let calls = 0;
          await operatorOf(world, {
            onAwsCall: () => {
              calls += 1;
              if (calls > kill) throw new Error('killed');
            },
          })('uninstall --yes --stage dev');
        }
        expect((await operatorOf(world)('uninstall --yes --stage dev')).code).toBe(0);
        expect(names(world).parameters).toEqual([...kept, '/drover/drover2/kubeconfig']);
        expect(objectsOf(world)).toEqual([]);
        expect(remains(world)).toMatchObject({
          hooks: ['backup'],
          keys: [],
          capacity: [],
          bounds: [1, 5, 3],
        });
      }),
      { numRuns: 3 },
    );
  }, 60_000);

  it('names what it could not read, and exits with 1', async () => {
    deleteStack(world);
    const actions = ['autoscaling:*', 'ssm:*', 'events:*', 'scheduler:*', 'sts:*'];
    const { code, out } = await operatorOf(world, { actions })('uninstall --yes');
    expect(code).toBe(1);
    expect(out).toMatch(/^queues: not read: .*sqs:listqueues/im);
    expect(out).toContain('RBAC objects: 0 left\n');
  });

  it('deletes queues only of the stage that is named once the stack is gone: their names do not say the cluster', async () => {
    deleteStack(world);
    world.account.sqs.operations.CreateQueue({ QueueName: 'drover-prod-InboxQueue-abc' });
    const unclear = await operatorOf(world)('uninstall --yes');
    expect(unclear.code).toBe(1);
    expect(unclear.out).toContain('give the stage of this cluster with --stage, of dev, prod');
    expect(names(world).queues.length).toBeGreaterThan(10);
    expect((await operatorOf(world)('uninstall --yes --stage dev')).code).toBe(0);
    expect(names(world).queues).toEqual(['drovers-InboxQueue-other', 'drover-prod-InboxQueue-abc']);
  });

  it.each([
    ['a mistyped stage', 'uninstall --yes --stage dve', 'no deployment has the stage dve, and dev may serve'],
    ['a stage of another cluster', 'uninstall --yes --stage eu', 'stage eu serves cluster prod-eu'],
  ])('changes nothing with %s', async (_, line, reason) => {
    world.account.events.operations.PutRule({
      Name: 'drover-eu-sweep',
      Description: 'Every five minutes for cluster prod-eu, in a test',
      ScheduleExpression: 'rate(5 minutes)',
    });
    const before = [remains(world), names(world), objectsOf(world)];
    const { code, err } = await operatorOf(world)(line);
    expect([code, err]).toEqual([1, expect.stringContaining(reason)]);
    expect([remains(world), names(world), objectsOf(world)]).toEqual(before);
  });

  it('takes the only stack of the region for gone if it serves another cluster', async () => {
    deleteStack(world);
    world.account.events.operations.PutRule({
      Name: 'drover-eu-sweep',
      Description: 'Every five minutes for cluster prod-eu, in a test',
      ScheduleExpression: 'rate(5 minutes)',
    });
    const { code, out } = await operatorOf(world)('uninstall --yes --stage dev');
    expect([code, out]).toEqual([0, expect.stringContaining('stack: 0 left\n')]);
    expect(out).not.toContain('drover-eu');
  });

  it('changes nothing with the kubeconfig of another cluster', async () => {
    const nodes = world.kubernetes.store.of('nodes');
    for (const [index, node] of nodes.list().entries())
      nodes.put(
        { ...node, spec: { ...node.spec, providerID: `aws:///eu-west-1a/i-0000000000000000${index}` } },
        Number(node.metadata.resourceVersion),
      );
    const before = [remains(world), names(world), objectsOf(world)];
    const { code, err } = await operatorOf(world)('uninstall --yes');
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('no instance of the groups is a Node of the cluster'),
    ]);
    expect([remains(world), names(world), objectsOf(world)]).toEqual(before);
  });

  it('names a group with hooks that has lost the tag of its cluster, and exits with 1', async () => {
    deleteStack(world);
    world.account.autoScaling.operations.DeleteTags({
      Tags: [{ ResourceId: 'more', ResourceType: 'auto-scaling-group', Key: 'kubernetes.io/cluster/drover' }],
    });
    const { code, out, err } = await operatorOf(world)('uninstall --yes --stage dev');
    expect(code).toBe(1);
    expect(err).toContain('drover leave more takes it, if it is of this cluster');
    expect(out).toContain('more may be of this cluster');
    expect((await operatorOf(world)('leave more --yes')).code).toBe(0);
    expect((await operatorOf(world)('uninstall --yes --stage dev')).code).toBe(0);
  });

  it('proves the same as data', async () => {
    deleteStack(world);
    const { out } = await operatorOf(world)('uninstall --yes --json --stage dev');
    expect(JSON.parse(out)).toMatchObject({
      clusterName: 'drover',
      done: true,
      complete: true,
      groups: [],
      stack: null,
    });
  });
});

it('drover uninstall knows every object of the manifests in deploy/', () => {
  const known = Object.values(clusterObjects).flat();
  const objects = ['rbac.yaml', 'flow-schema.yaml', 'admission.yaml'].flatMap((file) =>
    parseAllDocuments(manifests(file)).map((document) => document.toJS() as Manifest),
  );
  expect(objects.map(pathOf).toSorted()).toEqual([...known].toSorted());
});

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

const pathOf = ({ apiVersion, kind, metadata: { name, namespace } }: Manifest): string => {
  const base = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const scope = namespace === undefined ? '' : `/namespaces/${namespace}`;
  return `${base}${scope}/${kind.toLowerCase().replace(/y$/, 'ie')}s/${name}`;
};
