import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  createDroverWorld,
  type DroverWorld,
  stateOf,
  terminate,
  withWorkers,
} from '../../../local/world/drover-world.ts';
import { barePod, create, heldDeployment, podsNamed } from '../../../local/world/workloads.ts';
import { nodeNameOf, nodeObjectOf, untilGone, untilSaid } from '../../support/observed-instance.ts';
import { withRoleStatement } from '../../support/wiring.ts';
import { operatorOf, startHeldDrain } from '../operator.ts';

let world: DroverWorld;

beforeEach(() => {
  world = createDroverWorld();
});

const tag = (key: string, value: string): void => {
  world.account.autoScaling.operations.CreateOrUpdateTags({
    Tags: [{ ResourceId: 'workers', ResourceType: 'auto-scaling-group', Key: key, Value: value }],
  });
};

describe('drover status', () => {
  it('prints that no node leaves, and exits with 0', async () => {
    await withWorkers(world, { size: 2 });
    const { code, out, err } = await operatorOf(world)('status');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^cluster drover, 20\S+Z\n\nno node leaves\n/);
    expect(out).toMatch(/\nworkers +worker +2 +0 +yes +-\n$/);
  });

  it('fails and says so if no group carries the tags of the cluster', async () => {
    await withWorkers(world, { size: 1 });
    const reason = 'no Auto Scaling group in this account and region carries the tags of cluster prdo';
    const { code, out, err } = await operatorOf(world)('status --cluster prdo');
    expect({ code, err }).toEqual({
      code: 1,
      err: 'drover: there is nothing to report: check --cluster and --region\n',
    });
    expect(out.split(reason)).toHaveLength(2);
    // A program reads no text for people.
    expect(await operatorOf(world)('status --cluster prdo --json')).toMatchObject({
      code: 1,
      out: expect.not.stringContaining(reason),
      err: `drover: ${reason}\n`,
    });
  });

  it('shows the leaving nodes with their start, their deadline and what holds them', async () => {
    const leaving = await startHeldDrain(world, await withWorkers(world, { size: 2 }));
    const node = nodeNameOf(world, leaving);
    const { code, out } = await operatorOf(world)('status');
    expect(code).toBe(0);
    const [line] = out.split('\n').filter((text) => text.startsWith(node));
    expect(line).toMatch(
      new RegExp(
        `${leaving} +workers +Terminating:Wait +terminating +20\\S+Z +20\\S+Z +default/web-\\S+ \\(budget web\\)`,
      ),
    );
    expect(out).toMatch(/oldest renewal of a mark: \S+ ago, on ip-/);
    const report = JSON.parse((await operatorOf(world)('status --json')).out) as {
      leaving: { since: string; until: string; heldUntil: string }[];
    };
    expect(report).toMatchObject({
      clusterName: 'drover',
      leaving: [{ node, instanceId: leaving, autoScalingGroupName: 'workers', cause: 'terminating' }],
      groups: [{ autoScalingGroupName: 'workers', instances: 2, leaving: 1, hasHook: true, paused: null }],
      problems: [],
      missing: [],
      notLookedAt: [],
    });
    const [times] = report.leaving;
    expect(Date.parse(times?.until ?? '') - Date.parse(times?.since ?? '')).toBe(1_800_000);
    expect(Date.parse(times?.heldUntil ?? '')).toBeGreaterThan(Date.parse(times?.until ?? ''));
  });

  it('shows which instances wait for the concurrency limit', async () => {
    const ids = await withWorkers(world, { size: 3, tags: { 'drover.dev/max-leaving': '1' } });
    await startHeldDrain(world, ids);
    terminate(world, ids[1] ?? '', { replace: false });
    terminate(world, ids[2] ?? '', { replace: false });
    await world.timeline.pass(60);
    const { out } = await operatorOf(world)('status');
    expect(out.match(/Terminating:Wait .*its first pass, or the concurrency limit/g)).toHaveLength(2);
  });

  it('shows pauses, and that leaving nodes wait for their end', async () => {
    await startHeldDrain(world, await withWorkers(world, { size: 2 }));
    const drover = operatorOf(world);
    await drover('pause workers');
    await world.timeline.pass(2400);
    const { code, out } = await drover('status');
    expect(out).toMatch(/Terminating:Wait .*the end of the pause\n/);
    expect(out).toMatch(/workers .* paused for the group since \S+ by user\/ana\n/);
    expect(code).toBe(0);
  });

  describe('of groups that ask for repair', () => {
    const die = (ids: readonly string[]): void => {
      for (const id of ids) world.kubelets.get(id)?.stop();
    };
    const workers = () => withWorkers(world, { size: 4, tags: { 'drover.dev/repair': 'NotReady=10m' } });

    it('shows what the next sweep does about each failing node, and does nothing itself', async () => {
      const ids = await workers();
      die(ids.slice(0, 1));
      await world.timeline.pass(300);
      const { code, out } = await operatorOf(world)('status');
      expect(code).toBe(0);
      expect(out).toMatch(/FAILING +INSTANCE +GROUP +CONDITION +SINCE +VERDICT +REASON/);
      expect(out).toMatch(
        new RegExp(`${ids[0]} +workers +NotReady +20\\S+Z +wait +it is replaced if it still fails at 20`),
      );
      expect(stateOf(world, ids[0] ?? '')).toBe('InService');
    });

    it('counts nodes that are not repaired as problems, because so many fail at once', async () => {
      die((await workers()).slice(0, 3));
      await world.timeline.pass(900);
      const { code, out, err } = await operatorOf(world)('status --json');
      expect(code).toBe(1);
      expect(err).toBe('drover: 3 problems found\n');
      const report = JSON.parse(out) as { repairs: object[]; problems: object[] };
      expect(report.repairs).toHaveLength(3);
      expect(report.repairs[0]).toMatchObject({ autoScalingGroupName: 'workers', verdict: 'withheld' });
      expect(report.problems[0]).toMatchObject({ kind: 'withheld' });
    });

    it('judges as the sweep does, and says what it may not read', async () => {
      world = createDroverWorld({ editWiring: withRoleStatement('drover-dev-sweep', 'Repair') });
      die((await workers()).slice(0, 1));
      await world.timeline.pass(900);
      expect((await operatorOf(world)('status')).out).toMatch(
        / repair +it has failed for as long as its group allows\n/,
      );
      const actions = ['autoscaling:DescribeAutoScalingGroups', 'autoscaling:DescribeLifecycleHooks'];
      const bounded = operatorOf(world, { actions });
      expect((await bounded('status')).out).toMatch(
        / cannot-judge +the activities of its group cannot be read: .*autoscaling:DescribeScalingActivities/,
      );
      // A source of problems, and not only a line among the repairs: scripts read `missing`.
      const { missing } = JSON.parse((await bounded('status --json')).out) as { missing: readonly object[] };
      expect(missing).toContainEqual({
        what: expect.any(String),
        reason: expect.stringContaining('the activities of group workers'),
      });
    });
  });

  describe('if a Node claims the instance of another', () => {
    const inTrouble = async (): Promise<string> => {
      const [id = ''] = await withWorkers(world, { size: 4, tags: { 'drover.dev/repair': 'NotReady=10m' } });
      const node = nodeObjectOf(world, id);
      if (!node) throw new Error('the worker has no Node');
      const { uid: _, resourceVersion: __, ...metadata } = node.metadata;
      world.kubernetes.registry.create('nodes', {
        ...node,
        metadata: { ...metadata, name: 'ip-10-9-9-9.eu-west-1.compute.internal' },
      });
      world.kubelets.get(id)?.stop();
      await world.timeline.pass(300);
      return nodeNameOf(world, id);
    };
    const reportFor = async (actions?: readonly string[]) => {
      const { out } = await operatorOf(world, actions ? { actions } : {})('status --json');
      return JSON.parse(out) as {
        readonly repairs: readonly { readonly node: string; readonly verdict: string }[];
        readonly missing: readonly object[];
      };
    };

    it('leaves it alone and judges the right Node, as the sweep does', async () => {
      const right = await inTrouble();
      const { repairs, missing } = await reportFor();
      expect(missing).toEqual([]);
      expect(Object.fromEntries(repairs.map(({ node, verdict }) => [node, verdict]))).toEqual({
        'ip-10-9-9-9.eu-west-1.compute.internal': 'left-alone',
        [right]: 'wait',
      });
    });

    it('judges by the providerID without ec2:DescribeInstances, and says what it may not read', async () => {
      await inTrouble();
      const { repairs, missing } = await reportFor([
        'autoscaling:*',
        'cloudwatch:*',
        'sqs:*',
        'ssm:*',
        'scheduler:*',
      ]);
      expect(repairs.map(({ verdict }) => verdict)).not.toContain('left-alone');
      expect(missing).toEqual([
        { what: 'EC2', reason: expect.stringContaining('not authorized to perform: ec2:DescribeInstances') },
      ]);
    });
  });

  it('names groups without a hook and mistakes in tags, and exits with 1', async () => {
    await withWorkers(world, { size: 1, hook: undefined });
    tag('drover.dev/drain-timeout', 'soon');
    tag('drover.dev/on-failures', 'ABANDON');
    await withWorkers(world, {
      size: 1,
      autoScalingGroupName: 'spare',
      tags: { 'drover.dev/role': 'wroker' },
    });
    const { code, out, err } = await operatorOf(world)('status');
    expect(code).toBe(1);
    expect(err).toBe('drover: 6 problems found\n');
    expect(out).toMatch(/\nworkers +worker +1 +0 +MISSING +-\n/);
    expect(out).toContain(
      '\nworkers: it has no hook drover-node-leaving: its instances terminate undrained\n',
    );
    expect(out).toContain('\nworkers: tag drover.dev/drain-timeout is not a duration from 30s to 2d');
    expect(out).toContain('\nworkers: tag drover.dev/on-failures is unknown to Drover: check its spelling\n');
    expect(out).toContain(
      '\nspare: it is left alone: its tag drover.dev/role must be worker, control-plane or etcd\n',
    );
    expect(out).toContain(`\nspare: it has Drover’s hook drover-node-leaving, and not the tags of a managed`);
    expect(out).toMatch(
      /\nip-\S+: it is in no managed group, and nothing approves its next client certificate/,
    );
  });

  it('repeats what etcd-membership wrote on a group of members, and nothing on a group of workers', async () => {
    await withWorkers(world, { size: 1 });
    tag('drover.dev/etcd-status', 'cluster a1 has no quorum');
    const status = operatorOf(world);
    expect((await status('status')).out).not.toContain('quorum');
    tag('drover.dev/role', 'control-plane');
    const { code, out } = await status('status');
    expect(code).toBe(1);
    expect(out).toContain('\nworkers: cluster a1 has no quorum\n');
  });

  it('finds an instance that returns to a warm pool, which its group does not list, and does not report it as left behind', async () => {
    const ids = await withWorkers(world, { size: 2 });
    world.account.autoScaling.operations.PutWarmPool({
      AutoScalingGroupName: 'workers',
      InstanceReusePolicy: { ReuseOnScaleIn: true },
    });
    await create(world, ...heldDeployment({ name: 'web', replicas: 4 }));
    await world.timeline.pass(20);
    world.account.autoScaling.operations.SetDesiredCapacity({
      AutoScalingGroupName: 'workers',
      DesiredCapacity: 1,
    });
    await world.timeline.until(() => ids.some((id) => stateOf(world, id) === 'Warmed:Pending:Wait'), {
      withinSeconds: 300,
      what: 'the wait',
    });
    await world.timeline.pass(60);
    const { err, out } = await operatorOf(world)('status');
    expect(out).toMatch(/ workers +Warmed:Pending:Wait +terminating .*\(budget web\)/);
    expect({ err, group: out.match(/\nworkers +worker .*/)?.[0] }).toMatchObject({
      err: '',
      group: expect.stringMatching(/^\nworkers +worker +2 +1 +yes +-/),
    });
  });

  it('names an instance that a hook holds on its way into a warm pool, since when, and how to end the wait', async () => {
    await withWorkers(world, { size: 0 });
    const { operations } = world.account.autoScaling;
    operations.PutLifecycleHook({
      AutoScalingGroupName: 'workers',
      LifecycleHookName: 'drover-node-joining',
      LifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING',
      HeartbeatTimeout: 600,
    });
    operations.PutWarmPool({ AutoScalingGroupName: 'workers', MinSize: 1, MaxGroupPreparedCapacity: 1 });
    await world.timeline.pass(120);
    const early = await operatorOf(world)('status');
    expect(early.code).toBe(0);
    expect(early.out).toMatch(/\nJOINING +GROUP +STATE\ni-\w+ +workers +Warmed:Pending:Wait\n/);
    await world.timeline.pass(900);
    const { code, out } = await operatorOf(world)('status');
    expect(code).toBe(1);
    expect(out).toMatch(
      /\n(i-\w+): hook drover-node-joining holds it in Warmed:Pending:Wait since 20\S+Z, .* as its last line, .*\n +aws autoscaling complete-lifecycle-action .* --instance-id \1\n/,
    );
  });

  it('needs the right to read warm pools only if a group has one, and says so without it', async () => {
    await withWorkers(world, { size: 1 });
    const actions = [
      'autoscaling:DescribeAutoScalingGroups',
      'autoscaling:DescribeAutoScalingInstances',
      'autoscaling:DescribeLifecycleHooks',
      'autoscaling:DescribeScheduledActions',
      'cloudwatch:*',
      'sqs:*',
      'ssm:*',
      'scheduler:*',
    ];
    expect(await operatorOf(world, { actions })('status')).toMatchObject({ code: 0, err: '' });
    world.account.autoScaling.operations.PutWarmPool({ AutoScalingGroupName: 'workers', MinSize: 1 });
    const { code, out } = await operatorOf(world, { actions })('status');
    expect(code).toBe(5);
    expect(out).toMatch(/\ncannot read the warm pools: .*autoscaling:DescribeWarmPool/);
    expect(out).toMatch(/\nworkers +worker +1 +0 +yes +-\n/);
  });

  it('names an instance that its group retains after a failed drain', async () => {
    const ids = await withWorkers(world, {
      size: 2,
      tags: {
        'drover.dev/drain-timeout': '60',
        'drover.dev/on-failure': 'ABANDON',
        'drover.dev/force': 'false',
      },
      settings: { InstanceLifecyclePolicy: { RetentionTriggers: { TerminateHookAbandon: 'retain' } } },
    });
    await create(world, barePod('lonely'));
    await world.timeline.pass(10);
    const node = podsNamed(world, 'lonely')[0]?.spec?.nodeName ?? '';
    const leaving = ids.find((id) => nodeNameOf(world, id) === node) ?? '';
    terminate(world, leaving, { replace: false });
    await untilSaid(world, leaving, /abandoned/, 600);
    await world.timeline.pass(30);
    const { code, out } = await operatorOf(world)('status');
    expect(code).toBe(1);
    expect(out).toContain(`\n${node}: its drain failed and its group retains instance ${leaving}`);
    expect(out).toMatch(/Terminating:Retained .*the operator, because its group retains it/);
  });
});

