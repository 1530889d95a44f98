import { expect, it } from 'vitest';
import { rendered } from '../../../cli/output.ts';
import type { StatusReport } from '../../../cli/status/report.ts';
import { statusText } from '../../../cli/status/text.ts';

const report: StatusReport = {
  at: '2026-11-21T08:00:00.000Z',
  clusterName: 'prod',
  leaving: [],
  groups: [],
  problems: [],
  missing: [],
  oldestRenewal: null,
};

it('statusText is three lines without leaving nodes and problems', () => {
  expect(rendered(statusText(report), false)).toBe('cluster prod, 2026-11-21T08:00:00Z\n\nno node leaves\n');
});

it('statusText strips control sequences from tags and annotations', () => {
  const problems = [{ kind: 'tag', subject: 'workers\u001b[2J', message: 'a\rb' }] as const;
  expect(rendered(statusText({ ...report, problems }), false)).toContain('\nworkers: a?b\n');
});
