import { describe, expect, it } from 'vitest';
import type { AutoScalingGroup } from '../../../shared/groups/group.ts';
import { alarmProblems } from '../../../shared/problems/alarm-problems.ts';
import { capacityProblems } from '../../../shared/problems/capacity-problems.ts';
import { certificateProblems, type JudgedRequest } from '../../../shared/problems/certificate-problems.ts';
import { credentialProblems } from '../../../shared/problems/credential-problems.ts';
import { deadLetterProblems } from '../../../shared/problems/dead-letter-problems.ts';
import { findProblems } from '../../../shared/problems/find-problems.ts';
import { nodeProblems } from '../../../shared/problems/node-problems.ts';
import { missingIn, notLookedAt, type ProblemObservation } from '../../../shared/problems/observation.ts';
import { markOf } from '../../cli/leaving-support.ts';

const at = Date.UTC(2026, 10, 21, 8);
const minutesAgo = (minutes: number): number => at - minutes * 60_000;

describe('certificate requests', () => {
  const request = (parts: Partial<JudgedRequest> = {}): JudgedRequest => ({
    name: 'csr-1',
    signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
    nodeName: 'node-1',
    createdAt: minutesAgo(1),
    verdict: 'conflict',
    reason: 'another key asks for this name',
    ...parts,
  });

  it('for which several keys ask are one critical problem of the node, since the first', () => {
    const requests = [request({ name: 'csr-2' }), request({ createdAt: minutesAgo(3) })];
    expect(certificateProblems(requests, at)).toMatchObject([
      {
        kind: 'certificate-conflict',
        subject: 'node-1',
        message: expect.stringMatching(/stolen bootstrap token.*csr-2, csr-1 is not approved: another key/),
        since: new Date(minutesAgo(3)).toISOString(),
        command: 'drover csr explain csr-1',
      },
    ]);
  });

  it('that wait are a problem after a quarter of an hour, with the reason, and of each node once', () => {
    const waits = { verdict: 'later', reason: 'its instance is stopped' } as const;
    expect(certificateProblems([request({ ...waits, createdAt: minutesAgo(15) })], at)).toEqual([]);
    const late = [16, 17, 18, 19, 20].map((age) =>
      request({ ...waits, name: `csr-${age}`, createdAt: minutesAgo(age) }),
    );
    expect(certificateProblems(late, at)).toMatchObject([
      {
        kind: 'certificate-waiting',
        message:
          'certificate request csr-16, csr-17, csr-18 and 2 more has waited for 20m: its instance is stopped',
      },
    ]);
  });

  it('that Drover would approve, and does not, show that the function does not run', () => {
    const requests = [request({ verdict: 'approve', createdAt: minutesAgo(30) })];
    expect(certificateProblems(requests, at)).toMatchObject([
      { kind: 'certificate-waiting', message: expect.stringContaining('would approve it, and has not') },
    ]);
  });

  it('of other programs are none of Drover’s problems, however old', () => {
    expect(certificateProblems([request({ verdict: 'not-ours', createdAt: 0 })], at)).toEqual([]);
  });

  it('without a Node name or a readable time are named by themselves', () => {
    const [problem] = certificateProblems([request({ nodeName: undefined, createdAt: Number.NaN })], at);
    expect(problem).toMatchObject({ subject: 'csr-1', since: undefined });
  });
});

describe('dead-letter queues', () => {
  it.each([
    ['InboxDeadLetterQueue', 'inbox-dead-letters', 'drover redrive --stage prod --dry-run'],
    ['UndeliveredQueue', 'undelivered', expect.stringMatching(/^aws sqs receive-message/)],
  ])('%s with messages has the alarm %s', (part, alarm, command) => {
    const queue = {
      part,
      name: `drover-prod-${part}-A`,
      url: `https://sqs/1/drover-prod-${part}-A`,
      stage: 'prod',
    };
    expect(deadLetterProblems([{ ...queue, messages: 0 }])).toEqual([]);
    expect(deadLetterProblems([{ ...queue, messages: 2 }])).toMatchObject([
      { kind: 'dead-letters', subject: queue.name, alarm, command },
    ]);
  });
});

