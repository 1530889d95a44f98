import { GetParameterHistoryCommand } from '@aws-sdk/client-ssm';
import { expect } from 'vitest';
import type { Cases } from '../../../truth/contract.ts';
import { inOrder, namesIn, newPath, type SsmWorld, storeOf } from './world.ts';

const named = (name: string) => ({ name });

/** A path with `count` parameters directly under it, and one a level deeper. */
async function openPath(world: SsmWorld, count: number) {
  const path = newPath();
  const store = storeOf(world);
  const names = Array.from({ length: count }, (_, index) => `${path}/p${String(index).padStart(2, '0')}`);
  for (const name of [...names, `${path}/deep/er`, `${path}er`]) await store.put(name, 'x');
  return { path, names, ...store };
}

/** By path, by filters and page by page: GetParametersByPath, DescribeParameters, ParameterStringFilter. */
export const ssmReadingCases: Cases<SsmWorld> = {
  'a path is read one level deep, or recursively': async (world) => {
    const { path, names, byPath } = await openPath(world, 3);
    expect(namesIn(await byPath(path))).toEqual(names);
    expect(namesIn(await byPath(`${path}/`))).toEqual(names);
    expect(namesIn(await byPath(path, { Recursive: true }))).toEqual([`${path}/deep/er`, ...names]);
  },
  'a path without parameters is empty, and no error': async (world) => {
    expect(namesIn(await storeOf(world).byPath(newPath()))).toEqual([]);
  },
  'a path begins with a slash': async (world) => {
    await expect(storeOf(world).byPath('app')).rejects.toMatchObject(named('ValidationException'));
  },
  // AWS's own answer is in getmoto/moto issue 1700.
  'a name without a slash lies directly under the root': async (world) => {
    const { put, byPath } = storeOf(world);
    const name = newPath().slice(1);
    await put(name, 'x');
    const found: string[] = [];
    let NextToken: string | undefined;
    do {
      const page = await byPath('/', { NextToken });
      found.push(...namesIn(page));
      NextToken = page.NextToken;
    } while (NextToken);
    expect(found).toContain(name);
  },
  'a path is read in pages of at most ten, each name once': async (world) => {
    const { path, names, byPath } = await openPath(world, 12);
    expect((await byPath(path)).Parameters?.length).toBeLessThanOrEqual(10);
    const found: string[] = [];
    let NextToken: string | undefined;
    do {
      const page = await byPath(path, { MaxResults: 5, NextToken });
      expect(page.Parameters?.length).toBeLessThanOrEqual(5);
      found.push(...namesIn(page));
      NextToken = page.NextToken;
    } while (NextToken);
    expect(inOrder(found)).toEqual(names);
  },
  'a page of a path has at most ten entries': async (world) => {
    const { byPath } = storeOf(world);
    await expect(byPath('/x', { MaxResults: 11 })).rejects.toMatchObject(named('ValidationException'));
  },
  'a page of a history has at most 50 entries': async (world) => {
    const Name = newPath();
    await storeOf(world).put(Name, 'x');
    await expect(
      world.client.send(new GetParameterHistoryCommand({ Name, MaxResults: 51 })),
    ).rejects.toMatchObject(named('ValidationException'));
  },
  'an unknown page token is refused': async (world) => {
    const { path, byPath, describe } = await openPath(world, 1);
    await expect(byPath(path, { NextToken: 'made-up' })).rejects.toMatchObject(named('InvalidNextToken'));
    await expect(describe({ NextToken: 'made-up' })).rejects.toMatchObject(named('InvalidNextToken'));
  },
  'a path can be filtered by type': async (world) => {
    const { path, names, byPath, put } = await openPath(world, 2);
    await put(`${path}/secret`, 'x', { Type: 'SecureString' });
    const ParameterFilters = [{ Key: 'Type', Option: 'Equals', Values: ['SecureString'] }];
    expect(namesIn(await byPath(path, { ParameterFilters }))).toEqual([`${path}/secret`]);
    expect(namesIn(await byPath(path))).toEqual([...names, `${path}/secret`]);
  },
  'a path can be filtered by label': async (world) => {
    const { path, byPath, label } = await openPath(world, 2);
    await label(`${path}/p01`, ['live']);
    const ParameterFilters = [{ Key: 'Label', Option: 'Equals', Values: ['live'] }];
    expect(namesIn(await byPath(path, { ParameterFilters }))).toEqual([`${path}/p01`]);
  },
  // ParameterStringFilter: "For GetParametersByPath, the following patterns listed for Key aren't valid: tag, DataType,
  // Name, Path, and Tier."
  'a path cannot be filtered by tag or data type': async (world) => {
    const { byPath } = storeOf(world);
    for (const Key of ['DataType', 'tag:team'])
      await expect(
        byPath('/x', { ParameterFilters: [{ Key, Option: 'Equals', Values: ['x'] }] }),
      ).rejects.toMatchObject(named('InvalidFilterKey'));
  },
  'a path cannot be filtered by name, path or tier': async (world) => {
    const { byPath } = storeOf(world);
    for (const Key of ['Name', 'Path', 'Tier'])
      await expect(
        byPath('/x', { ParameterFilters: [{ Key, Option: 'Equals', Values: ['x'] }] }),
      ).rejects.toMatchObject(named('InvalidFilterKey'));
  },
  'parameters can be filtered by name, prefix and substring': async (world) => {
    const { path, names, describe } = await openPath(world, 2);
    const by = async (Values: string[], Option?: string) =>
      namesIn(await describe({ ParameterFilters: [{ Key: 'Name', Values, ...(Option && { Option }) }] }));
    expect(await by([`${path}/p00`])).toEqual([`${path}/p00`]);
    expect(await by([`${path}/p`], 'BeginsWith')).toEqual(names);
    expect(await by([`${path.slice(6)}/p`], 'Contains')).toEqual(names);
  },
  'parameters can be filtered by path, one level deep or recursively': async (world) => {
    const { path, names, describe } = await openPath(world, 2);
    const by = async (Option?: string) =>
      namesIn(
        await describe({ ParameterFilters: [{ Key: 'Path', Values: [path], ...(Option && { Option }) }] }),
      );
    expect(await by('OneLevel')).toEqual(names);
    expect(await by()).toEqual(names);
    expect(await by('Recursive')).toEqual([`${path}/deep/er`, ...names]);
  },
  'parameters can be filtered by type and by tag, and all filters must match': async (world) => {
    const { path, describe, put } = await openPath(world, 1);
    const Tags = [{ Key: 'team', Value: path.slice(1) }];
    await put(`${path}/secret`, 'x', { Type: 'SecureString', Tags });
    await put(`${path}/plain`, 'x', { Tags });
    const ofTeam = { Key: 'tag:team', Values: [path.slice(1)] };
    const secret = { Key: 'Type', Values: ['SecureString'] };
    expect(namesIn(await describe({ ParameterFilters: [ofTeam] }))).toEqual([
      `${path}/plain`,
      `${path}/secret`,
    ]);
    expect(namesIn(await describe({ ParameterFilters: [ofTeam, secret] }))).toEqual([`${path}/secret`]);
  },
  // ParameterStringFilter, Key: its pattern.
  'an unknown filter key is refused': async (world) => {
    const ParameterFilters = [{ Key: 'Colour', Values: ['red'] }];
    await expect(storeOf(world).describe({ ParameterFilters })).rejects.toMatchObject(
      named('ValidationException'),
    );
  },
  // ParameterStringFilter: "For DescribeParameters, all of the listed patterns are valid except Label."
  'parameters cannot be filtered by label': async (world) => {
    const ParameterFilters = [{ Key: 'Label', Values: ['live'] }];
    await expect(storeOf(world).describe({ ParameterFilters })).rejects.toMatchObject(
      named('InvalidFilterKey'),
    );
  },
  // ParameterStringFilter, Option.
  'a filter option that its key does not support is refused': async (world) => {
    const { describe } = storeOf(world);
    for (const [Key, Option] of [
      ['Path', 'Contains'],
      ['Name', 'Recursive'],
      ['Type', 'Contains'],
    ] as const)
      await expect(describe({ ParameterFilters: [{ Key, Option, Values: ['/x'] }] })).rejects.toMatchObject(
        named('InvalidFilterOption'),
      );
  },
};
