import type { DashboardState } from './state/types.ts';

const reconnectMilliseconds = 2000;

/** Listens to the server for as long as the page is open. */
export function listen(heard: {
  readonly onState: (state: DashboardState) => void;
  readonly onTime: (now: number) => void;
  readonly onLost: () => void;
}): void {
  const events = new EventSource('api/events');
  events.addEventListener('state', ({ data }: MessageEvent<string>) =>
    heard.onState(JSON.parse(data) as DashboardState),
  );
  events.addEventListener('time', ({ data }: MessageEvent<string>) => heard.onTime(Number(data)));
  events.addEventListener('error', () => {
    heard.onLost();
    if (events.readyState === EventSource.CLOSED) setTimeout(() => listen(heard), reconnectMilliseconds);
  });
}
