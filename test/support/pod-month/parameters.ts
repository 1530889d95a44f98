import type { VirtualClock } from '@drover/cloud-sandbox/simulation';
import type { HoldParameters } from '../../../shared/capacity/holds/context.ts';
import { holdPathsOf } from '../../../shared/capacity/holds/parameters.ts';

export const paths = holdPathsOf('drover');

/** Parameter Store in memory. Its reads may be seconds old. */
export type ParameterStore = ReturnType<typeof createParameterStore>;

export function createParameterStore(clock: VirtualClock) {
  const texts = new Map<string, string>();
  const before: { readonly until: number; readonly texts: ReadonlyMap<string, string> }[] = [];

  const change = <Answer>(make: () => Answer): Answer => {
    before.push({ until: clock.now(), texts: new Map(texts) });
    while ((before[0]?.until ?? Infinity) < clock.now() - 60_000) before.shift();
    return make();
  };
  const seen = (staleSeconds: number): ReadonlyMap<string, string> =>
    before.find(({ until }) => until > clock.now() - staleSeconds * 1000)?.texts ?? texts;

  /** Its effects at once, as `HoldParameters` makes them in calls. */
  const effects = {
    listBelow: (path: string, staleSeconds = 0): ReadonlyMap<string, string> =>
      new Map([...seen(staleSeconds)].filter(([name]) => name.startsWith(`${path}/`))),
    read: (name: string, staleSeconds = 0): string | undefined => seen(staleSeconds).get(name),
    create: (name: string, text: string): boolean =>
      change(() => {
        if (texts.has(name)) return false;
        texts.set(name, text);
        return true;
      }),
    write: (name: string, text: string): void => change(() => void texts.set(name, text)),
    remove: (name: string): void => change(() => void texts.delete(name)),
  };

  /** For people: without faults. */
  const direct: HoldParameters = {
    listBelow: async (path) => effects.listBelow(path),
    read: async (name) => effects.read(name),
    create: async (name, text) => effects.create(name, text),
    write: async (name, text) => effects.write(name, text),
    remove: async (name) => effects.remove(name),
  };

  return { texts: texts as ReadonlyMap<string, string>, effects, direct };
}
