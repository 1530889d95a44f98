import { expect, it } from 'vitest';
import type { DrainRequest } from '../../../cli/drain/drain-node.ts';
import { patiently } from '../../../cli/drain/patience.ts';
import { KubernetesError } from '../../../shared/kubernetes/status.ts';
import { node } from '../../support/pods.ts';

it.each([
  [undefined, 60],
  [30_000, 30],
  [120_000, 60],
])(
  'a command whose timeout ends at %s ms waits %i s for an API server without an answer',
  async (giveUpAt, seconds) => {
    let now = 0;
    const machine = {
      clock: { now: () => now, after: () => ({ cancel: () => undefined }) },
      pause: async (milliseconds: number) => void (now += milliseconds),
      interrupted: new AbortController().signal,
    };
    const progress = { warned: () => undefined };
    const request = { node: node(), progress, ...(giveUpAt !== undefined && { giveUpAt }) };
    const attempt = () => Promise.reject(new KubernetesError('unreachable', 'no answer'));
    const waited = patiently(attempt, { request: request as unknown as DrainRequest, machine });
    await expect(waited).rejects.toThrow('no answer');
    expect(now).toBe(seconds * 1000);
  },
);
