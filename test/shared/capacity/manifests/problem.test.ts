import { describe, expect, it } from 'vitest';
import { problemText } from '../../../../shared/capacity/manifests/problem.ts';

describe('a problem in one line', () => {
  it.each([
    [{ document: 2, field: 'spec.replicas' }, 'web.yaml, document 2, spec.replicas: must be a whole number'],
    [{ document: 1 }, 'web.yaml, document 1: must be a whole number'],
    [{}, 'web.yaml: must be a whole number'],
  ])('names the file and as much of the place as is known: %j', (place, text) => {
    expect(problemText({ file: 'web.yaml', message: 'must be a whole number', ...place })).toBe(text);
  });
});
