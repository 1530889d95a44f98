import { globSync, readFileSync } from 'node:fs';
import { array, assert, constantFrom, date, option, property, record, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LeavingInstance } from '../../../shared/capacity/leaving-instances.ts';
import type { AutoScalingGroup, LifecycleHook } from '../../../shared/groups/group.ts';
import { findProblems } from '../../../shared/problems/find-problems.ts';
import { alarmsOf, kindOfAlarm } from '../../../shared/problems/kinds.ts';
import type { ObservedGroups, ProblemObservation } from '../../../shared/problems/observation.ts';
import { byUrgency, problemKinds, problemOf } from '../../../shared/problems/problem.ts';
import { leavingInstanceIn, since } from '../../cli/leaving-support.ts';

const groupOf = (autoScalingGroupName: string, tags: Readonly<Record<string, string>>): AutoScalingGroup => ({
  autoScalingGroupName,
  tags,
  minSize: 0,
  maxSize: 1,
  desiredCapacity: 1,
  instances: [],
  targetGroupArns: [],
  retainsAbandoned: false,
});
const cluster = { 'kubernetes.io/cluster/prod': 'owned' };

const leavingHook: LifecycleHook = {
  lifecycleHookName: 'drover-node-leaving',
  transition: 'terminating',
  heartbeatTimeoutSeconds: 3600,
  globalTimeoutSeconds: 172_800,
  defaultResult: 'CONTINUE',
};

const seen = (parts: Partial<ObservedGroups> = {}): ObservedGroups => ({
  clusterName: 'prod',
  leavingHookName: 'drover-node-leaving',
  joiningHookName: 'drover-node-joining',
  etcdHookName: 'drover-etcd',
  etcdLaunchHookName: 'drover-etcd-launch',
  managed: [],
  others: [],
  hooks: new Map(),
  ...parts,
});

const at = Date.parse(since) + 3_600_000;
interface Parts extends Omit<ProblemObservation, 'at' | 'groups' | 'nodes'> {
  readonly groups?: ObservedGroups | undefined;
  readonly leaving?: readonly LeavingInstance[];
}

const known = <Value>(value: Value) => ({ kind: 'known', value }) as const;

const problemsOf = ({ leaving = [], ...parts }: Parts) => {
  const groups = 'groups' in parts ? parts.groups : seen();
  const marked = leaving.flatMap(({ node }) => node ?? []);
  return findProblems({
    at,
    ...parts,
    groups: groups ? known(groups) : { kind: 'unknown', reason: 'Auto Scaling is away' },
    nodes: known({ marked, instanceIds: new Set(marked.map(({ mark }) => mark.instanceId)) }),
  });
};

