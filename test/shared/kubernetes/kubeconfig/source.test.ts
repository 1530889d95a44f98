import { describe, expect, it } from 'vitest';
import { kubeconfigSource } from '../../../../shared/kubernetes/kubeconfig/source.ts';

const text = (user: string): string => `
clusters: [{ name: c, cluster: { server: "https://api.test" } }]
users: [{ name: u, user: ${user} }]
contexts: [{ name: main, context: { cluster: c, user: u } }]
`;

const plugin = '{ exec: { apiVersion: client.authentication.k8s.io/v1, command: made } }';

function source(user: string) {
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
        return Promise.resolve({ token: `token-${made}`, expiresAt: now + 600_000 });
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

  it('are not cached after a failed read', async () => {
    const { connections, breaks } = source('{ token: abc }');
    breaks(true);
    await expect(connections.connect()).rejects.toThrow('throttled');
    breaks(false);
    await expect(connections.connect()).resolves.toMatchObject({ bearerToken: 'abc' });
  });
});
