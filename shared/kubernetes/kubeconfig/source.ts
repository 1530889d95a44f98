import type { ConnectionSource } from '../connection.ts';
import { connectWith, type KubeconfigAbilities, type MadeConnection } from './connect.ts';
import { parseKubeconfig } from './parse.ts';

export interface KubeconfigSourceOptions {
  /** Brings the kubeconfig's text: from Parameter Store, from a file. Called again after a refusal. */
  readonly load: () => Promise<string>;
  /** Defaults to the current one. */
  readonly contextName?: string;
  readonly abilities: KubeconfigAbilities;
}

/** Credentials are renewed this long before they expire: a request takes time, and clocks differ. */
const renewBeforeMilliseconds = 60_000;

/**
 * Connections from a kubeconfig, cached until their credentials expire or are refused. Concurrent callers share one read; a failed
 * read is not cached.
 *
 * @throws KubeconfigError (from `connect`), or what `load` rejects with.
 */
export function kubeconfigSource({
  load,
  contextName,
  abilities,
}: KubeconfigSourceOptions): ConnectionSource {
  let made: Promise<MadeConnection> | undefined;
  const make = async (): Promise<MadeConnection> =>
    await connectWith(await parseKubeconfig(await load(), contextName), abilities);
  const renew = (): Promise<MadeConnection> => {
    const renewed = make();
    made = renewed;
    renewed.catch(() => {
      if (made === renewed) made = undefined;
    });
    return renewed;
  };
  const isGood = ({ expiresAt }: MadeConnection): boolean =>
    expiresAt === undefined || abilities.clock.now() < expiresAt - renewBeforeMilliseconds;
  let refusals = 0;
  let lastKept: MadeConnection | undefined;
  /** The last minute of the kept credentials is for renewals that fail: a throttled read must not fail a pass whose credentials are valid. */
  const renewOrKeep = async (kept: MadeConnection, refusalsBefore: number): Promise<MadeConnection> => {
    try {
      return await renew();
    } catch (error) {
      const isRefused = refusals !== refusalsBefore;
      if (isRefused || abilities.clock.now() >= (kept.expiresAt ?? 0)) throw error;
      made ??= Promise.resolve(kept);
      return kept;
    }
  };
  return {
    connect: async () => {
      if (made === undefined) return (await renew()).connection;
      const refusalsBefore = refusals;
      const kept = await made.catch((error: unknown) => {
        // Another caller renews at this moment, and keeps these credentials if that fails.
        if (lastKept === undefined) throw error;
        return lastKept;
      });
      if (isGood(kept)) {
        lastKept = kept;
        return kept.connection;
      }
      return (await renewOrKeep(kept, refusalsBefore)).connection;
    },
    invalidate: () => {
      refusals += 1;
      made = undefined;
      lastKept = undefined;
    },
  };
}
