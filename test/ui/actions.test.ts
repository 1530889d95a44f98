import { afterEach, describe, expect, it, vi } from 'vitest';
import { actionSchema } from '../../local/dashboard/action-schema.ts';
import { act, actionOf } from '../../ui/actions.js';

const instanceId = 'i-0123456789abcdef0';

afterEach(() => vi.unstubAllGlobals());

describe('a button', () => {
  it.each([
    { action: 'terminate', instanceId },
    { action: 'interrupt', instanceId },
    { action: 'kill', instanceId },
    { action: 'scale', autoScalingGroupName: 'workers', desiredCapacity: '3' },
  ])('stands for an action that the server knows: $action', (dataset) => {
    expect(actionSchema.safeParse(actionOf(dataset)).success).toBe(true);
  });

  it('says what was done', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ done: 'It is dead.' })));
    expect(await act({ action: 'kill', instanceId })).toEqual({ ok: true, words: 'It is dead.' });
  });

  it('says why it was refused', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ detail: 'Not on Spot.' }, { status: 409 })));
    expect(await act({ action: 'kill', instanceId })).toEqual({ ok: false, words: 'Not on Spot.' });
  });

  it('says that the sandbox did not answer', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed')));
    expect(await act({ action: 'kill', instanceId })).toMatchObject({
      ok: false,
      words: expect.stringContaining('did not answer'),
    });
  });
});
