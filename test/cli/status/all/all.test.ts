import { AwsError } from '@drover/cloud-sandbox/aws';
import { describe, expect, it } from 'vitest';
import type { AllStatus } from '../../../../cli/status/all/look.ts';
import { addGroup } from '../../../../local/cloud/furnish.ts';
import { createDroverWorld, type DroverWorld, withWorkers } from '../../../../local/world/drover-world.ts';
import { commandAt } from '../../../../ui/state/command-at.ts';
import { type OperatorOptions, operatorOf } from '../../operator.ts';
import { kubeconfigFor } from '../../support.ts';

/** What CloudFormation leaves of a deployment of another stage that `drover` finds it by. */
function deployOther({ account }: DroverWorld, stage: string, clusterName: string | undefined): void {
  account.events.operations.PutRule({
    Name: `drover-${stage}-sweep`,
    Description:
      clusterName === undefined
        ? 'Every five minutes'
        : `Every five minutes for cluster ${clusterName}, a sweep`,
    ScheduleExpression: 'rate(5 minutes)',
  });
}

const kubeconfig = (world: DroverWorld, ...names: readonly string[]): string =>
  kubeconfigFor(world.kubernetes.adminToken).replace(
    /contexts:.*/,
    `contexts: [${names.map((name) => `{ name: "${name}", context: { cluster: sandbox, user: admin } }`).join(', ')}]`,
  );

async function createWorld(...contexts: readonly string[]) {
  const world = createDroverWorld();
  await withWorkers(world, { size: 2 });
  const config = kubeconfig(world, ...contexts);
  const drover = (options: OperatorOptions = {}) =>
    operatorOf(world, {
      files: { '/home/ana/.kube/config': config },
      environment: { DROVER_CLUSTER: undefined },
      ...options,
    });
  return { world, drover };
}

describe('a command in the list of all clusters', () => {
  it.each([
    ['drover doctor', 'DROVER_CLUSTER=prod drover doctor --stage live'],
    [
      'drover events --since 1h',
      'DROVER_CLUSTER=prod drover events --since 1h --stage live --context prod/eu',
    ],
    ['drover csr explain a', 'DROVER_CLUSTER=prod drover csr explain a --context prod/eu'],
    ['drover rotate', 'DROVER_CLUSTER=prod drover rotate'],
    ['drover hooks install a --cluster prod', 'drover hooks install a --cluster prod'],
    ['aws sqs list-queues', 'aws sqs list-queues'],
    ['kubectl get nodes', 'kubectl --context prod/eu get nodes'],
  ])('%s names its cluster, stage and context', (command, named) => {
    expect(commandAt(command, { stage: 'live', clusterName: 'prod', context: 'prod/eu' })).toBe(named);
  });

  it.each([
    ['drover rotate', 'AWS_REGION=eu-west-1 DROVER_CLUSTER=prod drover rotate'],
    ['aws a b && aws c d', 'AWS_REGION=eu-west-1 aws a b && AWS_REGION=eu-west-1 aws c d'],
    ['kubectl get nodes', 'kubectl --kubeconfig /k --context prod get nodes'],
  ])('%s has the region and the kubeconfig that were given', (command, named) => {
    const given = { region: 'eu-west-1', kubeconfig: '/k' };
    expect(commandAt(command, { stage: 'live', clusterName: 'prod', context: 'prod', ...given })).toBe(named);
  });

  it('is as it was for kubectl without a context, and for a stage that names no cluster', () => {
    const place = { stage: 'live', clusterName: null, context: null };
    expect(commandAt('kubectl get nodes', place)).toBe('kubectl get nodes');
    expect(commandAt('drover rotate', place)).toBe('drover rotate');
  });
});

