import { describe, expect, it } from 'vitest';
import type { ApiResponse } from '../../src/kubernetes/api/request.ts';
import { bodyOf, createCluster, startNodes } from './support.ts';

function follow(response: ApiResponse) {
  const events: { type: string; object: { metadata: { name: string }; code?: number } }[] = [];
  let ended = false;
  const close = response.stream?.subscribe({
    line: (text) => void events.push(JSON.parse(text)),
    end: () => {
      ended = true;
    },
  });
  return {
    events,
    close,
    isEnded: () => ended,
    seen: () => events.map(({ type, object }) => `${type} ${object.metadata?.name}`),
  };
}

const label = (value: string | null) => ({ metadata: { labels: { team: value } } });
const merge = { 'content-type': 'application/merge-patch+json' };

describe('a watch', () => {
  it('sends the existing objects, then the changes, until it is closed', async () => {
    const { call, kubernetes } = createCluster();
    startNodes(kubernetes, ['a']);
    const watch = follow(await call('GET', '/api/v1/nodes?watch=1'));
    startNodes(kubernetes, ['b']);
    await call('DELETE', '/api/v1/nodes/a');
    expect(watch.seen()).toEqual(['ADDED a', 'ADDED b', 'DELETED a']);
    watch.close?.();
    startNodes(kubernetes, ['c']);
    expect(watch.events).toHaveLength(3);
  });

  it('continues from a resourceVersion', async () => {
    const { call, kubernetes } = createCluster();
    startNodes(kubernetes, ['a']);
    const { metadata } = bodyOf(await call('GET', '/api/v1/nodes'));
    startNodes(kubernetes, ['b']);
    const watch = follow(
      await call('GET', `/api/v1/nodes?watch=true&resourceVersion=${metadata.resourceVersion}`),
    );
    expect(watch.seen()).toEqual(['ADDED b']);
  });

  it('with a selector reports objects that start or stop matching', async () => {
    const { call, kubernetes } = createCluster();
    startNodes(kubernetes, ['a']);
    const watch = follow(await call('GET', '/api/v1/nodes?watch=1&labelSelector=team%3Dx'));
    await call('PATCH', '/api/v1/nodes/a', label('x'), merge);
    await call('PATCH', '/api/v1/nodes/a', label(null), merge);
    expect(watch.seen()).toEqual(['ADDED a', 'DELETED a']);
  });

  it('from a compacted version is answered with 410 Expired', async () => {
    const { call, kubernetes } = createCluster();
    startNodes(kubernetes, ['a']);
    for (let turn = 0; turn < 4_100; turn += 1)
      await call('PATCH', '/api/v1/nodes/a', label(String(turn)), merge);
    const watch = follow(await call('GET', '/api/v1/nodes?watch=1&resourceVersion=2'));
    expect(watch.events[0]).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
    expect(watch.isEnded()).toBe(true);
  });

  it('ends at its timeout, with bookmarks if they are allowed', async () => {
    const { call, seconds } = createCluster();
    const watch = follow(
      await call('GET', '/api/v1/pods?watch=1&timeoutSeconds=150&allowWatchBookmarks=true'),
    );
    seconds(200);
    expect(watch.events.map(({ type }) => type)).toEqual(['BOOKMARK', 'BOOKMARK']);
    expect(watch.isEnded()).toBe(true);
  });
});
