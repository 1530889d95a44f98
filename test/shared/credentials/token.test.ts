import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatToken,
  identityProblem,
  isBootstrapGroup,
  makeToken,
  parseToken,
} from '../../../shared/credentials/token.ts';

describe('a new token', () => {
  it('has the form that the authenticator accepts, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.integer({ min: 0, max: 251 })), (bytes) => {
        const token = makeToken((size) => Uint8Array.from({ length: size }, () => bytes.next().value ?? 0));
        expect(formatToken(token)).toMatch(/^[a-z0-9]{6}\.[a-z0-9]{16}$/);
        expect(parseToken(formatToken(token))).toEqual(token);
      }),
    );
  });

  it('makes every symbol equally likely: the four highest bytes are dropped', () => {
    let byte = 0;
    const draws = 252 * 22;
    const counts = new Map<string, number>();
    for (let token = 0; token < draws / 22; token += 1) {
      const { id, secret } = makeToken((size) => Uint8Array.from({ length: size }, () => byte++ % 256));
      for (const symbol of id + secret) counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
    }
    expect([...counts.keys()]).toHaveLength(36);
    expect(new Set(counts.values())).toEqual(new Set([draws / 36]));
  });
});

describe('a text that is not a token', () => {
  it.each([
    '',
    'abcdef',
    'abcdef.0123',
    'ABCDEF.0123456789abcdef',
    'abcdef.0123456789abcdef\n',
    'eyJhbGciOi.x.y',
  ])('%j is not read as a token', (text) => {
    expect(parseToken(text)).toBeUndefined();
  });
});

describe('a group of a bootstrap token', () => {
  it.each([
    ['system:bootstrappers:drover:worker', true],
    ['system:bootstrappers:kubeadm:default-node-token', true],
    ['system:masters', false],
    ['system:bootstrappers', false],
    ['system:bootstrappers:', false],
    ['system:bootstrappers:a-', false],
    [`system:bootstrappers:${'a'.repeat(257)}`, false],
  ])('%s is allowed: %s', (group, allowed) => {
    expect(isBootstrapGroup(group)).toBe(allowed);
  });
});

const groups = ['system:bootstrappers:drover:worker'];
const right = {
  username: 'system:bootstrap:abcdef',
  groups: ['system:bootstrappers', ...groups, 'system:authenticated'],
};

describe('the identity of a token', () => {
  it.each([
    ['is right', right, undefined],
    ['is nothing', undefined, 'does not know it'],
    ['is another user', { ...right, username: 'system:admin' }, 'takes it for system:admin'],
    ['lacks a group', { ...right, groups: ['system:bootstrappers'] }, 'system:bootstrappers:drover:worker'],
    ['is not a bootstrapper', { ...right, groups }, 'into the group system:bootstrappers'],
  ])('%s', (_, identity, problem) => {
    const found = identityProblem({ identity, tokenId: 'abcdef', groups });
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(problem);
  });
});
