import type { AccountClients } from './clients.ts';
import type { KindName } from './commands.ts';
import { isTaggedIn, type Scope } from './mark.ts';

/** A kind of resource that runs make. */
export interface Kind {
  readonly name: KindName;
  /** Kinds that need one of this kind until they are gone. */
  readonly heldBy?: readonly KindName[];
  /** The ids in the scope, also those that AWS still deletes. */
  readonly list: (clients: AccountClients, scope: Scope) => Promise<readonly string[]>;
  /** Asks for the end of one. Resolves also if it has ended; rejects if AWS does not delete it yet. */
  readonly remove: (clients: AccountClients, id: string) => Promise<void>;
}

/** The values that one read of each page gives. */
export async function collect<Page, Item>(
  pages: AsyncIterable<Page>,
  read: (page: Page) => readonly (Item | undefined)[] | undefined,
): Promise<readonly Item[]> {
  const found: Item[] = [];
  for await (const page of pages) found.push(...(read(page) ?? []).filter((item) => item !== undefined));
  return found;
}

/** Items whose tag is that of a run of the scope. */
export const tagged = <Item extends Parameters<typeof isTaggedIn>[1]>(
  scope: Scope,
  items: readonly Item[] = [],
): readonly Item[] => items.filter((item) => isTaggedIn(scope, item));

/** What has gone meanwhile needs no removal. */
export async function unlessGone(remove: Promise<unknown>): Promise<void> {
  try {
    await remove;
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/** The errors of the services for a resource that does not exist. */
const isGone = (error: unknown): boolean =>
  error instanceof Error &&
  (/NotFound|NonExistentQueue|QueueDoesNotExist|NoSuchHostedZone|NoSuchEntity|NoSuchBucket/.test(
    error.name,
  ) ||
    (error.name === 'ValidationError' && /not found|does not exist/i.test(error.message)));
