import { describe, expect, it } from 'vitest';
import { clusterOfSweep } from '../../../cli/deployments/deployments.ts';
import { judgeConcurrency } from '../../../cli/doctor/checks/concurrency.ts';
import { judgeProtection } from '../../../cli/doctor/checks/deletion.ts';
import { judgeGroups } from '../../../cli/doctor/checks/groups.ts';
import { judgeHooks } from '../../../cli/doctor/checks/hooks.ts';
import { judgeNodes } from '../../../cli/doctor/checks/nodes.ts';
import { judgeParameter } from '../../../cli/doctor/checks/parameters.ts';
import { judgeProcesses } from '../../../cli/doctor/checks/processes.ts';
import { judgeQueues } from '../../../cli/doctor/checks/queues.ts';
import { judgeRepair } from '../../../cli/doctor/checks/repair.ts';
import { judgeRules } from '../../../cli/doctor/checks/rules.ts';
import { judgeVpcs } from '../../../cli/doctor/checks/vpcs.ts';
import type { QueuePart } from '../../../cli/queues/find-queues.ts';
import type { LifecycleHook } from '../../../shared/groups/group.ts';
import { parseCidr } from '../../../shared/net/cidr.ts';

const names = {
  clusterName: 'prod',
  leavingHookName: 'drover-node-leaving',
  joiningHookName: 'drover-node-joining',
  etcdHookName: 'drover-etcd',
  etcdLaunchHookName: 'drover-etcd-launch',
};

const hook = (lifecycleHookName: string, change: Partial<LifecycleHook> = {}): LifecycleHook => ({
  lifecycleHookName,
  transition: 'terminating',
  heartbeatTimeoutSeconds: 3600,
  globalTimeoutSeconds: 172_800,
  defaultResult: 'CONTINUE',
  ...change,
});

const joining = hook('drover-node-joining', { transition: 'launching' });

const group = (role: string, tags = {}) => ({
  autoScalingGroupName: 'g',
  instances: [],
  tags: { 'kubernetes.io/cluster/prod': 'owned', 'drover.dev/role': role, ...tags },
});

