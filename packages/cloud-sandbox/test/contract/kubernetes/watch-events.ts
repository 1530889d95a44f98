import { Agent, request } from 'node:https';
import type { ApiServerAddress } from './world.ts';

/** The API's own objects, which each case looks into. */
export type Json = ReturnType<typeof JSON.parse>;

export interface WatchEvent {
  readonly type: string;
  readonly object: Json;
}

export interface WatchOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Done as soon as the server has taken the watch. */
  readonly during?: () => Promise<unknown>;
  /** The events that are enough; without it all that come until the server ends the watch. */
  readonly until?: (events: readonly WatchEvent[]) => boolean;
}

interface Watching extends ApiServerAddress, WatchOptions {
  readonly path: string;
}

/** The events of a watch as they come. Rejects where the server refuses it, with its words. */
export async function readEvents({ during, until, ...address }: Watching): Promise<readonly WatchEvent[]> {
  const events: WatchEvent[] = [];
  const agent = new Agent({ ca: address.certificateAuthority });
  const headers = { authorization: `Bearer ${address.token}`, ...address.headers };
  try {
    await new Promise<void>((resolve, reject) => {
      const call = request(`${address.url}${address.path}`, { headers, agent }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`the watch was answered ${response.statusCode}`));
        during?.().catch(reject);
        const read = lines((line) => {
          events.push(JSON.parse(line));
          if (until?.(events)) resolve();
        });
        response.on('data', (chunk: Buffer) => read(chunk.toString('utf8')));
        response.on('end', resolve);
        response.on('error', reject);
      });
      call.on('error', reject);
      call.end();
    });
  } finally {
    agent.destroy();
  }
  return events;
}

/** Cuts what comes in pieces into lines. */
function lines(take: (line: string) => void): (text: string) => void {
  let rest = '';
  return (text) => {
    const all = `${rest}${text}`.split('\n');
    rest = all.pop() ?? '';
    for (const line of all) take(line);
  };
}
