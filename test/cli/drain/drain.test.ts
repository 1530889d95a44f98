import { budget, deployment } from '@drover/cloud-sandbox/test/kubernetes/support.ts';
import { describe, expect, it } from 'vitest';
import { type CliWorldOptions, createCliWorld, kubeconfigFor } from '../support.ts';

const namespace = (group: string, kind: string): string => `/${group}/namespaces/default/${kind}`;
const deployments = namespace('apis/apps/v1', 'deployments');
const daemonSets = namespace('apis/apps/v1', 'daemonsets');
const budgets = namespace('apis/policy/v1', 'poddisruptionbudgets');
const pods = namespace('api/v1', 'pods');

const barePod = (name: string, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels: { bare: 'yes' } },
  spec: { nodeName: 'node-1', containers: [{ name: 'main', image: 'example' }], ...spec },
});

const daemonSet = (name: string) => {
  const { spec, ...rest } = deployment(name, 1);
  const { replicas: _, ...daemonSpec } = spec;
  return { ...rest, kind: 'DaemonSet', spec: daemonSpec };
};

async function worldWithWeb(options: CliWorldOptions & { readonly grace?: number } = {}) {
  const world = createCliWorld(options);
  await world.create(deployments, deployment('web', 4, { grace: options.grace ?? 10 }));
  return world;
}

const held = { minAvailable: 4 };

