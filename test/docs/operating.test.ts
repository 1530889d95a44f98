import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { durationText } from '../../shared/base/duration.ts';
import { metricUnits } from '../../shared/base/metrics.ts';
import { tiers } from '../../shared/draining/plan-drain.ts';
import { leavingTags } from '../../shared/groups/group-settings.ts';
import { globalTimeoutSecondsOf } from '../../shared/groups/hook-timing.ts';
import type { LeavingMark } from '../../shared/nodes/leaving-mark.ts';
import { leavingCauses } from '../../shared/passes/leaving-notice.ts';
import { again } from '../../shared/passes/outcome.ts';
import { reportPass } from '../../shared/passes/queue/pass-report.ts';
import { problemKinds } from '../../shared/problems/problem.ts';
import type { RepairVerdict } from '../../shared/sweep/repair/judge-repairs.ts';
import {
  allowedRepairs,
  allowedRepairWindows,
  repairTagKey,
  repairWindowTagKey,
} from '../../shared/sweep/repair/settings.ts';
import { sourceFiles } from '../architecture/source-files.ts';
import { createLines, instanceId, notice, record, startedAt } from '../support/queue-lines.ts';

const root = join(import.meta.dirname, '../..');
const text = readFileSync(join(root, 'docs/operating.md'), 'utf8');

