import { describe, expect, it } from 'vitest';
import { identityProblem } from '../../../shared/credentials/identity.ts';

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
    ['is no bootstrapper', { ...right, groups }, 'into the group system:bootstrappers'],
  ])('%s', (_, identity, problem) => {
    const found = identityProblem({ identity, tokenId: 'abcdef', groups });
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(problem);
  });
});