const group = (parts: Partial<AutoScalingGroup> = {}): AutoScalingGroup => ({
  autoScalingGroupName: 'workers',
  tags: { 'kubernetes.io/cluster/prod': 'owned', 'drover.dev/role': 'worker' },
  minSize: 0,
  maxSize: 5,
  desiredCapacity: 1,
  instances: [],
  targetGroupArns: [],
  retainsAbandoned: false,
  ...parts,
});

describe('holds and schedules', () => {
  const hold = {
    kind: 'hold',
    hold: {
      autoScalingGroupName: 'workers',
      name: 'sale',
      nodes: 3,
      until: at + 3_600_000,
      raiseMaxSize: false,
    },
  } as const;
  const problemsOf = (
    holds: ReadonlyMap<
      string,
      { holds: [typeof hold]; record: { kind: 'unreadable'; why: string } | { kind: 'none' } }
    >,
    managed: readonly AutoScalingGroup[] = [group()],
  ) => capacityProblems({ holds, schedules: [], maxSizeLimit: 100 }, { managed, others: [], at });

  it('name a record of a floor that is lost', () => {
    const holds = new Map([
      [
        'workers',
        { holds: [hold] as [typeof hold], record: { kind: 'unreadable', why: 'no JSON' } as const },
      ],
    ]);
    expect(problemsOf(holds)).toMatchObject([
      {
        kind: 'capacity',
        subject: 'workers',
        message: expect.stringContaining('was lost or could not be read'),
      },
    ]);
  });

  it('name holds of a group that does not exist', () => {
    const holds = new Map([['gone', { holds: [hold] as [typeof hold], record: { kind: 'none' } as const }]]);
    expect(problemsOf(holds)).toMatchObject([{ kind: 'capacity', subject: 'gone' }]);
  });

  it('are not a problem while a hold is new', () => {
    const holds = new Map([
      ['workers', { holds: [hold] as [typeof hold], record: { kind: 'none' } as const }],
    ]);
    expect(problemsOf(holds)).toEqual([]);
  });

  it('name a schedule that cannot be read', () => {
    const schedules = [{ kind: 'unreadable', name: 'nightly', why: 'its input is not JSON' }] as const;
    expect(
      capacityProblems({ holds: new Map(), schedules, maxSizeLimit: 100 }, { managed: [], others: [], at }),
    ).toMatchObject([
      { kind: 'schedule', subject: 'nightly', message: expect.stringContaining('makes no holds') },
    ]);
  });
});

describe('bootstrap credentials', () => {
  const credential = {
    role: 'worker',
    parameterName: '/drover/prod/bootstrap-kubeconfig',
    rotationSeconds: 43_200,
  } as const;

  it('are a problem an hour after their rotation was due', () => {
    const published = (hours: number) => [{ ...credential, publishedAt: minutesAgo(60 * hours) }];
    expect(credentialProblems(published(13), at)).toEqual([]);
    expect(credentialProblems(published(14), at)).toMatchObject([
      { kind: 'credential', subject: credential.parameterName, command: 'drover rotate' },
    ]);
  });

  it('that are not published are not a problem: a deployment may make none', () => {
    expect(credentialProblems([{ ...credential, publishedAt: undefined }], at)).toEqual([]);
  });

  it('of another role have the command for that role', () => {
    const old = { ...credential, role: 'control-plane', publishedAt: 0 } as const;
    expect(credentialProblems([old], at)).toMatchObject([{ command: 'drover rotate --role control-plane' }]);
  });
});

