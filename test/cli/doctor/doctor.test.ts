import { describe, expect, it } from 'vitest';
import { checks } from '../../../cli/doctor/checks.ts';
import type { DoctorReport } from '../../../cli/doctor/report.ts';
import { publishKubeconfig } from '../../../local/cloud/furnish.ts';
import { createDroverWorld, type DroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { operatorOf } from '../operator.ts';

const protection = { DeletionProtection: 'prevent-force-deletion' } as const;

async function createHealthyWorld(): Promise<DroverWorld> {
  const world = createDroverWorld();
  await withWorkers(world, { size: 2, settings: protection });
  await operatorOf(world)('hooks install workers --joining');
  await world.timeline.pass(61 * 60);
  return world;
}

const caller = ({ account }: DroverWorld) => ({ principal: account.operator, requestId: 'test' });

async function examine(world: DroverWorld) {
  const { code, out, err } = await operatorOf(world)('doctor --json');
  const report = JSON.parse(out) as DoctorReport;
  const wrong = report.findings.filter(({ verdict }) => verdict !== 'ok');
  return { code, err, report, wrong };
}

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

  it('finds rights that Drover lacks in the cluster, verb by verb', async () => {
    const world = await createHealthyWorld();
    await world.kubernetes.sendHttp({
      method: 'DELETE',
      url: 'https://api.test:6443/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/drover',
      headers: { authorization: `Bearer ${world.kubernetes.adminToken}` },
      timeoutMilliseconds: 1000,
    });
    const { code, wrong } = await examine(world);
    expect(code).toBe(1);
    // The role drover-certificates still lets it get Nodes, drover-planner list what is planned with, and drover-roller patch Nodes.
    expect(wrong.filter(({ check }) => check === 'rights').map(({ subject }) => subject)).toEqual([
      'delete nodes',
      'delete pods',
      'create pods/eviction',
      'patch pods/status',
      'get daemonsets.apps',
      'get persistentvolumeclaims',
    ]);
  });

  it('names the rights that an identity should not have', async () => {
    const world = await createHealthyWorld();
    const identity = (name: string, groups: readonly string[]) => {
      const token = world.kubernetes.addToken({
        username: name,
        groups: [...groups, 'system:authenticated'],
      });
      const parameterName = `/drover/drover/${name}`;
      publishKubeconfig(world, { parameterName, server: 'https://api.test:6443', token });
      return parameterName;
    };
    const environment = {
      DROVER_READER_KUBECONFIG_PARAMETER: identity('reader', ['drover:reader']),
      DROVER_CREDENTIALS_KUBECONFIG_PARAMETER: identity('maker', ['drover:credentials', 'drover:reader']),
      DROVER_CERTIFICATES_KUBECONFIG_PARAMETER: identity('approver', ['drover:certificates']),
    };
    const { code, out } = await operatorOf(world, { environment })('doctor --json');
    const { findings } = JSON.parse(out) as DoctorReport;
    expect(code).toBe(0);
    expect(findings.filter(({ verdict }) => verdict !== 'ok')).toEqual([
      expect.objectContaining({
        subject: 'node-leaving: get configmaps aws-auth in kube-system',
        command: 'kubectl edit rolebinding drover-identity-mapping --namespace kube-system',
      }),
      {
        check: 'rights',
        verdict: 'advice',
        subject: 'node-leaving: create secrets in kube-system',
        message: 'this identity may do this and does not need it',
        command: 'kubectl edit rolebinding drover-bootstrap-tokens --namespace kube-system',
      },
      expect.objectContaining({ subject: 'node-leaving: delete secrets in kube-system' }),
      ...[
        'list certificatesigningrequests.certificates.k8s.io',
        'patch certificatesigningrequests/approval.certificates.k8s.io',
        'approve signers.certificates.k8s.io kubernetes.io/kube-apiserver-client-kubelet',
        'approve signers.certificates.k8s.io kubernetes.io/kubelet-serving',
      ].map((right) => expect.objectContaining({ subject: `node-leaving: ${right}` })),
      expect.objectContaining({ subject: 'credentials: list nodes' }),
      expect.objectContaining({ subject: 'credentials: get configmaps aws-auth in kube-system' }),
    ]);
    expect(findings.filter(({ check }) => check === 'parameters').map(({ subject }) => subject)).toEqual([
      '/drover/drover/kubeconfig',
      '/drover/drover/reader',
      '/drover/drover/maker',
      '/drover/drover/approver',
      '/drover/drover/bootstrap-kubeconfig',
    ]);
  });

  it('finds the right to read Secrets, which an earlier deploy/rbac.yaml gave', async () => {
    const world = await createHealthyWorld();
    await world.kubernetes.sendHttp({
      method: 'PATCH',
      url: 'https://api.test:6443/apis/rbac.authorization.k8s.io/v1/namespaces/kube-system/roles/drover-bootstrap-tokens',
      headers: {
        authorization: `Bearer ${world.kubernetes.adminToken}`,
        'content-type': 'application/merge-patch+json',
      },
      body: JSON.stringify({
        rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['list', 'create', 'delete'] }],
      }),
      timeoutMilliseconds: 1000,
    });
    const { wrong } = await examine(world);
    expect(wrong).toMatchObject([
      {
        check: 'rights',
        verdict: 'advice',
        subject: 'list secrets in kube-system',
        command: 'drover rbac | kubectl apply -f -',
      },
    ]);
  });

  it('asks for no right of a feature that is off, and finds it to be spare if it is there', async () => {
    const world = await createHealthyWorld();
    const { events } = world.account;
    for (const Name of ['drover-dev-bootstrap-credential', 'drover-dev-certificate-requests']) {
      const { Targets } = events.operations.ListTargetsByRule({ Rule: Name });
      events.operations.RemoveTargets({ Rule: Name, Ids: Targets?.map(({ Id = '' }) => Id) });
      events.operations.DeleteRule({ Name });
    }
    const { wrong } = await examine(world);
    const ofRights = wrong.filter(({ check }) => check === 'rights');
    expect(ofRights.map(({ subject }) => subject)).toEqual([
      'create secrets in kube-system',
      'delete secrets in kube-system',
      'list certificatesigningrequests.certificates.k8s.io',
      'patch certificatesigningrequests/approval.certificates.k8s.io',
      'approve signers.certificates.k8s.io kubernetes.io/kube-apiserver-client-kubelet',
      'approve signers.certificates.k8s.io kubernetes.io/kubelet-serving',
    ]);
    for (const { message } of ofRights) expect(message).toContain('does not need it');
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

  it('finds that the deployed sweep may not replace the nodes of a group that asks for it', async () => {
    const world = await createHealthyWorld();
    world.account.autoScaling.operations.CreateOrUpdateTags({
      Tags: [
        {
          ResourceId: 'workers',
          ResourceType: 'auto-scaling-group',
          PropagateAtLaunch: false,
          Key: 'drover.dev/repair',
          Value: 'NotReady=10m',
        },
      ],
    });
    expect((await examine(world)).wrong).toEqual([]);
    const { operations } = world.account.events;
    const { Name, ScheduleExpression } = operations.DescribeRule({ Name: 'drover-dev-sweep' });
    operations.PutRule({ Name, ScheduleExpression, Description: 'of an earlier version' });
    expect((await examine(world)).wrong).toMatchObject([
      {
        check: 'repair',
        subject: 'workers',
        verdict: 'fix',
        command: 'npx --no -- serverless deploy --stage dev',
      },
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

  it('prints the command that makes the missing kubeconfig, and is satisfied once it was run', async () => {
    const world = await createHealthyWorld();
    const Name = '/drover/drover/kubeconfig';
    world.account.ssm.operations.DeleteParameter({ Name });
    const missing = (await examine(world)).wrong.find(({ subject }) => subject === Name);
    expect(missing).toMatchObject({
      check: 'parameters',
      verdict: 'fix',
      message: expect.stringContaining('on EKS'),
      command: 'drover kubeconfig --cluster drover',
    });
    expect(await operatorOf(world)('kubeconfig --cluster drover --yes')).toMatchObject({ code: 0 });
    expect((await examine(world)).wrong.filter(({ subject }) => subject === Name)).toEqual([]);
  });

  it('prints a command with which Parameter Store takes a large kubeconfig, if that is for fewer needs than the ServiceAccount’s', async () => {
    const world = await createHealthyWorld();
    const { operations } = world.account.ssm;
    const Name = '/drover/drover/reader';
    const environment = {
      DROVER_KUBECONFIG_PARAMETER: '/other/main',
      DROVER_READER_KUBECONFIG_PARAMETER: Name,
    };
    const { out } = await operatorOf(world, { environment })('doctor --json');
    const { findings } = JSON.parse(out) as DoctorReport;
    const commandOf = (name: string) =>
      findings.find(({ check, subject }) => check === 'parameters' && subject === name)?.command ?? '';
    expect(commandOf('/other/main')).toBe('drover kubeconfig --cluster drover --parameter /other/main');
    const flag = (name: string) => new RegExp(`--${name} (\\S+)`).exec(commandOf(Name))?.[1];
    // As large as a kubeconfig with a client certificate of 4096 bits.
    const kubeconfig = { Name: flag('name'), Type: flag('type') as 'SecureString', Value: 'x'.repeat(5400) };
    expect(() => operations.PutParameter(kubeconfig, caller(world))).toThrow(/4096/);
    const Tier = flag('tier') as 'Intelligent-Tiering';
    expect(operations.PutParameter({ ...kubeconfig, Tier }, caller(world)).Tier).toBe('Advanced');
  });

  it('finds a kubeconfig that functions cannot use and a foreign bootstrap credential, and prints nothing of them', async () => {
    const world = await createHealthyWorld();
    const put = (name: string, Value: string) =>
      world.account.ssm.operations.PutParameter(
        { Name: `/drover/drover/${name}`, Type: 'SecureString', Overwrite: true, Value },
        caller(world),
      );
    put('kubeconfig', '{ "clusters": "s3cret" }');
    put('bootstrap-kubeconfig', 's3cret');
    const { report, wrong } = await examine(world);
    expect(wrong.filter(({ check }) => check === 'credentials')).toEqual([
      expect.objectContaining({
        verdict: 'fix',
        subject: '/drover/drover/kubeconfig',
        message: expect.stringContaining('clusters: '),
        command: 'drover kubeconfig --cluster drover',
      }),
      expect.objectContaining({
        verdict: 'advice',
        message: expect.stringContaining('not a bootstrap kubeconfig'),
      }),
    ]);
    expect(JSON.stringify(report)).not.toContain('s3cret');
  });

  it('advises, and does not fail, where the operator may not decrypt what the parameters hold', async () => {
    const world = await createHealthyWorld();
    const actions = ['autoscaling:*', 'ssm:GetParameters'];
    const { out } = await operatorOf(world, { actions })('doctor --json');
    const { findings } = JSON.parse(out) as DoctorReport;
    const found = findings.filter(({ check }) => check === 'credentials');
    expect(found.map(({ verdict, subject }) => [verdict, subject])).toEqual([
      ['advice', '/drover/drover/kubeconfig'],
      ['advice', '/drover/drover/bootstrap-kubeconfig'],
    ]);
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

  it('names an overdue credential to who may not decrypt it', async () => {
    const world = await createHealthyWorld();
    await world.timeline.pass(190 * 60);
    const environment = { DROVER_BOOTSTRAP_ROTATION: '2h' };
    const read = [
      'autoscaling:*',
      'ec2:*',
      'events:*',
      'cloudwatch:*',
      'sqs:*',
      'scheduler:*',
      'lambda:*',
      'iam:Get*',
    ];
    const actions = [...read, 'ssm:DescribeParameters', 'ssm:GetParametersByPath'];
    const { code, out } = await operatorOf(world, { actions, environment })('doctor --json');
    expect(code).toBe(1);
    expect((JSON.parse(out) as DoctorReport).findings).toContainEqual(
      expect.objectContaining({
        check: 'problems',
        verdict: 'fix',
        message: expect.stringContaining('bootstrap credential of worker nodes is 3h'),
      }),
    );
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
      /\nCould not be read:\n- cluster, rights, approvers, access-entries, web-identity, problems, nodes, autoscaler: .*ssm:getparameter\b/i,
    );
    expect(out).toMatch(
      /- groups, processes, hooks, deletion, vpcs, repair, problems, parameters, credentials: .*autoscaling:describeautoscalinggroups/i,
    );
  });
});
