import type { AccountClients } from './clients.ts';
import type { Kind } from './kind.ts';
import { kinds } from './kinds.ts';
import type { Scope } from './mark.ts';

/** A resource that was found, or a kind that could not be listed. */
export interface Leftover {
  readonly kind: string;
  /** Undefined if AWS did not list the kind. */
  readonly id?: string;
  /** Why it is still there, if AWS gave a reason. */
  readonly error?: string;
}

export interface Sweep {
  readonly clients: AccountClients;
  readonly scope: Scope;
  readonly wait: (seconds: number) => Promise<void>;
  /** Gives up after so many rounds. */
  readonly rounds?: number;
  /** Called after each round with what it found. */
  readonly onRound?: (found: readonly Leftover[]) => void;
}

/** SQS shows a queue up to a minute after it was created or deleted. */
const secondsUntilBelieved = 60;
const secondsBetweenRounds = 10;
const usualRounds = 150;

/**
 * Removes all of a scope. An empty list is believed only the second time, a minute after the first: lists of AWS are eventually consistent.
 *
 * @returns what is left; nothing if the account is proven to be clean
 */
export async function sweep({
  rounds = usualRounds,
  wait,
  onRound,
  ...rest
}: Sweep): Promise<readonly Leftover[]> {
  let found: readonly Leftover[] = [];
  let wasEmpty = false;
  for (let round = 0; round < rounds; round += 1) {
    found = await sweepOnce(rest);
    onRound?.(found);
    if (found.length === 0 && wasEmpty) return [];
    wasEmpty = found.length === 0;
    await wait(wasEmpty ? secondsUntilBelieved : secondsBetweenRounds);
  }
  return found.length === 0 ? [{ kind: 'all', error: 'the list was empty only once' }] : found;
}

type Place = Pick<Sweep, 'clients' | 'scope'>;

async function sweepOnce(place: Place): Promise<readonly Leftover[]> {
  const found: Leftover[] = [];
  for (const kind of kinds) {
    const isHeld = found.some((one) => kind.heldBy?.some((name) => name === one.kind));
    found.push(...(await (isHeld ? listKind(kind, place) : removeKind(kind, place))));
  }
  return found;
}

async function listKind(kind: Kind, { clients, scope }: Place): Promise<readonly Leftover[]> {
  try {
    return (await kind.list(clients, scope)).map((id) => ({ kind: kind.name, id }));
  } catch (error) {
    return [{ kind: kind.name, error: textOf(error) }];
  }
}

async function removeKind(kind: Kind, place: Place): Promise<readonly Leftover[]> {
  const found: Leftover[] = [];
  for (const one of await listKind(kind, place))
    found.push(
      one.id === undefined ? one : { ...one, ...(await errorOf(kind.remove(place.clients, one.id))) },
    );
  return found;
}

/** An error is not the end of a sweep: the next round asks again, and the last one reports it. */
async function errorOf(removal: Promise<void>): Promise<Pick<Leftover, 'error'>> {
  try {
    await removal;
    return {};
  } catch (error) {
    return { error: textOf(error) };
  }
}

const textOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);

/** What there is of a scope. Removes nothing. */
export async function listMarked({ clients, scope }: Place): Promise<readonly Leftover[]> {
  const lists = await Promise.all(
    kinds.map(async ({ name, list }) => (await list(clients, scope)).map((id) => ({ kind: name, id }))),
  );
  return lists.flat();
}