/** The rows of the table whose first column has this title, in a section if one is named. */
function rowsOf(title: string, { after = '' } = {}): readonly (readonly string[])[] {
  const lines = text.slice(Math.max(0, text.indexOf(after))).split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${title} |`)) + 2;
  const length = lines.slice(start).findIndex((line) => !line.startsWith('|'));
  expect(start).toBeGreaterThan(1);
  return lines.slice(start, start + length).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const unquoted = (cell: string): readonly string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

const namesIn = (rows: readonly (readonly string[])[]): readonly string[] =>
  rows.flatMap(([first = '']) => unquoted(first));

describe('docs/operating.md', () => {
  it('lists every tag of a group’s settings, with its allowed values', () => {
    const documented = rowsOf('tag', { after: 'These tags control how nodes leave.' }).map(
      ([tag = '', allowed]) => [unquoted(tag)[0], allowed],
    );
    expect(documented).toEqual(Object.entries(leavingTags).map(([key, { allowed }]) => [key, allowed]));
  });

  it.each([
    [repairTagKey, allowedRepairs],
    [repairWindowTagKey, allowedRepairWindows],
  ])('says what the tag %s may say', (key, allowed) => {
    const row = rowsOf('tag').find(([tag = '']) => unquoted(tag)[0] === key);
    expect(row?.[1]).toBe(allowed);
  });

  it('explains every verdict on a failing node', () => {
    const verdicts: Readonly<Record<RepairVerdict, true>> = {
      repair: true,
      wait: true,
      bounded: true,
      withheld: true,
      'left-alone': true,
      'cannot-judge': true,
    };
    expect(namesIn(rowsOf('verdict'))).toEqual(Object.keys(verdicts));
  });

  it('explains every field of the annotation', () => {
    const fields: Readonly<Record<keyof LeavingMark, true>> = {
      cause: true,
      instanceId: true,
      since: true,
      awaiting: true,
      ofRoll: true,
      awaitedSince: true,
      heartbeatTimeoutSeconds: true,
      until: true,
      renewedAt: true,
      mayHaveVolumes: true,
      emptySince: true,
      hasTwins: true,
      uncordonedAt: true,
      waitEndsAt: true,
      missingSince: true,
      bootBefore: true,
      told: true,
      podsForced: true,
      restarted: true,
      before: true,
      waitingFor: true,
      andMore: true,
    };
    expect(namesIn(rowsOf('field'))).toEqual(Object.keys(fields));
  });

  it('explains every tier of pods, in their order', () => {
    expect(namesIn(rowsOf('tier'))).toEqual(tiers);
  });

  it('explains every cause', () => {
    expect(namesIn(rowsOf('cause'))).toEqual(leavingCauses);
  });

  it('explains every Event that a pass records on a Node', () => {
    const told = sourceFiles('shared/leaving').flatMap(({ code }) =>
      [...code.matchAll(/type: '(Normal|Warning)',\s*reason: '(\w+)'/g)].map(
        ([, type, reason]) => `${reason} ${type}`,
      ),
    );
    const documented = rowsOf('reason').map(([reason = '', type]) => `${unquoted(reason)[0]} ${type}`);
    expect(documented.toSorted()).toEqual(told.toSorted());
  });

  it('has a remedy for every problem of drover status', () => {
    expect(namesIn(rowsOf('kind'))).toEqual(problemKinds);
  });

  it('has a remedy for every alarm, and docs/deployment.md says what it measures', () => {
    const files = globSync(['serverless.yml', 'deploy/**/*.{yml,cjs}'], { cwd: root });
    const alarms = files
      .map((file) => readFileSync(join(root, file), 'utf8'))
      .join('')
      .matchAll(/AlarmName: .*\}-(\S+)/g);
    const names = [...alarms].map(([, name = '']) => name);
    expect(namesIn(rowsOf('alarm')).toSorted()).toEqual(names.toSorted());
    const deployment = readFileSync(join(root, 'docs/deployment.md'), 'utf8');
    const isSaid = (name: string): boolean => name.endsWith('-errors') || deployment.includes(`\`${name}\``);
    expect(names.filter((name) => !isSaid(name))).toEqual([]);
  });

  it('explains every metric, with its unit', () => {
    const documented = rowsOf('metric').map(([metric = '', unit]) => [unquoted(metric)[0], unit]);
    expect(documented).toEqual(Object.entries(metricUnits));
  });

  it('names every value of the dimension Cause', () => {
    const causes = ['shared/leaving', 'shared/giving-back', 'shared/etcd', 'shared/joining'].flatMap(
      (folder) =>
        sourceFiles(folder).flatMap(({ code }) =>
          [...code.matchAll(/(?:waitsFor: |waitingFor\(\s*(?='))([^,}]+)/g)].flatMap(([, value = '']) =>
            [...value.matchAll(/'(\w+)'/g)].map(([, name = '']) => name),
          ),
        ),
    );
    const row = rowsOf('metric').find(([metric]) => metric === '`Waits`');
    const documented = unquoted(row?.[2] ?? '').filter((name) => name !== 'Cause');
    expect(documented.toSorted()).toEqual([...new Set([...causes, 'failure', 'other'])].toSorted());
  });

  it('explains every field of the line that a pass writes', () => {
    const { world, logged } = createLines(startedAt);
    reportPass(
      {
        work: 'node-leaving',
        subject: {
          id: instanceId,
          notices: [notice()],
          redelivered: false,
          receiveCount: 1,
          deadline: startedAt,
        },
        records: [record()],
        startedAt,
        outcome: again(5, 'it waits', { waitsFor: 'pods' }),
        error: new Error('the API server does not answer'),
      },
      { ...world, log: world.log.with({ function: 'node-leaving' }) },
    );
    const written = Object.keys(logged()[0] ?? {}).filter((name) => name !== 'time' && name !== 'message');
    expect(namesIn(rowsOf('pass line')).toSorted()).toEqual(written.toSorted());
  });

  it('states correctly how long hooks can hold an instance', () => {
    const timeouts = { '30s': 30, '5m': 300, '30m and more': 1800 };
    expect(rowsOf('heartbeat timeout')).toEqual(
      Object.entries(timeouts).map(([words, seconds]) => [
        words,
        durationText(globalTimeoutSecondsOf(seconds)),
      ]),
    );
  });

  it('links only to existing headings', () => {
    const anchors = [...text.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor ?? '');
    const headings = [...text.matchAll(/^##+ (.+)$/gm)].map(([, heading = '']) =>
      heading.toLowerCase().replaceAll(' ', '-'),
    );
    expect(anchors.filter((anchor) => !headings.includes(anchor))).toEqual([]);
  });
});
