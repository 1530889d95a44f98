import { LabelParameterVersionCommand, UnlabelParameterVersionCommand } from '@aws-sdk/client-ssm';
import { expect } from 'vitest';
import type { Cases } from '../../../truth/contract.ts';
import { inOrder, newPath, type SsmWorld, storeOf } from './world.ts';

const named = (name: string) => ({ name });

/** Labels, and how many versions are kept: LabelParameterVersion, PutParameter. */
export const ssmLabelCases: Cases<SsmWorld> = {
  'a label moves from version to version and selects one': async (world) => {
    const { put, overwrite, get, label } = storeOf(world);
    const name = newPath();
    await put(name, 'one');
    await overwrite(name, 'two');
    expect(await label(name, ['live'], 1)).toMatchObject({ InvalidLabels: [], ParameterVersion: 1 });
    expect(await get(`${name}:live`)).toMatchObject({ Name: name, Value: 'one' });
    expect(await label(name, ['live'])).toMatchObject({ ParameterVersion: 2 });
    expect(await get(`${name}:live`)).toMatchObject({ Value: 'two', Version: 2 });
  },
  // Parameter, Selector.
  'a parameter that is read by version or label shows the selector': async (world) => {
    const { put, get, label } = storeOf(world);
    const name = newPath();
    await put(name, 'one');
    await label(name, ['live']);
    expect(await get(`${name}:live`)).toMatchObject({ Name: name, Selector: ':live' });
    expect(await get(`${name}:1`)).toMatchObject({ Name: name, Selector: ':1' });
  },
  'labels are case-sensitive': async (world) => {
    const { put, overwrite, get, label } = storeOf(world);
    const name = newPath();
    await put(name, 'one');
    await label(name, ['Live']);
    await overwrite(name, 'two');
    await label(name, ['live']);
    expect([(await get(`${name}:Live`))?.Value, (await get(`${name}:live`))?.Value]).toEqual(['one', 'two']);
  },
  'the history shows every version with its labels': async (world) => {
    const { put, overwrite, history, label } = storeOf(world);
    const name = newPath();
    await put(name, 'one');
    await overwrite(name, 'two');
    await label(name, ['old', 'older'], 1);
    const shown = (await history(name)).map(({ Version, Value, Labels }) => [
      Version,
      Value,
      inOrder(Labels),
    ]);
    expect(shown).toEqual([
      [1, 'one', ['old', 'older']],
      [2, 'two', []],
    ]);
  },
  // LabelParameterVersion: the rules of labels, and InvalidLabels.
  'invalid labels are named and not attached': async (world) => {
    const { put, get, label } = storeOf(world);
    const name = newPath();
    await put(name, 'one');
    const bad = ['1st', 'aws-x', 'ssm', 'with space'];
    expect(inOrder((await label(name, ['good', ...bad])).InvalidLabels)).toEqual(inOrder(bad));
    expect(await get(`${name}:good`)).toMatchObject({ Value: 'one' });
  },
  // LabelParameterVersion, ParameterVersionLabelLimitExceeded.
  'a version has at most ten labels': async (world) => {
    const { put, label } = storeOf(world);
    const name = newPath();
    await put(name, 'one');
    await label(
      name,
      Array.from({ length: 10 }, (_, index) => `label-${index}`),
    );
    await label(name, ['label-3']);
    await expect(label(name, ['another'])).rejects.toMatchObject(named('ParameterVersionLabelLimitExceeded'));
  },
  'a missing version can be neither labelled nor read': async (world) => {
    const { put, get, label } = storeOf(world);
    const name = newPath();
    await put(name, 'one');
    const missing = named('ParameterVersionNotFound');
    await expect(label(name, ['x'], 7)).rejects.toMatchObject(missing);
    await expect(get(`${name}:7`)).rejects.toMatchObject(missing);
  },
  // GetParameter, ParameterVersionNotFound.
  'an unknown label is reported as a missing version': async (world) => {
    const { put, get } = storeOf(world);
    const name = newPath();
    await put(name, 'one');
    await expect(get(`${name}:none`)).rejects.toMatchObject(named('ParameterVersionNotFound'));
  },
  'a label does not begin with aws or ssm, in any case': async (world) => {
    const { put, label } = storeOf(world);
    const name = newPath();
    await put(name, 'one');
    expect(inOrder((await label(name, ['AWS-x', 'Ssm'])).InvalidLabels)).toEqual(['AWS-x', 'Ssm']);
  },
  'a label can be removed from its version': async (world) => {
    const { put, history, label } = storeOf(world);
    const name = newPath();
    await put(name, 'one');
    await label(name, ['live']);
    const Labels = ['live', 'other'];
    const answer = await world.client.send(
      new UnlabelParameterVersionCommand({ Name: name, ParameterVersion: 1, Labels }),
    );
    expect(answer).toMatchObject({ RemovedLabels: ['live'], InvalidLabels: ['other'] });
    expect((await history(name)).map((version) => version.Labels)).toEqual([[]]);
  },
  // PutParameter, ParameterMaxVersionLimitExceeded.
  'the 101st version replaces the oldest': async (world) => {
    const { put, overwrite, get, history } = storeOf(world);
    const name = newPath();
    await put(name, 'v1');
    for (let version = 2; version <= 101; version += 1) await overwrite(name, `v${version}`);
    await expect(get(`${name}:1`)).rejects.toMatchObject(named('ParameterVersionNotFound'));
    const kept = (await history(name)).map(({ Version }) => Version);
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([100, 2, 101]);
  },
  'a label on the oldest of 100 versions blocks a new version': async (world) => {
    const { put, overwrite, label } = storeOf(world);
    const name = newPath();
    await put(name, 'v1', { Type: 'SecureString' });
    for (let version = 2; version <= 100; version += 1) await overwrite(name, `v${version}`);
    await label(name, ['keep'], 1);
    await expect(overwrite(name, 'v101')).rejects.toMatchObject(named('ParameterMaxVersionLimitExceeded'));
    await world.client.send(
      new LabelParameterVersionCommand({ Name: name, ParameterVersion: 2, Labels: ['keep'] }),
    );
    expect(await overwrite(name, 'v101')).toMatchObject({ Version: 101 });
  },
};
