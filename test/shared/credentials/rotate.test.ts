import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { previewRotation, rotate } from '../../../shared/credentials/rotate.ts';
import { ledgerParameterOf } from '../../../shared/credentials/token-ledger.ts';
import { createRotationBench, hour, settings } from '../../support/credentials/rotation-bench.ts';

describe('the first rotation', () => {
  it('publishes a kubeconfig whose token the API server accepts', async () => {
    const bench = createRotationBench();
    const report = await bench.run();
    expect(report.made).toMatchObject({ parameterVersion: 1 });
    expect(bench.publishedIsAccepted()).toBe(true);
    expect(bench.publishedToken()).toMatch(/^[a-z0-9]{6}\.[a-z0-9]{16}$/);
  });

  it('makes a token that outlasts two rotations and the slowest boot', async () => {
    const bench = createRotationBench();
    const { made } = await bench.run();
    expect(made?.expiresAt).toBe(bench.context.clock.now() + 25 * hour);
  });

  it('encrypts with the key of the settings', async () => {
    const bench = createRotationBench();
    await bench.run(undefined, { ...settings, keyId: 'alias/drover' });
    expect(bench.parameters.stored.get(settings.parameterName)?.keyId).toBe('alias/drover');
  });
});

describe('a later run', () => {
  it('changes nothing before the rotation is due, and measures the age', async () => {
    const bench = createRotationBench();
    await bench.run();
    bench.advance(11 * hour);
    const report = await bench.run();
    expect(report).toMatchObject({ plan: { action: 'keep' }, made: undefined, retiredIds: [] });
    expect(bench.ages).toEqual([{ ageSeconds: 11 * 3600, overdueSeconds: 0 }]);
  });

  it('measures the age although the ledger cannot be read', async () => {
    const bench = createRotationBench();
    await bench.run();
    bench.advance(13 * hour);
    const ledger = ledgerParameterOf(settings.parameterName);
    await bench.parameters.write({ name: ledger, value: 'not a ledger' });
    await expect(bench.run()).rejects.toThrow(ledger);
    expect(bench.ages).toEqual([{ ageSeconds: 13 * 3600, overdueSeconds: 3600 }]);
  });

  it('replaces the credential when it is due and retires the old token only after the overlap', async () => {
    const bench = createRotationBench();
    const first = await bench.run();
    bench.advance(12 * hour);
    const second = await bench.run();
    expect(second.made?.tokenId).not.toBe(first.made?.tokenId);
    expect([...bench.cluster.held.keys()]).toHaveLength(2);
    bench.advance(hour - 1000);
    expect((await bench.run()).retiredIds).toEqual([]);
    bench.advance(1000);
    expect((await bench.run()).retiredIds).toEqual([first.made?.tokenId]);
    expect([...bench.cluster.held.keys()]).toEqual([second.made?.tokenId]);
  });

  it('replaces a published token that was deleted', async () => {
    const bench = createRotationBench();
    await bench.run();
    bench.cluster.held.clear();
    const report = await bench.run();
    expect(report.plan.reason).toContain('does not know it');
    expect(bench.publishedIsAccepted()).toBe(true);
  });

  it('replaces a credential for a server that is gone without asking that server', async () => {
    const bench = createRotationBench();
    await bench.run();
    const { value = '' } = bench.parameters.stored.get(settings.parameterName) ?? {};
    await bench.parameters.write({
      name: settings.parameterName,
      value: value.replace(settings.address.server, 'https://gone:6443'),
    });
    const report = await bench.run();
    expect(report.plan).toMatchObject({ action: 'make', moves: true, server: settings.address.server });
    expect(bench.publishedIsAccepted()).toBe(true);
  });

  it('leaves tokens of others alone, however old', async () => {
    const bench = createRotationBench();
    const token = { id: 'zzzzzz', secret: '0000000000000000' };
    bench.cluster.addForeign({ token, createdAt: 0, expiresAt: Infinity, groups: [], description: '' });
    for (let day = 0; day < 5; day += 1) {
      await bench.run();
      bench.advance(24 * hour);
    }
    expect(bench.cluster.held.has('zzzzzz')).toBe(true);
  });
});

describe('a preview', () => {
  it('reports what a rotation would do and changes nothing', async () => {
    const bench = createRotationBench();
    const plan = await previewRotation(bench.context, settings);
    expect(plan).toMatchObject({ action: 'make', reason: 'nothing is published' });
    expect(bench.cluster.held.size + bench.parameters.stored.size).toBe(0);
  });
});