describe('drover status --all', () => {
  it('shows the only deployment as healthy, without a cluster in the environment', async () => {
    const { drover } = await createWorld('drover');
    const { code, out, err } = await drover()('status --all');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(
      /\nCLUSTER +STAGE +GROUPS +INSTANCES +LEAVING +JOINING +PROBLEMS +STATE\ndrover +\S+ +1 +2 +0 +0 +0 +ok\n$/,
    );
  });

  it('shows every cluster in one table and one list of problems, with the cluster in each command', async () => {
    const { world, drover } = await createWorld('drover', 'staging');
    deployOther(world, 'staging', 'staging');
    addGroup(world, { autoScalingGroupName: 'staging-workers', clusterName: 'staging', size: 0 });
    const { code, out, err } = await drover()('status --all');
    expect([code, err]).toEqual([1, 'drover: 1 cluster has problems\n']);
    expect(out).toMatch(/\ndrover +\S+ +1 +2 .* ok\nstaging +staging +1 +0 +0 +0 +[1-9] +problems\n/);
    expect(out).toMatch(
      /\nstaging: staging-workers: .*hook.*\n {4}drover hooks install staging-workers --cluster staging\n/,
    );
  });

  it('prints the commands with the region that was given, in JSON as in the text', async () => {
    const { world, drover } = await createWorld('drover', 'staging');
    deployOther(world, 'staging', 'staging');
    addGroup(world, { autoScalingGroupName: 'staging-workers', clusterName: 'staging', size: 0 });
    const { region } = world.account;
    const { problems } = JSON.parse(
      (await drover()(`status --all --json --region ${region}`)).out,
    ) as AllStatus;
    const commands = problems.flatMap(({ command }) => command ?? []);
    expect(commands).toContain(`AWS_REGION=${region} drover hooks install staging-workers --cluster staging`);
    const { out } = await drover()(`status --all --region ${region}`);
    for (const command of commands) expect(out).toContain(`    ${command}\n`);
  });

  it('a cluster that is unreachable or denied does not hide the others', async () => {
    const { world, drover } = await createWorld('drover');
    deployOther(world, 'staging', 'staging');
    deployOther(world, 'old', undefined);
    await withWorkers(world, { autoScalingGroupName: 'other', clusterName: 'staging', size: 0 });
    const { code, out, err } = await drover()('status --all');
    expect([code, err]).toEqual([5, 'drover: 2 clusters could not be read completely\n']);
    expect(out).toMatch(/\n- +old +- +- +- +- +- +unknown\n/);
    expect(out).toMatch(/\ndrover .* ok\n/);
    expect(out).toContain('stage old: its rules do not say which cluster it serves');
    expect(out).toContain(
      'staging: cannot read the cluster: the kubeconfig has no context that is named staging, like its cluster',
    );
  });

  it('never reads the Nodes of a context whose name only resembles that of the cluster', async () => {
    const { drover } = await createWorld('drover2', 'Drover', 'drove', 'admin@drover');
    const { code, out } = await drover()('status --all --json');
    expect(code).toBe(5);
    expect((JSON.parse(out) as AllStatus).clusters).toMatchObject([
      { clusterName: 'drover', state: 'unknown', reasons: [expect.stringContaining('no context')] },
    ]);
  });

  it('takes the context with the ARN of an EKS cluster of the region and the account', async () => {
    const arn = (region: string, account = '123456789012') =>
      `arn:aws:eks:${region}:${account}:cluster/drover`;
    const other = arn('eu-west-1', '210987654321');
    expect((await (await createWorld(other, arn('eu-west-1'))).drover()('status --all')).code).toBe(0);
    const { code, out } = await (await createWorld(other)).drover()('status --all');
    expect(code).toBe(5);
    expect(out).toContain('the kubeconfig has no context that is named drover, like its cluster');
    expect(
      (await (await createWorld(arn('eu-west-1'), arn('us-east-1'))).drover()('status --all')).code,
    ).toBe(0);
    expect((await (await createWorld(arn('us-east-1'))).drover()('status --all')).code).toBe(5);
  });

  it('never takes an alias that leads to the cluster of that name of another account', async () => {
    const { world, drover } = await createWorld();
    const aliased = (account: string) =>
      kubeconfig(world, 'drover').replaceAll('sandbox', `arn:aws:eks:eu-west-1:${account}:cluster/drover`);
    const run = (config: string) => drover({ files: { '/home/ana/.kube/config': config } })('status --all');
    expect((await run(aliased('123456789012'))).code).toBe(0);
    expect((await run(aliased('210987654321'))).code).toBe(5);
  });

  it('names two deployments that serve one cluster', async () => {
    const { world, drover } = await createWorld('drover');
    deployOther(world, 'second', 'drover');
    const { code, out } = await drover()('status --all');
    expect(code).toBe(1);
    expect(out).toMatch(/drover: stage second serves the same cluster: remove one of the deployments\n/);
  });

  it('prints the names for xargs, and JSON with a report for each cluster', async () => {
    const { drover } = await createWorld('drover');
    expect((await drover()('status --all -o name')).out).toBe('drover\n');
    expect(JSON.parse((await drover()('status --all -o json')).out)).toMatchObject({
      clusters: [
        { clusterName: 'drover', state: 'ok', report: { groups: [{ autoScalingGroupName: 'workers' }] } },
      ],
      problems: [],
    });
  });

  it('fails if there is no deployment, or it may not list them', async () => {
    const { world, drover } = await createWorld('drover');
    expect(await drover({ actions: ['autoscaling:*'] })('status --all')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/events:ListRules/),
    });
    for (const { Name = '' } of world.account.events.operations.ListRules({}).Rules ?? []) {
      const { Targets } = world.account.events.operations.ListTargetsByRule({ Rule: Name });
      if (Targets.length > 0)
        world.account.events.operations.RemoveTargets({ Rule: Name, Ids: Targets.map(({ Id = '' }) => Id) });
      world.account.events.operations.DeleteRule({ Name });
    }
    expect(await drover()('status --all')).toEqual({
      code: 1,
      out: '',
      err: 'drover: no deployment of Drover is in this account and region: check --region\n',
    });
  });

  it.each(['--cluster drover', '--stage dev', '--context drover', '--watch'])('refuses %s', async (flag) => {
    const { drover } = await createWorld('drover');
    expect((await drover()(`status --all ${flag}`)).code).toBe(2);
  });

  it('fits a terminal of 80 columns', async () => {
    const { world, drover } = await createWorld('drover');
    for (let index = 0; index < 12; index += 1)
      deployOther(world, `stage-${index}`, `a-cluster-with-a-rather-long-name-${index}.eu-west-1`);
    const { out } = await drover({ isTerminal: true, columns: 80 })('status --all');
    const table = out.split('\n\n')[1] ?? '';
    for (const line of table.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect(table.split('\n').length).toBeGreaterThan(13);
  });

  it('reads clusters side by side, four at once, each with its own groups', async () => {
    const { world, drover } = await createWorld('drover');
    for (let index = 0; index < 6; index += 1) {
      deployOther(world, `s${index}`, `c${index}`);
      addGroup(world, { autoScalingGroupName: `group-${index}`, clusterName: `c${index}`, size: 0 });
    }
    const { out } = await drover()('status --all --json');
    const { clusters } = JSON.parse(out) as AllStatus;
    expect(
      clusters.map(({ clusterName, report }) => [
        clusterName,
        report?.groups.map((one) => one.autoScalingGroupName),
      ]),
    ).toEqual([
      ['drover', ['workers']],
      ...[0, 1, 2, 3, 4, 5].map((index) => [`c${index}`, [`group-${index}`]]),
    ]);
  });

  it('reads a cluster that AWS has throttled once more', async () => {
    let isThrottled = false;
    let refusals = 0;
    const world = createDroverWorld({
      weather: {
        strike: ({ what, caller }) => {
          if (!isThrottled || caller !== 'operator' || what !== 'autoscaling DescribeAutoScalingGroups')
            return undefined;
          refusals += 1;
          return { kind: 'aws-error', error: new AwsError({ code: 'Throttling', message: 'Rate exceeded' }) };
        },
      },
    });
    await withWorkers(world, { size: 2 });
    isThrottled = true;
    const pauses: number[] = [];
    const drover = operatorOf(world, {
      files: { '/home/ana/.kube/config': kubeconfig(world, 'drover') },
      pause: (milliseconds) => {
        pauses.push(milliseconds);
        isThrottled = false;
        return Promise.resolve();
      },
    });
    const { code, out } = await drover('status --all');
    expect(refusals).toBeGreaterThan(0);
    expect(out).toMatch(/drover .* ok\n/);
    expect([code, pauses]).toEqual([0, [5000]]);
  });
});
