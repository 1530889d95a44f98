import { describe, test } from 'vitest';
import type { Claim } from './claim.ts';

/** What a world must do, by its sentence. A case rejects if the world does not do it. */
export type Cases<World> = Readonly<Record<string, (world: World) => Promise<void>>>;

export interface Contract<World> {
  /** The chapter of docs/truth.md: `Route 53`. */
  readonly area: string;
  /** `sandbox`, or the name and version of third-party software. */
  readonly world: string;
  readonly cases: Cases<World>;
  /** Called once for each case, with a signal that is aborted when the case times out. */
  readonly open: (signal: AbortSignal) => World | Promise<World>;
  /** Called once for each case, however it ended. */
  readonly close?: (world: World) => Promise<void>;
  /** The cases may run side by side. */
  readonly concurrent?: boolean;
  readonly timeoutSeconds?: number;
  /** How often a case that fails may run again, for worlds that a busy machine disturbs. Default: never. */
  readonly retry?: number;
  /**
   * What this world does instead, by the sentence of the case. Such a case is expected to fail, so a version that behaves
   * differently is noticed.
   */
  readonly differs?: ReadonlyMap<string, string>;
  /** Why the case cannot be tested in this world, by its sentence. */
  readonly notApplicable?: ReadonlyMap<string, string>;
  /** The command that installs this world; undefined if it is installed. */
  readonly missing?: string | undefined;
}

/** Registers a test for each case, with its claim for docs/truth.md. */
export function contract<World>({ area, world, cases, ...but }: Contract<World>): void {
  const { concurrent = false, missing, timeoutSeconds, retry = 0 } = but;
  const title = `${area} of ${world}${missing === undefined ? '' : `, which is not installed: ${missing}`}`;
  describe(title, { concurrent }, () => {
    for (const [behaviour, run] of Object.entries(cases)) {
      const differs = but.differs?.get(behaviour);
      const notApplicable = but.notApplicable?.get(behaviour);
      const claim: Claim = {
        area,
        behaviour,
        world,
        ...(differs !== undefined && { differs }),
        ...(notApplicable !== undefined && { notApplicable }),
      };
      const expected = differs === undefined ? test : test.fails;
      const check = missing === undefined ? expected : test.skip;
      const timeout = timeoutSeconds === undefined ? {} : { timeout: timeoutSeconds * 1000 };
      check(behaviour, { meta: { claim }, retry, ...timeout }, async ({ signal }) => {
        if (notApplicable === undefined) await runIn(but, run, signal);
      });
    }
  });
  for (const sentence of [...(but.differs?.keys() ?? []), ...(but.notApplicable?.keys() ?? [])])
    if (!(sentence in cases)) throw new Error(`${area} of ${world}: no case is called "${sentence}"`);
}

async function runIn<World>(
  { open, close }: Pick<Contract<World>, 'open' | 'close'>,
  run: (world: World) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const world = await open(signal);
  try {
    await run(world);
  } finally {
    await close?.(world);
  }
}
