import {
  AddTagsToResourceCommand,
  DeleteParameterCommand,
  DeleteParametersCommand,
  DescribeParametersCommand,
  GetParameterHistoryCommand,
  GetParametersByPathCommand,
  GetParametersCommand,
  ListTagsForResourceCommand,
  RemoveTagsFromResourceCommand,
} from '@aws-sdk/client-ssm';
import { expect, test } from 'vitest';
import { createSsmFixture } from '../support/parameter-fixture.ts';

test('a parameter is created once, and Overwrite creates a new version', async () => {
  const { put, overwrite, get } = createSsmFixture();
  expect(await put('/a', 'one')).toMatchObject({ Version: 1, Tier: 'Standard' });
  await expect(put('/a', 'two')).rejects.toMatchObject({ name: 'ParameterAlreadyExists' });
  expect(await overwrite('/a', 'two')).toMatchObject({ Version: 2 });
  expect(await get('/a')).toMatchObject({
    Value: 'two',
    Version: 2,
    ARN: 'arn:aws:ssm:eu-west-1:123456789012:parameter/a',
  });
});

test('an older version can be read by number with the name or ARN; a missing one is named', async () => {
  const { put, overwrite, get } = createSsmFixture();
  await put('/a', 'one');
  await overwrite('/a', 'two');
  expect(await get('/a:1')).toMatchObject({ Name: '/a', Value: 'one', Selector: ':1' });
  expect(await get('arn:aws:ssm:eu-west-1:123456789012:parameter/a:1')).toMatchObject({ Value: 'one' });
  await expect(get('/a:3')).rejects.toMatchObject({ name: 'ParameterVersionNotFound' });
  await expect(get('/b')).rejects.toMatchObject({ name: 'ParameterNotFound' });
});

test('a SecureString is opaque without decryption', async () => {
  const { put, get } = createSsmFixture();
  await put('/secret', 'hush', { Type: 'SecureString' });
  expect((await get('/secret'))?.Value).toMatch(/^AQICAH/);
  expect((await get('/secret'))?.Value).not.toContain('hush');
  expect((await get('/secret', true))?.Value).toBe('hush');
});

test('the type of a parameter cannot change, and a new parameter needs a type', async () => {
  const { put, ssm } = createSsmFixture();
  await put('/a', 'x');
  await expect(put('/a', 'y', { Type: 'SecureString', Overwrite: true })).rejects.toMatchObject({
    name: 'HierarchyTypeMismatchException',
  });
  await expect(put('/b', 'y', { Type: undefined })).rejects.toThrow('A parameter type is required');
  expect(ssm.controls.value('/b')).toBeUndefined();
});

test('standard parameters hold 4 KB and advanced ones 8 KB, and an advanced one stays so (user guide, parameter tiers)', async () => {
  const { put } = createSsmFixture();
  await put('/full', 'x'.repeat(4096));
  await expect(put('/a', 'x'.repeat(4097))).rejects.toThrow(
    'upgrade the parameter to use the advanced-parameter tier',
  );
  expect(await put('/a', 'x'.repeat(8192), { Tier: 'Advanced' })).toMatchObject({ Tier: 'Advanced' });
  expect(await put('/i', 'x'.repeat(4097), { Tier: 'Intelligent-Tiering' })).toMatchObject({
    Tier: 'Advanced',
  });
  await expect(put('/b', 'x'.repeat(8193), { Tier: 'Advanced' })).rejects.toThrow('8192');
  await expect(put('/a', 'x', { Tier: 'Standard', Overwrite: true })).rejects.toThrow("can't downgrade");
});

test.each(['aws-x', '/ssm/x', '/a b', '/a//b', 'a/b', '/a/'])('the name %s is refused', async (name) => {
  const { put } = createSsmFixture();
  await expect(put(name, 'x')).rejects.toMatchObject({ name: 'ValidationException' });
});

test('a name has at most 15 levels', async () => {
  const { put } = createSsmFixture();
  await put(`/${Array(15).fill('a').join('/')}`, 'x');
  await expect(put(`/${Array(16).fill('a').join('/')}`, 'x')).rejects.toMatchObject({
    name: 'HierarchyLevelLimitExceededException',
  });
});

test('a value must match the allowed pattern, also that of an earlier version', async () => {
  const { put, overwrite } = createSsmFixture();
  await put('/n', '12', { AllowedPattern: '^\\d+$' });
  await expect(overwrite('/n', 'twelve')).rejects.toMatchObject({
    name: 'ParameterPatternMismatchException',
  });
});

