import { expect, it } from 'vitest';
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
  expect(statusText(report, { colour: false })).toBe(
    'cluster prod, 2026-11-21T08:00:00Z\n\nnothing leaves\n',
  );
});

it('lets no tag or annotation move the cursor of a terminal', () => {
  const problems = [{ kind: 'tag', subject: 'workers\u001b[2J', message: 'a\rb' }] as const;
  expect(statusText({ ...report, problems }, { colour: false })).toContain('\nworkers?[2J: a?b\n');
});
