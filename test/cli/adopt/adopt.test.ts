import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { createDroverWorld, type DroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { operatorOf } from '../operator.ts';
import { kubeadmBindings } from './observed.ts';
import {
  bindingNames,
  eksServer,
  eksWorld,
  hooksOf,
  kubeadmWorld,
  removeTags,
  stateOf,
  tagsOf,
} from './worlds.ts';

const idsOf = (json: string): readonly string[] =>
  (JSON.parse(json) as { readonly steps: readonly { readonly id: string }[] }).steps.map(({ id }) => id);

describe('drover adopt --plan', () => {
  it('prints a shell script with the steps in their order, and changes nothing', async () => {
    const world = await kubeadmWorld();
    const drover = operatorOf(world);
    const { code, out, err } = await drover('adopt workers --plan');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/# Cluster drover: 6 steps/);
    const line = (start: string) => out.split('\n').findIndex((text) => text.startsWith(start));
    expect(line('aws autoscaling create-or-update-tags')).toBeGreaterThan(line('kubectl apply'));
    expect(line('aws autoscaling put-lifecycle-hook')).toBeGreaterThan(
      line('aws autoscaling create-or-update'),
    );
    expect((await drover('adopt workers --plan')).out).toBe(out);
    const { LifecycleHooks } = world.account.autoScaling.operations.DescribeLifecycleHooks({
      AutoScalingGroupName: 'workers',
    });
    expect(LifecycleHooks).toEqual([]);
  });

  it('plans as JSON, with the commands of each step', async () => {
    const { out } = await operatorOf(await kubeadmWorld())('adopt workers --json');
    expect(idsOf(out)).toEqual([
      'rights',
      'tags/workers',
      'hook/workers/drover-node-leaving',
      'hook/workers/drover-node-joining',
      'approver/kubeadm:node-autoapprove-bootstrap',
      'approver/kubeadm:node-autoapprove-certificate-rotation',
    ]);
  });

  it('names a group that does not exist, and fails', async () => {
    expect(await operatorOf(await kubeadmWorld())('adopt wrokers')).toMatchObject({
      code: 1,
      err: expect.stringContaining('wrokers: there is no Auto Scaling group of this name'),
    });
  });

  it.each([
    'adopt',
    'adopt workers --tag drain-timeout',
    'adopt workers --tag role=worker',
    'adopt workers --heartbeat 3h',
  ])('refuses the command line %s', async (line) => {
    expect(await operatorOf(createDroverWorld())(line)).toMatchObject({ code: 2 });
  });
});

describe('drover adopt --yes', () => {
  it.each(['terraform', 'ansible', 'cloudformation'])(
    'changes nothing if the plan is asked for as %s, which nothing would print',
    async (tool) => {
      const world = await kubeadmWorld();
      const { code, out, err } = await operatorOf(world)(`adopt workers --as ${tool} --yes`);
      expect({ code, out, hooks: hooksOf(world) }).toEqual({ code: 2, out: '', hooks: [] });
      expect(err).toContain("option '--yes' cannot be used with option '--as <tool>'");
    },
  );

  it('adopts a cluster of kubeadm: Drover has its rights, the group its tags and hooks, and nothing else approves', async () => {
    const world = await kubeadmWorld();
    const drover = operatorOf(world);
    const { code, out } = await drover('adopt workers --yes');
    expect(code).toBe(0);
    expect(out.match(/^done: /gm)).toHaveLength(6);
    expect(hooksOf(world)).toEqual(['drover-node-leaving', 'drover-node-joining']);
    expect(tagsOf(world)).toMatchObject({
      'drover.dev/role': 'worker',
      'kubernetes.io/cluster/drover': 'owned',
    });
    expect(bindingNames(world).filter((name) => !name.startsWith('drover'))).toEqual([]);
    expect(await drover('adopt workers --yes')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^nothing to change/),
    });
    expect(await drover('adopt workers --check')).toMatchObject({ code: 0 });
  });

  it('leaves kubeadm’s approver to a node outside the group, until that is exempted by name', async () => {
    const world = await kubeadmWorld();
    world.kubernetes.registry.create('nodes', {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'master-1', labels: { 'node-role.kubernetes.io/control-plane': '' } },
    });
    const drover = operatorOf(world);
    expect((await drover('adopt workers --yes')).out).toContain('Not yet: master-1 (control plane)');
    expect(bindingNames(world)).toContain('kubeadm:node-autoapprove-certificate-rotation');
    expect((await drover('adopt workers --yes --exempt master-1')).code).toBe(0);
    expect(bindingNames(world)).not.toContain('kubeadm:node-autoapprove-certificate-rotation');
    const nodes = world.kubernetes.store.of('nodes').list();
    expect(nodes.find(({ metadata }) => metadata.name === 'master-1')?.metadata.annotations).toEqual({
      'drover.dev/certificates': 'by-hand',
    });
    expect(await drover('adopt workers --check')).toMatchObject({ code: 0 });
  });

  it('does not take approvers away if a node joined outside the group while it worked', async () => {
    const world = await kubeadmWorld();
    const join = (): void => {
      if (hooksOf(world).length < 2 || world.kubernetes.store.of('nodes').list().length > 2) return;
      world.kubernetes.registry.create('nodes', {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: 'late' },
      });
    };
    expect((await operatorOf(world, { onAwsCall: join })('adopt workers --yes')).code).toBe(0);
    expect(bindingNames(world)).toContain('kubeadm:node-autoapprove-certificate-rotation');
  });

  it('ends the same if it is killed at any call and run again', async () => {
    const whole = await kubeadmWorld();
    let calls = 0;
    await operatorOf(whole, { onAwsCall: () => (calls += 1) })('adopt workers --yes');
    const wanted = stateOf(whole);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: calls }), fc.boolean(), async (last, isLost) => {
        const world = await kubeadmWorld();
        let count = 0;
        const kill = (): void => {
          count += 1;
          if (count === last) throw new Error('killed');
        };
        const { sendHttp } = world.doors('operator');
        let writes = 0;
        const killedAtWrite: typeof sendHttp = async (request) => {
          const answer = await sendHttp(request);
          if (request.method !== 'GET' && (writes += 1) === last) throw new Error('killed');
          return answer;
        };
        await operatorOf(
          world,
          isLost ? { sendHttp: killedAtWrite } : { onAwsCall: kill },
        )('adopt workers --yes');
        const drover = operatorOf(world);
        expect((await drover('adopt workers --yes')).code).toBe(0);
        expect(stateOf(world)).toEqual(wanted);
        expect(idsOf((await drover('adopt workers --json')).out)).toEqual([]);
      }),
      { numRuns: 12 },
    );
  });
});