describe('instances that should be nodes', () => {
  const member = (lifecycleState: string) => ({
    instanceId: 'i-0123456789abcdef0',
    lifecycleState,
    availabilityZone: 'eu-west-1a',
    healthy: true,
  });
  const problemsOf = (
    lifecycleState: string,
    {
      age,
      tags = {},
      ...nodes
    }: { age?: number; tags?: Record<string, string>; instanceIds?: Set<string>; marked?: [] },
  ) =>
    nodeProblems(
      group({ tags: { 'drover.dev/role': 'worker', ...tags }, instances: [member(lifecycleState)] }),
      {
        at,
        nodes: { marked: [], instanceIds: new Set(), ...nodes },
        launches: {
          joinTimeoutSeconds: 720,
          launchedAt: new Map(age === undefined ? [] : [['i-0123456789abcdef0', minutesAgo(age)]]),
        },
      },
    ).map(({ kind }) => kind);

  it('are late five minutes after the time for a join', () => {
    expect(problemsOf('Pending:Wait', { age: 17 })).toEqual([]);
    expect(problemsOf('Pending:Wait', { age: 18 })).toEqual(['join-overdue']);
    expect(problemsOf('Pending:Wait', { age: 18, tags: { 'drover.dev/join-timeout': '20m' } })).toEqual([]);
  });

  it('in service have a Node by then', () => {
    expect(problemsOf('InService', { age: 17 })).toEqual([]);
    expect(problemsOf('InService', { age: 18 })).toEqual(['no-node']);
    expect(problemsOf('InService', { age: 18, instanceIds: new Set(['i-0123456789abcdef0']) })).toEqual([]);
  });

  it.each(['Pending:Wait', 'InService'])('are not late %s because EC2 does not know them yet', (state) => {
    expect(problemsOf(state, {})).toEqual([]);
  });

  it('are judged by an old list of Nodes only if they were late when it was read', () => {
    const late = (state: string, nodesAt: number) =>
      nodeProblems(group({ instances: [member(state)] }), {
        at,
        nodes: { marked: [], instanceIds: new Set<string>() },
        nodesAt,
        launches: { joinTimeoutSeconds: 720, launchedAt: new Map([['i-0123456789abcdef0', minutesAgo(30)]]) },
      }).map(({ kind }) => kind);
    expect(late('InService', minutesAgo(20))).toEqual([]);
    expect(late('InService', minutesAgo(5))).toEqual(['no-node']);
    expect(late('Pending:Wait', minutesAgo(20))).toEqual(['join-overdue']);
  });

  it.each([
    ['etcd', { 'drover.dev/role': 'etcd' }],
    ['a paused group', { 'drover.dev/paused': '{"scope":"group"}' }],
  ])('are not those of %s', (_, tags) => {
    expect(problemsOf('InService', { age: 60, tags })).toEqual([]);
  });

  it('are not those that return with a new root volume, long after their launch', () => {
    const marked = [{ name: 'node-1', mark: markOf() }];
    const nodes = { marked, instanceIds: new Set(['i-0123456789abcdef0']) };
    const launches = { joinTimeoutSeconds: 720, launchedAt: new Map([['i-0123456789abcdef0', 0]]) };
    expect(nodeProblems(group({ instances: [member('Pending:Wait')] }), { at, nodes, launches })).toEqual([]);
  });
});

describe('raised alarms', () => {
  const alarm = { name: 'sweep-missing', description: 'No sweep has succeeded.', since: at };

  it('are problems of their kind, unless another problem has the same condition', () => {
    expect(alarmProblems([alarm], [])).toMatchObject([
      {
        kind: 'not-running',
        subject: 'sweep-missing',
        message: 'No sweep has succeeded',
        alarm: 'sweep-missing',
      },
    ]);
    expect(alarmProblems([alarm], [{ alarm: 'sweep-missing' }])).toEqual([]);
  });
});

describe('an observation', () => {
  const unread: ProblemObservation = {
    at,
    groups: { kind: 'unknown', reason: 'denied' },
    nodes: { kind: 'known', value: { marked: [], instanceIds: new Set() } },
    requests: { kind: 'stale', value: [], reason: 'no answer' },
    deadLetters: { kind: 'unknown', reason: 'denied' },
  };

  it('names each source that could not be read, and the same reason once', () => {
    expect(missingIn(unread)).toEqual([
      { what: 'Auto Scaling', reason: 'denied' },
      { what: 'the certificate requests', reason: 'no answer' },
    ]);
    expect(findProblems(unread)).toEqual([]);
  });

  it('names the sources that were not looked at', () => {
    expect(notLookedAt(unread)).toContain('the alarms');
    expect(notLookedAt(unread)).not.toContain('the queues');
  });
});
