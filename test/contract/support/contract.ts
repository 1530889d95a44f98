import { describe, test } from 'vitest';
import type { Claim } from '../../../scripts/truth/claim.ts';

/** By its sentence: what a world must do. Rejects where it does not. */
export type Cases<World> = Readonly<Record<string, (world: World) => Promise<void>>>;

export interface Contract<World> {
  /** The chapter of docs/truth.md: `Route 53`. */
  readonly area: string;
  /** `sandbox`, or the name and version of what others wrote. */
  readonly world: string;
  readonly cases: Cases<World>;
  /** Called once for each case. */
  readonly open: () => World | Promise<World>;
  /**
   * By the sentence: what this world does instead. Each is expected to fail, so that a version that changes its manners is
   * noticed.
   */
  readonly differs?: ReadonlyMap<string, string>;
  /** By the sentence: why this world cannot show it. */
  readonly notApplicable?: ReadonlyMap<string, string>;
  /** What to run for this world to be there; undefined: it is. */
  readonly missing?: string | undefined;
}

/** Registers a test for each case, and what it says in docs/truth.md. */
export function contract<World>({ area, world, cases, open, ...but }: Contract<World>): void {
  describe(`${area} of ${world}${but.missing === undefined ? '' : `, which is not installed: ${but.missing}`}`, () => {
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
      const check = but.missing === undefined ? expected : test.skip;
      check(behaviour, { meta: { claim } }, async () => {
        if (notApplicable === undefined) await run(await open());
      });
    }
  });
  for (const sentence of [...(but.differs?.keys() ?? []), ...(but.notApplicable?.keys() ?? [])])
    if (!(sentence in cases)) throw new Error(`${area} of ${world}: no case is called "${sentence}"`);
}
