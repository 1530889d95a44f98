import { LabelParameterVersionCommand, UnlabelParameterVersionCommand } from '@aws-sdk/client-ssm';
import { expect, test } from 'vitest';
import { createSsmFixture } from '../support/parameter-fixture.ts';

test('a label moves from version to version and selects one (user guide, parameter labels)', async () => {
  const { put, overwrite, get, client } = createSsmFixture();
  await put('/a', 'one');
  await overwrite('/a', 'two');
  await client.send(new LabelParameterVersionCommand({ Name: '/a', ParameterVersion: 1, Labels: ['live'] }));
  expect(await get('/a:live')).toMatchObject({ Value: 'one', Selector: ':live' });
  await client.send(new LabelParameterVersionCommand({ Name: '/a', Labels: ['live'] }));
  expect(await get('/a:live')).toMatchObject({ Value: 'two' });
});

test('invalid labels are named and not attached', async () => {
  const { put, get, client } = createSsmFixture();
  await put('/a', 'one');
  const Labels = ['good', '1st', 'aws-x', 'with space'];
  const answer = await client.send(new LabelParameterVersionCommand({ Name: '/a', Labels }));
  expect(answer.InvalidLabels).toEqual(['1st', 'aws-x', 'with space']);
  await expect(get('/a:1st')).rejects.toMatchObject({ name: 'ParameterVersionNotFound' });
});

test('a version has at most ten labels', async () => {
  const { put, client } = createSsmFixture();
  await put('/a', 'one');
  const Labels = Array.from({ length: 10 }, (_, index) => `label-${index}`);
  await client.send(new LabelParameterVersionCommand({ Name: '/a', Labels }));
  await expect(
    client.send(new LabelParameterVersionCommand({ Name: '/a', Labels: ['another'] })),
  ).rejects.toMatchObject({ name: 'ParameterVersionLabelLimitExceeded' });
});

test('the 101st version replaces the oldest, unless that has a label (ParameterMaxVersionLimitExceeded)', async () => {
  const { put, overwrite, get, client } = createSsmFixture();
  await put('/a', 'v1');
  for (let version = 2; version <= 100; version += 1) await overwrite('/a', `v${version}`);
  await overwrite('/a', 'v101');
  await expect(get('/a:1')).rejects.toMatchObject({ name: 'ParameterVersionNotFound' });
  await client.send(new LabelParameterVersionCommand({ Name: '/a', ParameterVersion: 2, Labels: ['keep'] }));
  await expect(overwrite('/a', 'v102')).rejects.toMatchObject({ name: 'ParameterMaxVersionLimitExceeded' });
  await client.send(
    new UnlabelParameterVersionCommand({ Name: '/a', ParameterVersion: 2, Labels: ['keep'] }),
  );
  expect(await overwrite('/a', 'v102')).toMatchObject({ Version: 102 });
});