describe('the hooks of a group', () => {
  it('of etcd are two, and none of a node', () => {
    const launch = hook('drover-etcd-launch', { transition: 'launching', defaultResult: 'ABANDON' });
    const judged = judgeHooks({ group: group('etcd'), hooks: [hook('drover-etcd'), launch], names });
    expect(judged).toMatchObject([{ verdict: 'ok' }]);
    expect(judgeHooks({ group: group('etcd'), hooks: [], names })).toMatchObject([
      { verdict: 'fix', command: expect.stringMatching(/drover-etcd --life.*_TERMINATING .*CONTINUE$/) },
      { verdict: 'fix', command: expect.stringMatching(/drover-etcd-launch .*_LAUNCHING .*ABANDON$/) },
    ]);
  });

  it.each([
    ['of a worker', group('worker'), /in service before their nodes are Ready$/],
    ['of a control plane', group('control-plane'), /in service before their nodes are Ready$/],
    ['that asks for repair', group('worker', { 'drover.dev/repair': 'NotReady=10m' }), /asks for repair/],
  ])('%s should have the launch hook', (_, node, message) => {
    const leaving = hook('drover-node-leaving');
    expect(judgeHooks({ group: node, hooks: [leaving], names })).toMatchObject([
      { verdict: 'ok' },
      {
        verdict: 'advice',
        message: expect.stringMatching(message),
        command: 'drover hooks install g --joining --cluster prod',
      },
    ]);
    expect(judgeHooks({ group: node, hooks: [leaving, joining], names })).toMatchObject([
      { verdict: 'ok' },
      { verdict: 'ok' },
    ]);
  });

  it('of etcd beside that of a node are fixed each by its own command', () => {
    const launch = hook('drover-etcd-launch', { transition: 'launching', defaultResult: 'ABANDON' });
    const abandoning = hook('drover-node-leaving', { defaultResult: 'ABANDON' });
    const hooks = [hook('drover-etcd'), launch, abandoning];
    expect(judgeHooks({ group: group('etcd'), hooks, names })).toMatchObject([
      { verdict: 'fix', command: 'drover hooks install g --cluster prod' },
    ]);
  });

  it.each([
    ['worker', 'drover-node-leaving'],
    ['etcd', 'drover-etcd'],
  ])('of %s are removed where one of Drover’s name is for launching instances', (role, name) => {
    const hooks = [hook(name, { transition: 'launching' })];
    expect(judgeHooks({ group: group(role), hooks, names })[0]).toMatchObject({
      verdict: 'fix',
      command: `drover hooks remove g --hook ${name}`,
    });
  });

  it('hold an instance for as long as its drain may take', () => {
    const short = hook('drover-node-leaving', { heartbeatTimeoutSeconds: 30, globalTimeoutSeconds: 3000 });
    const hooks = [short, joining];
    expect(
      judgeHooks({ group: group('worker', { 'drover.dev/drain-timeout': '2h' }), hooks, names }),
    ).toMatchObject([
      {
        verdict: 'fix',
        message: expect.stringContaining('2h'),
        command: 'drover hooks install g --cluster prod',
      },
      { verdict: 'ok' },
    ]);
  });

  it('survive a killed function, or a longer timeout is advised', () => {
    const short = hook('drover-node-leaving', { heartbeatTimeoutSeconds: 119 });
    expect(judgeHooks({ group: group('worker'), hooks: [short, joining], names })).toMatchObject([
      { verdict: 'advice', message: expect.stringContaining('within 1m59s'), command: expect.any(String) },
      { verdict: 'ok' },
    ]);
  });

  it.each([
    [200, 300, 'ok', undefined],
    [400, 300, 'advice', 'drover hooks install g --heartbeat 8m --cluster prod'],
    [5000, 3600, 'advice', 'drover hooks install g --heartbeat 1h40m --cluster prod'],
    [9000, 7200, 'ok', undefined],
  ])(
    'of a group of %i with a timeout of %i s: %s, by how many heartbeats they need',
    (count, seconds, verdict, command) => {
      const member = { instanceId: 'i-1', lifecycleState: 'InService', availabilityZone: 'a', healthy: true };
      const crowd = { ...group('worker'), instances: Array.from({ length: count }, () => member) };
      const leaving = hook('drover-node-leaving', { heartbeatTimeoutSeconds: seconds });
      const [finding] = judgeHooks({ group: crowd, hooks: [leaving, joining], names });
      expect(finding?.verdict).toBe(verdict);
      expect(finding?.command).toBe(command);
    },
  );

  it('for launching instances is one of Drover’s, and is removed if it is for terminating ones', () => {
    const judged = (transition: LifecycleHook['transition']) =>
      judgeHooks({
        group: group('worker'),
        hooks: [hook('drover-node-leaving'), hook('drover-node-joining', { transition })],
        names,
      });
    expect(judged('launching')).toMatchObject([{ verdict: 'ok' }, { verdict: 'ok' }]);
    expect(judged('terminating')).toMatchObject([
      { verdict: 'ok' },
      { verdict: 'fix', command: 'drover hooks remove g --hook drover-node-joining' },
    ]);
  });

  it('have the names whose events reach Drover, if they look like Drover’s', () => {
    const hooks = [hook('drover-node-leaving'), joining, hook('drover-leaving'), hook('of-another-tool')];
    expect(judgeHooks({ group: group('worker'), hooks, names })).toMatchObject([
      { verdict: 'ok' },
      { verdict: 'ok' },
      { verdict: 'fix', command: 'drover hooks remove g --hook drover-leaving' },
    ]);
  });
});