describe('drover status without full access', () => {
  it('shows the answer of Auto Scaling without a kubeconfig, and exits with 5', async () => {
    const leaving = await startHeldDrain(world, await withWorkers(world, { size: 2 }));
    const { code, out, err } = await operatorOf(world, { hasKubeconfig: false })('status');
    expect(code).toBe(5);
    expect(err).toBe('drover: 1 source could not be read\n');
    expect(out).toMatch(new RegExp(`\n- +${leaving} +workers +Terminating:Wait +- `));
    expect(out).toMatch(/\ncannot read the cluster: there is no kubeconfig at .*--kubeconfig\n$/);
  });

  it.each([
    ['region', { environment: { AWS_REGION: undefined } }, /AWS_REGION is not set: .*: give --region\n/],
    ['permission', { actions: ['sts:GetCallerIdentity'] }, /not authorized/],
  ])('shows the state of the Nodes without a %s', async (_, options, reason) => {
    const leaving = await startHeldDrain(world, await withWorkers(world, { size: 2 }));
    const { code, out } = await operatorOf(world, options)('status');
    expect(code).toBe(5);
    expect(out).toMatch(new RegExp(`\nip-\\S+ +${leaving} +- +- +terminating .*budget web`));
    expect(out).toMatch(reason);
  });

  it('names both Auto Scaling and the cluster if neither can be read', async () => {
    await withWorkers(world, { size: 1 });
    const { code, out } = await operatorOf(world, {
      hasKubeconfig: false,
      environment: { DROVER_CLUSTER: undefined },
    })('status --json');
    expect(code).toBe(5);
    expect(JSON.parse(out)).toMatchObject({
      clusterName: null,
      leaving: [],
      groups: [],
      missing: [
        { what: 'Auto Scaling', reason: expect.stringContaining('DROVER_CLUSTER is not set') },
        { what: 'the cluster', reason: expect.stringContaining('no kubeconfig') },
      ],
    });
  });
});

