import { expect, it } from 'vitest';
import { rendered } from '../../../cli/output.ts';
import type { StatusReport } from '../../../cli/status/report.ts';
import { statusText } from '../../../cli/status/text.ts';
import { problemOf } from '../../../shared/problems/problem.ts';

const report: StatusReport = {
  at: '2026-11-21T08:00:00.000Z',
  clusterName: 'prod',
  leaving: [],
  joining: [],
  repairs: [],
  groups: [],
  scheduledActions: [],
  problems: [],
  missing: [],
  notLookedAt: [],
  oldestRenewal: null,
};

const nothingLeaves = 'cluster prod, 2026-11-21T08:00:00Z\n\nno node leaves\n';

it('statusText without a group says that none has the tags: a mistyped cluster does not look healthy', () => {
  expect(rendered(statusText(report), false)).toBe(
    `${nothingLeaves}\nno Auto Scaling group in this account and region carries the tags of cluster prod\n`,
  );
});

it('statusText says nothing of groups where Auto Scaling could not be read', () => {
  const missing = [{ what: 'Auto Scaling', reason: 'it is away' }] as const;
  expect(rendered(statusText({ ...report, missing }), false)).not.toContain('carries the tags');
});

it.each([
  [{ columns: 80 }, 'workers   worker   3           0         yes    cluster, 4m ago, by user/ana\n'],
  [{ columns: 60 }, 'workers   3           0         cluster, 4m ago, by user/ana\n'],
  [
    {},
    'workers   worker   3           0         yes    paused for the cluster since 2026-11-21T07:56:00Z by user/ana\n',
  ],
])('statusText says in %j since when a group is paused', (view, line) => {
  const paused = { scope: 'cluster', since: '2026-11-21T07:56:00Z', by: 'user/ana' } as const;
  const group = {
    autoScalingGroupName: 'workers',
    role: 'worker',
    instances: 3,
    leaving: 0,
    hasHook: true,
    paused,
  };
  expect(rendered(statusText({ ...report, groups: [group] }, view), false)).toContain(`\n${line}`);
});

it('statusText strips control sequences from tags and annotations', () => {
  const problems = [problemOf({ kind: 'tag', subject: 'workers\u001b[2J', message: 'a\rb' })];
  expect(rendered(statusText({ ...report, problems }), false)).toContain('\nworkers: a?b\n');
});
