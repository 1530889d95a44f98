import { afterEach, describe, expect, it, vi } from 'vitest';
import { actionSchema } from '../../local/dashboard/action-schema.ts';
import { act, copyText } from '../../ui/actions.ts';
import type { Action } from '../../ui/parts/doing.ts';

const instanceId = 'i-0123456789abcdef0';

afterEach(() => vi.unstubAllGlobals());

describe('a button', () => {
  it.each<Action>([
    { action: 'terminate', instanceId },
    { action: 'interrupt', instanceId },
    { action: 'kill', instanceId },
    { action: 'scale', autoScalingGroupName: 'workers', desiredCapacity: 3 },
    { action: 'roll', name: 'workers', deed: 'pause' },
    { action: 'roll', name: 'workers', deed: 'resume' },
    { action: 'roll', name: 'workers', deed: 'abort' },
  ])('stands for an action that the server knows: $action', (action) => {
    expect(actionSchema.safeParse(action).data).toEqual(action);
  });

  it('names the cluster that was shown with it', async () => {
    const sent: unknown[] = [];
    vi.stubGlobal('fetch', (_: string, { body }: { body: string }) => {
      sent.push(JSON.parse(body));
      return Promise.resolve(Response.json({ done: '' }));
    });
    await act({ action: 'kill', instanceId }, 'drover');
    expect(sent).toEqual([{ action: 'kill', instanceId, cluster: 'drover' }]);
  });

  it('says what was done', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ done: 'It is dead.' })));
    expect(await act({ action: 'kill', instanceId }, 'drover')).toEqual({ ok: true, words: 'It is dead.' });
  });

  it('says why it was refused', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ detail: 'Not on Spot.' }, { status: 409 })));
    expect(await act({ action: 'kill', instanceId }, 'drover')).toEqual({ ok: false, words: 'Not on Spot.' });
  });

  it('says that the sandbox did not answer', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed')));
    expect(await act({ action: 'kill', instanceId }, 'drover')).toMatchObject({
      ok: false,
      words: expect.stringContaining('did not answer'),
    });
  });
});

describe('a copy button', () => {
  it('says what it has copied', async () => {
    const copied: string[] = [];
    const clipboard = { writeText: (text: string) => Promise.resolve(void copied.push(text)) };
    vi.stubGlobal('navigator', { clipboard });
    expect(await copyText(instanceId)).toEqual({ ok: true, words: `Copied: ${instanceId}` });
    expect(copied).toEqual([instanceId]);
  });

  it('shows the text where the browser does not let the page copy', async () => {
    vi.stubGlobal('navigator', { clipboard: { writeText: () => Promise.reject(new Error('denied')) } });
    expect(await copyText(instanceId)).toMatchObject({
      ok: false,
      words: expect.stringContaining(instanceId),
    });
  });
});
