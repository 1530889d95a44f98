import { beforeEach, describe, expect, it } from 'vitest';
import { listen } from '../../ui/connection.ts';
import type { DashboardState } from '../../ui/state/types.ts';
import { now, state } from './states.ts';

/** An EventSource of a server that says what a test wants. */
function createSource() {
  const target = new EventTarget();
  let readyState = 1;
  return {
    get readyState() {
      return readyState;
    },
    addEventListener: target.addEventListener.bind(target),
    close: () => {
      readyState = 2;
    },
    say: (name: string, data: unknown = {}): void =>
      void target.dispatchEvent(Object.assign(new Event(name), { data: JSON.stringify(data) })),
    fail: (state: 0 | 2): void => {
      readyState = state;
      target.dispatchEvent(new Event('error'));
    },
  };
}

let sources: ReturnType<typeof createSource>[];
let heard: unknown[];
let time: number;
let hidden: boolean;
let turn: () => void;

beforeEach(() => {
  sources = [];
  heard = [];
  time = 0;
  hidden = false;
  listen<DashboardState>(
    {
      onState: ({ now: at }) => heard.push(['state', at]),
      onTime: (times) => heard.push(['time', times]),
      onWaiting: () => heard.push('waiting'),
      onSilence: (connection) => heard.push(connection),
    },
    {
      open: (path) => {
        expect(path).toBe('api/events');
        const source = createSource();
        sources.push(source);
        return source as unknown as EventSource;
      },
      now: () => time,
      isHidden: () => hidden,
      onTurn: (task) => {
        turn = task;
      },
    },
  );
});

/** As the browser: a turn every second. */
function pass(seconds: number): void {
  for (let second = 0; second < seconds; second += 1) {
    time += 1000;
    turn();
  }
}
const last = () => sources.at(-1);

describe('the connection of the page', () => {
  it('hands on what the server says', () => {
    last()?.say('waiting');
    last()?.say('state', state());
    last()?.say('time', { now: now + 500, readAt: now });
    expect(heard).toEqual(['waiting', ['state', now], ['time', { now: now + 500, readAt: now }]]);
  });

  it('is lost after ten seconds without a word, although the browser reports nothing, and is opened again', () => {
    pass(9);
    expect(heard).toEqual([]);
    pass(1);
    expect(heard).toEqual(['lost']);
    expect(sources.map(({ readyState }) => readyState)).toEqual([2, 1]);
  });

  it('lives while the server says anything', () => {
    for (const word of ['waiting', 'time', 'state']) {
      pass(9);
      last()?.say(word, state());
    }
    pass(9);
    expect(heard).not.toContain('lost');
  });

  it('is lost at once when a machine wakes that has slept', () => {
    last()?.say('state', state());
    time += 3_600_000;
    turn();
    expect(heard.at(-1)).toBe('lost');
    last()?.say('state', state());
    expect(heard.at(-1)).toEqual(['state', now]);
  });

  it('leaves it to the browser to try again, but where the server has refused', () => {
    last()?.fail(0);
    pass(3);
    expect(heard).toEqual(['lost']);
    expect(sources).toHaveLength(1);
    last()?.fail(2);
    pass(1);
    expect(sources).toHaveLength(2);
  });

  it('is refused where the server answers and gives no events, for as long as it does so', () => {
    last()?.fail(2);
    pass(2);
    expect(sources).toHaveLength(2);
    last()?.fail(2);
    expect(heard).toEqual(['refused', 'refused', 'refused']);
    last()?.fail(0);
    expect(heard.at(-1)).toBe('lost');
  });

  it('rests once the page has been hidden for a minute, and goes on when it is shown', () => {
    hidden = true;
    pass(1);
    for (let second = 0; second < 59; second += 1) {
      last()?.say('time', { now });
      pass(1);
    }
    expect(heard).not.toContain('resting');
    pass(1);
    expect(heard.at(-1)).toBe('resting');
    expect(last()?.readyState).toBe(2);
    pass(600);
    expect(sources).toHaveLength(1);
    hidden = false;
    turn();
    expect(sources).toHaveLength(2);
  });

  it('does not rest because it was hidden several times for less', () => {
    for (let time = 0; time < 5; time += 1) {
      hidden = true;
      pass(30);
      last()?.say('time', { now });
      hidden = false;
      turn();
    }
    expect(heard).not.toContain('resting');
  });
});
