import { describe, expect, it } from 'vitest';
import { requestText } from '../../../../shared/capacity/pod-holds/request-text.ts';
import { web } from './fixtures.ts';

describe('the text of a request for pods', () => {
  it.each([
    [{ matchLabels: { app: 'web' } }, '40 pods with app=web in shop'],
    [
      {
        matchLabels: { app: 'web' },
        matchExpressions: [
          { key: 'tier', operator: 'In', values: ['front', 'back'] },
          { key: 'track', operator: 'NotIn', values: ['canary'] },
          { key: 'team', operator: 'Exists' },
          { key: 'old', operator: 'DoesNotExist' },
        ],
      },
      '40 pods with app=web,tier in (front,back),track notin (canary),team,!old in shop',
    ],
  ])('has the selector %j as kubectl takes it', (selector, text) => {
    expect(requestText({ ...web(), total: 40, selector })).toBe(text);
  });

  it('says that headroom has no selector, and counts one pod as one', () => {
    const { selector: _, ...headroom } = web();
    expect(requestText({ ...headroom, total: 1 })).toBe('headroom for 1 pod in shop');
  });
});