describe('the problems of a cluster', () => {
  it('are none if nothing needs an operator, or nothing could be read', () => {
    const workers = groupOf('workers', { ...cluster, 'drover.dev/role': 'worker' });
    const hooks = new Map([['workers', [leavingHook]]]);
    expect(problemsOf({ groups: seen({ managed: [workers], hooks }) })).toEqual([]);
    expect(problemsOf({ groups: undefined })).toEqual([]);
  });

  it('have a command, a document and the alarm of the same condition', () => {
    const etcd = groupOf('etcd', {
      ...cluster,
      'drover.dev/role': 'etcd',
      'drover.dev/etcd-status': 'no quorum',
    });
    const hooks = new Map([['etcd', [{ ...leavingHook, lifecycleHookName: 'drover-etcd' }]]]);
    expect(problemsOf({ groups: seen({ managed: [etcd], hooks }) })).toEqual([
      {
        kind: 'etcd',
        subject: 'etcd',
        since: null,
        severity: 'critical',
        message: 'no quorum',
        command: 'drover etcd status',
        document: 'troubleshooting.md#etcd',
        alarm: 'etcd-problems',
      },
    ]);
  });

  it('name a managed group without its hook, and the command that installs it', () => {
    const workers = groupOf('workers', { ...cluster, 'drover.dev/role': 'worker' });
    expect(
      problemsOf({ groups: seen({ managed: [workers], hooks: new Map([['workers', []]]) }) }),
    ).toMatchObject([
      { kind: 'hook', subject: 'workers', command: 'drover hooks install workers --cluster prod' },
    ]);
  });

  describe('of a hook of Drover on a group that the cluster does not manage', () => {
    const leaving = leavingInstanceIn('Terminating:Wait');
    const members = leaving.member ? [leaving.member] : [];
    const theirs = { ...leavingHook, lifecycleHookName: 'of-another-tool' };
    const withHook = (
      tags: Readonly<Record<string, string>>,
      instances: AutoScalingGroup['instances'] = [],
    ) => {
      const hooks = new Map([['stranger', [leavingHook, theirs]]]);
      return seen({ others: [{ ...groupOf('stranger', tags), instances }], hooks });
    };
    const hookProblemsOf = (parts: Parameters<typeof problemsOf>[0]) =>
      problemsOf(parts).filter(({ kind }) => kind === 'hook');

    it('give the command that restores the tags, if a Node of the cluster is an instance of the group', () => {
      expect(hookProblemsOf({ groups: withHook({}, members), leaving: [leaving] })).toMatchObject([
        {
          message: expect.stringMatching(/Drover’s hook drover-node-leaving.*48h/),
          command: expect.stringMatching(
            /Key=kubernetes.io\/cluster\/prod,Value=owned.* .*Key=drover.dev\/role,Value=ROLE/,
          ),
        },
      ]);
    });

    it('give the command that restores the role, if the group has the tag of the cluster', () => {
      expect(hookProblemsOf({ groups: withHook(cluster) })).toMatchObject([
        {
          command: expect.stringMatching(
            /^aws autoscaling create-or-update-tags --tags \S+Key=drover.dev\/role,Value=ROLE\S*$/,
          ),
        },
      ]);
    });

    it('give no command if nothing shows whose the group is', () => {
      const { node: _, ...withoutNode } = leaving;
      expect(hookProblemsOf({ groups: withHook({}, members), leaving: [withoutNode] })).toMatchObject([
        { message: expect.stringMatching(/none of its instances is a Node of cluster prod/), command: null },
      ]);
    });

    it('name the other cluster whose tag the group has, and are none if that cluster manages it', () => {
      const other = { 'kubernetes.io/cluster/staging': 'owned' };
      expect(hookProblemsOf({ groups: withHook(other) })).toMatchObject([
        { message: expect.stringContaining('the tag of cluster staging'), command: null },
      ]);
      expect(hookProblemsOf({ groups: withHook({ ...other, 'drover.dev/role': 'worker' }) })).toEqual([]);
    });

    it('hide no problem of its tags, and none of its tags hides them', () => {
      const groups = withHook({ ...cluster, 'drover.dev/role': 'wroker' });
      expect(problemsOf({ groups }).map(({ kind, severity }) => [kind, severity])).toEqual([
        ['hook', 'critical'],
        ['tag', 'warning'],
      ]);
    });
  });

  it('include a repair that is withheld, since its condition began', () => {
    const finding = {
      node: 'node-1',
      instanceId: 'i-0a1b2c3d4e5f60718',
      autoScalingGroupName: 'workers',
      condition: 'NotReady',
      since: at,
      verdict: 'withheld',
      reason: 'half of the nodes fail',
    } as const;
    expect(problemsOf({ repairs: known([finding, { ...finding, verdict: 'wait' }]) })).toMatchObject([
      { kind: 'withheld', since: new Date(at).toISOString(), alarm: 'repairs-withheld' },
    ]);
    expect(problemsOf({ repairs: known([{ ...finding, since: undefined }]) })).toMatchObject([
      { since: null },
    ]);
  });

  it('show what is critical first, then what has lasted longest', () => {
    const late = leavingInstanceIn('Terminating:Wait', {
      mark: { until: '2026-11-21T08:30:00.000Z', renewedAt: since },
    });
    const etcd = {
      ...groupOf('etcd', {
        ...cluster,
        'drover.dev/role': 'control-plane',
        'drover.dev/etcd-status': 'no quorum',
        'drover.dev/force': 'perhaps',
      }),
      instances: late.member ? [late.member] : [],
    };
    const hooks = new Map([['etcd', [leavingHook]]]);
    const found = problemsOf({ groups: seen({ managed: [etcd], hooks }), leaving: [late] });
    expect(found.map(({ kind }) => kind)).toEqual(['quiet', 'overdue', 'etcd', 'tag']);
  });
});

describe('the order of problems', () => {
  const anyProblem = record({
    kind: constantFrom(...problemKinds),
    subject: string(),
    message: string(),
    since: option(
      date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toISOString()),
      { nil: undefined },
    ),
  }).map(problemOf);

  it('does not depend on the order in which they were found', () => {
    assert(
      property(array(anyProblem), (problems) => {
        const key = (problem: (typeof problems)[number]) => [
          problem.severity,
          problem.since,
          problem.subject,
        ];
        expect(problems.toReversed().toSorted(byUrgency).map(key)).toEqual(
          problems.toSorted(byUrgency).map(key),
        );
      }),
    );
  });
});

describe('a kind of problem', () => {
  const anchors = new Map(
    globSync('docs/*.md').map((file) => [
      file.replace('docs/', ''),
      [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
        title
          .toLowerCase()
          .replaceAll(/[^\w\s-]/g, '')
          .replaceAll(' ', '-'),
      ),
    ]),
  );
  const alarms = globSync(['serverless.yml', 'deploy/*.yml']).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/AlarmName: .*\}-(\S+)/g)].map(([, name = '']) => name),
  );

  it.each(problemKinds)('%s has a section of the documentation, and its alarm exists', (kind) => {
    const { document, alarm } = problemOf({ kind, subject: '', message: '' });
    const [file = '', anchor = ''] = document.split('#');
    expect(anchors.get(file)).toContain(anchor);
    for (const name of alarmsOf(kind)) expect(alarms).toContain(name);
    expect(alarm).toBe(alarmsOf(kind)[0] ?? null);
  });

  it('belongs to every alarm of the deployment, and no alarm to two kinds', () => {
    expect(alarms.length).toBeGreaterThan(30);
    expect(alarms.filter((name) => kindOfAlarm(name) === undefined)).toEqual([]);
    const named = problemKinds.flatMap(alarmsOf);
    expect(named.toSorted()).toEqual(alarms.toSorted());
  });
});