describe('drover adopt on EKS', () => {
  it('gives functions and nodes access entries, and Drover no rights on Secrets or certificates', async () => {
    const world = await eksWorld('API');
    const drover = operatorOf(world, { server: eksServer });
    const { code, err } = await drover('adopt workers --yes');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const { accessEntries } = world.account.eks.operations.ListAccessEntries({ clusterName: 'drover' });
    expect(accessEntries).toEqual(
      ['node-joining', 'node-leaving', 'scale-api', 'sweep'].map(
        (name) => expect.stringMatching(new RegExp(`role/drover-.*-${name}$`)) as unknown,
      ),
    );
    expect(bindingNames(world)).toEqual(['drover', 'drover-doctor', 'drover-reader']);
    const accounts = world.kubernetes.store.of('serviceaccounts').list();
    expect(accounts.filter(({ metadata }) => metadata?.name === 'drover')).toEqual([]);
    expect(await drover('adopt workers --check')).toMatchObject({ code: 0 });
  });

  it('lets prewarm list pods, and no other function, if holds may ask for pods', async () => {
    const world = await eksWorld('API', { podHolds: 'on' });
    const drover = operatorOf(world, { server: eksServer });
    expect(await drover('adopt workers --yes')).toMatchObject({ code: 0, err: '' });
    const { operations } = world.account.eks;
    const { accessEntries } = operations.ListAccessEntries({ clusterName: 'drover' });
    const planners = accessEntries
      .map(
        (principalArn) => operations.DescribeAccessEntry({ clusterName: 'drover', principalArn }).accessEntry,
      )
      .filter((entry) => entry?.kubernetesGroups?.includes('drover:planner'));
    expect(planners.map((entry) => entry?.principalArn)).toEqual([
      expect.stringMatching(/role\/drover-.*-prewarm$/),
    ]);
    expect(bindingNames(world)).toEqual(['drover', 'drover-doctor', 'drover-planner', 'drover-reader']);
    expect(await drover('adopt workers --check')).toMatchObject({ code: 0 });
  });

  it('gives an access entry to the role of each launch template that the instances have', async () => {
    const world = await eksWorld('API');
    await withWorkers(world, {
      size: 1,
      autoScalingGroupName: 'gpu',
      hook: undefined,
      instanceProfile: 'gpu',
    });
    const { autoScaling, eks, iam } = world.account;
    const trustPolicy = {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'ec2.amazonaws.com' } }],
    };
    for (const roleName of ['gpu', 'nodes']) iam.putRole({ roleName, policies: [], trustPolicy });
    autoScaling.operations.UpdateAutoScalingGroup({
      AutoScalingGroupName: 'workers',
      LaunchTemplate: { LaunchTemplateName: 'gpu', Version: '$Latest' },
      DesiredCapacity: 2,
    });
    await world.timeline.pass(300);
    const drover = operatorOf(world, { server: eksServer });
    expect(await drover('adopt workers --yes')).toMatchObject({ code: 0, err: '' });
    const { accessEntries } = eks.operations.ListAccessEntries({ clusterName: 'drover' });
    expect(accessEntries.filter((arn) => !arn.includes('drover-'))).toEqual([
      expect.stringMatching(/role\/gpu$/),
      expect.stringMatching(/role\/nodes$/),
    ]);
    expect(await drover('adopt workers --check')).toMatchObject({ code: 0 });
  });

  it('appends to aws-auth if the cluster reads only that', async () => {
    const world = await eksWorld('CONFIG_MAP');
    createAwsAuth(world, own);
    const drover = operatorOf(world, { server: eksServer });
    expect((await drover('adopt workers --yes')).code).toBe(0);
    const text = awsAuthOf(world);
    expect(text.startsWith(own)).toBe(true);
    expect(text).toMatch(/role\/drover-.*-node-leaving\n {2}username: drover:node-leaving/);
    expect(await drover('adopt workers --check')).toMatchObject({ code: 0 });
  });

  it('changes nothing of aws-auth if someone else changed it after the plan', async () => {
    const world = await eksWorld('CONFIG_MAP');
    createAwsAuth(world, own);
    const { sendHttp } = world.doors('operator');
    const other = `${own}- rolearn: arn:aws:iam::123456789012:role/bob\n  username: bob\n`;
    const drover = operatorOf(world, {
      server: eksServer,
      sendHttp: async (request) => {
        if (request.method === 'PATCH' && request.url.endsWith('/aws-auth')) changeAwsAuth(world, other);
        return await sendHttp(request);
      },
    });
    expect(await drover('adopt workers --yes')).toMatchObject({
      code: 1,
      err: expect.stringContaining('run the command again to continue'),
    });
    expect(awsAuthOf(world)).toBe(other);
    expect(hooksOf(world)).toEqual([]);
  });
});

