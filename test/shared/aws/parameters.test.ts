import { LabelParameterVersionCommand } from '@aws-sdk/client-ssm';
import { createSsmFixture } from '@drover/cloud-sandbox/test/aws/support/parameter-fixture.ts';
import { describe, expect, it } from 'vitest';
import { ssmClient } from '../../../shared/aws/clients.ts';
import { createParameterStore } from '../../../shared/aws/parameters.ts';

const name = '/drover/prod/bootstrap-kubeconfig';

function createBench() {
  const fixture = createSsmFixture();
  return { ...fixture, store: createParameterStore(ssmClient(fixture.connection)) };
}

describe('the parameter store', () => {
  it('reads a missing parameter as undefined', async () => {
    expect(await createBench().store.read(name)).toBeUndefined();
  });

  it('returns a written parameter decrypted, with its version and its time', async () => {
    const { store, clock, ssm } = createBench();
    clock.advance(60);
    expect(await store.write({ name, value: 'one' })).toBe(1);
    expect(await store.write({ name, value: 'two', keyId: 'alias/own' })).toBe(2);
    expect(await store.read(name)).toEqual({ value: 'two', version: 2, modifiedAt: clock.now() });
    expect(ssm.controls.keyArn(name)).toContain('own');
  });

  it('stores a large value as an advanced parameter, which may become small again', async () => {
    const { store } = createBench();
    const value = 'x'.repeat(5000);
    await store.write({ name, value });
    expect((await store.read(name))?.value).toBe(value);
    expect(await store.write({ name, value: 'small again' })).toBe(2);
  });

  it('says what to do if a label keeps the oldest of 100 versions', async () => {
    const { store, client } = createBench();
    await store.write({ name, value: '1' });
    await client.send(
      new LabelParameterVersionCommand({ Name: name, ParameterVersion: 1, Labels: ['mine'] }),
    );
    for (let version = 2; version <= 100; version += 1) await store.write({ name, value: String(version) });
    await expect(store.write({ name, value: 'more' })).rejects.toThrow(/move the label to a newer version/);
    expect((await store.read(name))?.value).toBe('100');
  });
});
