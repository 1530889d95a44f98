import { describe, expect, it } from 'vitest';
import { kubeconfigSource } from '../../../../shared/kubernetes/kubeconfig/source.ts';

const text = (user: string): string => `
clusters: [{ name: c, cluster: { server: "https://api.test" } }]
users: [{ name: u, user: ${user} }]
contexts: [{ name: main, context: { cluster: c, user: u } }]
`;

const plugin = '{ exec: { apiVersion: client.authentication.k8s.io/v1, command: made } }';

function source(user: string, livesMilliseconds = 600_000) {
  let now = 0;
  let loads = 0;
  let made = 0;
  let broken = false;
  const connections = kubeconfigSource({
    load: () => {
      loads += 1;
      return broken ? Promise.reject(new Error('throttled')) : Promise.resolve(text(user));
    },
    contextName: 'main',
    abilities: {
      clock: { now: () => now },
      runPlugin: () => {
        made += 1;
        return Promise.resolve({ token: `token-${made}`, expiresAt: now + livesMilliseconds });
      },
    },
  });
  return {
    connections,
    loads: () => loads,
    pass: (milliseconds: number) => (now += milliseconds),
    breaks: (value: boolean) => (broken = value),
  };
}

describe('a kubeconfig’s connections', () => {
  it('are read once, also for concurrent callers', async () => {
    const { connections, loads } = source('{ token: abc }');
    await Promise.all([connections.connect(), connections.connect()]);
    await connections.connect();
    expect(loads()).toBe(1);
  });

  it('are read again after a refusal', async () => {
    const { connections, loads } = source('{ token: abc }');
    await connections.connect();
    connections.invalidate();
    await connections.connect();
    expect(loads()).toBe(2);
  });

  it('are renewed a minute before their credentials expire', async () => {
    const { connections, pass } = source(plugin);
    expect((await connections.connect()).bearerToken).toBe('token-1');
    pass(530_000);
    expect((await connections.connect()).bearerToken).toBe('token-1');
    pass(20_000);
    expect((await connections.connect()).bearerToken).toBe('token-2');
  });

  it('are used in their last minute if they cannot be renewed, and not after their end', async () => {
    const { connections, pass, breaks } = source(plugin);
    await connections.connect();
    breaks(true);
    pass(550_000);
    for (const seconds of [0, 30]) {
      pass(seconds * 1000);
      expect((await connections.connect()).bearerToken).toBe('token-1');
    }
    breaks(false);
    expect((await connections.connect()).bearerToken).toBe('token-2');
    breaks(true);
    pass(600_000);
    await expect(connections.connect()).rejects.toThrow('throttled');
  });

  it('are used in their last minute by every caller at the same time', async () => {
    const { connections, pass, breaks } = source(plugin);
    await connections.connect();
    breaks(true);
    pass(550_000);
    const made = await Promise.all([connections.connect(), connections.connect(), connections.connect()]);
    expect(made.map(({ bearerToken }) => bearerToken)).toEqual(['token-1', 'token-1', 'token-1']);
  });

  it('that were refused are not used again, although they have not expired and cannot be renewed', async () => {
    const { connections, pass, breaks } = source(plugin);
    await connections.connect();
    breaks(true);
    pass(550_000);
    const renewal = connections.connect();
    connections.invalidate();
    await expect(renewal).rejects.toThrow('throttled');
    await expect(connections.connect()).rejects.toThrow('throttled');
  });

  it('that were refused are not used by a caller that waits for the renewal of another one', async () => {
    const { connections, breaks } = source(plugin);
    for (let use = 0; use < 2; use += 1) await connections.connect();
    connections.invalidate();
    breaks(true);
    const results = await Promise.allSettled([connections.connect(), connections.connect()]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('are renewed at each use if their credentials live for less than a minute', async () => {
    const { connections, pass } = source(plugin, 50_000);
    expect((await connections.connect()).bearerToken).toBe('token-1');
    pass(1000);
    expect((await connections.connect()).bearerToken).toBe('token-2');
  });

  it('are not cached after a failed read', async () => {
    const { connections, breaks } = source('{ token: abc }');
    breaks(true);
    await expect(connections.connect()).rejects.toThrow('throttled');
    breaks(false);
    await expect(connections.connect()).resolves.toMatchObject({ bearerToken: 'abc' });
  });
});
