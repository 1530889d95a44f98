import type { DroverWorld } from '../../../../local/world/drover-world.ts';

/** Each scan reports what is wrong, every minute. */
const heardMilliseconds = 180_000;

/** The recent warnings about groups. */
export interface Warnings {
  /** Called every minute. */
  listen(): void;
  /** Whether one warning of the last three minutes about the group contains all these words. */
  said(group: string, ...words: readonly string[]): boolean;
}

export function hearWarnings(world: DroverWorld): Warnings {
  let heard: readonly { readonly at: number; readonly group: unknown; readonly message: string }[] = [];
  let read = 0;
  return {
    listen: () => {
      const now = world.clock.now();
      const lines: readonly Readonly<Record<string, unknown>>[] = world.lines.slice(read);
      read = world.lines.length;
      const warnings = lines.flatMap(({ level, group, outcome, message }) =>
        level === 'warn' && typeof message === 'string' && outcome === undefined
          ? [{ at: now, group, message }]
          : [],
      );
      heard = [...heard.filter(({ at }) => now - at <= heardMilliseconds), ...warnings];
    },
    said: (group, ...words) =>
      heard.some((one) => one.group === group && words.every((word) => one.message.includes(word))),
  };
}
