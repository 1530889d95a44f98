import { describe, expect, it } from 'vitest';
import { rejectWhenAborted } from '../../../shared/passes/reject-when-aborted.ts';

describe('a port that is stopped by a signal', () => {
  const calls: string[] = [];
  const port = {
    evict: async (name: string) => {
      calls.push(name);
      return `${name} evicted`;
    },
  };

  it('works as before until the signal is aborted', async () => {
    await expect(rejectWhenAborted(new AbortController().signal, port).evict('web-1')).resolves.toBe(
      'web-1 evicted',
    );
  });

  it('makes no call afterwards', async () => {
    const controller = new AbortController();
    const stopped = rejectWhenAborted(controller.signal, port);
    controller.abort(new Error('the time is up'));
    await expect(stopped.evict('web-2')).rejects.toThrow('the time is up');
    expect(calls).toEqual(['web-1']);
  });
});
