import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { addGroup } from '../../../local/cloud/furnish.ts';
import { createDroverWorld, type DroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import type { ClusterRow, ClustersState } from '../../../ui/state/clusters.ts';
import type { DashboardState } from '../../../ui/state/types.ts';
import { type OperatorOptions, operatorOf } from '../operator.ts';
import { kubeconfigFor } from '../support.ts';
import { ask, type RunningUi } from './run-ui.ts';
import { startUi } from './start-ui.ts';

let world: DroverWorld;
let stage: string;
beforeEach(async () => {
  world = createDroverWorld();
  await withWorkers(world, { size: 2 });
  await world.timeline.pass(400);
  stage = /^drover-(.+)-sweep$/.exec(world.lambda.functionOf('sweep').functionName)?.[1] ?? '';
});

/** What CloudFormation leaves of another deployment that `drover` finds it by. */
const deploy = (name: string, clusterName?: string): void =>
  void world.account.events.operations.PutRule({
    Name: `drover-${name}-sweep`,
    Description:
      clusterName === undefined
        ? 'Every five minutes'
        : `Every five minutes for cluster ${clusterName}, a sweep`,
    ScheduleExpression: 'rate(5 minutes)',
  });

const kubeconfig = (...names: readonly string[]): string =>
  kubeconfigFor(world.kubernetes.adminToken).replace(
    /contexts:.*/,
    `contexts: [${names.map((name) => `{ name: "${name}", context: { cluster: sandbox, user: admin } }`).join(', ')}]`,
  );

const start = (contexts: readonly string[] = ['drover'], options: OperatorOptions = {}): Promise<RunningUi> =>
  startUi(world, 'ui --all', {
    environment: { DROVER_CLUSTER: undefined },
    files: { '/home/ana/.kube/config': kubeconfig(...contexts) },
    ...options,
  });

const listOf = async ({ url }: RunningUi): Promise<ClustersState> =>
  JSON.parse((await ask(`${url}api/state`)).body) as ClustersState;

const rowOf = ({ clusters }: ClustersState, name: string): ClusterRow | undefined =>
  clusters.find(({ clusterName }) => clusterName === name);

const pageOf = async ({ url }: RunningUi, name: string): Promise<DashboardState> =>
  JSON.parse((await ask(`${url}${name}/api/state`)).body) as DashboardState;

/** The operator's way to AWS, until `refuse` is called: then no list of deployments is read. */
function refusing() {
  let refuses = false;
  const { awsRequestHandler: simulated } = world.doors('operator');
  return {
    refuse: (now = true) => {
      refuses = now;
    },
    awsRequestHandler: {
      ...simulated,
      handle: async (...[request, options]: Parameters<typeof simulated.handle>) => {
        if (refuses && request.headers['x-amz-target']?.endsWith('ListRules'))
          throw new Error('User ana is not authorized to perform: events:ListRules');
        return await simulated.handle(request, options);
      },
    },
  };
}

describe('the list of drover ui --all', () => {
  it('has a row for each cluster with the address of its page, and one list of problems that name their cluster', async () => {
    deploy('staging', 'staging');
    addGroup(world, { autoScalingGroupName: 'staging-workers', clusterName: 'staging', size: 0 });
    const list = await listOf(await start(['drover', 'staging']));
    expect(list).toMatchObject({ region: 'eu-west-1', unknown: [] });
    expect(list.clusters).toMatchObject([
      {
        clusterName: 'drover',
        stage,
        page: `drover@${stage}/`,
        state: 'ok',
        counts: { groups: 1, instances: 2, leaving: 0, joining: 0, problems: 0 },
        reasons: [],
      },
      { clusterName: 'staging', page: 'staging@staging/', state: 'problems', counts: { groups: 1 } },
    ]);
    expect(list.problems).toContainEqual(
      expect.objectContaining({
        clusterName: 'staging',
        stage: 'staging',
        page: 'staging@staging/',
        subject: 'staging-workers',
        command: 'drover hooks install staging-workers --cluster staging',
      }),
    );
  });

  it('shows when Drover last made a pass over the nodes of a cluster, or why that is unknown', async () => {
    deploy('staging', 'staging');
    const list = await listOf(await start(['drover', 'staging']));
    const { sweptAt } = rowOf(list, 'drover') ?? {};
    expect(list.now - (sweptAt ?? 0)).toBeLessThan(310_000);
    expect(rowOf(list, 'staging')?.sweptAt).toBeUndefined();
    expect(rowOf(list, 'staging')?.reasons).toContain(
      'cannot read when Drover ran last: the function sweep has no log',
    );
  });

  it('shows the others where one cluster is not reached or not named, and calls neither healthy', async () => {
    deploy('staging', 'staging');
    await withWorkers(world, { autoScalingGroupName: 'other', clusterName: 'staging', size: 0 });
    deploy('old');
    const list = await listOf(await start());
    expect(rowOf(list, 'drover')?.state).toBe('ok');
    expect(rowOf(list, 'staging')).toMatchObject({
      state: 'unknown',
      reasons: expect.arrayContaining([expect.stringContaining('has no context that is named staging')]),
    });
    expect(list.clusters.find((one) => one.stage === 'old')).toMatchObject({
      clusterName: null,
      page: null,
      state: 'unknown',
      counts: null,
    });
  });

  it('tells deployments of one cluster apart, and clusters whose names differ by case or begin alike', async () => {
    deploy('second', 'drover');
    deploy('upper', 'Drover');
    deploy('longer', 'drover2');
    const { clusters } = await listOf(await start());
    expect(new Set(clusters.map(({ page }) => page))).toEqual(
      new Set([`drover@${stage}/`, 'drover@second/', 'Drover@upper/', 'drover2@longer/']),
    );
  });

  it('keeps what it has read, with its time and the reason, while AWS refuses the list of deployments', async () => {
    const { refuse, awsRequestHandler } = refusing();
    const ui = await start(['drover'], { awsRequestHandler });
    const first = await listOf(ui);
    refuse();
    await world.timeline.pass(61);
    const second = await listOf(ui);
    expect(second).toMatchObject({
      clusters: first.clusters,
      readAt: first.readAt,
      unknown: [{ what: 'the clusters', reason: expect.stringContaining('events:ListRules') }],
    });
    expect(second.now).toBeGreaterThan(first.now);
    refuse(false);
    await world.timeline.pass(61);
    expect((await listOf(ui)).readAt).toBeGreaterThan(first.readAt ?? 0);
  });

  it('names the missing permission if nothing was ever read', async () => {
    const { clusters, unknown } = await listOf(
      await start(['drover'], { actions: ['sts:GetCallerIdentity'] }),
    );
    expect(clusters).toEqual([]);
    expect(unknown).toMatchObject([
      { what: 'the clusters', reason: expect.stringContaining('events:ListRules') },
    ]);
  });

  it('reads once a minute, for any number of pages, and no logs but those of the sweep', async () => {
    let calls = 0;
    const ui = await start(['drover'], { onAwsCall: () => (calls += 1) });
    expect(calls).toBe(0);
    await Promise.all([listOf(ui), listOf(ui), listOf(ui)]);
    const once = calls;
    const documented = /about (\d+) calls to AWS for each cluster/.exec(
      readFileSync('docs/dashboard.md', 'utf8'),
    );
    expect(once).toBeLessThanOrEqual(Number(documented?.[1]));
    for (let turn = 0; turn < 59; turn += 1) {
      await listOf(ui);
      await world.timeline.pass(1);
    }
    expect(calls).toBe(once);
    await world.timeline.pass(2);
    await listOf(ui);
    expect(calls).toBeLessThanOrEqual(2 * once);
    expect(calls).toBeGreaterThan(once);
  });

  it.each([
    '--cluster prod',
    '--stage dev',
    '--context prod',
    '--api',
    '--endpoint https://a.example',
    '--no-sign',
  ])('refuses %s, which means one cluster', async (flag) => {
    const run = await operatorOf(world)(`ui --all ${flag}`);
    expect(run).toMatchObject({ code: 2, out: '', err: expect.stringContaining('means one cluster') });
  });

  it('ends with 2 without a region', async () => {
    const run = await operatorOf(world, { environment: { AWS_REGION: undefined } })('ui --all');
    expect(run).toMatchObject({ code: 2, out: '', err: expect.stringContaining('--region') });
  });
});

describe('the page of a cluster of drover ui --all', () => {
  it('shows its own cluster, also while that of another is open: no cluster is the current one', async () => {
    deploy('staging', 'staging');
    addGroup(world, { autoScalingGroupName: 'staging-workers', clusterName: 'staging', size: 0 });
    const ui = await start(['drover', 'staging']);
    const read = () => Promise.all([pageOf(ui, `drover@${stage}`), pageOf(ui, 'staging@staging')]);
    for (const [one, other] of [await read(), await read()]) {
      expect(one.clusterName).toBe('drover');
      expect(one.groups.map((group) => group.autoScalingGroupName)).toEqual(['workers']);
      expect(other.clusterName).toBe('staging');
      expect(other.groups.map((group) => group.autoScalingGroupName)).toEqual(['staging-workers']);
      expect(other).toMatchObject({
        stage: 'staging',
        allClusters: '../',
        place: { clusterName: 'staging', stage: 'staging', context: 'staging' },
      });
    }
  });

  it('refuses a report for any other cluster, by each address', async () => {
    deploy('staging', 'staging');
    const { url } = await start(['drover', 'staging']);
    for (const [page, cluster] of [
      ['staging@staging', 'drover'],
      [`drover@${stage}`, 'staging'],
      [`drover@${stage}`, 'Drover'],
    ])
      for (const method of ['GET', 'POST'])
        expect(
          (await ask(`${url}${page}/api/report?days=1&cluster=${cluster}`, { method })).status,
          `${method} ${page}`,
        ).toBe(409);
    // The list has no reports.
    expect((await ask(`${url}api/report?days=1&cluster=drover`, { method: 'POST' })).status).toBe(405);
  });

  it('never is that of the cluster that the stage served before, or of a name that resembles it', async () => {
    deploy('moved', 'before');
    const ui = await start();
    deploy('moved', 'after');
    for (const name of [
      'before@moved',
      'drover@moved',
      `Drover@${stage}`,
      `drove@${stage}`,
      '@',
      'a@b@c',
      '..@..',
    ]) {
      const { status, body } = await ask(`${ui.url}${name}/api/state`);
      expect([name, status]).toEqual([name, 404]);
      expect(body).not.toContain('"groups"');
    }
    expect((await pageOf(ui, 'after@moved')).clusterName).toBe('after');
  });

  it('has the Nodes of its cluster at the next reload after the kubeconfig got its context', async () => {
    const files = { '/home/ana/.kube/config': kubeconfig('admin@drover') };
    const ui = await start([], { files });
    const name = `drover@${stage}`;
    expect((await pageOf(ui, name)).place).toMatchObject({ context: null });
    files['/home/ana/.kube/config'] = kubeconfig('admin@drover', 'drover');
    expect((await ask(`${ui.url}${name}/`)).status).toBe(200);
    const page = await pageOf(ui, name);
    expect(page.place).toMatchObject({ context: 'drover' });
    expect(page.groups[0]?.instances[0]?.node).toBeDefined();
  });

  it.each(['', 'api/events'])(
    'is not served any more once /%s of it is asked for after its stage serves another cluster',
    async (opening) => {
      deploy('moved', 'before');
      const { url } = await start();
      const page = `${url}before@moved/`;
      expect((await ask(page)).status).toBe(200);
      deploy('moved', 'after');
      // Not `ask`, which waits for the end: events have none.
      for (const path of [opening, 'api/state', '']) {
        const { status, body } = await fetch(`${page}${path}`);
        await body?.cancel();
        expect([path, status]).toEqual([path, 404]);
      }
    },
  );

  it('is the same one at each reload, and is served while AWS refuses the list of deployments', async () => {
    const { refuse, awsRequestHandler } = refusing();
    const ui = await start(['drover'], { awsRequestHandler });
    const name = `drover@${stage}`;
    const { readAt } = await pageOf(ui, name);
    for (const isRefused of [false, true]) {
      refuse(isRefused);
      expect((await ask(`${ui.url}${name}/`)).status).toBe(200);
      // Another page would have read the account again.
      expect((await pageOf(ui, name)).readAt).toBe(readAt);
    }
    const { err } = await ui.interrupt();
    expect(err).toContain('events:ListRules');
  });

  it('reads no Nodes of the current context of the kubeconfig, if none is named like the cluster', async () => {
    let calls = 0;
    const { sendHttp } = world.doors('operator');
    const ui = await start(['drover2', 'admin@drover'], {
      sendHttp: (request) => {
        calls += 1;
        return sendHttp(request);
      },
    });
    const page = await pageOf(ui, `drover@${stage}`);
    expect(calls).toBe(0);
    expect(page.groups).toMatchObject([{ autoScalingGroupName: 'workers' }]);
    expect(page.groups[0]?.instances[0]?.node).toBeUndefined();
    expect(page.unknown).toContainEqual(
      expect.objectContaining({ reason: expect.stringContaining('no context that is named drover') }),
    );
    expect(page.place).toMatchObject({ context: null });
  });

  it('is protected as the list is: by the secret part, the host and the origin', async () => {
    const { url } = await start();
    const [origin = '', token = ''] = /^(http:\/\/[^/]+)\/([^/]+)\/$/.exec(url)?.slice(1) ?? [];
    const path = `drover@${stage}/api/state`;
    expect((await ask(`${origin}/${path}`)).status).toBe(404);
    expect((await ask(`${origin}/${token}x/${path}`)).status).toBe(404);
    expect((await ask(`${url}${path}`, { headers: { host: 'evil.example' } })).status).toBe(421);
    expect((await ask(`${url}${path}`, { headers: { origin: 'http://evil.example' } })).status).toBe(403);
    expect((await ask(`${url}${path}`, { method: 'DELETE' })).status).toBe(405);
    const html = await ask(`${url}drover@${stage}/`);
    expect(html.body).not.toContain('data-page="clusters"');
    expect(html.headers['content-security-policy']).toContain("default-src 'none'");
    expect((await ask(url)).body).toContain('data-page="clusters"');
  });
});