describe('a rotation', () => {
  it('stops at a parameter with other content, and neither overwrites nor shows it', async () => {
    const bench = createRotationBench();
    await bench.context.parameters.write({ name: settings.parameterName, value: 'password: hunter2' });
    const error = await bench.run().catch((error: unknown) => error);
    expect(error).toMatchObject({ name: 'RotationError', step: 'read' });
    expect(inspect(error)).not.toContain('hunter2');
    expect(bench.parameters.stored.get(settings.parameterName)?.value).toBe('password: hunter2');
  });

  it('stops if the API server does not accept the new token, and deletes the token', async () => {
    const bench = createRotationBench();
    await bench.run();
    const before = bench.publishedToken();
    bench.advance(12 * hour);
    bench.cluster.lag = 1000;
    bench.cluster.groupsGiven = (groups) => groups;
    // The published one is asked first and seems unknown as well; what matters is what is left behind.
    await expect(bench.run()).rejects.toMatchObject({ step: 'prove' });
    expect(bench.publishedToken()).toBe(before);
    expect(bench.cluster.held.size).toBe(1);
  });

  it("continues if the API server's watch is a moment behind", async () => {
    const bench = createRotationBench();
    bench.cluster.lag = 5;
    await bench.run();
    expect(bench.publishedIsAccepted()).toBe(true);
  });

  it('stops if the token does not get its groups', async () => {
    const bench = createRotationBench();
    bench.cluster.groupsGiven = () => ['system:bootstrappers'];
    await expect(bench.run()).rejects.toThrow(/group system:bootstrappers:drover:worker/);
    expect(bench.publishedToken()).toBeUndefined();
    expect(bench.cluster.held.size).toBe(0);
  });

  it('stops at a token that may not make certificate requests, deletes it, and names the binding', async () => {
    const bench = createRotationBench();
    await bench.run();
    const before = bench.publishedToken();
    bench.cluster.mayRequest = false;
    await expect(rotate(bench.context, settings, { force: true })).rejects.toMatchObject({
      step: 'prove',
      message: expect.stringContaining(
        'system:node-bootstrapper to the group system:bootstrappers:drover:worker',
      ),
    });
    expect(bench.publishedToken()).toBe(before);
    expect(bench.cluster.held.size).toBe(1);
  });

  it('makes no token on a server that cannot prove one, and names the parameter', async () => {
    const bench = createRotationBench();
    bench.cluster.hasReviews = false;
    await expect(rotate(bench.context, settings)).rejects.toMatchObject({
      step: 'make',
      message: expect.stringContaining('Set the parameter bootstrap to off'),
    });
    expect(bench.cluster.held.size).toBe(0);
    expect(bench.parameters.stored.size).toBe(0);
  });

  it("stops if the clock differs much from the API server's", async () => {
    const bench = createRotationBench();
    const late = { ...bench.context, clock: { now: () => bench.context.clock.now() + hour } };
    await expect(rotate(late, settings)).rejects.toThrow(/3600 s apart/);
    expect(bench.cluster.held.size).toBe(0);
  });

  it('stops if the API server does not say when it created the Secret', async () => {
    const bench = createRotationBench();
    const { tokens } = bench.context;
    const createToken = async (token: Parameters<typeof tokens.createToken>[0]) => ({
      ...(await tokens.createToken(token)),
      createdAt: Number.NaN,
    });
    const context = { ...bench.context, tokens: { ...tokens, createToken } };
    await expect(rotate(context, settings)).rejects.toThrow(/creationTimestamp of token \w+ is not a time/);
    expect(bench.cluster.held.size).toBe(0);
    expect(bench.publishedToken()).toBeUndefined();
  });

  it('stops if the run slept between making and publishing', async () => {
    const bench = createRotationBench();
    const sleepy = {
      ...bench.context.tokens,
      whoAmI: (credential: Parameters<typeof bench.cluster.whoAmI>[0]) => {
        bench.advance(hour);
        return bench.cluster.whoAmI(credential);
      },
    };
    await expect(rotate({ ...bench.context, tokens: sleepy }, settings)).rejects.toMatchObject({
      step: 'publish',
    });
    expect(bench.publishedToken()).toBeUndefined();
  });

  it('stops at too many valid tokens, but retires old ones so that the next run continues', async () => {
    const bench = createRotationBench();
    for (let count = 0; count < 10; count += 1) await rotate(bench.context, settings, { force: true });
    await expect(rotate(bench.context, settings, { force: true })).rejects.toMatchObject({ step: 'decide' });
    expect(bench.cluster.held.size).toBe(10);
    bench.advance(hour);
    await expect(rotate(bench.context, settings, { force: true })).rejects.toMatchObject({ step: 'decide' });
    await rotate(bench.context, settings, { force: true });
    expect(bench.cluster.held.size).toBe(2);
    expect(bench.publishedIsAccepted()).toBe(true);
  });
});

describe('a failed retirement', () => {
  it('is reported, does not stop the other deletions, and is retried', async () => {
    const bench = createRotationBench();
    for (let count = 0; count < 3; count += 1) await rotate(bench.context, settings, { force: true });
    bench.advance(hour);
    const [stuck = ''] = bench.cluster.held.keys();
    const tokens = {
      ...bench.context.tokens,
      deleteToken: (token: { readonly id: string; readonly uid: string }) =>
        token.id === stuck ? Promise.reject(new Error('forbidden')) : bench.cluster.deleteToken(token),
    };
    await expect(rotate({ ...bench.context, tokens }, settings)).rejects.toMatchObject({ step: 'retire' });
    expect(bench.cluster.held.size).toBe(2);
    expect(bench.ledger().map(({ id }) => id)).toContain(stuck);
    expect((await bench.run()).retiredIds).toEqual([stuck]);
    expect(bench.ledger().map(({ id }) => id)).toEqual([...bench.cluster.held.keys()]);
  });
});