describe('drover drain', () => {
  it('moves the pods to the other node, prints each step, and leaves the node cordoned', async () => {
    const world = await worldWithWeb();
    const { code, out, err } = await world.run('drain', 'node-1');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^node node-1 is cordoned\nevicting pod default\/web-/);
    expect(out).toMatch(/pod default\/web-\S+ is gone\nnode node-1 is drained\n$/);
    expect(await world.podsOn('node-1')).toEqual([]);
    expect(await world.podsOn('node-2')).toHaveLength(4);
    expect((await world.run('drain', 'node-1')).out).toBe(
      'node node-1 is cordoned\nnode node-1 is drained\n',
    );
  });

  it('changes nothing in a dry run, and shows every pod with its verdict', async () => {
    const world = await worldWithWeb();
    await world.create(daemonSets, daemonSet('agent'));
    const before = await world.podsOn('node-1');
    const { code, out } = await world.run('drain', 'node-1', '--dry-run', '--ignore-daemonsets');
    expect(code).toBe(0);
    expect(out).toContain('node node-1 would be cordoned\n');
    expect(out).toMatch(/default\/web-\S+ +evict +non-critical +- +is managed by ReplicaSet web-/);
    expect(out).toMatch(/default\/agent-\S+ +skip +non-critical-daemonset +- +belongs to DaemonSet agent/);
    expect(await world.podsOn('node-1')).toEqual(before);
    const node = await world.call('GET', '/api/v1/nodes/node-1');
    expect(node.body).not.toContain('"unschedulable"');
  });

  it('names the ResourceClaim that keeps the replacement of a pod on the node, in a dry run and as a warning', async () => {
    const world = await worldWithWeb();
    const claims = { resourceClaims: [{ name: 'gpu', resourceClaimName: 'one-gpu' }] };
    await world.create(pods, barePod('trainer', claims));
    const planned = await world.run('drain', 'node-1', '--dry-run', '--force');
    expect(planned.out).toMatch(
      /default\/trainer +evict .*; ResourceClaim one-gpu keeps its pods on this node until the last of them has gone$/m,
    );
    const { err } = await world.run('drain', 'node-1', '--force');
    expect(err).toContain(
      'warning: devices of ResourceClaims are needed on other nodes for default/trainer\n',
    );
  });

  it('names the pods that ask for a rollout before an eviction, in a dry run and as a warning', async () => {
    const world = createCliWorld();
    const { spec, ...web } = deployment('web', 1);
    const template = {
      ...spec.template,
      metadata: { ...spec.template.metadata, annotations: { 'drover.dev/restart-before-eviction': 'true' } },
    };
    await world.create(deployments, { ...web, spec: { ...spec, template } });
    const [pod] = [...(await world.podsOn('node-1')), ...(await world.podsOn('node-2'))];
    const node = (await world.podsOn('node-1')).length > 0 ? 'node-1' : 'node-2';
    const warning = `warning: this command restarts no rollouts: cordon the node first, and run kubectl rollout restart for the Deployments of default/${pod}\n`;
    expect((await world.run('drain', node, '--dry-run', '--no-room')).err).toBe(warning);
    expect((await world.run('drain', node)).err).toBe(warning);
  });

  it('evicts no pod when one refuses, names every refusal, and exits with 3', async () => {
    const world = await worldWithWeb();
    await world.create(pods, barePod('alone', { volumes: [{ name: 'x', emptyDir: {} }] }));
    await world.create(daemonSets, daemonSet('agent'));
    const { code, err } = await world.run('drain', 'node-1');
    expect(code).toBe(3);
    expect(err).toMatch(/default\/agent-\S+: belongs to DaemonSet agent/);
    expect(err).toMatch(/default\/alone: has emptyDir data/);
    expect(await world.podsOn('node-1')).toHaveLength(4);
  });

  it('takes kubectl’s flags, also in the form --flag=true', async () => {
    const world = await worldWithWeb();
    await world.create(pods, barePod('alone', { volumes: [{ name: 'x', emptyDir: {} }] }));
    await world.create(daemonSets, daemonSet('agent'));
    const flags = ['--ignore-daemonsets=true', '--delete-emptydir-data', '--force=true', '--grace-period=2'];
    expect((await world.run('drain', 'node-1', '--force=false', '--ignore-daemonsets')).code).toBe(3);
    expect((await world.run('drain', 'node-1', ...flags)).code).toBe(0);
    expect(await world.podsOn('node-1')).toEqual([expect.stringMatching(/^agent-/)]);
  });

  it('warns on standard error of what is lost and of what stays, as kubectl does', async () => {
    const world = await worldWithWeb();
    await world.create(pods, barePod('single', { volumes: [{ name: 'x', emptyDir: {} }] }));
    await world.create(daemonSets, daemonSet('agent'));
    const { code, err } = await world.run(
      'drain',
      'node/node-1',
      '--ignore-daemonsets',
      '--delete-emptydir-data',
      '--force',
    );
    expect(code).toBe(0);
    expect(err.split('\n')).toEqual([
      'warning: no controller recreates default/single',
      'warning: emptyDir data is lost of default/single',
      expect.stringMatching(/^warning: pods of DaemonSets stay: default\/agent-\S+$/),
      '',
    ]);
  });

  it('drains only the selected pods', async () => {
    const world = await worldWithWeb();
    await world.create(pods, barePod('alone'));
    const { code } = await world.run('drain', 'node-1', '--pod-selector', 'app in (web),!bare');
    expect(code).toBe(0);
    expect(await world.podsOn('node-1')).toEqual(['alone']);
  });

  it('waits for a budget, names it, and exits with 4 at its timeout', async () => {
    const world = await worldWithWeb();
    await world.create(budgets, budget('web', 'web', held));
    const { code, out, err } = await world.run('drain', 'node-1', '--timeout=20s');
    expect(code).toBe(4);
    expect(err).toMatch(/cannot be evicted now: The disruption budget web needs 4 healthy pods/);
    expect(out).toMatch(/waiting for default\/web-\S+ \(budget web\)/);
    expect(err).toMatch(/the timeout has passed, and these pods are left:\n +default\/web-/);
    expect(await world.podsOn('node-1')).toHaveLength(2);
  });

  it('deletes past a budget only at the deadline, with the pods’ own grace period', async () => {
    const world = await worldWithWeb({ grace: 20 });
    await world.create(budgets, budget('web', 'web', held));
    const startedAt = world.clock.now();
    const { code, out } = await world.run('drain', 'node-1', '--deadline', '1m');
    expect(code).toBe(0);
    expect(out).toMatch(/deleting pod default\/web-/);
    expect((world.clock.now() - startedAt) / 1000).toBeGreaterThan(40);
    expect((world.clock.now() - startedAt) / 1000).toBeLessThan(65);
  });

  it('deletes past the budget from the start if eviction is disabled', async () => {
    const world = await worldWithWeb();
    await world.create(budgets, budget('web', 'web', held));
    expect((await world.run('drain', 'node-1', '--disable-eviction')).code).toBe(0);
    expect(await world.podsOn('node-1')).toEqual([]);
  });

  it('deletes pods without the condition of a disruption if it may not be set, and warns once', async () => {
    const { run, create, podsOn } = await worldWithWeb({
      beforeRequest: ({ method, url }) => {
        if (method === 'PATCH' && url.endsWith('/status')) throw new Error('cannot patch pods/status');
      },
    });
    await create(budgets, budget('web', 'web', held));
    const { code, err } = await run('drain', 'node-1', '--disable-eviction');
    expect([code, await podsOn('node-1')]).toEqual([0, []]);
    expect(err.match(/warning: deleted without the condition DisruptionTarget: /g)).toHaveLength(1);
  });

  it('fails if two budgets select one pod, because it can never be evicted', async () => {
    const world = await worldWithWeb();
    await world.create(budgets, budget('one', 'web', { minAvailable: 1 }));
    await world.create(budgets, budget('two', 'web', { minAvailable: 1 }));
    const { code, err } = await world.run('drain', 'node-1');
    expect(code).toBe(1);
    expect(err).toMatch(
      /these pods cannot be evicted:\n +default\/web-\S+ \(.*more than one PodDisruptionBudget/,
    );
  });

  it('evicts no pod if the node does not exist', async () => {
    const world = createCliWorld();
    expect(await world.run('drain', 'missing')).toEqual({
      code: 1,
      out: '',
      err: 'drover: there is no node missing\n',
    });
  });

  describe('by a short name', () => {
    const nodes = ['ip-10-0-32-6.eu-west-1.compute.internal', 'web.a.internal', 'web.b.internal'];

    it('drains the one node that has it as its first label', async () => {
      const { code, out } = await createCliWorld({ nodes }).run('drain', 'ip-10-0-32-6');
      expect({ code, out }).toEqual({
        code: 0,
        out: expect.stringContaining(`node ${nodes[0]} is drained\n`),
      });
    });

    it.each([
      ['ip-10-0-32-7', `there is no node ip-10-0-32-7: did you mean ${nodes[0]}?`],
      ['web', '2 nodes match web: give the name of one, web.a.internal or web.b.internal'],
    ])('does nothing for %s, which none or several have', async (name, message) => {
      const world = createCliWorld({ nodes });
      expect(await world.run('drain', name)).toEqual({ code: 1, out: '', err: `drover: ${message}\n` });
      const { items } = JSON.parse((await world.call('GET', '/api/v1/nodes')).body) as {
        items: readonly { readonly spec: { readonly unschedulable?: boolean } }[];
      };
      expect(items.filter(({ spec }) => spec.unschedulable)).toEqual([]);
    });

    it('says that nodes cannot be listed, if only the whole name could be looked up', async () => {
      const world = createCliWorld({
        nodes,
        beforeRequest: ({ url }) => {
          if (new URL(url).pathname === '/api/v1/nodes') throw new Error('refused');
        },
      });
      expect((await world.run('drain', nodes[1] ?? '', '--dry-run')).code).toBe(0);
      const { code, err } = await world.run('drain', 'ip-10-0-32-6');
      expect(code).toBe(1);
      expect(err).toMatch(
        /^drover: there is no node with the whole name ip-10-0-32-6, and the nodes cannot be listed/,
      );
    });
  });
});

