import { describe, expect, it } from 'vitest';
import { readPassFact } from '../../../cli/report/facts/pass-fact.ts';
import { leavesOf } from '../../../cli/report/fold/leaves.ts';
import { instanceId, type Line, lineOf, shuffled, spansOf, start, waits } from './lines.ts';

const leavesIn = (lines: readonly Line[], until = 100_000) =>
  leavesOf(instanceId, spansOf(lines), { since: start - 1000, until: start + until * 1000 });

const held = { waitsFor: 'budget', budgets: ['web/web'], autoScalingGroupName: 'workers' };
const end = (at: number, facts: object = {}): Line => ({
  at,
  outcome: 'done',
  facts: {
    autoScalingGroupName: 'workers',
    node: 'node-1',
    release: 'completed',
    drainSeconds: at,
    leaveSeconds: at,
    ...facts,
  },
});

describe('a leave', () => {
  it('has the time of its drain, what it waited for and for how long each budget held it', () => {
    const both = { ...held, budgets: ['api/api', 'web/web'] };
    const lines = [
      ...waits(0, 60, { waitsFor: 'turn' }),
      ...waits(60, 600, held),
      ...waits(600, 700, both),
      ...waits(700, 720, { waitsFor: 'pods', podsForced: 2 }),
      end(720),
    ];
    expect(leavesIn(lines)).toEqual([
      {
        instanceId,
        group: 'workers',
        node: 'node-1',
        from: start,
        end: start + 720_000,
        result: 'drained',
        drainSeconds: 720,
        release: 'completed',
        podsForced: 2,
        waits: { turn: 60, budget: 640, pods: 20 },
        budgets: { 'web/web': 640, 'api/api': 100 },
      },
    ]);
  });

  // CloudWatch Logs gives lines in no certain order, and some twice: https://github.com/boto/boto3/issues/4472
  it('is the same whatever order its lines come in, and if each of them comes twice', () => {
    const lines = [...waits(0, 400, held), { at: 400, facts: { waitsFor: 'pods', podsForced: 3 } }, end(420)];
    const [leave] = leavesIn(lines);
    expect(leavesIn(shuffled([...lines, ...lines]))).toEqual([leave]);
    expect(leavesIn(lines.toReversed())).toEqual([leave]);
    expect(leave?.podsForced).toBe(3);
  });

  // https://github.com/DataBiosphere/azul/issues/2159: a retry counts twice. Lambda and SQS deliver at least once.
  it('whose last pass was killed and repeated counts once, with its first end', () => {
    const repeated = end(131, { release: 'not-active', drainSeconds: undefined, leaveSeconds: 131 });
    const leaves = leavesIn([...waits(0, 120, held), end(120), repeated]);
    expect(leaves).toHaveLength(1);
    expect(leaves[0]).toMatchObject({ end: start + 120_000, drainSeconds: 120, release: 'completed' });
  });

  it('whose repeated pass first waits, and then finds that the instance has left, counts once', () => {
    const other = { at: 130, facts: { waitsFor: 'failure' } };
    const gone = {
      ...end(150, { release: 'no-hook', leaveSeconds: 150 }),
      facts: { release: 'no-hook', leaveSeconds: 150 },
    };
    expect(leavesIn([...waits(0, 120, held), end(120), other, gone])).toHaveLength(1);
  });

  it('whose last pass was killed before its line is known by the next one, which finds that the instance is gone', () => {
    const gone = { at: 140, outcome: 'done' as const, facts: { release: 'gone' } };
    expect(leavesIn([...waits(0, 120, held), gone])).toMatchObject([
      { from: start, end: start + 140_000, result: 'gone', waits: { budget: 140 } },
    ]);
    expect(leavesIn([gone])).toMatchObject([{ result: 'gone' }]);
  });

  it('is not counted for the event that its instance is gone, however late that comes', () => {
    const echo = {
      at: 9000,
      outcome: 'done' as const,
      causes: ['instance-gone'],
      facts: { release: 'gone' },
    };
    expect(leavesIn([end(120), echo])).toMatchObject([{ result: 'drained', end: start + 120_000 }]);
    expect(leavesIn([echo])).toEqual([]);
  });

  it('whose last pass has a clock that is behind is one leave, and none that goes on', () => {
    const lines = [...waits(0, 120, held), end(119.5, { drainSeconds: 119 }), { at: 121, facts: held }];
    expect(leavesIn(lines)).toHaveLength(1);
    const second = [...waits(5000, 5060, held), end(5060, { drainSeconds: 60, leaveSeconds: 60 })];
    expect(leavesIn([...lines, ...second])).toMatchObject([
      {},
      { from: start + 5_000_000, waits: { budget: 60 } },
    ]);
  });

  // https://github.com/aws/aws-node-termination-handler/issues/146: one interruption, two events 3 ms apart.
  it('with two notices of one interruption counts once', () => {
    const lines = [
      end(30),
      end(30.003, { drainSeconds: undefined, release: 'not-active', leaveSeconds: 30 }),
    ];
    expect(leavesIn(lines)).toHaveLength(1);
  });

  // https://github.com/aws/aws-node-termination-handler/issues/824 asks what a second cordon does to a metric.
  it('of an instance that leaves twice is two leaves', () => {
    const reboot = { ...end(100), outcome: 'again' as const };
    const second = end(5000, { drainSeconds: 90, leaveSeconds: 4990 });
    const lines = [
      ...waits(0, 100, held),
      { ...reboot, facts: { ...reboot.facts, waitsFor: 'reboot' } },
      ...waits(120, 240, { waitsFor: 'reboot' }),
      { at: 240, outcome: 'done' as const, facts: {} },
      ...waits(4910, 5000, held),
      second,
    ];
    expect(leavesIn(lines).map(({ drainSeconds, waits: waited }) => [drainSeconds, waited])).toEqual([
      [100, { budget: 100 }],
      [90, { budget: 90 }],
    ]);
  });

  it('that is handed back to Auto Scaling goes on until its hook is completed', () => {
    const lines = [
      ...waits(0, 60, held),
      end(60, { release: 'handed-back' }),
      ...waits(80, 120, { waitsFor: 'targets' }),
      end(120, { drainSeconds: undefined, leaveSeconds: 40 }),
    ];
    expect(leavesIn(lines)).toMatchObject([
      { from: start, end: start + 120_000, drainSeconds: 60, release: 'completed', result: 'drained' },
    ]);
  });

  it('that began before the report counts when it ends, with its whole drain', () => {
    const leaves = leavesIn([...waits(0, 100, held), end(100, { drainSeconds: 5000, leaveSeconds: 5010 })]);
    expect(leaves).toMatchObject([{ from: start - 4_910_000, drainSeconds: 5000, waits: { budget: 100 } }]);
  });

  it('that has not ended is still leaving while its passes go on, and lost afterwards', () => {
    const lines = waits(0, 600, held);
    expect(leavesIn(lines, 620)).toMatchObject([
      { result: 'leaving', end: undefined, waits: { budget: 620 } },
    ]);
    expect(leavesIn(lines, 5000)).toMatchObject([{ result: 'lost', waits: { budget: 580, unknown: 4420 } }]);
  });

  it('that had its first pass late, or is done in one pass, waited for that', () => {
    const late = [...waits(40, 100, held), end(100, { drainSeconds: 60, leaveSeconds: 100 })];
    expect(leavesIn(late)).toMatchObject([{ from: start, waits: { 'first-pass': 40, budget: 60 } }]);
    expect(leavesIn([end(30)])).toMatchObject([{ waits: { 'first-pass': 30 } }]);
  });

  it('that was called off is not counted', () => {
    const calledOff = { at: 60, outcome: 'done' as const, facts: {} };
    expect(leavesIn([...waits(0, 60, held), calledOff])).toEqual([]);
    expect(
      leavesIn([
        ...waits(0, 60, held),
        calledOff,
        ...waits(500, 560, held),
        end(560, { drainSeconds: 60, leaveSeconds: 60 }),
      ]),
    ).toMatchObject([{ from: start + 500_000, drainSeconds: 60, waits: { budget: 60 } }]);
  });

  // https://github.com/opencost/opencost/pull/1962: what was not observed is neither zero nor made up.
  it('does not say what it waited for while no pass ran', () => {
    const lines = [...waits(0, 200, held), ...waits(4000, 4100, held), end(4100)];
    expect(leavesIn(lines)).toMatchObject([{ waits: { budget: 280, unknown: 3820 } }]);
  });

  it('that a budget held whose lines name none says so', () => {
    expect(leavesIn([...waits(0, 60, { waitsFor: 'budget' }), end(60)])).toMatchObject([
      { budgets: { '(not named)': 60 } },
    ]);
  });

  it('that failed, whose passes failed, and that had no Node are named so', () => {
    const failed = { at: 80, outcome: 'done' as const, facts: { drainFailed: true, podsForced: 1 } };
    const lines = [...waits(0, 60, held), { at: 60, level: 'error' as const }, failed];
    expect(leavesIn(lines)).toMatchObject([
      { result: 'failed', podsForced: 1, waits: { budget: 60, failure: 20 }, group: 'workers' },
    ]);
    expect(leavesIn([end(5, { drainSeconds: undefined })])).toMatchObject([{ result: 'no-drain' }]);
  });

  it('of Drover 0.1, whose lines say less, counts once too', () => {
    const old = {
      at: 100,
      outcome: 'done' as const,
      facts: { autoScalingGroupName: 'workers', node: 'n', drainSeconds: 90 },
    };
    const repeated = { at: 130, outcome: 'done' as const, facts: { autoScalingGroupName: 'workers' } };
    expect(leavesIn([old, repeated])).toMatchObject([{ from: start + 10_000, drainSeconds: 90 }]);
  });
});

it.each([
  ['not of a pass', { ...lineOf({ at: 0 }), message: 'look' }],
  ['of a pass over a group', { ...lineOf({ at: 0 }), subject: 'workers' }],
  ['with a strange time', { ...lineOf({ at: 0 }), time: 'noon' }],
  ['with budgets that are not names', { ...lineOf({ at: 0 }), facts: { budgets: [1] } }],
  ['without a structure', 'START RequestId: 1'],
])('a line %s is left out', (_, line) => {
  expect(readPassFact(line)).toBeUndefined();
});

// https://github.com/aws/aws-node-termination-handler/issues/925: what is kept must not grow with the number of lines.
it('a drain that a budget holds for a month is one span', () => {
  const month = 30 * 86_400;
  expect(spansOf(waits(0, month, held))).toHaveLength(1);
});
