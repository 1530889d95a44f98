interface PageOf<Item> {
  readonly items: readonly Item[];
  readonly nextToken?: string | undefined;
}

/** Everything that a paged operation has. */
export function allPages<Item>(ask: (nextToken: string | undefined) => PageOf<Item>): readonly Item[] {
  const found: Item[] = [];
  let nextToken: string | undefined;
  do {
    const { items, nextToken: following } = ask(nextToken);
    found.push(...items);
    nextToken = following;
  } while (nextToken !== undefined);
  return found;
}
