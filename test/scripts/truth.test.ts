import { describe, expect, it } from 'vitest';
import type { Finding } from '../../packages/cloud-sandbox/truth/claim.ts';
import { merge } from '../../packages/cloud-sandbox/truth/merge.ts';
import { render } from '../../packages/cloud-sandbox/truth/render.ts';

const finding = (behaviour: string, more: Partial<Finding> = {}): Finding => ({
  area: 'Queues',
  behaviour,
  world: 'sandbox',
  verdict: 'pass',
  file: 'a.test.ts',
  ...more,
});
const behavioursOf = (findings: readonly Finding[]) => findings.map(({ behaviour }) => behaviour);

describe('what is known after a run', () => {
  it('is what it found, over what was known', () => {
    const found = finding('a', { verdict: 'fail' });
    expect(merge([finding('a')], [{ file: 'a.test.ts', isWhole: false, findings: [found] }])).toEqual([
      found,
    ]);
  });

  it('forgets a row that a file no longer has, where all of the file ran', () => {
    const known = [finding('gone'), finding('of another file', { file: 'b.test.ts' })];
    const run = { file: 'a.test.ts', isWhole: true, findings: [finding('here')] };
    expect(behavioursOf(merge(known, [run]))).toEqual(['here', 'of another file']);
  });

  it('keeps what a part of a file did not look at', () => {
    const run = { file: 'a.test.ts', isWhole: false, findings: [finding('here')] };
    expect(behavioursOf(merge([finding('kept')], [run]))).toEqual(['here', 'kept']);
  });
});

describe('the table', () => {
  it('has a row for each behaviour, a column for each world with the sandbox first, and a note for each difference', () => {
    const text = render([
      finding('a'),
      finding('a', { world: 'ElasticMQ', verdict: 'differs', why: 'it takes | all' }),
      finding('b', { world: 'ElasticMQ', verdict: 'not applicable', why: 'it has none' }),
    ]);
    expect(text).toContain('| behaviour | sandbox | ElasticMQ |');
    expect(text).toContain('| a | pass | differs (1) |');
    expect(text).toContain('| b |  | n/a (2) |');
    expect(text).toContain('1. it takes \\| all');
    expect(text).toContain('| Queues | ElasticMQ | 0 | 1 | 1 | 0 |');
  });
});
