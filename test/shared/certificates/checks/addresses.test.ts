import { describe, expect, test } from 'vitest';
import { instanceFacts, nodeFacts, settings } from '../../../../local/world/certificates/facts.ts';
import { now } from '../../../../local/world/certificates/requests.ts';
import { signers } from '../../../../shared/certificates/certificate-request.ts';
import { addressesCheck } from '../../../../shared/certificates/checks/addresses.ts';
import type { Case } from '../../../../shared/certificates/decision-input.ts';

const foreign = '10.9.9.9';
const check = (changes: Partial<Case>, ipAddresses: readonly string[] = [foreign]) =>
  addressesCheck({
    request: { signerName: signers.serving, createdAt: now },
    read: { names: { dnsNames: [], ipAddresses } },
    situation: { kind: 'node-ready', reason: '', instance: instanceFacts(), since: now },
    node: nodeFacts(),
    settings,
    now,
    ...changes,
  } as Case);

describe('the check of addresses', () => {
  test('denies a foreign address', () => {
    expect(check({})).toMatchObject({ kind: 'deny' });
  });

  test('has nothing to say of a client certificate, whose form forbids addresses', () => {
    const request = { signerName: signers.client, createdAt: now } as Case['request'];
    expect(check({ request })).toBeUndefined();
  });

  test('has nothing to say where the name has no instance, which an earlier check has judged', () => {
    expect(check({ situation: { kind: 'no-instance', reason: '' } })).toBeUndefined();
  });

  test('waits for a secondary address while the Node has not been made', () => {
    expect(check({ node: undefined }, ['10.0.0.7'])).toMatchObject({ kind: 'later' });
    expect(check({ node: undefined, now: now + 300_000 }, ['10.0.0.7'])).toMatchObject({ kind: 'deny' });
  });

  test('names the first address that it denies, and no other', () => {
    expect(check({}, ['10.0.0.1', foreign, '10.8.8.8'])).toMatchObject({
      reason: expect.stringMatching(/^address 10\.9\.9\.9 is not one of instance/),
    });
  });
});