describe('a user who may drain but not read budgets', () => {
  it('gets a warning that the plan shows no budgets', async () => {
    const world = await worldWithWeb();
    const token = world.kubernetes.addToken({ username: 'operator', groups: [] });
    const rules = [
      { apiGroups: [''], resources: ['nodes', 'pods'], verbs: ['get', 'list'] },
      { apiGroups: ['apps'], resources: ['daemonsets'], verbs: ['get'] },
    ];
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    await world.create(`${rbac}/clusterroles`, { metadata: { name: 'drain' }, rules });
    await world.create(`${rbac}/clusterrolebindings`, {
      metadata: { name: 'drain' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'drain' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'operator' }],
    });
    const files = { '/operator': kubeconfigFor(token) };
    const { code, out, err } = await world.runWith(
      { files },
      'drain',
      'node-1',
      '--dry-run',
      '--kubeconfig',
      '/operator',
    );
    expect(code).toBe(0);
    expect(err.split('\n')).toEqual([
      'warning: the budgets of namespace default cannot be read (forbidden): the plan names none of them',
      expect.stringMatching(/^warning: where the pods would go is not certain: Namespaces cannot be read/),
      '',
    ]);
    expect(out).toContain('2 pods would leave.');
  });
});

describe('drover drain --json', () => {
  it('prints the plan in the documented format', async () => {
    const world = await worldWithWeb();
    await world.create(budgets, budget('web', 'web', held));
    const { code, out } = await world.run('drain', 'node-1', '--dry-run', '--json', '--deadline', '10m');
    const plan = JSON.parse(out) as { pods: object[] };
    expect(code).toBe(0);
    expect(Object.keys(plan)).toEqual(['node', 'providerID', 'deadline', 'pods', 'room']);
    expect(plan).toMatchObject({ node: 'node-1', providerID: 'aws:///eu-west-1a/i-node-1' });
    expect(plan.pods).toHaveLength(2);
    expect(plan.pods[0]).toEqual({
      namespace: 'default',
      name: expect.stringMatching(/^web-/),
      uid: expect.any(String),
      verdict: 'evict',
      reason: expect.stringMatching(/^is managed by/),
      tier: 'non-critical',
      heldBy: ['web'],
    });
  });

  it('prints the plan with its refusals, and exits with 3', async () => {
    const world = createCliWorld();
    await world.create(pods, barePod('alone'));
    const { code, out } = await world.run('drain', 'node-1', '--dry-run', '--json');
    expect(code).toBe(3);
    expect(JSON.parse(out)).toMatchObject({ deadline: null, pods: [{ name: 'alone', verdict: 'refuse' }] });
  });

  it('prints one object per line while it drains, and the plan first', async () => {
    const world = await worldWithWeb();
    const { out } = await world.run('drain', 'node-1', '--json');
    const events = out
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { event: string }).event);
    expect(events.slice(0, 4)).toEqual(['cordoned', 'plan', 'answer', 'answer']);
    expect(events).toContain('gone');
    expect(events.at(-1)).toBe('drained');
    expect(events.filter((event) => event === 'plan')).toHaveLength(1);
  });
});