test('GetParameters returns the known parameters and names the unknown ones', async () => {
  const { put, client } = createSsmFixture();
  await put('/a', '1');
  const answer = await client.send(new GetParametersCommand({ Names: ['/a', '/b', '/a:9'] }));
  expect(answer.Parameters?.map(({ Name }) => Name)).toEqual(['/a']);
  expect(answer.InvalidParameters).toEqual(['/b', '/a:9']);
  const Names = Array.from({ length: 11 }, (_, index) => `/p${index}`);
  await expect(client.send(new GetParametersCommand({ Names }))).rejects.toMatchObject({
    name: 'ValidationException',
  });
});

test('a path can be read one level deep or recursively, ten parameters per page', async () => {
  const { put, client } = createSsmFixture();
  for (let index = 10; index < 22; index += 1) await put(`/app/p${index}`, 'x');
  await put('/app/deep/er', 'x');
  await put('/apple', 'x');
  const first = await client.send(new GetParametersByPathCommand({ Path: '/app' }));
  expect(first.Parameters).toHaveLength(10);
  const second = await client.send(
    new GetParametersByPathCommand({ Path: '/app', NextToken: first.NextToken }),
  );
  expect(second.Parameters?.map(({ Name }) => Name)).toEqual(['/app/p20', '/app/p21']);
  const deep = await client.send(new GetParametersByPathCommand({ Path: '/app/', Recursive: true }));
  expect(deep.Parameters?.[0]?.Name).toBe('/app/deep/er');
  await expect(client.send(new GetParametersByPathCommand({ Path: 'app' }))).rejects.toThrow(
    'must begin with',
  );
});

test('parameters can be filtered', async () => {
  const { put, client } = createSsmFixture();
  await put('/a/x', '1', { Tags: [{ Key: 'team', Value: 'a' }] });
  await put('/b/x', '1', { Type: 'SecureString', Description: 'secret' });
  const names = async (Key: string, Values: string[], Option?: string) => {
    const filter = { Key, Values, ...(Option === undefined ? {} : { Option }) };
    const { Parameters } = await client.send(new DescribeParametersCommand({ ParameterFilters: [filter] }));
    return Parameters?.map(({ Name }) => Name);
  };
  expect(await names('Type', ['SecureString'])).toEqual(['/b/x']);
  expect(await names('Name', ['/a'], 'BeginsWith')).toEqual(['/a/x']);
  expect(await names('tag:team', ['a'])).toEqual(['/a/x']);
  expect(await names('Path', ['/b'])).toEqual(['/b/x']);
  await expect(names('Colour', ['red'])).rejects.toMatchObject({ name: 'ValidationException' });
  await expect(names('Label', ['live'])).rejects.toMatchObject({ name: 'InvalidFilterKey' });
});

test('the history keeps the values, and deletion removes it', async () => {
  const { put, overwrite, client } = createSsmFixture();
  await put('/a', 'one');
  await overwrite('/a', 'two');
  const { Parameters } = await client.send(new GetParameterHistoryCommand({ Name: '/a' }));
  expect(Parameters?.map(({ Version, Value }) => [Version, Value])).toEqual([
    [1, 'one'],
    [2, 'two'],
  ]);
  await client.send(new DeleteParameterCommand({ Name: '/a' }));
  await expect(client.send(new DeleteParameterCommand({ Name: '/a' }))).rejects.toMatchObject({
    name: 'ParameterNotFound',
  });
  expect(await client.send(new DeleteParametersCommand({ Names: ['/a'] }))).toMatchObject({
    InvalidParameters: ['/a'],
  });
});

test('tags can be added and removed, and are refused with Overwrite', async () => {
  const { put, client, ssm } = createSsmFixture();
  await put('/a', '1');
  const target = { ResourceType: 'Parameter' as const, ResourceId: '/a' };
  await client.send(
    new AddTagsToResourceCommand({
      ...target,
      Tags: [
        { Key: 'k', Value: 'v' },
        { Key: 'x', Value: 'y' },
      ],
    }),
  );
  await client.send(new RemoveTagsFromResourceCommand({ ...target, TagKeys: ['x'] }));
  expect((await client.send(new ListTagsForResourceCommand(target))).TagList).toEqual([
    { Key: 'k', Value: 'v' },
  ]);
  expect(ssm.controls.tags('arn:aws:ssm:eu-west-1:123456789012:parameter/a')).toEqual({ k: 'v' });
  await expect(put('/a', '2', { Overwrite: true, Tags: [{ Key: 'k', Value: 'v' }] })).rejects.toThrow(
    "tags and overwrite can't be used together",
  );
});

test('every change sends an event', async () => {
  const { put, overwrite, client, events } = createSsmFixture();
  await put('/a', '1');
  await overwrite('/a', '2');
  await client.send(new DeleteParameterCommand({ Name: '/a' }));
  expect(events.map(({ detail }) => detail['operation'])).toEqual(['Create', 'Update', 'Delete']);
  expect(JSON.stringify(events)).not.toContain('value');
});