describe('drover status on a terminal', () => {
  it('fits its width, with short names and relative times, and is whole with -o wide', async () => {
    const leaving = await startHeldDrain(world, await withWorkers(world, { size: 2 }));
    const [label = ''] = nodeNameOf(world, leaving).split('.');
    const { out } = await operatorOf(world, { columns: 80 })('status');
    expect(out).toMatch(/\nLEAVING +INSTANCE +UNTIL +WAITS FOR\n/);
    expect(out).toMatch(
      new RegExp(`\n${label} +${leaving} +in \\d+m +default/web-\\S+ \\(bu.*…\n`.replaceAll('\n', '\\n')),
    );
    const wide = (await operatorOf(world, { columns: 80 })('status -o wide')).out;
    expect(wide).toBe((await operatorOf(world)('status')).out);
    expect(wide).toMatch(/ Terminating:Wait +terminating +20\S+Z +20\S+Z /);
  });

  it('prints the names of the leaving nodes for xargs, and the report as YAML', async () => {
    const leaving = await startHeldDrain(world, await withWorkers(world, { size: 2 }));
    const drover = operatorOf(world, { columns: 80 });
    expect((await drover('status -o name')).out).toBe(`${nodeNameOf(world, leaving)}\n`);
    expect(parse((await drover('status -o yaml')).out)).toEqual(
      JSON.parse((await drover('status -o json')).out),
    );
  });

  it('uses colours, and none in a pipe', async () => {
    await withWorkers(world, { size: 1, hook: undefined });
    const escape = '\u001b[';
    expect((await operatorOf(world, { isTerminal: true })('status')).out).toContain(escape);
    expect((await operatorOf(world)('status')).out).not.toContain(escape);
  });
});

describe('drover status --watch', () => {
  /** Ends the watch after so many looks, as Ctrl-C would. */
  const stopAfter = (looks: number, seconds = 5) => {
    let paused = 0;
    return async () => {
      paused += 1;
      if (paused === looks) throw new Error('stopped');
      await world.timeline.pass(seconds);
    };
  };

  it('writes an object to a pipe only after a change', async () => {
    const leaving = await startHeldDrain(world, await withWorkers(world, { size: 2 }));
    const { out } = await operatorOf(world, { pause: stopAfter(8, 300) })('status --watch --json');
    const reports = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { leaving: { instanceId: string }[] });
    expect(reports.length).toBeLessThan(8);
    expect(reports[0]?.leaving).toMatchObject([{ instanceId: leaving }]);
    expect(reports.at(-1)?.leaving).toEqual([]);
    await untilGone(world, leaving);
  });

  it('redraws the screen at every poll', async () => {
    await withWorkers(world, { size: 1 });
    const { out } = await operatorOf(world, { isTerminal: true, pause: stopAfter(3) })('status --watch');
    expect(out.split('\u001b[H\u001b[2J')).toHaveLength(4);
  });
});