it.each([
  ['there is none', undefined],
  ['it has only users', { mapUsers: '[]' }],
])('drover adopt replaces no aws-auth that someone else makes after the plan, if %s', async (_, data) => {
  const world = await eksWorld('CONFIG_MAP');
  if (data) world.kubernetes.registry.create('configmaps', { ...awsAuth(''), data });
  const { sendHttp } = world.doors('operator');
  const drover = operatorOf(world, {
    server: eksServer,
    sendHttp: async (request) => {
      const writes = request.method === 'PATCH' || request.method === 'POST';
      if (writes && request.body?.includes('rolearn')) changeAwsAuth(world, own);
      return await sendHttp(request);
    },
  });
  expect(await drover('adopt workers --yes')).toMatchObject({
    code: 1,
    err: expect.stringContaining('run the command again to continue'),
  });
  expect(awsAuthOf(world)).toBe(own);
});

const own = '- rolearn: arn:aws:iam::123456789012:role/ann # ours\n  username: ann\n';

const awsAuth = (mapRoles: string) => ({
  apiVersion: 'v1' as const,
  kind: 'ConfigMap' as const,
  metadata: { name: 'aws-auth', namespace: 'kube-system' },
  data: { mapRoles },
});

const createAwsAuth = ({ kubernetes }: DroverWorld, mapRoles: string): void => {
  kubernetes.registry.create('configmaps', awsAuth(mapRoles));
};

