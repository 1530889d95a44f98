import type { Cases } from '@drover/cloud-sandbox/truth/contract.ts';
import { expect } from 'vitest';
import { ssmClient } from '../../../shared/aws/clients.ts';
import { createParameterStore } from '../../../shared/aws/parameters.ts';
import type { AwsWorld } from './world.ts';

/** What Drover asks of Parameter Store. */
export const ssmCases: Cases<AwsWorld> = {
  'the credential that Drover writes is read back with its version and its time': async (world) => {
    const store = createParameterStore(ssmClient(world.connection));
    const name = `/case-${crypto.randomUUID()}/bootstrap`;
    expect(await store.read(name)).toBeUndefined();
    expect(await store.write({ name, value: 'first' })).toBe(1);
    expect(await store.write({ name, value: 'é'.repeat(3000) })).toBe(2);
    const read = await store.read(name);
    expect(read).toMatchObject({ value: 'é'.repeat(3000), version: 2 });
    expect(read?.modifiedAt).toBeGreaterThan(Date.UTC(2020, 0));
  },
};
