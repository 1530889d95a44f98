import {
  AddTagsToResourceCommand,
  DeleteParameterCommand,
  DeleteParametersCommand,
  GetParametersCommand,
  ListTagsForResourceCommand,
} from '@aws-sdk/client-ssm';
import { expect } from 'vitest';
import type { Cases } from '../../../truth/contract.ts';
import { ssmLabelCases } from './label-cases.ts';
import { ssmReadingCases } from './reading-cases.ts';
import { ssmRuleCases } from './rule-cases.ts';
import { inOrder, namesIn, newPath, type SsmWorld, storeOf } from './world.ts';

const named = (name: string) => ({ name });

/** Parameters, their versions and their labels: the API reference and the user guide of Systems Manager. */
const ssmVersionCases: Cases<SsmWorld> = {
  'a parameter is created once, and Overwrite creates a new version': async (world) => {
    const { put, overwrite, get } = storeOf(world);
    const name = newPath();
    expect(await put(name, 'one')).toMatchObject({ Version: 1, Tier: 'Standard' });
    await expect(put(name, 'two')).rejects.toMatchObject(named('ParameterAlreadyExists'));
    expect(await get(name)).toMatchObject({ Value: 'one', Version: 1 });
    expect(await overwrite(name, 'two')).toMatchObject({ Version: 2 });
    expect(await get(name)).toMatchObject({ Name: name, Value: 'two', Version: 2, Type: 'String' });
  },
  'a deleted parameter starts again at version 1': async (world) => {
    const { put, overwrite, get } = storeOf(world);
    const name = newPath();
    await put(name, 'one');
    await overwrite(name, 'two');
    await world.client.send(new DeleteParameterCommand({ Name: name }));
    await expect(get(name)).rejects.toMatchObject(named('ParameterNotFound'));
    expect(await put(name, 'three')).toMatchObject({ Version: 1 });
    await expect(get(`${name}:2`)).rejects.toMatchObject(named('ParameterVersionNotFound'));
  },
  'a SecureString does not show its value without decryption': async (world) => {
    const { put, get, describe } = storeOf(world);
    const name = newPath();
    await put(name, 'hush', { Type: 'SecureString' });
    const sealed = await get(name);
    expect(sealed?.Type).toBe('SecureString');
    expect(sealed?.Value).not.toBe('hush');
    expect((await get(name, true))?.Value).toBe('hush');
    const ParameterFilters = [{ Key: 'Name', Values: [name] }];
    expect((await describe({ ParameterFilters })).Parameters?.[0]?.KeyId).toBe('alias/aws/ssm');
  },
  'a SecureString shows its KMS key': async (world) => {
    const { put, describe } = storeOf(world);
    const name = newPath();
    await put(name, 'hush', { Type: 'SecureString', KeyId: 'alias/cluster' });
    const ParameterFilters = [{ Key: 'Name', Values: [name] }];
    expect((await describe({ ParameterFilters })).Parameters?.[0]?.KeyId).toBe('alias/cluster');
  },
  'tags can be set at creation, and are refused with Overwrite': async (world) => {
    const { put } = storeOf(world);
    const name = newPath();
    const Tags = [{ Key: 'team', Value: 'a' }];
    await put(name, 'x', { Tags });
    await expect(put(name, 'y', { Tags, Overwrite: true })).rejects.toMatchObject(
      named('ValidationException'),
    );
    const target = { ResourceType: 'Parameter', ResourceId: name } as const;
    await world.client.send(new AddTagsToResourceCommand({ ...target, Tags: [{ Key: 'team', Value: 'b' }] }));
    const { TagList } = await world.client.send(new ListTagsForResourceCommand(target));
    expect(TagList).toEqual([{ Key: 'team', Value: 'b' }]);
  },
  'the history of a missing parameter is refused': async (world) => {
    await expect(storeOf(world).history(newPath())).rejects.toMatchObject(named('ParameterNotFound'));
  },
  'a missing parameter is refused': async (world) => {
    const { get, label } = storeOf(world);
    const name = newPath();
    const missing = named('ParameterNotFound');
    await expect(get(name)).rejects.toMatchObject(missing);
    await expect(get(`${name}:1`)).rejects.toMatchObject(missing);
    await expect(label(name, ['x'])).rejects.toMatchObject(missing);
    await expect(world.client.send(new DeleteParameterCommand({ Name: name }))).rejects.toMatchObject(
      missing,
    );
    const { DeletedParameters, InvalidParameters } = await world.client.send(
      new DeleteParametersCommand({ Names: [name] }),
    );
    expect([DeletedParameters ?? [], InvalidParameters]).toEqual([[], [name]]);
  },
  'several parameters can be read in one call, which names the missing ones': async (world) => {
    const { put } = storeOf(world);
    const name = newPath();
    await put(name, 'x');
    const Names = [name, `${name}-none`, `${name}-neither`];
    const answer = await world.client.send(new GetParametersCommand({ Names }));
    expect(namesIn(answer)).toEqual([name]);
    expect(inOrder(answer.InvalidParameters)).toEqual(inOrder(Names.slice(1)));
  },
  // GetParameters, Names: "Maximum number of 10 items".
  'one call reads at most ten parameters': async (world) => {
    const Names = Array.from({ length: 11 }, (_, index) => `/p${index}`);
    await expect(world.client.send(new GetParametersCommand({ Names }))).rejects.toMatchObject(
      named('ValidationException'),
    );
  },
};

/** Parameter Store: what Drover keeps credentials in, and machines fetch them from. */
export const ssmCases: Cases<SsmWorld> = {
  ...ssmVersionCases,
  ...ssmRuleCases,
  ...ssmLabelCases,
  ...ssmReadingCases,
};
