import { createRandom } from '@drover/cloud-sandbox/simulation';
import { readPublished } from '../../../shared/credentials/bootstrap-kubeconfig.ts';
import {
  type PublishedAge,
  type RotationContext,
  type RotationSettings,
  rotate,
} from '../../../shared/credentials/rotate.ts';
import { formatToken } from '../../../shared/credentials/token.ts';
import type { BootstrapToken, NewToken, TokenCluster } from '../../../shared/credentials/token-cluster.ts';
import { ledgerParameterOf, readLedger } from '../../../shared/credentials/token-ledger.ts';
import { createFakeParameterStore } from './fake-parameter-store.ts';
import { createFakeTokenCluster } from './fake-token-cluster.ts';

export const hour = 3_600_000;

type Credential = Parameters<TokenCluster['whoAmI']>[0];
type TokenKey = Parameters<TokenCluster['deleteToken']>[0];

/** The fault of one call of a run: `kill` also prevents every later call of that run. */
export interface Fault {
  readonly call: number;
  readonly when: 'before' | 'after';
  readonly kind: 'error' | 'kill';
}

export const settings: RotationSettings = {
  owner: { clusterName: 'drover', role: 'worker' },
  parameterName: '/drover/drover/bootstrap-kubeconfig',
  groups: ['system:bootstrappers:drover:worker'],
  address: { server: 'https://api.example:6443', certificateAuthorityData: 'Q0E=' },
  timing: { rotationSeconds: 12 * 3600, overlapSeconds: 3600 },
};

/** A cluster and a parameter store on one clock, with a rotation in which any call can fail. */
export function createRotationBench(seed = 1) {
  let now = Date.parse('2026-03-01T00:00:00Z');
  const clock = { now: () => now };
  const random = createRandom(seed);
  const cluster = createFakeTokenCluster({ clock, address: settings.address });
  const parameters = createFakeParameterStore(clock);
  /** A call takes few turns or very many, so that runs side by side meet in every order; after it the rule must hold. */
  const timed = <Arguments extends unknown[], Result>(act: (...own: Arguments) => Promise<Result>) => {
    return async (...own: Arguments): Promise<Result> => {
      for (let turns = random.integer(0, 3) ** 5; turns > 0; turns -= 1) await Promise.resolve();
      const result = await act(...own);
      notePublished();
      if (publishedToken() !== undefined && !publishedIsAccepted()) lockouts += 1;
      return result;
    };
  };
  let lockouts = 0;
  let earlyDeletions = 0;
  const lastPublishedAt = new Map<string, number>();
  const notePublished = (): void => {
    const id = publishedToken()?.slice(0, 6);
    if (id !== undefined) lastPublishedAt.set(id, now);
  };
  const ages: PublishedAge[] = [];
  const secrets = new Set<string>();
  const context: RotationContext = {
    parameters: {
      read: timed((name: string) => parameters.read(name)),
      write: timed((parameter: Parameters<typeof parameters.write>[0]) => parameters.write(parameter)),
    },
    tokens: {
      canProveTokens: timed(() => cluster.canProveTokens()),
      whoAmI: timed((credential: Credential) => cluster.whoAmI(credential)),
      mayRequestCertificates: timed((credential: Credential) => cluster.mayRequestCertificates(credential)),
      deleteToken: timed((token: TokenKey) => {
        const heldUntil = (lastPublishedAt.get(token.id) ?? 0) + settings.timing.overlapSeconds * 1000;
        if (now < heldUntil) earlyDeletions += 1;
        return cluster.deleteToken(token);
      }),
      createToken: timed((token: NewToken) => {
        secrets.add(token.token.secret);
        return cluster.createToken(token);
      }),
    },
    clock,
    randomBytes: (size) => Uint8Array.from({ length: size }, () => random.integer(0, 255)),
    recordAge: (age) => void ages.push(age),
  };
  /** By the parameter's value: the rule is checked after each call, and YAML is slow to read. */
  const tokensRead = new Map<string, string | undefined>();
  const tokenIn = (value: string): string | undefined => {
    if (!tokensRead.has(value)) {
      const published = readPublished(value, settings.owner);
      tokensRead.set(value, published.kind === 'ours' ? formatToken(published.token) : undefined);
    }
    return tokensRead.get(value);
  };
  const publishedToken = (): string | undefined => {
    const stored = parameters.stored.get(settings.parameterName);
    return stored && tokenIn(stored.value);
  };
  const ledger = (): readonly BootstrapToken[] => {
    const stored = parameters.stored.get(ledgerParameterOf(settings.parameterName));
    const content = stored && readLedger(stored.value, settings.owner);
    return content?.kind === 'ours' ? content.tokens : [];
  };
  const publishedIsAccepted = (): boolean => {
    const token = publishedToken();
    return token !== undefined && cluster.accepts(token, settings.address);
  };
  return {
    context,
    cluster,
    parameters,
    ages,
    /** Of every token that was ever made here. */
    secrets,
    publishedToken,
    /** The tokens of the ledger. */
    ledger,
    /** The ids of the tokens that the API server accepts now. */
    validIds: () =>
      [...cluster.held.values()].filter(({ expiresAt }) => expiresAt > now).map(({ token }) => token.id),
    publishedIsAccepted,
    /** After how many calls a token was published that was not accepted. */
    lockouts: () => lockouts,
    /** How many tokens were deleted although a node may have read them within the overlap. */
    earlyDeletions: () => earlyDeletions,
    advance: (milliseconds: number) => {
      notePublished();
      now += milliseconds;
    },
    run: (fault?: Fault, own: RotationSettings = settings) =>
      rotate(fault ? struck(context, fault) : context, own),
  };
}

/** The same world, in which the chosen call of the run fails. */
export function struck(context: RotationContext, fault: Fault): RotationContext {
  let calls = 0;
  const strike = <Arguments extends unknown[], Result>(act: (...own: Arguments) => Promise<Result>) => {
    return async (...own: Arguments): Promise<Result> => {
      calls += 1;
      if (calls > fault.call && fault.kind === 'kill') throw new Error('this run is dead');
      if (calls === fault.call && fault.when === 'before')
        throw new Error(`injected fault with ${JSON.stringify(own)}`);
      const result = await act(...own);
      if (calls === fault.call) throw new Error(`injected fault with ${JSON.stringify(own)}`);
      return result;
    };
  };
  const { tokens, parameters } = context;
  return {
    ...context,
    parameters: {
      read: strike((name: string) => parameters.read(name)),
      write: strike((parameter: Parameters<typeof parameters.write>[0]) => parameters.write(parameter)),
    },
    tokens: {
      canProveTokens: strike(() => tokens.canProveTokens()),
      createToken: strike((token: NewToken) => tokens.createToken(token)),
      deleteToken: strike((token: TokenKey) => tokens.deleteToken(token)),
      whoAmI: strike((credential: Credential) => tokens.whoAmI(credential)),
      mayRequestCertificates: strike((credential: Credential) => tokens.mayRequestCertificates(credential)),
    },
  };
}