describe('the groups', () => {
  const full = {
    minSize: 0,
    maxSize: 1,
    desiredCapacity: 1,
    instances: [],
    targetGroupArns: [],
    retainsAbandoned: false,
  };

  const account = { clusterName: 'prod', all: [], failures: [] };

  it('are managed by tags with known values', () => {
    const groups = [
      { ...full, ...group('worker') },
      { ...full, ...group('worker', { 'drover.dev/drain-timeout': 'soon' }) },
      { ...full, ...group('master') },
      { ...full, ...group('worker', { 'drover.dev/drain-timout': '1h' }) },
    ];
    expect(judgeGroups({ ...account, groups })).toMatchObject([
      { verdict: 'ok' },
      { verdict: 'fix', command: expect.stringContaining('Key=drover.dev/drain-timeout,') },
      { verdict: 'fix', command: expect.stringContaining('Key=drover.dev/role,') },
      { verdict: 'fix', command: expect.stringMatching(/delete-tags .*Key=drover.dev\/drain-timout'$/) },
    ]);
  });

  const tagged = (tags: Readonly<Record<string, string>>) => ({ ...full, ...group('worker'), tags });

  it('with the tag of the cluster in another case are named, and those of other clusters are not', () => {
    const all = [
      tagged({ 'kubernetes.io/cluster/PROD': 'owned', 'drover.dev/role': 'worker' }),
      tagged({ 'Kubernetes.io/Cluster/prod': 'shared' }),
      tagged({ 'kubernetes.io/cluster/prod': 'owned', 'kubernetes.io/cluster/Prod': 'owned' }),
      tagged({ 'kubernetes.io/cluster/production': 'owned' }),
      tagged({ 'kubernetes.io/cluster/prod': 'owned' }),
    ];
    expect(judgeGroups({ ...account, groups: [], all })).toMatchObject([
      { verdict: 'fix', message: expect.stringContaining('no group carries the tags') },
      {
        verdict: 'fix',
        message: expect.stringMatching(
          /kubernetes.io\/cluster\/PROD differs .* only in case, so Drover does not/,
        ),
        command: expect.stringMatching(/cluster\/prod,Value=owned.* && .*delete-tags .*cluster\/PROD'?$/),
      },
      { verdict: 'fix', command: expect.stringContaining('Value=shared') },
      { verdict: 'fix', message: expect.stringContaining('IAM may deny') },
    ]);
  });

  it('are judged although not all groups can be read', () => {
    const failures = [{ item: 'the list of all groups', error: new Error('denied') }];
    const groups = [{ ...full, ...group('worker') }];
    expect(judgeGroups({ ...account, groups, failures })).toMatchObject([
      { verdict: 'ok' },
      { verdict: 'unknown', message: expect.stringContaining('denied') },
    ]);
  });

  it('with a tag of Drover in another case have it named', () => {
    const groups = [{ ...full, ...group('worker', { 'Drover.dev/drain-timeout': '1h' }) }];
    expect(judgeGroups({ ...account, groups })).toMatchObject([
      { verdict: 'fix', message: expect.stringContaining('tag Drover.dev/drain-timeout is unknown') },
    ]);
    const unnamed = tagged({ 'kubernetes.io/cluster/prod': 'owned', 'Drover.dev/role': 'worker' });
    expect(judgeGroups({ ...account, groups: [...groups, unnamed] })).toMatchObject([
      {},
      { verdict: 'fix', message: expect.stringContaining('it has no tag drover.dev/role') },
    ]);
  });

  it('that are all untagged leave Drover without work', () => {
    expect(judgeGroups({ ...account, groups: [] })).toMatchObject([
      { verdict: 'fix', command: expect.stringContaining('Key=kubernetes.io/cluster/prod,Value=owned') },
    ]);
  });

  it.each([
    ['none', 'advice'],
    ['prevent-force-deletion', 'ok'],
    ['prevent-all-deletion', 'ok'],
  ])('with deletion protection %s are %s', (protection, verdict) => {
    expect(judgeProtection({ group: 'g', protection }).verdict).toBe(verdict);
  });
});

describe('the processes of a group', () => {
  const suspending = (suspendedProcesses: readonly string[], tags = {}) =>
    judgeProcesses({ ...group('worker', tags), suspendedProcesses });

  it('are resumed if Drover relies on them', () => {
    expect(suspending(['Terminate', 'Launch', 'AZRebalance'])).toMatchObject({
      verdict: 'fix',
      message: expect.stringMatching(/^Launch is suspended: .*; Terminate is suspended: /),
      command:
        'aws autoscaling resume-processes --auto-scaling-group-name g --scaling-processes Launch Terminate',
    });
    expect(suspending(['AZRebalance', 'ReplaceUnhealthy'])).toMatchObject({ verdict: 'ok' });
  });

  it('must replace unhealthy instances if a group asks for repair', () => {
    expect(suspending(['ReplaceUnhealthy'], { 'drover.dev/repair': 'NotReady=10m' })).toMatchObject({
      verdict: 'fix',
      message:
        'ReplaceUnhealthy is suspended: an instance that is unhealthy stays: a failed node is not replaced',
    });
  });
});

describe('Nodes', () => {
  it('need a providerID, each its own', () => {
    const node = (name: string, providerID?: string) => ({ metadata: { name }, spec: { providerID } });
    const all = [node('a', 'aws:///a/i-1'), node('b'), node('c', 'aws:///a/i-2'), node('d', 'aws:///a/i-2')];
    expect(judgeNodes(all)).toMatchObject([
      { verdict: 'ok', message: expect.stringMatching(/^1 /) },
      { verdict: 'fix', subject: 'b', command: expect.stringContaining('kubectl patch node b') },
      { verdict: 'advice', subject: 'c' },
      { verdict: 'advice', subject: 'd' },
    ]);
  });
});

describe('a parameter', () => {
  const parameter = {
    name: '/drover/prod/bootstrap-kubeconfig',
    use: 'the bootstrap credential',
    type: 'SecureString',
    ageSeconds: 3600,
    renewedWithinSeconds: 7200,
    ifMissing: 'advice',
    command: 'drover rotate --cluster prod',
  } as const;

  it.each([
    [{}, 'ok'],
    [{ ageSeconds: undefined }, 'advice'],
    [{ ageSeconds: undefined, ifMissing: 'fix' as const }, 'fix'],
    [{ ageSeconds: 7201 }, 'fix'],
    [{ type: 'String' }, 'fix'],
  ])('with %o is judged %s', (change, verdict) => {
    expect(judgeParameter({ ...parameter, ...change }).verdict).toBe(verdict);
  });

  it('that may be missing says where its absence is as it should be', () => {
    const missing = { ...parameter, ageSeconds: undefined, mayBeMissing: 'as on EKS' };
    expect(judgeParameter(missing).message).toBe('the bootstrap credential is missing: as on EKS');
  });

  it('that is not encrypted is deleted first: Parameter Store changes no type', () => {
    expect(judgeParameter({ ...parameter, type: 'String' }).command).toBe(
      'aws ssm delete-parameter --name /drover/prod/bootstrap-kubeconfig && drover rotate --cluster prod',
    );
  });
});

const sweepOf = (cluster: string): string =>
  `Every five minutes for cluster ${cluster}, because a lost event is normal. It replaces failed nodes of groups with the tag drover.dev/repair`;

describe('the repair of nodes', () => {
  const asked = { clusterName: 'prod', groups: ['a', 'b'], stage: 'prod' };

  it.each([
    ['without a group that asks for it', { ...asked, groups: [], description: '' }, 'ok'],
    ['by a sweep whose rule names the tag', { ...asked, description: 'with drover.dev/repair' }, 'ok'],
    ['by a sweep that is not there', { ...asked, description: undefined }, 'unknown'],
    ['by the sweep of an earlier version', { ...asked, description: 'Every five minutes' }, 'fix'],
    ['by the sweep of the cluster', { ...asked, description: sweepOf('prod') }, 'ok'],
    ['by the sweep of another cluster', { ...asked, description: sweepOf('prod-2') }, 'unknown'],
  ])('%s is judged', (_, found, verdict) => {
    expect(judgeRepair(found).verdict).toBe(verdict);
  });

  it('by the sweep of an earlier version needs a deployment', () => {
    expect(judgeRepair({ ...asked, description: '' })).toMatchObject({
      subject: 'a, b',
      command: 'npx --no -- serverless deploy --stage prod',
    });
  });
});

describe('the deployment', () => {
  const ofProd = { clusterName: 'prod', servedCluster: 'prod' };

  it('of another cluster is named as such, and is not judged', () => {
    const found = { stage: 'live', rules: [], unmatched: [], clusterName: 'prod' };
    expect(judgeRules({ ...found, servedCluster: 'Prod' })).toMatchObject([
      { verdict: 'fix', subject: 'live', message: expect.stringContaining('belongs to the cluster Prod,') },
    ]);
    const unsaid = judgeRules({ ...found, servedCluster: undefined });
    expect(unsaid).toEqual(judgeRules({ ...found, servedCluster: 'prod' }));
    expect(unsaid.map(({ subject }) => subject)).toContain('drover-live-sweep');
  });

  it.each(['prod', 'a.b_C-9', 'c'.repeat(57)])('says that it belongs to the cluster %s', (cluster) => {
    expect(clusterOfSweep(sweepOf(cluster))).toBe(cluster);
    expect(clusterOfSweep(sweepOf(cluster).replace(`for cluster ${cluster}`, ''))).toBeUndefined();
  });

  it('has every rule and queue, by name', () => {
    const missing = judgeRules({ ...ofProd, stage: 'prod', rules: [], unmatched: [] });
    expect(missing).toHaveLength(8);
    // CloudFormation does not look whether what the template names still exists, unless it is asked to revert drift.
    const restoring = expect.stringMatching(
      /create-change-set --stack-name drover-prod .*REVERT_DRIFT.* && /,
    );
    expect(missing[0]).toMatchObject({ verdict: 'fix', command: restoring });
    const queues = judgeQueues({ stage: 'prod', queues: [] });
    expect(queues).toHaveLength(13);
    expect(queues[0]).toMatchObject({ verdict: 'fix', command: restoring });
  });

  it('may have many messages in a queue of work', () => {
    const queue = {
      url: 'https://sqs/1/drover-prod-InboxQueue-X',
      arn: 'arn',
      name: 'drover-prod-InboxQueue-X',
      part: 'InboxQueue' as const,
      sources: [],
      deniesSources: true,
    };
    const [finding] = judgeQueues({ stage: 'prod', queues: [{ ...queue, messages: 9 }] }).slice(-1);
    expect(finding).toMatchObject({ verdict: 'ok', message: 'it holds 9 messages' });
  });

  const queueOf = (part: QueuePart, changes: object = {}) => ({
    part,
    url: `https://sqs/1/drover-prod-${part}-X`,
    name: `drover-prod-${part}-X`,
    messages: 0,
    sources: [] as readonly string[],
    deniesSources: !part.includes('DeadLetter'),
    ...changes,
  });
  const problemsOf = (...queues: ReturnType<typeof queueOf>[]) =>
    judgeQueues({ stage: 'prod', queues }).filter(
      ({ verdict, message }) => verdict !== 'ok' && message !== 'there is no such queue',
    );

  it('names only its dead-letter queue as such', () => {
    const own = queueOf('InboxQueue');
    const dead = queueOf('InboxDeadLetterQueue', { sources: [own.url] });
    expect(problemsOf(own, dead)).toEqual([]);
    const leaving = queueOf('LeavingQueue');
    expect(problemsOf(own, leaving, { ...dead, sources: [own.url, leaving.url] })).toHaveLength(1);
  });

  it('may not be the dead-letter queue of a foreign queue', () => {
    const mallory = 'https://sqs/1/mallory';
    for (const part of ['InboxQueue', 'InboxDeadLetterQueue', 'UndeliveredQueue'] as const)
      expect(problemsOf(queueOf(part, { sources: [mallory] }))).toMatchObject([
        {
          verdict: 'fix',
          message: expect.stringContaining('queue mallory names it as its dead-letter queue'),
          command: `aws sqs set-queue-attributes --queue-url ${mallory} --attributes RedrivePolicy=`,
        },
      ]);
  });

  it('must deny to be a dead-letter queue unless it is one', () => {
    const open = { deniesSources: false };
    expect(problemsOf(queueOf('InboxDeadLetterQueue', open))).toEqual([]);
    expect(problemsOf(queueOf('InboxQueue', open))).toMatchObject([
      { verdict: 'fix', message: expect.stringContaining('RedriveAllowPolicy') },
    ]);
    expect(problemsOf(queueOf('UndeliveredQueue', open))).toHaveLength(1);
  });

  it.each([
    [9, 'fix', /Drover uses up to 120/],
    [10, 'advice', /Drover uses up to 120/],
    [119, 'advice', /Drover uses up to 120/],
    [120, 'advice', /flood.*Raise the quota, then set passConcurrency/],
    [220, 'advice', /flood.* Set passConcurrency: 50/],
    [519, 'advice', /flood.* Set passConcurrency: 50/],
    [520, 'ok', /520 times at once/],
  ] as const)(
    'may run %i functions at once without reserved concurrency: %s',
    (unreserved, verdict, message) => {
      const found = { region: 'eu-west-1', unreserved, limit: 1000, reserved: undefined };
      expect(judgeConcurrency(found)).toMatchObject({ verdict, message: expect.stringMatching(message) });
    },
  );

  it('may leave few functions unreserved if the passes have reserved concurrency', () => {
    const found = { region: 'eu-west-1', unreserved: 100, limit: 220, reserved: 50 };
    expect(judgeConcurrency(found)).toMatchObject({
      verdict: 'ok',
      message: expect.stringContaining('have 50'),
    });
  });

  it('are judged by the limit of the account if their reserved concurrency cannot be read', () => {
    const found = { region: 'eu-west-1', unreserved: 50, limit: 50, reserved: undefined, unread: 'denied' };
    expect(judgeConcurrency(found)).toMatchObject({
      verdict: 'advice',
      message: expect.stringContaining('could not be read: denied'),
    });
  });
});

describe('the VPCs of nodes', () => {
  const vpc = (vpcId: string, ...cidrs: readonly string[]) => ({ vpcId, cidrs: cidrs.map(parseCidr) });
  const judge = (nodeVpcIds: readonly string[], ...all: readonly ReturnType<typeof vpc>[]) =>
    judgeVpcs({ region: 'eu-west-1', nodeVpcId: '', nodeVpcIds, vpcs: all });
  const own = vpc('vpc-1', '10.0.0.0/16', '100.64.0.0/16');

  it.each([
    ['no other VPC', [], 'ok'],
    ['other addresses', [vpc('vpc-2', '10.1.0.0/16')], 'ok'],
    ['the same addresses', [vpc('vpc-2', '10.0.0.0/16')], 'advice'],
    ['a part of its addresses', [vpc('vpc-2', '10.0.128.0/20')], 'advice'],
    ['addresses around its own', [vpc('vpc-2', '10.0.0.0/8')], 'advice'],
    ['the same addresses, added later', [vpc('vpc-2', '10.9.0.0/16', '100.64.8.0/24')], 'advice'],
    ['IPv6 addresses', [vpc('vpc-2', '2001:db8::/56')], 'ok'],
  ])('with %s', (_, others, verdict) => {
    expect(judge(['vpc-1'], own, ...others)).toMatchObject([{ verdict, subject: 'vpc-1' }]);
  });

  it('get the remedy that fits: the parameter for one VPC, other names for several', () => {
    const twin = vpc('vpc-2', '10.0.0.0/16');
    expect(judge(['vpc-1'], own, twin)[0]?.message).toMatch(/vpc-2 has .*: set nodeVpcId: vpc-1 /);
    const both = judge(['vpc-1', 'vpc-2'], own, twin);
    expect(both.map(({ verdict }) => verdict)).toEqual(['advice', 'advice']);
    for (const { message } of both) expect(message).toMatch(/name nodes by their instance ids/);
  });

  it('are not compared if nodeVpcId is set, or no group names its subnets', () => {
    const pinned = { region: 'eu-west-1', nodeVpcId: 'vpc-1', nodeVpcIds: ['vpc-1'], vpcs: [] };
    expect(judgeVpcs(pinned)).toMatchObject([
      {
        verdict: 'ok',
        subject: 'vpc-1',
        message: expect.stringMatching(/certificates.* log in as nodes by IAM/),
      },
    ]);
    expect(judge([])).toMatchObject([{ verdict: 'ok', subject: 'eu-west-1' }]);
  });
});
