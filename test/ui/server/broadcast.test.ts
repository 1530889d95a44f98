import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { createBroadcast } from '../../../ui/server/broadcast.ts';
import type { DashboardState } from '../../../ui/state/types.ts';
import { now, state } from '../states.ts';

/** The other side of a page, which can stop taking anything. */
function createPage() {
  const written: string[] = [];
  const page = Object.assign(new EventEmitter(), {
    writableNeedDrain: false,
    writeHead: () => page,
    write: (text: string) => written.push(text),
    end: () => undefined,
    destroy: () => page.emit('close'),
  });
  return { page, written, response: page as unknown as ServerResponse };
}

function createServer(known: () => DashboardState | undefined) {
  const looks = new Set<() => void>();
  const broadcast = createBroadcast({
    read: known,
    repeat: (_, task) => {
      looks.add(task);
      return () => looks.delete(task);
    },
    onFault: (error) => {
      throw error;
    },
  });
  return { broadcast, looks, turn: (): void => looks.forEach((look) => look()) };
}

it('says that it is there while nothing is known, so that the page knows it from a server that hangs', () => {
  let known: DashboardState | undefined;
  const { broadcast, turn } = createServer(() => known);
  const { response, written } = createPage();
  broadcast.add(response);
  turn();
  expect(written).toEqual(['event: waiting\ndata: {}\n\n', 'event: waiting\ndata: {}\n\n']);
  known = state();
  turn();
  expect(written.at(-1)).toMatch(/^event: state\ndata: \{"now":/);
});

it('sends only the times of a reading that found nothing new', () => {
  let known = state({ readAt: now - 1000 });
  const { broadcast, turn } = createServer(() => known);
  const { response, written } = createPage();
  broadcast.add(response);
  known = state({ now: now + 5000, readAt: now + 4000 });
  turn();
  expect(written.at(-1)).toBe(
    `event: time\ndata: ${JSON.stringify({ now: now + 5000, readAt: now + 4000 })}\n\n`,
  );
  expect(JSON.parse(written[0]?.split('data: ')[1] ?? '')).toEqual(state({ readAt: now - 1000 }));
});

it('waits for a page that takes nothing for a minute, and then leaves it, so that it causes no more readings', () => {
  const { broadcast, looks, turn } = createServer(() => state());
  const { page, response, written } = createPage();
  broadcast.add(response);
  page.writableNeedDrain = true;
  for (let half = 0; half < 119; half += 1) turn();
  page.writableNeedDrain = false;
  turn();
  expect(written).toHaveLength(2);
  page.writableNeedDrain = true;
  for (let half = 0; half < 120; half += 1) turn();
  expect(looks.size).toBe(1);
  turn();
  expect(looks.size).toBe(0);
});
