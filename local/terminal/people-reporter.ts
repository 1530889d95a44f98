import { createDroverSays } from '../story/drover-says.ts';
import { renderPanel } from './panel.ts';
import type { Ready, Reporter } from './reporter.ts';
import { createScreen, type TerminalStream } from './screen.ts';
import { type Look, paint, renderLine, wrap } from './text.ts';
import { welcome } from './welcome.ts';

export interface PeopleReporterOptions {
  readonly stream: TerminalStream;
  readonly colour: boolean;
  /** Whether the terminal's keys do something. */
  readonly hasKeys: boolean;
  /** Simulated milliseconds since the epoch. */
  readonly now: () => number;
}

/** For people: a line for each event and, on a terminal, a panel with the current state below the lines. */
export function createPeopleReporter({ stream, colour, hasKeys, now }: PeopleReporterOptions): Reporter {
  const isLive = stream.isTTY === true;
  const screen = createScreen(stream, { isLive });
  const droverSays = createDroverSays();
  let startedAt = 0;
  const look = (): Look => ({
    columns: isLive ? (stream.columns ?? 80) : Number.POSITIVE_INFINITY,
    colour,
  });
  const line: Reporter['line'] = (told) => screen.print(renderLine(told, startedAt, look()));
  return {
    ready: (ready: Ready) => {
      startedAt = ready.view.at;
      for (const { text, style } of welcome(ready))
        screen.print(style ? paint(style, wrap(text, look().columns, 2).join('\n'), look()) : text);
    },
    line,
    log: (_, text) => {
      const told = droverSays(now(), text);
      if (told) line(told);
    },
    look: (view) => {
      if (isLive) screen.panel(renderPanel(view, look(), hasKeys));
    },
    ending: () => {
      screen.panel([]);
      screen.print('The sandbox has ended.');
    },
  };
}
