import { describe, expect, it } from 'vitest';
import { checks } from '../../../cli/doctor/checks.ts';
import type { DoctorReport } from '../../../cli/doctor/report.ts';
import { createDroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { operatorOf } from '../operator.ts';
import { createHealthyWorld, examine, protection } from './examine.ts';

describe('drover doctor', () => {
  it('finds nothing to fix in a healthy deployment, and says what it looked at', async () => {
    const { code, err, wrong, report } = await examine(await createHealthyWorld());
    expect({ code, err, wrong }).toEqual({ code: 0, err: '', wrong: [] });
    expect(new Set(report.findings.map(({ check }) => check))).toEqual(
      new Set(checks.map(({ name }) => name)),
    );
  });

  it('counts in one line what is as it should be', async () => {
    const { code, out } = await operatorOf(await createHealthyWorld())('doctor');
    expect(code).toBe(0);
    expect(out).toMatch(/^cluster drover, \S+Z\n\n\d+ ok: queues \d+, .*\baws\b.*\n$/);
    const { findings } = JSON.parse((await operatorOf(await createHealthyWorld())('doctor --json')).out) as {
      readonly findings: readonly { readonly verdict: string }[];
    };
    expect(out).toContain(`\n${findings.filter(({ verdict }) => verdict === 'ok').length} ok: `);
  });

  it('prints a table of everything if it is asked to', async () => {
    const { code, out } = await operatorOf(await createHealthyWorld())('doctor --all');
    expect(code).toBe(0);
    expect(out).toMatch(/^cluster drover, \S+Z\n\nVERDICT +CHECK +SUBJECT +FINDING\n/);
    expect(out).toMatch(/\nok +hooks +workers +drover-node-leaving: a heartbeat within /);
    expect(out).not.toMatch(/Must be fixed|Advice|Could not/);
  });

  it('finds a missing hook, with the command that installs it', async () => {
    const world = await createHealthyWorld();
    world.account.autoScaling.operations.DeleteLifecycleHook({
      AutoScalingGroupName: 'workers',
      LifecycleHookName: 'drover-node-leaving',
    });
    const { code, err, wrong } = await examine(world);
    expect({ code, err }).toEqual({ code: 1, err: 'drover: 1 problem must be fixed\n' });
    expect(wrong).toMatchObject([
      {
        check: 'hooks',
        subject: 'workers',
        verdict: 'fix',
        command: 'drover hooks install workers --cluster drover',
      },
    ]);
    const run = operatorOf(world);
    await run(wrong[0]?.command?.replace('drover ', '') ?? '');
    expect((await examine(world)).code).toBe(0);
  });

  it('advises to set nodeVpcId while another VPC has the addresses of the nodes', async () => {
    const world = await createHealthyWorld();
    const { vpcId } = world.account.ec2.instances.addVpc();
    const { code, wrong } = await examine(world);
    expect(code).toBe(0);
    expect(wrong).toMatchObject([{ check: 'vpcs', verdict: 'advice' }]);
    expect(wrong[0]?.message).toContain(`${vpcId} has some of its addresses`);
    const environment = { DROVER_NODE_VPC_ID: wrong[0]?.subject ?? '' };
    const pinned = await operatorOf(world, { environment })('doctor --json');
    const { findings } = JSON.parse(pinned.out) as DoctorReport;
    expect(findings.filter(({ verdict }) => verdict !== 'ok')).toEqual([]);
  });

  it('says that the stage belongs to another cluster than the one that it is asked about', async () => {
    const world = await createHealthyWorld();
    const { out } = await operatorOf(world)('doctor --cluster prod --json');
    const { findings } = JSON.parse(out) as DoctorReport;
    expect(findings.filter(({ check }) => check === 'rules')).toMatchObject([
      { verdict: 'fix', message: expect.stringContaining('belongs to the cluster drover') },
    ]);
  });

  it('finds a disabled rule, a group that the rules do not match, and a message that was parked', async () => {
    const world = await createHealthyWorld();
    const { events, sqs } = world.account;
    events.operations.DisableRule({ Name: 'drover-dev-sweep' });
    const pattern = JSON.parse(
      events.operations.DescribeRule({ Name: 'drover-dev-lifecycle-action' }).EventPattern ?? '',
    );
    pattern.detail.AutoScalingGroupName = [{ wildcard: 'others-*' }];
    events.operations.PutRule({ Name: 'drover-dev-lifecycle-action', EventPattern: JSON.stringify(pattern) });
    const parked = sqs.controls.queueNames().find((name) => name.includes('LeavingDeadLetterQueue')) ?? '';
    sqs.controls.send(parked, { MessageBody: '{}', MessageGroupId: 'i', MessageDeduplicationId: 'one' });
    const { wrong } = await examine(world);
    expect(wrong).toMatchObject([
      {
        check: 'rules',
        subject: 'drover-dev-sweep',
        command: 'aws events enable-rule --name drover-dev-sweep',
      },
      { check: 'rules', subject: 'workers', message: expect.stringContaining('groupNamePattern') },
      { check: 'queues', subject: parked, message: expect.stringContaining('it holds 1 message,') },
    ]);
  });

  it('finds the deployment although the rule of its lifecycle actions was deleted', async () => {
    const world = await createHealthyWorld();
    const { operations } = world.account.events;
    const Rule = 'drover-dev-lifecycle-action';
    const Ids = (operations.ListTargetsByRule({ Rule }).Targets ?? []).map(({ Id = '' }) => Id);
    operations.RemoveTargets({ Rule, Ids });
    operations.DeleteRule({ Name: Rule });
    expect((await examine(world)).wrong).toMatchObject([{ check: 'rules', subject: Rule, verdict: 'fix' }]);
  });

  it('finds a hook on groups that have lost tags, and how to restore those that have Nodes of the cluster', async () => {
    const world = await createHealthyWorld();
    const lose = (autoScalingGroupName: string, key: string) =>
      world.account.autoScaling.operations.DeleteTags({
        Tags: [{ ResourceId: autoScalingGroupName, ResourceType: 'auto-scaling-group', Key: key }],
      });
    for (const autoScalingGroupName of ['lost', 'empty', 'roleless'])
      await withWorkers(world, {
        size: autoScalingGroupName === 'empty' ? 0 : 1,
        autoScalingGroupName,
        settings: protection,
      });
    lose('lost', 'kubernetes.io/cluster/drover');
    lose('empty', 'kubernetes.io/cluster/drover');
    lose('roleless', 'drover.dev/role');
    const { code, wrong } = await examine(world);
    expect(code).toBe(1);
    const [found, nodes] = [false, true].map((isNode) =>
      wrong.filter(
        ({ check, message }) => check === 'problems' && /nothing approves/.test(message) === isNode,
      ),
    );
    expect(
      Object.fromEntries((found ?? []).map(({ subject, ...finding }) => [subject, finding])),
    ).toMatchObject({
      lost: { verdict: 'fix', command: expect.stringMatching(/cluster\/drover,Value=owned/) },
      roleless: { verdict: 'fix', command: expect.stringMatching(/Key=drover.dev\/role,Value=ROLE/) },
      empty: { verdict: 'fix', command: null, message: expect.stringContaining('is a Node of cluster') },
    });
    expect(found).toHaveLength(3);
    // Nothing renews the certificates of their Nodes either.
    expect(nodes).toHaveLength(2);
  });

  it('prints commands for the region that it was given', async () => {
    const world = await createHealthyWorld();
    const run = operatorOf(world, { environment: { AWS_REGION: undefined } });
    world.account.events.operations.DisableRule({ Name: 'drover-dev-sweep' });
    world.account.autoScaling.operations.DeleteLifecycleHook({
      AutoScalingGroupName: 'workers',
      LifecycleHookName: 'drover-node-leaving',
    });
    const { out } = await run(`doctor --json --region ${world.account.region}`);
    const { findings } = JSON.parse(out) as DoctorReport;
    expect(findings.flatMap(({ command }) => command ?? [])).toEqual([
      `AWS_REGION=${world.account.region} drover hooks install workers --cluster drover`,
      `aws events enable-rule --name drover-dev-sweep --region ${world.account.region}`,
    ]);
  });

  it('advises to protect a group and to wait for its nodes, and exits with 0', async () => {
    const world = createDroverWorld();
    await withWorkers(world, { size: 1 });
    await world.timeline.pass(61 * 60);
    const { code, wrong } = await examine(world);
    expect(code).toBe(0);
    expect(wrong).toMatchObject([
      {
        check: 'hooks',
        subject: 'workers',
        verdict: 'advice',
        command: 'drover hooks install workers --joining --cluster drover',
      },
      { check: 'deletion', subject: 'workers', verdict: 'advice' },
    ]);
  });

  it('goes on with the other checks where one cannot be read', async () => {
    const world = await createHealthyWorld();
    const others = ['events:*', 'cloudwatch:*', 'ssm:*', 'kms:*', 'lambda:*', 'iam:Get*', 'scheduler:*'];
    const actions = ['autoscaling:Describe*', 'ec2:DescribeSubnets', 'ec2:DescribeVpcs', ...others];
    const { code, out, err } = await operatorOf(world, { actions })('doctor --json');
    const { findings } = JSON.parse(out) as DoctorReport;
    expect(code).toBe(5);
    expect(err).toBe('drover: 1 check could not be read\n');
    expect(findings.filter(({ verdict }) => verdict !== 'ok')).toMatchObject([
      {
        check: 'queues',
        verdict: 'unknown',
        message: expect.stringMatching(/not authorized to perform: sqs:listqueues/i),
      },
    ]);
  });

  it('says once why several checks cannot be read', async () => {
    const { code, out } = await operatorOf(await createHealthyWorld(), { actions: ['sqs:*'] })('doctor');
    expect(code).toBe(5);
    expect(out).toMatch(
      /\nCould not be read:\n- cluster, rights, approvers, access-entries, web-identity, problems, nodes, rollouts, autoscaler: .*ssm:getparameter\b/i,
    );
    expect(out).toMatch(
      /- groups, processes, hooks, deletion, vpcs, repair, problems, parameters, credentials: .*autoscaling:describeautoscalinggroups/i,
    );
  });
});
