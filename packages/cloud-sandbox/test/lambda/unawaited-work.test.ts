import { describe, expect, it } from 'vitest';
import type { FunctionHost } from '../../src/lambda/function-host.ts';
import type { UnawaitedWork } from '../../src/lambda/life.ts';
import { createLambdaWorld, elapse } from './support/lambda-world.ts';

const request = { method: 'GET', headers: {}, timeoutMilliseconds: 60_000 } as const;

/** A function that answers while `leaveBehind` is under way; a request takes a second, one that is left behind two. */
function fixture(unawaitedWork: UnawaitedWork, leaveBehind: (host: FunctionHost) => Promise<void>) {
  const sent: string[] = [];
  const world = createLambdaWorld({
    unawaitedWork,
    create: (host) => async () => {
      void leaveBehind(host);
      await host.sendHttp({ ...request, url: 'https://api/awaited' });
      return {};
    },
    host: ({ clock }) => ({
      sendHttp: ({ url }) =>
        new Promise((answer) => {
          sent.push(url.replace('https://api/', ''));
          clock.after(url.endsWith('awaited') ? 1000 : 2000, () =>
            answer({ status: 200, headers: {}, body: '' }),
          );
        }),
    }),
  });
  return {
    sent,
    coldStarts: () => world.reports.map(({ coldStart }) => coldStart),
    invoke: async () => {
      world.send('a');
      world.lambda.start();
      await elapse(world.clock, 30);
      world.lambda.stop();
    },
  };
}

/** A second call after one that ends when the function has answered. */
async function secondCall({ sendHttp }: FunctionHost): Promise<void> {
  await sendHttp({ ...request, url: 'https://api/left' });
  await sendHttp({ ...request, url: 'https://api/left-again' });
}

async function callByTimer({ clock, sendHttp }: FunctionHost): Promise<void> {
  await new Promise<void>((fire) => void clock.after(5000, fire));
  await sendHttp({ ...request, url: 'https://api/by-timer' });
}

describe('the work that a function did not await', () => {
  it('continues by default', async () => {
    const { sent, invoke } = fixture('goes-on', secondCall);
    await invoke();
    expect(sent).toEqual(['left', 'awaited', 'left-again']);
  });

  it('can be suspended until the next invocation of the same environment', async () => {
    const { sent, invoke, coldStarts } = fixture('resumes-at-next-invocation', secondCall);
    await invoke();
    expect(sent).toEqual(['left', 'awaited']);
    await invoke();
    expect(sent).toEqual(['left', 'awaited', 'left', 'awaited', 'left-again']);
    expect(coldStarts()).toEqual([true, false]);
  });

  it('can be lost with its environment, so that the next invocation is a cold start', async () => {
    const { sent, invoke, coldStarts } = fixture('is-lost', secondCall);
    await invoke();
    await invoke();
    expect(sent).toEqual(['left', 'awaited', 'left', 'awaited']);
    expect(coldStarts()).toEqual([true, true]);
  });

  it.each([
    ['goes-on', ['awaited', 'by-timer'], ['awaited', 'by-timer', 'awaited', 'by-timer']],
    ['resumes-at-next-invocation', ['awaited'], ['awaited', 'awaited', 'by-timer']],
    ['is-lost', ['awaited'], ['awaited', 'awaited']],
  ] as const)('behind a timer likewise: as it %s', async (work, first, both) => {
    const { sent, invoke } = fixture(work, callByTimer);
    await invoke();
    expect(sent).toEqual(first);
    await invoke();
    expect(sent).toEqual(both);
  });

  it('that ends before the answer does not lose the environment', async () => {
    const { invoke, coldStarts } = fixture('is-lost', async () => undefined);
    await invoke();
    await invoke();
    expect(coldStarts()).toEqual([true, false]);
  });
});
