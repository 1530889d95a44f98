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
  oldestSign: null,
};

it('is short where there is nothing to say', () => {
  expect(rendered(statusText(report), false)).toBe('cluster prod, 2026-11-21T08:00:00Z\n\nno node leaves\n');
});

it('lets no tag or annotation move the cursor of a terminal', () => {
  const problems = [{ kind: 'tag', subject: 'workers\u001b[2J', message: 'a\rb' }] as const;
  expect(rendered(statusText({ ...report, problems }), false)).toContain('\nworkers: a?b\n');
});
