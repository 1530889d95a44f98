import type { Method, World } from '../../worlds/world.ts';

/** The items of a list. */
export async function list<Item>(world: World, path: string): Promise<readonly Item[]> {
  const { items } = (await ask(world, 'GET', path)) as { readonly items: readonly Item[] };
  return items;
}

/** A request that must succeed; gives what the API server answered. */
export async function ask(world: World, method: Method, path: string, body?: object): Promise<unknown> {
  const answer = await world.request(method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.body}`);
  return JSON.parse(answer.body);
}
