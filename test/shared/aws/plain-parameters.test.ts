import type { SSMClient } from '@aws-sdk/client-ssm';
import { createSsmFixture } from '@drover/cloud-sandbox/test/aws/support/parameter-fixture.ts';
import { describe, expect, it } from 'vitest';
import { ssmClient } from '../../../shared/aws/clients.ts';
import { createPlainParameters, readModifiedAt } from '../../../shared/aws/parameters.ts';

const createParameters = () => createPlainParameters(ssmClient(createSsmFixture().connection));
const path = '/drover/prod/holds';

describe('plain parameters', () => {
  it('are listed over all pages, and those of a similar path are not', async () => {
    const parameters = createParameters();
    const names = Array.from({ length: 25 }, (_, index) => `${path}/workers/hold-${index}`);
    for (const name of [...names, '/drover/prod/holds-of-others/workers/one'])
      await parameters.write(name, name);
    const texts = await parameters.listBelow(path);
    expect([...texts.keys()].sort()).toEqual([...names].sort());
    expect(texts.get(`${path}/workers/hold-7`)).toBe(`${path}/workers/hold-7`);
  });

  it('are made once: a second one of the name changes nothing', async () => {
    const parameters = createParameters();
    expect(await parameters.create(`${path}/workers/one`, 'first')).toBe(true);
    expect(await parameters.create(`${path}/workers/one`, 'second')).toBe(false);
    expect(await parameters.read(`${path}/workers/one`)).toBe('first');
  });

  it('are replaced by the first of two callers that have read the same version, and the second one puts that back', async () => {
    const parameters = createParameters();
    const name = `${path}/workers/one`;
    await parameters.write(name, 'ended');
    const read = await parameters.readVersion(name);
    if (read === undefined) throw new Error('it is not there');
    expect(await parameters.replace(name, 'first', read)).toBe(true);
    expect(await parameters.replace(name, 'second', read)).toBe(false);
    expect(await parameters.replace(name, 'third', read)).toBe(false);
    expect(await parameters.read(name)).toBe('first');
  });

  it('are replaced once by a call that is repeated because its answer was lost', async () => {
    const parameters = createParameters();
    const name = `${path}/workers/one`;
    await parameters.write(name, 'ended');
    const read = await parameters.readVersion(name);
    if (read === undefined) throw new Error('it is not there');
    await parameters.write(name, 'mine');
    expect(await parameters.replace(name, 'mine', read)).toBe(true);
    expect(await parameters.read(name)).toBe('mine');
  });

  it('that were deleted since they were read are created', async () => {
    const parameters = createParameters();
    const name = `${path}/workers/one`;
    await parameters.write(name, 'ended');
    await parameters.write(name, 'ended twice');
    const read = await parameters.readVersion(name);
    if (read === undefined) throw new Error('it is not there');
    await parameters.remove(name);
    expect(await parameters.replace(name, 'mine', read)).toBe(true);
    expect(await parameters.read(name)).toBe('mine');
  });

  it('that are not there are read as undefined, and removed without an error', async () => {
    const parameters = createParameters();
    expect(await parameters.read(`${path}/workers/none`)).toBeUndefined();
    await parameters.remove(`${path}/workers/none`);
  });

  it('of pages without end are an error', async () => {
    let calls = 0;
    const send = async () => ({ Parameters: [], NextToken: String((calls += 1)), $metadata: {} });
    const parameters = createPlainParameters({ send } as unknown as SSMClient);
    await expect(parameters.listBelow(path)).rejects.toThrow('without end');
    expect(calls).toBe(10_000);
  });
});

it('the times of parameters are read from every page, also after an empty one', async () => {
  const at = (seconds: number) => new Date(seconds * 1000);
  const pages: Readonly<Record<string, object>> = {
    first: { Parameters: [], NextToken: 'second' },
    second: { Parameters: [{ Name: '/one', LastModifiedDate: at(1) }], NextToken: 'third' },
    third: { Parameters: [{ Name: '/two', LastModifiedDate: at(2) }] },
  };
  const send = async ({ input: { NextToken = 'first' } }: { input: { NextToken?: string } }) => ({
    ...pages[NextToken],
    $metadata: {},
  });
  const times = await readModifiedAt({ send } as unknown as SSMClient, ['/one', '/two', '/three']);
  expect([...times]).toEqual([
    ['/one', 1000],
    ['/two', 2000],
  ]);
});
