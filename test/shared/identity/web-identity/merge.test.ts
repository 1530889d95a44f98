import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { mergeAuthentication } from '../../../../shared/identity/web-identity/merge.ts';

const own = {
  issuer: { url: 'https://a.tokens.sts.global.api.aws', audiences: ['drover:prod'] },
  claimMappings: { username: { expression: 'claims.sub' } },
};
const bounded = `
  - issuer: {url: https://login.example.com, audiences: [kubernetes]}
    claimMappings: {username: {claim: email, prefix: 'oidc:'}}
`;
const existing = (
  jwt = bounded,
  head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration',
) => `# ours\n${head}\njwt:${jwt}anonymous: {enabled: false}\n`;
const merge = (text: string, replaces = false) => mergeAuthentication(text, [own], { replaces });

describe('a configuration that is there', () => {
  test('keeps its authenticators, its other fields and its comments', () => {
    const merged = merge(existing());
    if (merged.kind !== 'document') throw new Error(merged.reason);
    expect(merged.text).toContain('# ours');
    expect(parse(merged.text)).toEqual({
      ...parse(existing()),
      jwt: [...parse(existing()).jwt, own],
    });
    expect(merged.warnings).toEqual([]);
  });

  test('gets a list if it has none', () => {
    const merged = merge('apiVersion: apiserver.config.k8s.io/v1beta1\nkind: AuthenticationConfiguration\n');
    if (merged.kind !== 'document') throw new Error(merged.reason);
    expect(parse(merged.text)).toMatchObject({ apiVersion: 'apiserver.config.k8s.io/v1beta1', jwt: [own] });
  });

  test('has one authenticator for an issuer: another is refused, or makes place', () => {
    const same = `${bounded}  - issuer: {url: https://a.tokens.sts.global.api.aws, audiences: [old]}\n`;
    expect(merge(existing(same))).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('--replace'),
    });
    const merged = merge(existing(same), true);
    if (merged.kind !== 'document') throw new Error(merged.reason);
    expect(parse(merged.text).jwt).toEqual([...parse(existing()).jwt, own]);
  });

  test.each([
    ['not YAML', 'a: [', 'not YAML'],
    ['no document', '', 'not a single YAML document'],
    ['two documents', `${existing()}---\n${existing()}`, 'not a single YAML document'],
    ['another kind', 'apiVersion: v1\nkind: ConfigMap\n', 'kind is not AuthenticationConfiguration'],
    ['a list', '[]', 'kind is not AuthenticationConfiguration'],
    [
      'an alpha version',
      existing(bounded, 'apiVersion: apiserver.config.k8s.io/v1alpha1\nkind: AuthenticationConfiguration'),
      'v1alpha1',
    ],
    ['authenticators that are not a list', existing(' {}\n'), 'its jwt is not a list'],
    ['an authenticator that is not a map', existing('\n  - x\n'), 'not a map'],
    [
      'as many as an API server takes',
      existing(
        `\n${Array.from({ length: 64 }, (_, one) => `  - issuer: {url: https://${one}.example.com}\n`).join('')}`,
      ),
      '65',
    ],
  ])('is refused if it is %s', (_, text, reason) => {
    expect(merge(text)).toMatchObject({ kind: 'refused', reason: expect.stringContaining(reason) });
  });

  test('is refused where an alias points into what would be replaced', () => {
    const jwt =
      '\n  - issuer: &one {url: https://a.tokens.sts.global.api.aws}\n  - {issuer: {url: https://b.example.com}, claimMappings: *one}\n';
    expect(merge(existing(jwt), true)).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('alias'),
    });
  });

  test('is refused where its aliases make a short text a long one', () => {
    const levels = Array.from({ length: 9 }, (_, at) => `a${at}: &a${at} [${`*a${at - 1},`.repeat(9)}]`);
    const text = `a: &a-1 [x]\n${levels.join('\n')}\n${existing()}`;
    expect(merge(text)).toMatchObject({ kind: 'refused', reason: expect.stringContaining('alias') });
  });

  test('is refused where two would be discovered at one address', () => {
    const added = { ...own, issuer: { ...own.issuer, discoveryURL: 'https://mirror.example.com/d' } };
    const text = existing(
      '\n  - issuer: {url: https://b.example.com, discoveryURL: https://mirror.example.com/d}\n',
    );
    expect(mergeAuthentication(text, [added], { replaces: false })).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('discoveryURL'),
    });
  });

  test.each([
    [
      'names without a prefix',
      `\n  - issuer: {url: https://b.example.com}\n    claimMappings: {username: {claim: sub, prefix: ''}}\n`,
      1,
    ],
    [
      'groups without a prefix',
      `\n  - issuer: {url: https://b.example.com}\n    claimMappings: {username: {claim: sub, prefix: 'b:'}, groups: {claim: groups, prefix: ''}}\n`,
      1,
    ],
    [
      'an expression',
      `\n  - issuer: {url: https://b.example.com}\n    claimMappings: {username: {expression: claims.sub}}\n`,
      1,
    ],
    [
      'an expression and a rule',
      `\n  - issuer: {url: https://b.example.com}\n    claimMappings: {username: {expression: claims.sub}}\n    userValidationRules: [{expression: "!user.username.startsWith('system:')"}]\n`,
      0,
    ],
    [
      'rules that are left empty',
      '\n  - issuer: {url: https://b.example.com}\n    userValidationRules:\n',
      1,
    ],
    ['a mapping that is left empty', '\n  - issuer:\n    claimMappings: {username: , groups: }\n', 1],
    ['a rule that is not a text', '\n  - userValidationRules: [{expression: 5}, null, x]\n', 1],
  ])('is warned of where another issuer has %s', (_, jwt, count) => {
    const merged = merge(existing(jwt));
    expect(merged.kind === 'document' && merged.warnings).toHaveLength(count);
  });
});
