import { describe, expect, it } from 'vitest';
import { rotate } from '../../../shared/credentials/rotate.ts';
import { formatLedger, ledgerParameterOf, readLedger } from '../../../shared/credentials/token-ledger.ts';
import { createRotationBench, hour, settings } from '../../support/credentials/rotation-bench.ts';

const { owner } = settings;
const ledgerName = ledgerParameterOf(settings.parameterName);
const now = Date.parse('2026-03-01T00:00:00Z');
const token = { id: 'aaaaaa', uid: 'u', createdAt: now, expiresAt: now + hour, groups: settings.groups };

describe('the content of a ledger', () => {
  it('is read as it was written', () => {
    expect(readLedger(formatLedger(owner, [token]), owner)).toEqual({ kind: 'ours', tokens: [token] });
  });

  it('stays within 4 KB with as many tokens as may be valid', () => {
    const groups = [...settings.groups, 'system:bootstrappers:kubeadm:default-node-token'];
    const tokens = Array.from({ length: 11 }, () => ({ ...token, uid: crypto.randomUUID(), groups }));
    expect(formatLedger(owner, tokens).length).toBeLessThan(4096);
  });

  it.each([
    ['text', 'password: hunter2'],
    ['the tokens of another cluster', formatLedger({ ...owner, clusterName: 'other' }, [token])],
    ['the tokens of another role', formatLedger({ ...owner, role: 'control-plane' }, [token])],
    ['an id that is a path', formatLedger(owner, [{ ...token, id: 'a/../b' }])],
    ['a token without a UID', formatLedger(owner, [{ ...token, uid: '' }])],
  ])('is foreign if it is %s, and the reason quotes nothing of it', (_, text) => {
    const ledger = readLedger(text, owner);
    expect(ledger).toMatchObject({ kind: 'foreign' });
    expect(JSON.stringify(ledger)).not.toMatch(/hunter2|aaaaaa|other/);
  });
});

describe('the ledger of a rotation', () => {
  it('has the new token before the API server is asked for its identity, encrypted with the same key', async () => {
    const bench = createRotationBench();
    const recorded: unknown[] = [];
    const tokens = {
      ...bench.context.tokens,
      whoAmI: (credential: Parameters<typeof bench.cluster.whoAmI>[0]) => {
        recorded.push(bench.ledger().map(({ id }) => id));
        return bench.cluster.whoAmI(credential);
      },
    };
    const { made } = await rotate({ ...bench.context, tokens }, { ...settings, keyId: 'alias/drover' });
    expect(recorded).toEqual([[made?.tokenId]]);
    expect(bench.parameters.stored.get(ledgerName)?.keyId).toBe('alias/drover');
  });

  it('holds no secret', async () => {
    const bench = createRotationBench();
    await bench.run();
    for (const secret of bench.secrets)
      expect(bench.parameters.stored.get(ledgerName)?.value).not.toContain(secret);
  });

  it('deletes the token again if the ledger cannot be written', async () => {
    const bench = createRotationBench();
    const parameters = {
      ...bench.parameters,
      write: () => Promise.reject(new Error('AccessDeniedException')),
    };
    await expect(rotate({ ...bench.context, parameters }, settings)).rejects.toMatchObject({
      step: 'record',
    });
    expect(bench.cluster.held.size).toBe(0);
    expect(bench.publishedToken()).toBeUndefined();
  });

  it('is not overwritten if it has other content, and the content is not shown', async () => {
    const bench = createRotationBench();
    await bench.parameters.write({ name: ledgerName, value: 'password: hunter2' });
    const error = await bench.run().catch(String);
    expect(error).toContain('step read');
    expect(error).not.toContain('hunter2');
    expect(bench.parameters.stored.get(ledgerName)?.value).toBe('password: hunter2');
    expect(bench.cluster.held.size).toBe(0);
  });

  it('loses what has expired', async () => {
    const bench = createRotationBench();
    await bench.run();
    bench.advance(26 * hour);
    const { made } = await bench.run();
    expect(bench.ledger().map(({ id }) => id)).toEqual([made?.tokenId]);
  });

  it('loses a token that an operator deleted, once its overlap is over', async () => {
    const bench = createRotationBench();
    const first = await bench.run();
    bench.advance(12 * hour);
    const second = await bench.run();
    bench.cluster.held.delete(first.made?.tokenId ?? '');
    bench.advance(hour);
    expect((await bench.run()).retiredIds).toEqual([first.made?.tokenId]);
    expect(bench.ledger().map(({ id }) => id)).toEqual([second.made?.tokenId]);
  });
});

describe('the first rotation after an upgrade, without a ledger', () => {
  it('publishes a new token, and the old one stays good until it expires', async () => {
    const bench = createRotationBench();
    await bench.run();
    const old = bench.publishedToken() ?? '';
    bench.parameters.stored.delete(ledgerName);
    bench.advance(hour);
    const { plan, made } = await bench.run();
    expect(plan).toMatchObject({ action: 'make', reason: expect.stringContaining('the ledger') });
    expect(made?.tokenId).toBe(bench.publishedToken()?.slice(0, 6));
    for (let hours = 1; hours < 25; hours += 1) {
      expect(bench.cluster.accepts(old, settings.address)).toBe(true);
      bench.advance(hour);
      await bench.run();
    }
    expect(bench.cluster.accepts(old, settings.address)).toBe(false);
  });
});