describe('drover drain with a failing API server', () => {
  it('goes on once the API server is back', async () => {
    let failures = 3;
    const world = await worldWithWeb({
      beforeRequest: ({ method, url }) => {
        if (method === 'GET' && url.includes('/pods') && failures-- > 0)
          throw new Error('connect ECONNREFUSED');
      },
    });
    const { code, err } = await world.run('drain', 'node-1');
    expect(code).toBe(0);
    expect(err).toMatch(/^warning: GET \/api\/v1\/pods: no answer/);
  });

  it('fails after a minute without an answer, with the cause', async () => {
    const world = await worldWithWeb({
      beforeRequest: ({ url }) => {
        if (url.includes('/pods')) throw new Error('connect ECONNREFUSED');
      },
    });
    const { code, err } = await world.run('drain', 'node-1');
    expect(code).toBe(1);
    expect(err).toMatch(/drover: GET .* no answer from api\.test:6443 .*: connect ECONNREFUSED\n$/);
  });

  it('goes on if the API server refuses the cordon, as kubectl does', async () => {
    const world = await worldWithWeb({
      beforeRequest: ({ method }) => {
        if (method === 'PATCH') throw new Error('no patches today');
      },
    });
    const { code, err } = await world.run('drain', 'node-1');
    expect(code).toBe(0);
    expect(err).toContain('warning: node-1 is not cordoned');
  });

  it('sends one list per poll, one eviction per pod and one read per DaemonSet', async () => {
    const seen: string[] = [];
    const world = await worldWithWeb({
      beforeRequest: ({ method, url }) => {
        seen.push(`${method} ${new URL(url).pathname.replace(/web-\S+\/eviction/, 'POD/eviction')}`);
      },
    });
    await world.create(daemonSets, daemonSet('agent'));
    await world.run('drain', 'node-1', '--ignore-daemonsets');
    const count = (line: string): number => seen.filter((each) => each === line).length;
    expect(count('GET /api/v1/nodes/node-1')).toBe(1);
    expect(count('PATCH /api/v1/nodes/node-1')).toBe(1);
    expect(count(`POST ${pods}/POD/eviction`)).toBe(2);
    expect(count(`GET ${daemonSets}/agent`)).toBe(1);
    expect(count('GET /api/v1/pods')).toBeLessThan(10);
    expect(new Set(seen).size).toBe(5);
  });
});