const changeAwsAuth = (world: DroverWorld, mapRoles: string): void => {
  const { registry, store } = world.kubernetes;
  const existing = store.of('configmaps').get('kube-system', 'aws-auth');
  if (existing) registry.delete('configmaps', existing);
  createAwsAuth(world, mapRoles);
};

const awsAuthOf = ({ kubernetes }: DroverWorld): string =>
  kubernetes.store.of('configmaps').get('kube-system', 'aws-auth')?.data?.['mapRoles'] ?? '';

describe('drover adopt --check', () => {
  let world: DroverWorld;
  beforeAll(async () => {
    world = await kubeadmWorld();
    await operatorOf(world)('adopt workers --yes');
  });

  const drifts: readonly (readonly [string, () => void, RegExp])[] = [
    ['a tag', () => removeTags(world, 'drover.dev/role'), /tags of workers/],
    ['a hook', () => deleteHook('drover-node-leaving'), /hook drover-node-leaving of workers/],
    ['the other hook', () => deleteHook('drover-node-joining'), /hook drover-node-joining of workers/],
    ['a binding', () => deleteBinding('drover'), /rights of Drover in the cluster/],
    ['kubeadm’s approver, bound again', () => bindApprover(), /ClusterRoleBinding kubeadm:node-autoapprove/],
  ];

  const deleteHook = (LifecycleHookName: string): void => {
    world.account.autoScaling.operations.DeleteLifecycleHook({
      AutoScalingGroupName: 'workers',
      LifecycleHookName,
    });
  };

  const bindings = 'clusterrolebindings.rbac.authorization.k8s.io';
  const deleteBinding = (name: string): void => {
    const binding = world.kubernetes.store.of(bindings).get(undefined, name);
    if (binding) world.kubernetes.registry.delete(bindings, binding);
  };
  const bindApprover = (): void => {
    const [binding] = kubeadmBindings;
    if (binding) world.kubernetes.registry.create(bindings, binding);
  };

  it.each(drifts)('names what was changed: %s; --yes repairs it', async (_name, change, subject) => {
    const drover = operatorOf(world);
    expect(await drover('adopt workers --check')).toMatchObject({ code: 0 });
    change();
    expect(await drover('adopt workers --check')).toMatchObject({
      code: 1,
      err: expect.stringMatching(subject),
    });
    expect(await drover('adopt workers --yes')).toMatchObject({ code: 0 });
  });

  it('needs no --joining if the group was adopted without it', async () => {
    const other = createDroverWorld();
    await withWorkers(other, { size: 1 });
    const drover = operatorOf(other);
    expect(await drover('adopt workers --check --no-joining')).toMatchObject({ code: 0 });
    expect(await drover('adopt workers --check')).toMatchObject({ code: 1 });
  });
});
